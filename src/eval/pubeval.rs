//! PubEval, the customary weak yardstick: Gerald Tesauro's public linear evaluation.
//!
//! The weights were posted by him to rec.games.backgammon on 11 February 1993 for exactly this use. They are 122 numbers
//! for contact and 122 for races; the position *before* the move says which set serves, once a move, so that all its
//! results are compared under one.

use std::sync::LazyLock;

use crate::backgammon::{Masks, Position};

const INPUTS: usize = 122;
type Weights = [f32; INPUTS];

static CONTACT: LazyLock<Weights> = LazyLock::new(|| parse(include_str!("pubeval/WT.cntc")));
static RACE: LazyLock<Weights> = LazyLock::new(|| parse(include_str!("pubeval/WT.race")));

/// One number a line; a test holds the compiled-in files to 122 readable lines.
fn parse(text: &str) -> Weights {
    let mut weights = [0.0; INPUTS];
    for (weight, line) in weights.iter_mut().zip(text.split_ascii_whitespace()) {
        *weight = line.parse().unwrap_or(f32::NAN);
    }
    weights
}

/// The yardstick player.
#[derive(Clone, Copy, Debug, Default)]
pub struct PubEval;

impl PubEval {
    /// The result it plays, given the position before the roll: the one with the highest value; bearing off the last
    /// checker always.
    #[must_use]
    pub fn choose(self, before: &Position, results: &[Position]) -> usize {
        let weights = if Masks::of(before).contact() { &*CONTACT } else { &*RACE };
        let mut best = (0, f32::NEG_INFINITY);
        for (i, after) in results.iter().enumerate() {
            if after.opponent_left() == 0 {
                return i;
            }
            let value = linear(weights, after);
            if value > best.1 {
                best = (i, value);
            }
        }
        best.0
    }
}

/// The value of a result for the mover; `after` has the opponent on roll.
fn linear(weights: &Weights, after: &Position) -> f32 {
    let mut sum = 0.0;
    // The mover's 24 point is the opponent's 1 point, and so on down to the mover's 1 point.
    for (five, &theirs) in weights.chunks_exact(5).zip(&after.points()[1..=24]) {
        let n = -theirs;
        match n {
            ..=-2 | 0 => {}
            -1 => sum += five[0],
            1 => sum += five[1],
            2 => sum += five[2],
            3 => sum += five[2] + five[3],
            4.. => sum += five[2] + five[4] * f32::from(n - 3) / 2.0,
        }
    }
    sum += weights[120] * f32::from(after.points()[25]) / 2.0;
    sum + weights[121] * f32::from(15 - after.opponent_left()) / 15.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::Results;

    #[test]
    fn both_files_hold_122_numbers() {
        for text in [include_str!("pubeval/WT.cntc"), include_str!("pubeval/WT.race")] {
            assert_eq!(text.split_ascii_whitespace().count(), INPUTS);
            assert!(parse(text).iter().all(|w| w.is_finite()));
        }
        assert_eq!((CONTACT[0], CONTACT[1]), (0.25696, -0.66937));
    }

    #[test]
    fn opens_31_by_making_its_five_point() {
        let mut results = Results::default();
        let found = results.of(&Position::START, "31".parse().expect("a roll"));
        let after = found[PubEval.choose(&Position::START, found)].flipped();
        assert_eq!((after.own(8), after.own(6), after.own(5)), (2, 4, 2), "{after:?}");
    }

    #[test]
    fn always_bears_off_the_last_checker() {
        let before = Position::from_sides(&[(2, 1)], &[(1, 1)]).expect("legal");
        let after = Position::from_sides(&[], &[(1, 1)]).expect("legal").flipped();
        let other = before.flipped();
        assert_eq!(PubEval.choose(&before, &[other, after]), 1);
    }
}
