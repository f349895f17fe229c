//! The games of a rollout as a task that other machines can do.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::dice::StratifiedDice;
use super::game::{CubePlay, RolloutGame, RolloutOutcome};
use super::{RolloutConfig, RolloutLine};
use crate::backgammon::{Cube, Position, Scoring};
use crate::cube::{CubeScoring, MatchEquityTable};
use crate::eval::{Evaluator, EvaluatorDescription};
use crate::game::Maker;
use crate::progress::{Attachments, Progress, RemoteTask, Task, from_bytes, to_bytes};
use crate::search::{Plies, Replies, Search, SearchSettings};
use crate::strength::Strength;

/// The games of a rollout of several lines. Item `n` is game `n / lines` of line `n % lines`.
pub(super) struct RolloutTask<'a, E> {
    evaluator: &'a E,
    lines: &'a [RolloutLine],
    /// The scoring of each line as the player who is not on roll sees it.
    theirs: Vec<Option<CubeScoring>>,
    config: &'a RolloutConfig,
    dice: StratifiedDice,
}

/// A line in a message; the match equity table is the usual one.
#[derive(Serialize, Deserialize)]
struct LineForm {
    position: Position,
    cube: Option<(Scoring, Cube)>,
    doubles_at_once: bool,
    unit: u32,
    strengths: [Strength; 2],
}

/// The description of a rollout for another machine.
#[derive(Serialize, Deserialize)]
struct RolloutDescription {
    evaluator: EvaluatorDescription,
    lines: Vec<LineForm>,
    config: RolloutConfig,
}

impl<'a, E: Evaluator> RolloutTask<'a, E> {
    pub(super) fn new(
        evaluator: &'a E,
        lines: &'a [RolloutLine],
        config: &'a RolloutConfig,
    ) -> RolloutTask<'a, E> {
        let flipped = |line: &RolloutLine| line.cube.as_ref().map(|(own, _)| own.flipped());
        let (theirs, dice) =
            (lines.iter().map(flipped).collect(), StratifiedDice::new(config.seed));
        RolloutTask { evaluator, lines, theirs, config, dice }
    }

    /// Plays these items on the current thread pool.
    ///
    /// When `progress` is stopped, the games that have begun are played to their end. The items
    /// before the first game that has not begun are returned. The first `at_least` items are always
    /// played.
    pub(super) fn games(
        &self,
        items: &[u64],
        at_least: u64,
        progress: &Progress,
    ) -> Vec<RolloutOutcome> {
        let games: Vec<RolloutGame<E>> =
            (0..self.lines.len()).map(|line| self.game(line)).collect();
        let lines = games.len() as u64;
        let play = |replies: &mut Replies, (n, item): (usize, &u64)| {
            let skipped = n as u64 >= at_least && progress.is_stopped();
            (!skipped).then(|| games[(item % lines) as usize].play(item / lines, replies))
        };
        let played: Vec<Option<RolloutOutcome>> =
            items.par_iter().enumerate().map_init(Replies::default, play).collect();
        played.into_iter().map_while(|game| game).collect()
    }

    fn game(&self, line: usize) -> RolloutGame<'_, E> {
        let RolloutLine { position, ref cube, doubles_at_once, unit, strengths } = self.lines[line];
        RolloutGame {
            search: Search::new(self.evaluator, self.config.plies, SearchSettings::NORMAL),
            position,
            cubeful: cube.as_ref().zip(self.theirs[line].as_ref()).map(|((own, cube), theirs)| {
                CubePlay { scoring: [own, theirs], cube: *cube, doubles_at_once, unit }
            }),
            config: self.config,
            dice: &self.dice,
            strengths,
        }
    }
}

impl<E: Evaluator> Task for RolloutTask<'_, E> {
    const KIND: &'static str = "rollout";
    type Part = Vec<RolloutOutcome>;

    /// A rollout counts its games itself, so this counts nothing.
    fn part(&self, items: Range<u64>, progress: &Progress) -> Option<Vec<RolloutOutcome>> {
        let items: Vec<u64> = items.collect();
        let games = self.games(&items, 0, progress);
        (games.len() == items.len()).then_some(games)
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<Vec<u8>> {
        let evaluator = self.evaluator.describe(attachments)?;
        let form = |line: &RolloutLine| {
            let cube = match &line.cube {
                Some((scoring, _)) if !scoring.has_usual_table() => return None,
                Some((scoring, cube)) => Some((scoring.session(), *cube)),
                None => None,
            };
            let RolloutLine { position, doubles_at_once, unit, strengths, .. } = *line;
            Some(LineForm { position, cube, doubles_at_once, unit, strengths })
        };
        let lines = self.lines.iter().map(form).collect::<Option<Vec<_>>>()?;
        // The number of games is no part of what a game is: a longer rollout has the same games.
        let config = RolloutConfig { games: 0, ..*self.config };
        Some(to_bytes(&RolloutDescription { evaluator, lines, config }))
    }

    fn grain(&self) -> u64 {
        match self.config.plies {
            Plies::ONE => 36,
            Plies::TWO => 4,
            _ => 1,
        }
    }

    fn check(&self, items: &Range<u64>, games: &Vec<RolloutOutcome>) -> Result<(), String> {
        let (expected, found) = (items.end - items.start, games.len());
        if found as u64 != expected {
            return Err(format!("{found} games, expected {expected}"));
        }
        let finite = |game: &RolloutOutcome| {
            let heads = game.value.heads().into_iter().map(f64::from);
            heads.chain([game.equity, game.plain]).all(f64::is_finite)
        };
        if games.iter().all(finite) { Ok(()) } else { Err("a game has no finite result".into()) }
    }
}

/// A rollout that has come from another machine.
struct OpenRollout {
    evaluator: Arc<dyn Evaluator>,
    lines: Vec<RolloutLine>,
    config: RolloutConfig,
}

impl RemoteTask for OpenRollout {
    fn run(
        &self,
        items: Range<u64>,
        _input: &[u8],
        progress: &Progress,
    ) -> Result<Option<Vec<u8>>, String> {
        let task = RolloutTask::new(&self.evaluator, &self.lines, &self.config);
        Ok(task.part(items, progress).map(|games| to_bytes(&games)))
    }
}

/// The kind of the task that a rollout is.
pub const ROLLOUT_TASK: &str = <RolloutTask<'static, Arc<dyn Evaluator>> as Task>::KIND;

/// Opens a rollout that has come from another machine.
///
/// # Errors
/// The error in the description, or the part that cannot be made here.
pub fn open_rollout_task(
    settings: &[u8],
    maker: &dyn Maker,
) -> Result<Box<dyn RemoteTask>, String> {
    let RolloutDescription { evaluator, lines, config } =
        from_bytes(settings).map_err(|error| error.to_string())?;
    if lines.is_empty() {
        return Err("a rollout of nothing".into());
    }
    let evaluator = maker.evaluator(&evaluator)?;
    let line = |LineForm { position, cube, doubles_at_once, unit, strengths }: LineForm| {
        if !strengths.iter().all(Strength::is_valid) {
            return Err("a rollout between players of an impossible strength".to_owned());
        }
        let cube = match cube {
            None => None,
            Some((session, cube)) => {
                let scoring = CubeScoring::new(session, MatchEquityTable::kazaross_xg2());
                Some((scoring.map_err(|error| error.to_string())?, cube))
            }
        };
        Ok(RolloutLine { position, cube, doubles_at_once, unit, strengths })
    };
    let lines = lines.into_iter().map(line).collect::<Result<_, String>>()?;
    Ok(Box::new(OpenRollout { evaluator, lines, config }))
}
