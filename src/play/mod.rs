//! Playing games: who decides, with which dice, and what was played.

mod dice_stream;
mod player;
mod referee;

pub use dice_stream::{Domain, roll, stream};
pub use player::{Decision, Greedy, Player, Random, Yardstick};
pub use referee::{Game, MAX_TURNS, Seen, Table};
