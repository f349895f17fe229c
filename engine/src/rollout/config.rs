//! The settings of a rollout.

use serde::{Deserialize, Serialize};

use crate::search::Plies;

/// The settings of a rollout.
///
/// ```
/// use nonet_engine::rollout::RolloutConfig;
///
/// let cut_off = RolloutConfig { truncate: Some(11), ..RolloutConfig::default() };
/// assert_eq!(cut_off.games, RolloutConfig::GAMES);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RolloutConfig {
    /// The maximum number of games.
    pub games: u64,
    /// Plies after which a game is cut off and evaluated, at least 1. The game counts half its
    /// value there and half its value one ply later. `None` plays to the end.
    pub truncate: Option<u32>,
    /// The depth at which plays are chosen. Cube actions are always chosen at 1-ply.
    pub plies: Plies,
    /// Whether to use variance reduction.
    pub variance_reduction: bool,
    /// The seed of the dice.
    pub seed: u64,
}

impl RolloutConfig {
    /// Games of each line: every pair of first rolls once.
    pub const GAMES: u64 = 1296;

    /// Plies after which games are cut off where the default is a number: 0, which plays to the
    /// end. A rollout should not depend on the evaluations at a horizon.
    pub const TRUNCATE: u32 = 0;

    /// The depth of plays in the games.
    pub const PLIES: Plies = Plies::ONE;

    /// How many of the best plays of a roll are rolled out.
    pub const PLAYS: usize = 3;

    /// The depth at which these plays are chosen.
    pub const CHOOSING_PLIES: Plies = Plies::TWO;
}

impl Default for RolloutConfig {
    fn default() -> RolloutConfig {
        RolloutConfig {
            games: RolloutConfig::GAMES,
            truncate: None,
            plies: RolloutConfig::PLIES,
            variance_reduction: true,
            seed: 1,
        }
    }
}
