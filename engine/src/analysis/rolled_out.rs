//! Decisions that are rolled out: the verdict of games played to their end, in place of that of the
//! search.

use super::decision::{AnalysedDecision, AnalysedPlay, CubeCall, DecisionKind};
use crate::cube::{Answer, MetError};
use crate::engine::{CubeContext, Engine};
use crate::eval::Evaluation;
use crate::progress::Progress;
use crate::rollout::{CubeRollout, RolloutConfig, RolloutLine, RolloutSums};
use crate::stats::Estimate;

/// A rolled-out choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RolledChoice {
    /// A play: its index among the plays of the decision.
    Play(usize),
    /// Not doubling.
    NoDouble,
    /// Doubling, answered by a take.
    DoubleTake,
}

/// The result of one choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RolledRow {
    /// The rolled-out choice.
    pub choice: RolledChoice,
    /// The equity for the player on roll, in points on the cube before a double, normalized to 1.
    pub equity: Estimate,
    /// The cubeless evaluation for the same player.
    pub value: Evaluation,
}

/// The rollouts of a decision.
#[derive(Clone, Debug, PartialEq)]
pub struct RolledOut {
    /// Games of each rollout.
    pub games: u64,
    /// The best play and the play that was made, the better one first; or no double and double with
    /// take.
    pub rows: Vec<RolledRow>,
    /// How much better the alternative is than the choice that was made, in points on a cube at 1.
    /// It is below 0 if the choice was right. Both are rolled out with the same dice, and the
    /// standard error is that of the difference.
    pub lost: Estimate,
    /// The loss that the search had found.
    pub searched_loss: f32,
}

/// Rolls out a decision on the current thread pool and replaces its loss by the rollout's.
///
/// Two choices are compared with the same dice. For a play they are the best play and the play that
/// was made. For a cube action they are no double, and double with take. A play that was the best
/// is left as it is.
///
/// `progress` counts games. The answer is false if `progress` was stopped before the end. The
/// decision then keeps its verdict.
///
/// # Errors
/// [`MetError`] if the engine's match equity table does not reach the score.
pub fn roll_out(
    analysed: &mut AnalysedDecision,
    engine: &Engine,
    config: &RolloutConfig,
    progress: &Progress,
) -> Result<bool, MetError> {
    let context = engine.context(analysed.scoring, analysed.cube)?;
    let searched_loss = analysed.loss();
    let position = analysed.position;
    let (rows, lost) = match &mut analysed.what {
        DecisionKind::Play(play) if play.played == 0 => return Ok(true),
        DecisionKind::Play(play) => {
            let Some(found) = plays(play, engine, &context, config, progress) else {
                return Ok(false);
            };
            play.loss = (found.1.mean as f32).max(0.0);
            found
        }
        DecisionKind::CubeCall(call) => {
            let lines = CubeRollout::lines(position, &context.scoring, context.cube);
            let both = together(engine, &lines, config, progress).map(<[RolloutSums; 2]>::try_from);
            let Some(Ok(sums)) = both else { return Ok(false) };
            let result = CubeRollout::of(&context.scoring, context.cube, &sums);
            call.decision = result.decision;
            call.loss = call.call.loss(&call.decision);
            let rows = [
                (RolledChoice::NoDouble, result.no_double),
                (RolledChoice::DoubleTake, result.double_take),
            ];
            let rows = rows.into_iter().zip(&sums).map(|((choice, equity), sums)| {
                let value = sums.result().value;
                RolledRow { choice, equity, value }
            });
            let lost = match call.call {
                CubeCall::NoDouble => result.double_gains,
                CubeCall::Double => result.double_gains.scaled(-1.0),
                CubeCall::Take => result.answer_lost(Answer::Take),
                CubeCall::Drop => result.answer_lost(Answer::Pass),
                CubeCall::Beaver => result.answer_lost(Answer::Beaver),
            };
            (rows.collect(), lost)
        }
    };
    analysed.rollout = Some(RolledOut { games: config.games, rows, lost, searched_loss });
    Ok(true)
}

/// The best play and the one that was made, the better one first, and how much better the best one
/// is than the other; `None` if it was stopped.
fn plays(
    play: &AnalysedPlay,
    engine: &Engine,
    context: &CubeContext,
    config: &RolloutConfig,
    progress: &Progress,
) -> Option<(Vec<RolledRow>, Estimate)> {
    let both = [0, play.played];
    let theirs = context.flipped();
    let goes_on = both.map(|index| play.plays[index].after().outcome().is_none());
    let lines: Vec<RolloutLine> = (both.iter().zip(goes_on))
        .filter(|(_, goes_on)| *goes_on)
        .map(|(&index, _)| Engine::line_after_play(play.plays[index].after(), Some(&theirs)))
        .collect();
    let mut sums = together(engine, &lines, config, progress)?.into_iter();
    let sums = goes_on.map(|goes_on| if goes_on { sums.next() } else { None });
    let row = |place: usize| {
        let (choice, made) = (RolledChoice::Play(both[place]), &play.plays[both[place]]);
        match sums[place].as_ref().map(RolloutSums::result) {
            Some(result) => {
                let equity = result.equity.scaled(-1.0);
                RolledRow { choice, equity, value: result.value.flipped() }
            }
            // A play that ends the game is exact.
            None => {
                let equity = Estimate { mean: made.equity.into(), stderr: 0.0, n: 1 };
                RolledRow { choice, equity, value: made.value }
            }
        }
    };
    let mut rows = vec![row(0), row(1)];
    let lost = match &sums {
        // Seen by the opponent, who is on roll.
        [Some(best), Some(made)] => made.difference(best),
        _ => rows[0].equity.minus(rows[1].equity),
    };
    rows.sort_by(|a, b| b.equity.mean.total_cmp(&a.equity.mean));
    Some((rows, lost))
}

/// The sums of lines that are rolled out with the same dice; `None` if it was stopped.
fn together(
    engine: &Engine,
    lines: &[RolloutLine],
    config: &RolloutConfig,
    progress: &Progress,
) -> Option<Vec<RolloutSums>> {
    let mut sums = vec![RolloutSums::default(); lines.len()];
    let part = progress.part();
    let mut counted = 0;
    let mut count = |sums: &[RolloutSums]| {
        let games = sums.iter().map(RolloutSums::games).sum();
        progress.add(games - counted);
        counted = games;
    };
    let mut go_on = |sums: &[RolloutSums]| {
        count(sums);
        false
    };
    engine.rollout_together(lines, config, &mut sums, &mut go_on, &part);
    count(&sums);
    sums.iter().all(|sums| sums.games() >= config.games).then_some(sums)
}
