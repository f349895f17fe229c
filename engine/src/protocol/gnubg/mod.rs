//! GNU Backgammon's external player protocol: a server that gnubg connects to, and a gnubg process
//! that plays for nonet.

mod board;
mod external_player;
mod fibs_line;
mod process;

pub use board::{Ask, ExternalBoard, ExternalBoardError, ExternalQuestion};
pub use external_player::{Disconnected, GnubgServer};
pub use process::{Gnubg, GnubgError, GnubgSettings, GnubgTimeouts};
