//! The settings of a rollout.

use serde::{Deserialize, Serialize};

use crate::search::Plies;

/// The settings of a rollout.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RolloutConfig {
    /// The maximum number of games; 1296 is the usual choice.
    pub games: u64,
    /// Plies after which a game is cut off and evaluated, at least 1: it counts half its value there and half its value one
    /// ply later. `None` plays to the end.
    pub truncate: Option<u32>,
    /// The depth at which plays are chosen. Cube actions are always chosen at 1-ply.
    pub plies: Plies,
    /// Whether to use variance reduction.
    pub variance_reduction: bool,
    /// The seed of the dice.
    pub seed: u64,
}

impl Default for RolloutConfig {
    fn default() -> RolloutConfig {
        RolloutConfig {
            games: 1296,
            truncate: None,
            plies: Plies::ONE,
            variance_reduction: true,
            seed: 1,
        }
    }
}
