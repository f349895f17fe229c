//! The inputs of PubEval (see [`crate::eval::PubEval`]), 122 of each side: blots, points and spares
//! of the side, and the other side's blots. PubEval itself reads those of the player who has just
//! moved, so of the opponent.

use super::encoding::FeatureSet;
use super::feature::{FeatureBlock, FeatureGroup, count};
use super::sparse::{SparseWriter, flag};
use crate::backgammon::{Side, SideView};

const SIDE: &[FeatureGroup] = &[
    FeatureGroup {
        name: "point {}: {pubeval}",
        count: 120,
        unit: "raw: 0 or 1, and (n - 3) / 2",
        reason: "Tesauro's units of 1989: enemy blot, blot, point, spare, and what lies beyond three",
    },
    FeatureGroup {
        name: "enemies on the bar",
        count: 1,
        unit: "raw: checkers / 2",
        reason: "a hit checker costs pips and may dance",
    },
    FeatureGroup {
        name: "off: all",
        count: 1,
        unit: "raw: checkers / 15",
        reason: "how far the bearoff has come",
    },
];

/// Number of inputs of one side.
const HALF: u16 = count(SIDE) as u16;

/// The encoding of PubEval's inputs.
pub(super) struct PubEvalFeatures;

impl FeatureSet for PubEvalFeatures {
    const NAME: &'static str = "pubeval";
    const SLUG: &'static str = "pubeval244";
    const BLOCKS: &'static [FeatureBlock] = &[FeatureBlock { side: SIDE, both: &[] }];
    const CONTACT: bool = true;

    #[inline(always)]
    fn one_sided(_side: &SideView, _whose: Side, _inputs: &mut SparseWriter) {}

    #[inline(always)]
    fn two_sided(own: &SideView, opponent: &SideView, inputs: &mut SparseWriter) {
        for (first, side, enemy) in [(0, own, opponent), (HALF, opponent, own)] {
            inputs.go_to(first);
            for point in 1..=24 {
                let n = side.count(point);
                inputs.put([
                    flag(enemy.count(25 - point) == 1),
                    flag(n == 1),
                    flag(n >= 2),
                    flag(n == 3),
                    f32::from(n.saturating_sub(3)) * (1.0 / 2.0),
                ]);
            }
            let (bar, off) = (enemy.count(25), 15 - side.left());
            inputs.put([f32::from(bar) * (1.0 / 2.0), f32::from(off) * (1.0 / 15.0)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::backgammon::{Dice, Position, Results};
    use crate::eval::PubEval;
    use crate::features::{Encoding, SparseInputs};

    /// The sum of weights and inputs is PubEval's value, which reads the position in another way.
    #[test]
    fn with_pubevals_weights_the_value_is_pubevals() {
        let weights = PubEval.contact_weights();
        let (mut results, mut inputs) = (Results::default(), SparseInputs::default());
        let mut at = Position::START;
        for turn in 0..60 {
            let linear = PubEval.linear(&Position::START);
            let found = results.of(&at, Dice::ALL[turn * 8 % 21]).to_vec();
            for after in found.iter().filter(|after| after.outcome().is_none()) {
                Encoding::PubEval.encode(after, &mut inputs);
                let mover = inputs.iter().filter(|&(input, _)| input >= 122);
                let value: f32 = mover.map(|(input, x)| weights[input - 122] * x).sum();
                assert!((value - linear.value(after)).abs() < 1e-4, "{after}");
            }
            at = found[turn * 5 % found.len()];
            at = if at.outcome().is_some() { Position::START } else { at };
        }
    }
}
