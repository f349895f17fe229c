//! Plays the games of rollouts.

use std::collections::VecDeque;

use super::game::RolloutOutcome;
use super::task::RolloutTask;
use super::{RolloutConfig, RolloutSums};
use crate::backgammon::{Cube, Position};
use crate::cube::CubeScoring;
use crate::eval::Evaluator;
use crate::progress::Progress;
use crate::strength::Strength;

/// A position to roll out.
#[derive(Clone, Debug)]
pub struct RolloutLine {
    /// Not finished.
    pub position: Position,
    /// Scoring and cube, seen by the player on roll; `None` for a rollout without the cube. Both
    /// sides double, take and pass by the cube model at 1-ply.
    pub cube: Option<(CubeScoring, Cube)>,
    /// Whether the player on roll may double in the first turn. After a play they may. A rollout of
    /// not doubling begins after that decision.
    pub doubles_at_once: bool,
    /// The value of the cube on which equities are points of 1. It is that of the cube at the
    /// start, unless rollouts with different cubes are compared.
    pub unit: u32,
    /// How well the player on roll and the other one play.
    pub strengths: [Strength; 2],
}

/// Games of each line between two looks at the results: each first throw four times.
const BATCH: u64 = 144;

/// Games of each line that count at least, even if the rollout is stopped at once.
const FEWEST: u64 = 2;

/// Batches that are played at once at most, where other machines play them.
const MOST_AHEAD: u64 = 64;

impl RolloutLine {
    /// A rollout with the cube, or without; `scoring` and `cube` are seen by the player on roll,
    /// who has decided not to double in this turn. Both sides play as well as the evaluator lets
    /// them.
    #[must_use]
    pub fn new(position: Position, cube: Option<(CubeScoring, Cube)>) -> RolloutLine {
        let unit = cube.as_ref().map_or(1, |(_, cube)| cube.value());
        let strengths = [Strength::PERFECT; 2];
        RolloutLine { position, cube, doubles_at_once: false, unit, strengths }
    }

    /// A rollout from the position after a play: the player on roll may double first.
    #[must_use]
    pub fn after_play(position: Position, cube: Option<(CubeScoring, Cube)>) -> RolloutLine {
        RolloutLine { doubles_at_once: true, ..RolloutLine::new(position, cube) }
    }

    /// The same between players of these strengths, that of the player on roll first.
    #[must_use]
    pub fn between(self, strengths: [Strength; 2]) -> RolloutLine {
        RolloutLine { strengths, ..self }
    }
}

/// Rolls out one line, as [`rollout_together`] does, up to the number of games of `config`. The
/// evaluator is static, as `Engine::static_evaluator` is; `config.plies` is the depth of plays.
///
/// ```
/// use nonet_engine::Position;
/// use nonet_engine::progress::Progress;
/// use nonet_engine::rollout::{RolloutConfig, RolloutLine, RolloutSums, rollout};
///
/// let team = nonet_engine::open::net("small")?.team;
/// let config = RolloutConfig { games: 36, ..RolloutConfig::default() };
/// let (line, mut sums) = (RolloutLine::new(Position::START, None), RolloutSums::default());
/// rollout(&team, &line, &config, &mut sums, &Progress::default());
/// assert_eq!(sums.result().games, 36);
/// # Ok::<(), nonet_engine::open::OpenError>(())
/// ```
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
/// The games are added to those of `sums`, which belong to the lines one by one and to the same
/// configuration. A line that has fewer games than the others catches up first. After each batch
/// `enough` looks at the sums, and ends the rollout if it returns true. The result depends on these
/// arguments alone, not on the number of threads or on interruptions. `progress` counts the games
/// of each line. When it is stopped, the games that have begun are played to their end. On the
/// caller's threads at least two games of each line count then. With a dispatcher there may be
/// none, and the mean of no game is not a number.
///
/// # Panics
/// If there are sums but no lines. There must be as many sums as lines. With more sums the rollout
/// never ends, and with fewer the last lines are not rolled out.
pub fn rollout_together<E: Evaluator>(
    evaluator: &E,
    lines: &[RolloutLine],
    config: &RolloutConfig,
    sums: &mut [RolloutSums],
    enough: &mut (dyn FnMut(&[RolloutSums]) -> bool + Send),
    progress: &Progress,
) {
    let task = RolloutTask::new(evaluator, lines, config);
    let (lines, slots) = (lines.len() as u64, progress.slots());
    let done = |sums: &[RolloutSums]| sums.iter().map(RolloutSums::games).min().unwrap_or(u64::MAX);
    // After whole batches only, so that an interruption changes no decision.
    let looks = |games: u64| games > 0 && games.is_multiple_of(BATCH);
    // The games played ahead of the current batch: several machines may have several batches in
    // work.
    let mut ahead: VecDeque<RolloutOutcome> = VecDeque::new();
    while done(sums) < config.games && !(looks(done(sums)) && enough(sums)) {
        let start = done(sums);
        // The same bounds after an interruption as without one.
        let end = ((start / BATCH + 1) * BATCH).min(config.games);
        // In the order of the items: game by game, and in each the lines.
        let missing = |game: u64| {
            let without = |(line, sums): (u64, &RolloutSums)| {
                (sums.games() <= game).then_some(game * lines + line)
            };
            (0..).zip(&*sums).filter_map(without).collect::<Vec<u64>>()
        };
        let items: Vec<u64> = (start..end).flat_map(missing).collect();
        let all = items.len() as u64 == (end - start) * lines;
        let games: Vec<RolloutOutcome> = if all && progress.has_dispatcher() {
            if ahead.is_empty() {
                let until = (start + BATCH * slots.min(MOST_AHEAD)).min(config.games);
                let Some(parts) = progress.share(&task, start * lines..until * lines) else {
                    return;
                };
                ahead.extend(parts.into_iter().flatten());
            }
            ahead.drain(..items.len()).collect()
        } else {
            let at_least = FEWEST.saturating_sub(start) * lines;
            let mut games = task.games(&items, at_least, progress);
            if all {
                games.truncate(games.len() / lines as usize * lines as usize);
            }
            games
        };
        for (item, game) in items.iter().zip(&games) {
            sums[(item % lines) as usize].add(game);
        }
        progress.set(done(sums));
        if progress.is_stopped() {
            break;
        }
    }
}
