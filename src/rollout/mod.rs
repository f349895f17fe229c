//! Rollouts: the value of a position as the mean result of games played from it.
//!
//! The first two rolls are stratified: game i begins with throw i of the 36, and its second throw is one of the 36 in a random
//! order that depends on the seed, so that every 36 games contain each first throw once and every 1296 games each pair.
//! Variance reduction subtracts the luck of each roll from the result: its 1-ply value minus the mean over all 21 rolls.
//! Luck has a mean of zero for any evaluator, so results stay unbiased but vary far less (as in gnubg and Jellyfish; Montgomery, "Variance reduction", GammOnLine 2000).

mod game;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::backgammon::{Cube, Position};
use crate::cube::CubeScoring;
use crate::eval::Evaluation;
use crate::eval::Evaluator;
use crate::progress::Progress;
use crate::search::{Plies, Replies, Search, SearchSettings};
use crate::stats::Estimate;

/// The settings of a rollout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RolloutConfig {
    /// The maximum number of games; 1296 is the usual choice.
    pub games: u64,
    /// Plies after which a game is cut off and evaluated; `None` plays to the end.
    pub truncate: Option<u32>,
    /// The depth at which plays are chosen.
    pub plies: Plies,
    /// Whether to use variance reduction.
    pub variance_reduction: bool,
    /// Stop before all games are played once the standard error of the equity is no more than this, in points.
    pub stderr: Option<f64>,
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
            stderr: None,
            seed: 1,
        }
    }
}

/// The result of a rollout, for the player on roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RolloutResult {
    /// Games played.
    pub games: u64,
    /// The cubeless evaluation. In a cubeful rollout, games with a refused double are played on for it.
    pub value: Evaluation,
    /// The equity in points per game on a cube at 1, cubeful if the rollout was. Its standard error is that of independent
    /// games; stratified dice make the true one a little smaller.
    pub equity: Estimate,
    /// The standard error of the equity without variance reduction, by the same games.
    pub plain_stderr: f64,
}

/// The sums of the games played so far: what a rollout needs to continue, in this process or another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RolloutSums {
    games: u64,
    heads: [f64; 7],
    equity: [f64; 2],
    plain: [f64; 2],
}

/// Games between two checks of the standard error: each first throw four times.
const BATCH: u64 = 144;

/// Rolls out a position that is not finished, on the current thread pool. With a scoring and a cube the games are cubeful: both
/// sides double, take and pass by the cube model at 1-ply, but the player on roll does not double in the first turn.
///
/// The games are added to those of `sums`, which must belong to the same position, cube and configuration. The result
/// depends on these arguments alone, not on the number of threads or on interruptions. `progress` counts games; when it is
/// stopped, the rollout ends after the batch of games that is being played, and these count.
pub fn rollout<E: Evaluator>(
    evaluator: &E,
    position: &Position,
    cube: Option<(&CubeScoring, Cube)>,
    config: &RolloutConfig,
    sums: &mut RolloutSums,
    progress: &Progress,
) {
    let theirs = cube.map(|(scoring, _)| scoring.flipped());
    let cubeful = cube
        .zip(theirs.as_ref())
        .map(|((own, cube), theirs)| game::CubePlay { scoring: [own, theirs], cube });
    let order = game::Stratification::new(config.seed);
    let rollout_game = game::RolloutGame {
        search: Search::new(evaluator, config.plies, SearchSettings::NORMAL),
        position: *position,
        cubeful,
        config,
        order: &order,
    };
    let enough = |sums: &RolloutSums| {
        sums.games > 0 && config.stderr.is_some_and(|limit| sums.result().equity.stderr <= limit)
    };
    while sums.games < config.games && !enough(sums) {
        let batch = sums.games..(sums.games + BATCH).min(config.games);
        let played: Vec<game::RolloutOutcome> = batch
            .into_par_iter()
            .map_init(Replies::default, |replies, number| rollout_game.play(number, replies))
            .collect();
        played.iter().for_each(|game| sums.add(game));
        progress.set(sums.games);
        if progress.is_stopped() {
            break;
        }
    }
}

impl RolloutSums {
    fn add(&mut self, game: &game::RolloutOutcome) {
        self.games += 1;
        for (sum, head) in self.heads.iter_mut().zip(game.value.heads()) {
            *sum += f64::from(head);
        }
        for (sums, equity) in [(&mut self.equity, game.equity), (&mut self.plain, game.plain)] {
            sums[0] += equity;
            sums[1] += equity * equity;
        }
    }

    /// Games played.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The result of the games played so far, at least one.
    #[must_use]
    pub fn result(&self) -> RolloutResult {
        let n = self.games as f64;
        let estimate = |[sum, squares]: [f64; 2]| Estimate::from_sums(self.games, sum, squares);
        RolloutResult {
            games: self.games,
            value: Evaluation::from_heads(&self.heads.map(|sum| (sum / n) as f32)),
            equity: estimate(self.equity),
            plain_stderr: estimate(self.plain).stderr,
        }
    }
}

#[cfg(test)]
mod tests;
