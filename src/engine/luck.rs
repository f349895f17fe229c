//! The luck of a roll.

use super::{CubeContext, Engine};
use crate::backgammon::{Dice, Position, Results};
use crate::eval::Evaluation;
use crate::search::principal_leaves;

impl Engine {
    /// How much better a roll is than the average roll, at 1-ply and without the cube, in points per game. The first roll of
    /// a game is never a double, which `first` takes into account.
    #[must_use]
    pub fn luck(&self, position: &Position, dice: Dice, first: bool) -> f32 {
        let (mut results, mut values) = (Results::default(), Vec::new());
        let (mut sum, mut weight, mut rolled) = (0.0, 0.0, 0.0);
        let mut rolls = Dice::ALL.into_iter();
        let evaluator = self.static_evaluator().as_ref();
        principal_leaves(evaluator, position, &mut results, &mut values, |leaf, value| {
            let Some(roll) = rolls.next() else { return };
            let equity = -value.equity();
            if !(first && roll.is_double()) {
                sum += leaf.weight * equity;
                weight += leaf.weight;
            }
            if roll == dice {
                rolled = equity;
            }
        });
        rolled - sum / weight
    }

    /// How much better a roll is than the average roll, in utility: points for money, match winning chances in a match. At
    /// 1-ply with the cube; every roll is played as well as a 1-ply search without the cube can.
    ///
    /// The mean over all rolls is 0, so the luck of a whole game, subtracted from its result, leaves an estimate of the
    /// difference in skill that is unbiased and far less noisy (Montgomery, "Variance reduction", GammOnLine 2000). With `first` the
    /// roll is the first of a game from the starting position: never a double, and also lucky for whoever got it, since either
    /// player may have been the one to begin.
    #[must_use]
    pub fn luck_with_cube(
        &self,
        position: &Position,
        dice: Dice,
        first: bool,
        context: &CubeContext,
    ) -> f32 {
        let (mut results, mut values) = (Results::default(), Vec::new());
        let theirs = context.flipped();
        let (mut sum, mut other_sum, mut weight, mut rolled) = (0.0, 0.0, 0.0, 0.0);
        let mut rolls = Dice::ALL.into_iter();
        let evaluator = self.static_evaluator().as_ref();
        principal_leaves(evaluator, position, &mut results, &mut values, |leaf, value| {
            let Some(roll) = rolls.next() else { return };
            let utility = opponent_on_roll(&theirs, &leaf.position, value);
            if !(first && roll.is_double()) {
                sum += leaf.weight * utility;
                weight += leaf.weight;
                if first {
                    // The same play by the other player, who might have begun.
                    let mirrored = opponent_on_roll(context, &leaf.position, value);
                    other_sum += leaf.weight * context.scoring.opponent_utility(mirrored);
                }
            }
            if roll == dice {
                rolled = utility;
            }
        });
        let mean = sum / weight;
        rolled - if first { 0.5 * (mean + other_sum / weight) } else { mean }
    }
}

/// The utility of a position after a play for the player who made it. `theirs` is the context of the opponent, who is on roll and
/// may double.
fn opponent_on_roll(theirs: &CubeContext, position: &Position, value: &Evaluation) -> f32 {
    let CubeContext { scoring, cube } = theirs;
    let utility = match position.outcome() {
        Some(outcome) => scoring.of_outcome(outcome, *cube),
        None => {
            let no_double = scoring.cubeful(value, *cube);
            if theirs.may_double() {
                scoring.with_double(no_double, scoring.cubeful(value, cube.doubled()), *cube)
            } else {
                no_double
            }
        }
    };
    scoring.opponent_utility(utility)
}

#[cfg(test)]
mod tests {
    use crate::backgammon::{Cube, Dice, Position, Scoring};
    use crate::engine::{CubeContext, Engine};
    use crate::search::Plies;

    #[test]
    fn the_luck_of_all_rolls_adds_up_to_zero_at_any_score_and_the_first_roll_counts_for_both() {
        let engine = Engine::builder().plies(Plies::ONE).build().expect("an engine");
        let game = |own, opponent| Scoring::of_match(7, own, opponent, false).expect("a score");
        let back = Position::START.flipped();
        for scoring in [Scoring::Money { jacoby: true, beavers: false }, game(2, 5), game(6, 0)] {
            let context = engine.context(scoring, Cube::CENTRED).expect("in reach");
            let luck = |dice, first, context: &CubeContext| {
                engine.luck_with_cube(&back, dice, first, context)
            };
            let all: f32 =
                Dice::ALL.iter().map(|&d| d.probability() * luck(d, false, &context)).sum();
            assert!(all.abs() < 1e-5, "{scoring:?}: {all}");
            let first = |context: &CubeContext| -> f32 {
                let rolls = Dice::ALL.into_iter().filter(|dice| !dice.is_double());
                rolls.map(|dice| dice.probability() * luck(dice, true, context)).sum()
            };
            // What one player gains by beginning, the other player loses by it. At 6 to 0 that is next to nothing.
            let (own, theirs) = (first(&context), first(&context.flipped()));
            assert!((own - theirs).abs() < 1e-5, "{scoring:?}: {own} {theirs}");
        }
    }
}
