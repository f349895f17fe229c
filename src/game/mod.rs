//! Playing games: players, the game runner, numbered random streams, match series and their statistics, game records.

mod match_session;
mod player;
mod record_game;
mod rng;
mod round_robin;
mod runner;
mod series;
mod stats;

pub use match_session::{MatchSession, NextAction};
pub use player::{Baseline, Greedy, MoveChoice, Player, Random};
pub use record_game::play_recorded;
pub use rng::{StreamPurpose, roll, stream};
pub use round_robin::RoundRobin;
pub use runner::{Game, GameRunner, MAX_TURNS, PlayedTurn};
pub use series::{Series, SeriesConfig, play_series};
pub use stats::{Estimate, OutcomeCounts};
