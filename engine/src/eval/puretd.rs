//! PureTD's cubeless net, an open rival to measure against.
//!
//! It is `best_models/cubeless_prob5_512_512_256_128.pt` of `alexstrehl/backgammon-ai-engine`
//! (2026, MIT licence). Hidden units are ReLU, outputs logistic.

use std::array;
use std::cell::RefCell;
use std::slice;

use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2};

use super::{Evaluation, Evaluator, RulesFirst};
use crate::backgammon::Position;

/// The units of the layers, from the inputs to the outputs.
const UNITS: [usize; 6] = [196, 512, 512, 256, 128, 5];
const LAYERS: usize = UNITS.len() - 1;
const INPUTS: usize = UNITS[0];
const OUTPUTS: usize = UNITS[LAYERS];
const WIDEST: usize = 512;
/// Positions in one matrix product, so that a thread's buffers have 256 KiB.
const BATCH: usize = 64;

/// PureTD's cubeless net.
#[derive(Debug)]
pub struct PureTd(RulesFirst<DenseNet>);

/// Why numbers are not those of PureTD's net.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PureTdError {
    /// An array has another length.
    #[error("array {array} has {found} numbers, expected {expected}")]
    Length {
        /// The place of the array.
        array: usize,
        /// Its length.
        found: usize,
        /// The length that the layers ask for.
        expected: usize,
    },
    /// A weight is infinite or not a number.
    #[error("array {array} has a number that is not finite")]
    NotFinite {
        /// The place of the array.
        array: usize,
    },
}

impl PureTd {
    /// The numbers of arrays: weights and bias of each layer.
    pub const ARRAYS: usize = 2 * LAYERS;

    /// The units of the layers, from the inputs to the outputs: `196-512-512-256-128-5`.
    #[must_use]
    pub fn units() -> String {
        UNITS.map(|units| units.to_string()).join("-")
    }

    /// The length of an array. Arrays with even numbers are weights, as rows of one output each;
    /// the next one is the bias of the same layer.
    #[must_use]
    pub const fn array_len(array: usize) -> usize {
        let (inputs, outputs) = (UNITS[array / 2], UNITS[array / 2 + 1]);
        if array.is_multiple_of(2) { inputs * outputs } else { outputs }
    }

    /// A net of these weights and biases.
    ///
    /// # Errors
    /// [`PureTdError`] if an array has another length than [`PureTd::array_len`] says, or a number
    /// that is not finite.
    pub fn from_arrays(arrays: [Vec<f32>; PureTd::ARRAYS]) -> Result<PureTd, PureTdError> {
        for (array, numbers) in arrays.iter().enumerate() {
            let (found, expected) = (numbers.len(), PureTd::array_len(array));
            if found != expected {
                return Err(PureTdError::Length { array, found, expected });
            }
            if !numbers.iter().all(|number| number.is_finite()) {
                return Err(PureTdError::NotFinite { array });
            }
        }
        let mut arrays = arrays.into_iter();
        let mut next = || arrays.next().unwrap_or_default();
        let layers = array::from_fn(|layer| {
            let shape = (UNITS[layer + 1], UNITS[layer]);
            #[allow(clippy::expect_used, reason = "the lengths are checked above")]
            let weights = Array2::from_shape_vec(shape, next()).expect("outputs x inputs");
            Layer { weights, bias: Array1::from_vec(next()) }
        });
        Ok(PureTd(RulesFirst(DenseNet { layers })))
    }
}

impl Evaluator for PureTd {
    fn evaluate(&self, position: &Position) -> Evaluation {
        self.0.evaluate(position)
    }

    fn evaluate_batch(&self, positions: &[Position], out: &mut [Evaluation]) {
        self.0.evaluate_batch(positions, out);
    }

    fn applies_rules(&self) -> bool {
        self.0.applies_rules()
    }
}

/// The net without the rules.
#[derive(Debug)]
struct DenseNet {
    layers: [Layer; LAYERS],
}

#[derive(Debug)]
struct Layer {
    /// `[outputs, inputs]`
    weights: Array2<f32>,
    bias: Array1<f32>,
}

/// The values of two layers, a row for each position.
type Buffers = [[f32; BATCH * WIDEST]; 2];

thread_local! {
    static BUFFERS: RefCell<Box<Buffers>> = RefCell::new(Box::new([[0.0; BATCH * WIDEST]; 2]));
}

impl Evaluator for DenseNet {
    fn evaluate(&self, position: &Position) -> Evaluation {
        let mut value = Evaluation::ZERO;
        self.evaluate_batch(slice::from_ref(position), slice::from_mut(&mut value));
        value
    }

    fn evaluate_batch(&self, positions: &[Position], out: &mut [Evaluation]) {
        BUFFERS.with_borrow_mut(|buffers| {
            for (positions, out) in positions.chunks(BATCH).zip(out.chunks_mut(BATCH)) {
                self.evaluate_chunk(positions, out, buffers);
            }
        });
    }
}

