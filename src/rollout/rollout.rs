//! Plays the games of rollouts.

use rayon::prelude::*;

use super::dice::StratifiedDice;
use super::game::{CubePlay, RolloutGame, RolloutOutcome};
use super::{RolloutConfig, RolloutSums};
use crate::backgammon::{Cube, Position};
use crate::cube::CubeScoring;
use crate::eval::Evaluator;
use crate::progress::Progress;
use crate::search::{Replies, Search, SearchSettings};

/// A position to roll out.
#[derive(Clone, Debug)]
pub struct RolloutLine {
    /// Not finished.
    pub position: Position,
    /// Scoring and cube, seen by the player on roll; `None` for a rollout without the cube. Both sides double, take and pass by
    /// the cube model at 1-ply, but the player on roll does not double in the first turn.
    pub cube: Option<(CubeScoring, Cube)>,
    /// The value of the cube that equities are normalized to; that of the cube at the start unless rollouts with
    /// different cubes are compared.
    pub unit: u32,
}

/// Games of each line between two looks at the results: each first throw four times.
const BATCH: u64 = 144;

impl RolloutLine {
    /// A rollout with the cube, or without; `scoring` and `cube` are seen by the player on roll.
    #[must_use]
    pub fn new(position: Position, cube: Option<(CubeScoring, Cube)>) -> RolloutLine {
        let unit = cube.as_ref().map_or(1, |(_, cube)| cube.value());
        RolloutLine { position, cube, unit }
    }
}

/// Rolls out one line, as [`rollout_together`] does, up to the number of games of `config`.
pub fn rollout<E: Evaluator>(
    evaluator: &E,
    line: &RolloutLine,
    config: &RolloutConfig,
    sums: &mut RolloutSums,
    progress: &Progress,
) {
    let (lines, sums) = (std::slice::from_ref(line), std::slice::from_mut(sums));
    rollout_together(evaluator, lines, config, sums, &mut |_| false, progress);
}

/// Rolls out several positions with the same dice, on the current thread pool.
///
/// The games are added to those of `sums`, which belong to the lines one by one and to the same configuration. A line that
/// has fewer games than the others catches up first. After each batch `enough` looks at the sums, and ends the rollout if
/// it returns true. The result depends on these arguments alone, not on the number of threads or on interruptions. `progress` counts the
/// games of each line; when it is stopped, the rollout ends after the batch that is being played, and its games count.
pub fn rollout_together<E: Evaluator>(
    evaluator: &E,
    lines: &[RolloutLine],
    config: &RolloutConfig,
    sums: &mut [RolloutSums],
    enough: &mut (dyn FnMut(&[RolloutSums]) -> bool + Send),
    progress: &Progress,
) {
    let dice = StratifiedDice::new(config.seed);
    let theirs: Vec<Option<CubeScoring>> =
        lines.iter().map(|line| line.cube.as_ref().map(|(own, _)| own.flipped())).collect();
    let games: Vec<RolloutGame<E>> = lines
        .iter()
        .zip(&theirs)
        .map(|(line, theirs)| RolloutGame {
            search: Search::new(evaluator, config.plies, SearchSettings::NORMAL),
            position: line.position,
            cubeful: line.cube.as_ref().zip(theirs.as_ref()).map(|((own, cube), theirs)| {
                CubePlay { scoring: [own, theirs], cube: *cube, unit: line.unit }
            }),
            config,
            dice: &dice,
        })
        .collect();
    let done = |sums: &[RolloutSums]| sums.iter().map(RolloutSums::games).min().unwrap_or(u64::MAX);
    while done(sums) < config.games && !(done(sums) > 0 && enough(sums)) {
        let end = (done(sums) + BATCH).min(config.games);
        let batch: Vec<(usize, u64)> = (sums.iter().enumerate())
            .flat_map(|(line, sums)| (sums.games()..end).map(move |number| (line, number)))
            .collect();
        let played: Vec<RolloutOutcome> = batch
            .par_iter()
            .map_init(Replies::default, |replies, &(line, number)| {
                games[line].play(number, replies)
            })
            .collect();
        for (&(line, _), game) in batch.iter().zip(&played) {
            sums[line].add(game);
        }
        progress.set(done(sums));
        if progress.is_stopped() {
            break;
        }
    }
}
