//! Decisions that are rolled out: the verdict of games played to their end, in place of that of the search.

use super::decision::{AnalysedDecision, DecisionKind};
use crate::backgammon::Position;
use crate::cube::{CubeDecision, MetError};
use crate::engine::{CubeContext, Engine};
use crate::eval::Evaluation;
use crate::progress::Progress;
use crate::rollout::{RolloutConfig, RolloutLine, RolloutSums};
use crate::stats::Estimate;

/// What was rolled out.
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
    /// What was rolled out.
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
    /// The best play and the play that was made, the better one first; or no double and double with take.
    pub rows: Vec<RolledRow>,
    /// The loss that the search had found.
    pub searched_loss: f32,
}

impl RolledOut {
    /// The standard error of the difference between the two choices, if their games were independent. They share their dice, so
    /// the true one is rather smaller.
    #[must_use]
    pub fn stderr(&self) -> f64 {
        self.rows.iter().map(|row| row.equity.stderr.powi(2)).sum::<f64>().sqrt()
    }
}

/// Rolls out a decision on the current thread pool and replaces its loss by the rollout's: of a play, the best one and the one
/// that was made; of a cube action, no double and double with take. A play that was the best is left as it is. `progress` counts games; false if it was
/// stopped before the end, and the decision then keeps its verdict.
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
    let rows = match &analysed.what {
        DecisionKind::Play(play) if play.played == 0 => return Ok(true),
        DecisionKind::Play(play) => {
            let rows = [0, play.played].map(|index| {
                let after = play.plays[index].after();
                let choice = RolledChoice::Play(index);
                if after.outcome().is_some() {
                    // A play that ends the game is exact.
                    let equity =
                        Estimate { mean: play.plays[index].equity.into(), stderr: 0.0, n: 1 };
                    return Some(RolledRow { choice, equity, value: play.plays[index].value });
                }
                let (equity, value) = one(engine, after, &context.flipped(), config, progress)?;
                let equity = Estimate { mean: -equity.mean, ..equity };
                Some(RolledRow { choice, equity, value: value.flipped() })
            });
            rows.into_iter().collect::<Option<Vec<_>>>()
        }
        DecisionKind::CubeCall(_) => {
            let value = context.cube.value();
            let doubled =
                CubeContext { cube: context.cube.doubled(), scoring: context.scoring.clone() };
            let rows = [
                (RolledChoice::NoDouble, &context, 1.0),
                (RolledChoice::DoubleTake, &doubled, ratio(&doubled, value)),
            ];
            let rows = rows.map(|(choice, context, ratio)| {
                let (equity, chances) = one(engine, &analysed.position, context, config, progress)?;
                let utility =
                    context.scoring.utility_of_equity(equity.mean as f32, context.cube.value());
                let mean = f64::from(context.scoring.equity(utility, value));
                let stderr = equity.stderr * f64::from(ratio);
                let equity = Estimate { mean, stderr, n: equity.n };
                Some(RolledRow { choice, equity, value: chances })
            });
            rows.into_iter().collect()
        }
    };
    let Some(mut rows) = rows else { return Ok(false) };
    let searched_loss = analysed.loss();
    match &mut analysed.what {
        DecisionKind::Play(play) => {
            play.loss = ((rows[0].equity.mean - rows[1].equity.mean) as f32).max(0.0);
            rows.sort_by(|a, b| b.equity.mean.total_cmp(&a.equity.mean));
        }
        DecisionKind::CubeCall(call) => {
            let value = context.cube.value();
            let utility =
                |row: &RolledRow| context.scoring.utility_of_equity(row.equity.mean as f32, value);
            let [no_double, take] = [&rows[0], &rows[1]].map(utility);
            call.decision =
                CubeDecision::new(&context.scoring, context.cube, rows[0].value, no_double, take);
            call.loss = call.call.loss(&call.decision);
        }
    }
    analysed.rollout = Some(RolledOut { games: config.games, rows, searched_loss });
    Ok(true)
}

/// Equity and cubeless chances of a position for the player on roll; `None` if it was stopped.
fn one(
    engine: &Engine,
    position: &Position,
    context: &CubeContext,
    config: &RolloutConfig,
    progress: &Progress,
) -> Option<(Estimate, Evaluation)> {
    let mut sums = RolloutSums::default();
    let part = progress.part();
    let line = RolloutLine::new(*position, Some((context.scoring.clone(), context.cube)));
    engine.rollout(&line, config, &mut sums, &part);
    progress.add(sums.games());
    let complete = sums.games() >= config.games || !part.is_stopped();
    complete.then(|| {
        let result = sums.result();
        (result.equity, result.value)
    })
}

/// How many points on a cube at 1, with the cube at `value`, a point on the cube of `context` is worth.
fn ratio(context: &CubeContext, value: u32) -> f32 {
    let utility = |equity| context.scoring.utility_of_equity(equity, context.cube.value());
    context.scoring.equity(utility(1.0), value) - context.scoring.equity(utility(0.0), value)
}