impl DenseNet {
    /// Evaluates up to [`BATCH`] positions.
    fn evaluate_chunk(
        &self,
        positions: &[Position],
        out: &mut [Evaluation],
        [from, to]: &mut Buffers,
    ) {
        let rows = positions.len();
        for (position, row) in positions.iter().zip(from.as_chunks_mut::<INPUTS>().0) {
            write_inputs(position, row);
        }
        let (mut from, mut to) = (from, to);
        for (layer, Layer { weights, bias }) in self.layers.iter().enumerate() {
            let (outputs, inputs) = weights.dim();
            let before = ArrayView2::from_shape((rows, inputs), from);
            let after = ArrayViewMut2::from_shape((rows, outputs), to);
            let (Ok(before), Ok(mut after)) = (before, after) else {
                unreachable!("a chunk has at most {BATCH} rows, and a row {WIDEST} units");
            };
            after.assign(bias);
            general_mat_mul(1.0, &before, &weights.t(), 1.0, &mut after);
            if layer + 1 < LAYERS {
                after.mapv_inplace(|sum| sum.max(0.0));
            }
            (from, to) = (to, from);
        }
        for (&sums, value) in from.as_chunks::<OUTPUTS>().0.iter().zip(out) {
            *value = evaluation(sums);
        }
    }
}

/// Writes the inputs of a position: 96 for the points of the player on roll, one for the bar, one
/// for the checkers off; then the same of the opponent. The player on roll counts the points of
/// both.
fn write_inputs(position: &Position, inputs: &mut [f32; INPUTS]) {
    let points = position.points();
    let sides = [(1, points[25], position.own_left()), (-1, points[0], position.opponent_left())];
    for (half, (sign, bar, left)) in inputs.chunks_exact_mut(INPUTS / 2).zip(sides) {
        for (four, &checkers) in half.chunks_exact_mut(4).zip(&points[1..=24]) {
            let n = f32::from((sign * checkers).max(0));
            let at_least = |least: f32| f32::from(u8::from(n >= least));
            four.copy_from_slice(&[
                at_least(1.0),
                at_least(2.0),
                at_least(3.0),
                (n - 3.0).max(0.0) / 2.0,
            ]);
        }
        half[96] = f32::from(sign * bar) / 2.0;
        half[97] = (15.0 - f32::from(left)) / 15.0;
    }
}

