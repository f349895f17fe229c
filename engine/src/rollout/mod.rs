//! Rollouts: the value of a position as the mean result of games played from it.
//!
//! Dice are stratified. In each turn, every 36 games contain each throw once. In the first two
//! turns, every 1,296 games contain each pair once.
//!
//! Variance reduction subtracts the luck of each roll from the result: its 1-ply value minus the
//! mean over all 21 rolls. Luck has a mean of zero for any evaluator, so results stay unbiased but
//! vary far less. Programs that do this are gnubg and Jellyfish (Montgomery, "Variance reduction",
//! GammOnLine 2000).
//!
//! A truncated game is evaluated twice, at its horizon and one ply later, and counts the mean of
//! both. The cube model favours the player on roll, who is the one player at one horizon and the
//! other at the next.
//!
//! Several positions can be rolled out together, with the same dice: the plays of a roll, or a cube
//! decision. The error of a difference is then that of the differences, game by game.

mod config;
mod cube_rollout;
mod dice;
mod game;
mod roller;
mod rollout;
mod sums;
mod task;

pub use config::RolloutConfig;
pub use cube_rollout::CubeRollout;
pub use roller::{Roller, RollerError};
pub use rollout::{RolloutLine, rollout, rollout_together};
pub use sums::{RolloutResult, RolloutSums};
pub use task::{ROLLOUT_TASK, open_rollout_task};

#[cfg(test)]
mod tests;
