//! Playing games: players, the game runner, numbered random streams, match series and their statistics, game records.

mod match_session;
mod player;
mod record_game;
mod rng;
mod round_robin;
mod runner;
mod series;
mod stats;

pub use match_session::{Contest, Wanted};
pub use player::{Decision, Greedy, Player, Random, Yardstick};
pub use record_game::play_recorded;
pub use rng::{Domain, roll, stream};
pub use round_robin::RoundRobin;
pub use runner::{Game, MAX_TURNS, Seen, Table};
pub use series::{Series, SeriesConfig, Watch, play_series};
pub use stats::{Estimate, Tally};