/// The evaluation that the sums of the five outputs give: win, win gammon or more, win backgammon,
/// lose gammon or more, lose backgammon. Gammons are cut to the wins or losses, backgammons to the
/// gammons.
fn evaluation(sums: [f32; OUTPUTS]) -> Evaluation {
    let [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon] =
        sums.map(|sum| 1.0 / (1.0 + (-sum).exp()));
    let lose = 1.0 - win;
    let win_gammon = win_gammon.min(win);
    let win_backgammon = win_backgammon.min(win_gammon);
    let lose_gammon = lose_gammon.min(lose);
    let lose_backgammon = lose_backgammon.min(lose_gammon);
    let outcomes = [
        win - win_gammon,
        win_gammon - win_backgammon,
        win_backgammon,
        lose - lose_gammon,
        lose_gammon - lose_backgammon,
        lose_backgammon,
    ];
    let value = Evaluation { average: 0.0, outcomes };
    Evaluation { average: value.outcome_equity(), outcomes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64;

    /// Weights drawn at random.
    pub(crate) fn drawn(seed: u64) -> [Vec<f32>; PureTd::ARRAYS] {
        let mut rng = Pcg64::seed_from_u64(seed);
        array::from_fn(|array| {
            (0..PureTd::array_len(array)).map(|_| rng.random_range(-0.1..0.1)).collect()
        })
    }

    /// The outputs of a net, computed number by number.
    fn expected(arrays: &[Vec<f32>], inputs: &[f32]) -> Vec<f64> {
        let mut values: Vec<f64> = inputs.iter().map(|&input| f64::from(input)).collect();
        for (layer, two) in arrays.chunks(2).enumerate() {
            let sums = two[1].iter().zip(two[0].chunks(values.len())).map(|(&bias, weights)| {
                let weighted = weights.iter().zip(&values).map(|(&w, x)| f64::from(w) * x);
                let sum = f64::from(bias) + weighted.sum::<f64>();
                if layer < 4 { sum.max(0.0) } else { 1.0 / (1.0 + (-sum).exp()) }
            });
            values = sums.collect();
        }
        values
    }

    fn positions() -> Vec<Position> {
        let mut positions = vec![Position::START];
        for dice in ["31", "66", "52", "44", "65", "21"] {
            let mut results = crate::backgammon::Results::default();
            let last = positions[positions.len() - 1];
            positions.extend(results.of(&last, dice.parse().expect("a roll")));
        }
        assert!(positions.len() > BATCH, "{} positions", positions.len());
        positions
    }

    #[test]
    fn outputs_are_those_of_plain_sums() {
        let arrays = drawn(1);
        let net = PureTd::from_arrays(arrays.clone()).expect("the right lengths");
        for position in &positions()[..20] {
            let mut inputs = [0.0; INPUTS];
            write_inputs(position, &mut inputs);
            let [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon] =
                expected(&arrays, &inputs)[..]
            else {
                unreachable!("five outputs")
            };
            let win_gammon = win_gammon.min(win);
            let lose_gammon = lose_gammon.min(1.0 - win);
            let cut = [
                win,
                win_gammon,
                win_backgammon.min(win_gammon),
                lose_gammon,
                lose_backgammon.min(lose_gammon),
            ];
            let value = net.evaluate(position);
            for (got, cut) in value.cumulative().into_iter().zip(cut) {
                assert!((f64::from(got) - cut).abs() < 1e-5, "{value:?} {cut}");
            }
            assert!((value.average - value.outcome_equity()).abs() < 1e-6);
        }
    }

    #[test]
    fn a_position_has_the_same_value_in_every_batch() {
        let net = PureTd::from_arrays(drawn(2)).expect("the right lengths");
        let positions = positions();
        let mut all = vec![Evaluation::ZERO; positions.len()];
        net.evaluate_batch(&positions, &mut all);
        for (position, value) in positions.iter().zip(&all) {
            assert_eq!(net.evaluate(position), *value);
        }
        let mut some = [Evaluation::ZERO; 7];
        net.evaluate_batch(&positions[5..12], &mut some);
        assert_eq!(some[..], all[5..12]);
    }

    #[test]
    fn inputs_count_both_sides_from_the_player_on_roll() {
        let own = [(25, 2), (6, 5), (3, 1), (1, 3)];
        let position = Position::from_sides(&own, &[(25, 1), (20, 2), (1, 4)]).expect("legal");
        let mut inputs = [0.0; INPUTS];
        write_inputs(&position, &mut inputs);
        let mut expected = [0.0; INPUTS];
        expected[0..4].copy_from_slice(&[1.0, 1.0, 1.0, 0.0]);
        expected[8..12].copy_from_slice(&[1.0, 0.0, 0.0, 0.0]);
        expected[20..24].copy_from_slice(&[1.0, 1.0, 1.0, 1.0]);
        expected[96..98].copy_from_slice(&[1.0, 4.0 / 15.0]);
        // The opponent's 20 point is the 5 point here, and its 1 point the 24 point.
        expected[98 + 16..98 + 20].copy_from_slice(&[1.0, 1.0, 0.0, 0.0]);
        expected[98 + 92..98 + 96].copy_from_slice(&[1.0, 1.0, 1.0, 0.5]);
        expected[98 + 96..].copy_from_slice(&[0.5, 8.0 / 15.0]);
        assert_eq!(inputs, expected);
    }

    #[test]
    fn gammons_are_cut_to_the_wins_and_losses_and_the_rules_come_first() {
        let mut arrays: [Vec<f32>; PureTd::ARRAYS] =
            array::from_fn(|array| vec![0.0; PureTd::array_len(array)]);
        // Win 1/4; all gammons and backgammons more often.
        let logit = |chance: f32| (chance / (1.0 - chance)).ln();
        arrays[9] = [0.25, 0.5, 0.6, 0.8, 0.9].map(logit).to_vec();
        let net = PureTd::from_arrays(arrays).expect("the right lengths");
        let value = net.evaluate(&Position::START);
        let cut = [0.0, 0.0, 0.25, 0.0, 0.0, 0.75];
        assert!(value.outcomes.iter().zip(cut).all(|(a, b)| (a - b).abs() < 1e-6), "{value:?}");
        // Both sides have borne off checkers: no gammon is possible.
        let late = Position::from_sides(&[(3, 2)], &[(2, 2)]).expect("legal");
        assert!((net.evaluate(&late).outcomes[0] - 0.25).abs() < 1e-6);
        let over = Position::from_sides(&[(3, 2)], &[]).expect("legal");
        assert_eq!(net.evaluate(&over).equity(), -1.0);
    }

    #[test]
    fn other_lengths_and_infinite_weights_are_refused() {
        let mut arrays = drawn(3);
        arrays[4].pop();
        let refused = PureTd::from_arrays(arrays).expect_err("one number is missing");
        let (found, expected) = (131_071, 131_072);
        assert_eq!(refused, PureTdError::Length { array: 4, found, expected });
        let mut arrays = drawn(3);
        arrays[1][7] = f32::INFINITY;
        let refused = PureTd::from_arrays(arrays).expect_err("an infinite bias");
        assert_eq!(refused, PureTdError::NotFinite { array: 1 });
        assert_eq!(PureTd::units(), "196-512-512-256-128-5");
    }
}
