//! Rollouts: a position is worth what games from it bring on average.
//!
//! The first two rolls are stratified: game i begins with throw i of the 36, and its second throw is one of 36 in an order
//! of the seed's, so that every 36 games see each first throw once and every 1296 games each pair. Luck is taken out of
//! the results: for each roll, how much better it was than the mean over all 21, as the evaluator sees it one ply ahead.
//! That has a mean of zero whatever the evaluator thinks, so results stay unbiased, and vary far less (variance reduction
//! as in gnubg and Jellyfish; Montgomery, "Variance reduction", GammOnLine 2000).

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

/// How games are rolled out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RolloutConfig {
    /// Games at most; 1296 are customary.
    pub games: u64,
    /// Plies after which a game ends and is judged; `None` plays to the end.
    pub truncate: Option<u32>,
    /// The depth at which plays are chosen.
    pub plies: Plies,
    /// Whether luck is taken out of the results.
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

/// What a rollout found, for the player on roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RolloutResult {
    /// Games played.
    pub games: u64,
    /// The outcomes without the cube; in a cubeful rollout those of games that the cube did not end, played on.
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

/// Games between two looks at the error: each first throw four times.
const BATCH: u64 = 144;

/// Rolls out a position that is not finished, on the current thread pool. With scoring and a cube the games are cubeful: both
/// sides double, take and pass by the model at 1-ply, but the first turn begins after the player on roll has decided not to
/// double.
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
        sums.games > 0 && config.stderr.is_some_and(|wanted| sums.result().equity.stderr <= wanted)
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

    /// What the games played so far say, at least one.
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
