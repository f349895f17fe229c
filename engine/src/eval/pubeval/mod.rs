//! PubEval, the customary weak baseline: Gerald Tesauro's public linear evaluation.
//!
//! Tesauro posted the weights to rec.games.backgammon on 11 February 1993 for use as a baseline.
//! There are 122 weights for contact and 122 for races. The position *before* the move decides
//! which set evaluates all results of the move, so that they are comparable.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::backgammon::{BoardView, Position};

const INPUTS: usize = 122;

static CONTACT: LazyLock<Table> = LazyLock::new(|| Table::new(&parse(include_str!("WT.cntc"))));
static RACE: LazyLock<Table> = LazyLock::new(|| Table::new(&parse(include_str!("WT.race"))));
static ONES: LazyLock<Table> = LazyLock::new(|| Table::new(&[1.0; INPUTS]));
static ZEROS: LazyLock<Table> = LazyLock::new(|| Table::new(&[0.0; INPUTS]));

/// Parses one number per line. A test checks that the compiled-in files have 122 valid lines.
fn parse(text: &str) -> [f32; INPUTS] {
    let mut weights = [0.0; INPUTS];
    for (weight, line) in weights.iter_mut().zip(text.split_ascii_whitespace()) {
        *weight = line.parse().expect("a test reads both compiled-in files");
    }
    weights
}

/// One set of weights, summed in advance for every number of checkers on a point.
#[derive(Debug)]
struct Table {
    /// For the mover's 24 point down to the 1 point, the sum of weights for -1 to 15 checkers
    /// there. A row is padded to a power of two.
    points: [[f32; 32]; 24],
    bar: f32,
    off: f32,
}

impl Table {
    fn new(weights: &[f32; INPUTS]) -> Table {
        let mut points = [[0.0; 32]; 24];
        for (row, five) in points.iter_mut().zip(weights.chunks_exact(5)) {
            for (worth, n) in row.iter_mut().zip(-1i8..=15) {
                *worth = match n {
                    ..=-2 | 0 => 0.0,
                    -1 => five[0],
                    1 => five[1],
                    2 => five[2],
                    3 => five[2] + five[3],
                    4.. => five[2] + five[4] * f32::from(n - 3) / 2.0,
                };
            }
        }
        Table { points, bar: weights[120], off: weights[121] }
    }
}

/// The linear function that evaluates the results of one move.
#[derive(Clone, Copy, Debug)]
pub struct Linear(&'static Table);

impl Linear {
    /// The value of a result for the mover, the higher the better; `after` has the opponent on
    /// roll.
    #[must_use]
    pub fn value(self, after: &Position) -> f32 {
        let mut sum = 0.0;
        // The mover's 24 point is the opponent's 1 point, and so on down to the mover's 1 point.
        for (row, &theirs) in self.0.points.iter().zip(&after.points()[1..=24]) {
            let n = -theirs;
            sum += if n < -1 { 0.0 } else { row[(n + 1).unsigned_abs() as usize & 31] };
        }
        sum += self.0.bar * f32::from(after.points()[25]) / 2.0;
        sum + self.0.off * f32::from(15 - after.opponent_left()) / 15.0
    }
}

/// The PubEval player.
#[derive(Clone, Copy, Debug, Default)]
pub struct PubEval;

impl PubEval {
    /// The function that evaluates all results of a move from `before`.
    #[must_use]
    pub fn linear(self, before: &Position) -> Linear {
        Linear(if BoardView::of(before).contact() { &CONTACT } else { &RACE })
    }

    /// PubEval's weights for contact, in the order of the inputs of one side of
    /// [`Encoding::PubEval`].
    ///
    /// In these inputs enemies on the bar and enemy blots count as positive. The scale means
    /// nothing.
    ///
    /// [`Encoding::PubEval`]: crate::features::Encoding::PubEval
    #[must_use]
    pub fn contact_weights(self) -> [f32; INPUTS] {
        in_order(&parse(include_str!("WT.cntc")))
    }

    /// The same for races.
    #[must_use]
    pub fn race_weights(self) -> [f32; INPUTS] {
        in_order(&parse(include_str!("WT.race")))
    }

    /// Returns the index of the result that PubEval plays from `before`.
    ///
    /// It is one that bears off the last checker, else the one with the highest value.
    #[must_use]
    pub fn choose(self, before: &Position, results: &[Position]) -> usize {
        choose(self.linear(before), results)
    }
}

/// PubEval's weights in the order of nonet's inputs: PubEval writes the points from 24 down.
fn in_order(weights: &[f32; INPUTS]) -> [f32; INPUTS] {
    std::array::from_fn(|input| match input {
        0..120 => weights[5 * (23 - input / 5) + input % 5],
        _ => weights[input],
    })
}

/// PubEval's inputs with weights that are all the same: the baselines of Schaeffer, Hlynka &
/// Jussila 2001, section 4.1, for what weights are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum EqualWeights {
    /// All weights 0: it knows nothing but to bear off its last checker, and plays the first of the
    /// results.
    Zeros,
    /// All weights 1: it knows the inputs, but not what they mean.
    Ones,
}

impl EqualWeights {
    /// Returns the index of the result that it plays, as [`PubEval::choose`] does.
    #[must_use]
    pub fn choose(self, results: &[Position]) -> usize {
        let linear = Linear(match self {
            EqualWeights::Zeros => &ZEROS,
            EqualWeights::Ones => &ONES,
        });
        choose(linear, results)
    }
}

fn choose(linear: Linear, results: &[Position]) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for (i, after) in results.iter().enumerate() {
        if after.opponent_left() == 0 {
            return i;
        }
        let value = linear.value(after);
        if value > best.1 {
            best = (i, value);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::Results;

    #[test]
    fn both_files_hold_122_numbers() {
        for text in [include_str!("WT.cntc"), include_str!("WT.race")] {
            assert_eq!(text.split_ascii_whitespace().count(), INPUTS);
            assert!(parse(text).iter().all(|w| w.is_finite()));
        }
        assert_eq!(CONTACT.points[0][..3], [0.25696, 0.0, -0.66937]);
    }

    #[test]
    fn pubeval_makes_the_five_point_with_an_opening_31() {
        let mut results = Results::default();
        let found = results.of(&Position::START, "31".parse().expect("a roll"));
        let after = found[PubEval.choose(&Position::START, found)].flipped();
        assert_eq!((after.own(8), after.own(6), after.own(5)), (2, 4, 2), "{after:?}");
    }

    #[test]
    fn equal_weights_of_one_like_blots_as_much_as_points() {
        let mut results = Results::default();
        let found = results.of(&Position::START, "31".parse().expect("a roll"));
        assert_eq!(EqualWeights::Zeros.choose(found), 0);
        let after = found[EqualWeights::Ones.choose(found)].flipped();
        assert_ne!(after, found[PubEval.choose(&Position::START, found)].flipped());
        let blots = (1..=24).filter(|&point| after.own(point) == 1).count();
        assert_eq!(blots, 2, "{after:?}");
    }

    #[test]
    fn pubeval_always_bears_off_the_last_checker() {
        let before = Position::from_sides(&[(2, 1)], &[(1, 1)]).expect("legal");
        let after = Position::from_sides(&[], &[(1, 1)]).expect("legal").flipped();
        let other = before.flipped();
        assert_eq!(PubEval.choose(&before, &[other, after]), 1);
    }
}
