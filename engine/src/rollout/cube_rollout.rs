//! Cube decisions by rollout: no double against a double that is taken, with the same dice.

use super::{RolloutLine, RolloutSums};
use crate::backgammon::{Cube, Position};
use crate::cube::{Answer, CubeDecision, CubeScoring};
use crate::eval::Evaluation;
use crate::stats::Estimate;

/// A cube decision that was rolled out. Equities are those of [`CubeDecision`], for the player on
/// roll; errors are standard errors of the dice alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubeRollout {
    /// The decision by the equities of the rollout.
    pub decision: CubeDecision,
    /// The equity of not doubling in this turn.
    pub no_double: Estimate,
    /// The equity of a double that is taken (or beavered, where that is better and allowed).
    pub double_take: Estimate,
    /// The cubeless evaluation of the games with a double that is taken; the decision has that of
    /// the other games.
    pub taken: Evaluation,
    /// How much a double gains, against the opponent's better answer, over not doubling.
    pub double_gains: Estimate,
    /// How much the opponent gains by taking (or beavering) instead of passing.
    pub take_gains: Estimate,
}

impl CubeRollout {
    /// The two games to roll out: without a double in this turn, and with one that is taken.
    /// `scoring` and `cube` are seen by the player on roll, who may double.
    #[must_use]
    pub fn lines(position: Position, scoring: &CubeScoring, cube: Cube) -> [RolloutLine; 2] {
        [cube, cube.doubled()].map(|now| RolloutLine {
            unit: cube.value(),
            ..RolloutLine::new(position, Some((scoring.clone(), now)))
        })
    }

    /// The decision from the sums of both lines, at least one game of each.
    #[must_use]
    pub fn of(scoring: &CubeScoring, cube: Cube, sums: &[RolloutSums; 2]) -> CubeRollout {
        let [undoubled, doubled] = sums;
        let [no_double, taken] = [undoubled, doubled].map(|sums| sums.result().equity);
        let utility =
            |equity: Estimate| scoring.utility_of_equity(equity.mean as f32, cube.value());
        let cubeless = undoubled.result().value;
        let decision =
            CubeDecision::new(scoring, cube, cubeless, utility(no_double), utility(taken));
        // A beaver doubles the points of a take.
        let factor = if decision.answer == Answer::Beaver { 2.0 } else { 1.0 };
        let double_take = taken.scaled(factor);
        let take_gains = Estimate { mean: 1.0 - double_take.mean, ..double_take };
        let double_gains = if !decision.is_take() {
            Estimate { mean: 1.0 - no_double.mean, ..no_double }
        } else if factor == 1.0 {
            doubled.difference(undoubled)
        } else {
            double_take.minus(no_double)
        };
        CubeRollout {
            decision,
            no_double,
            double_take,
            taken: doubled.result().value,
            double_gains,
            take_gains,
        }
    }

    /// How much less an answer to a double is worth to the opponent than the best other one: below
    /// 0 if it is right.
    #[must_use]
    pub fn answer_lost(&self, answer: Answer) -> Estimate {
        let beavers = self.decision.answer == Answer::Beaver;
        // The doubler's equity after a take, without a beaver.
        let taken = if beavers { self.double_take.scaled(0.5) } else { self.double_take };
        match answer {
            Answer::Pass => self.take_gains,
            // A beaver would double what the doubler loses.
            Answer::Take if beavers => taken.scaled(-1.0),
            Answer::Take => self.take_gains.scaled(-1.0),
            // A take would halve the points; a pass costs 1.
            Answer::Beaver if taken.mean <= 1.0 => taken,
            Answer::Beaver => {
                let beavered = taken.scaled(2.0);
                Estimate { mean: beavered.mean - 1.0, ..beavered }
            }
        }
    }

    /// How many standard errors the closer of both choices, to double and to take, is away from its
    /// alternative. If a double is wrong whatever the answer, the answer does not count.
    #[must_use]
    pub fn separation(&self) -> f64 {
        let away = |gain: Estimate| gain.mean.abs() / gain.stderr.max(1e-12);
        let double = away(self.double_gains);
        if self.decision.is_double() { double.min(away(self.take_gains)) } else { double }
    }
}
