//! One full-width ply: the mean over the 21 rolls of the best result of each.

use std::slice;

use crate::backgammon::{Dice, Position, Results};
use crate::eval::{Evaluation, Evaluator, ExternalFailure, best_result};

/// A full-width search of one more ply: the mean over the 21 rolls of the best result of each by
/// the inner evaluator. Source: Baxter, Tridgell & Weaver 2000, equation 12, seen by the player on
/// roll.
///
/// Around a 1-ply evaluator this is a 2-ply one. It does not use the batched search of
/// [`Search`](super::Search): that adds up rolls with the same best result first, and so rounds
/// differently.
#[derive(Clone, Copy, Debug)]
pub struct FullWidth<E>(pub E);

/// The best result of one roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leaf {
    /// The result, its player on roll the opponent of the player at the root.
    pub position: Position,
    /// The probability of the roll, 1/36 or 2/36.
    pub weight: f32,
}

/// The principal leaves of a position that is not finished.
///
/// For each of the 21 rolls the leaf is the result with the lowest equity for the opponent.
/// `values` and `results` are buffers.
pub fn principal_leaves(
    evaluator: &dyn Evaluator,
    position: &Position,
    results: &mut Results,
    values: &mut Vec<Evaluation>,
    mut visit: impl FnMut(Leaf, &Evaluation),
) {
    for dice in Dice::ALL {
        let found = results.of(position, dice);
        let best = best_result(evaluator, found, values);
        visit(Leaf { position: found[best], weight: dice.probability() }, &values[best]);
    }
}

impl<E: Evaluator> Evaluator for FullWidth<E> {
    fn evaluate(&self, position: &Position) -> Evaluation {
        let mut value = Evaluation::ZERO;
        self.evaluate_batch(slice::from_ref(position), slice::from_mut(&mut value));
        value
    }

    fn evaluate_batch(&self, positions: &[Position], out: &mut [Evaluation]) {
        let (mut results, mut values) = (Results::default(), Vec::new());
        for (position, mean) in positions.iter().zip(out) {
            if let Some(outcome) = position.outcome() {
                *mean = Evaluation::of_outcome(outcome);
                continue;
            }
            *mean = Evaluation::ZERO;
            principal_leaves(&self.0, position, &mut results, &mut values, |leaf, value| {
                *mean = mean.plus(&value.flipped(), leaf.weight);
            });
        }
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        self.0.failure()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::Outcome;
    use crate::eval::ScriptedEvaluator;

    /// Evaluates by pips alone.
    fn pips() -> ScriptedEvaluator<impl Fn(&Position) -> Evaluation + Send + Sync> {
        ScriptedEvaluator(|position: &Position| {
            let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
            Evaluation {
                average: lead / 100.0,
                outcomes: [0.5 + lead / 200.0, 0.0, 0.0, 0.5 - lead / 200.0, 0.0, 0.0],
            }
        })
    }

    #[test]
    fn a_second_ply_is_the_mean_over_36_throws_of_the_best_reply() {
        let position = Position::from_sides(&[(8, 1), (3, 2)], &[(20, 1), (4, 2)]).expect("legal");
        let (mut sum, mut results) = (0.0, Results::default());
        for a in 1..=6 {
            for b in 1..=6 {
                let found = results.of(&position, Dice::new(a, b).expect("dice"));
                let replies = found.iter().map(|next| -pips().evaluate(next).equity());
                sum += replies.fold(f32::NEG_INFINITY, f32::max) / 36.0;
            }
        }
        let value = FullWidth(pips()).evaluate(&position);
        assert!((value.equity() - sum).abs() < 1e-5, "{} for {sum}", value.equity());
    }

    #[test]
    fn a_certain_win_is_certain_at_any_depth() {
        let position = Position::from_sides(&[(1, 2)], &[(1, 1)]).expect("legal");
        let value = FullWidth(FullWidth(pips())).evaluate(&position);
        assert!((value.equity() - 1.0).abs() < 1e-5, "{value:?}");
        let lost = Position::from_sides(&[], &[(1, 1), (2, 2)]).expect("legal").flipped();
        assert_eq!(
            FullWidth(pips()).evaluate(&lost),
            Evaluation::of_outcome(Outcome::Lose),
            "a finished game"
        );
    }
}
