//! The engine behind front ends: other people's windows, the terminal, and records to be judged.
//!
//! [`Adviser`] is what all of them ask. [`Ubgi`] speaks to controllers over two streams, [`GnubgPlayer`] to a gnubg that
//! plays against us; [`Gnubg`] is a gnubg that plays at our tables. [`analyse`] judges recorded games, a [`Contest`] is one that a person
//! plays. Streams are handed in; the process of that gnubg and its
//! socket are all that is opened here.

mod adviser;
mod analysis;
mod contest;
mod fibs_board;
mod gnubg;
mod gnubg_player;
mod lines;
mod ubgi;

pub use adviser::{Advice, Adviser, Terms};
pub use analysis::{
    Analysis, CLOSE, Call, Judged, JudgedCall, JudgedPlay, Mark, Progress, Summary, What, analyse,
    decisions_in,
};
pub use contest::{Contest, Wanted};
pub use fibs_board::{Ask, BoardError, FibsBoard, Question};
pub use gnubg::{Gnubg, GnubgError};
pub use gnubg_player::{GnubgPlayer, HungUp};
pub use lines::{Lines, Refused};
pub use ubgi::{OpenNet, Ubgi};
