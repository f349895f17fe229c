//! The first layer in fixed point: half the bytes and half the work of the first layer of a wide net, which does not fit
//! the nearer caches.
//!
//! Weights and inputs are whole numbers of 16 bits, and so are the sums, in steps of 1/512 up to 64. A product keeps its upper
//! half, which rounds down; half a step for each is given back. Whole numbers are the same on every processor.

use super::aligned::Aligned;
use super::mlp::{MAX_HIDDEN, Mlp};

/// Binary digits of a sum behind the point.
const FRACTION_BITS: u32 = 9;
/// Columns that are summed at a time: eight AVX registers.
const BLOCK: usize = 128;
/// Inputs that are turned into whole numbers at a time.
const BATCH: usize = 64;

/// The weights of the first layer in fixed point.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct QuantizedLayer {
    /// `[inputs, width]`, each row with as many digits as its largest weight leaves room for.
    rows: Aligned<i16>,
    /// What makes of an input the whole number that fits the digits of its row: powers of two.
    scales: Vec<f32>,
    /// The biases, `[width]`.
    start: Vec<i16>,
    /// Columns, a multiple of [`BLOCK`].
    width: usize,
}

/// Sums in fixed point.
#[derive(Clone, Debug)]
pub(super) struct QuantizedAccumulator([i16; MAX_HIDDEN]);

impl Default for QuantizedAccumulator {
    fn default() -> QuantizedAccumulator {
        QuantizedAccumulator([0; MAX_HIDDEN])
    }
}

impl QuantizedLayer {
    /// The first layer of a net whose columns fill blocks and whose weights all lie within 32; `None` for other nets, which
    /// are better off as they are.
    pub(super) fn of(net: &Mlp) -> Option<QuantizedLayer> {
        let (width, inputs) = (net.width, net.shape.inputs);
        if !width.is_multiple_of(BLOCK) || net.shape.hidden == 0 {
            return None;
        }
        let mut rows = Aligned::zeros(inputs * width);
        let mut scales = Vec::with_capacity(inputs);
        let fixed = rows.as_mut_slice().chunks_exact_mut(width);
        for (row, fixed) in net.w1.as_slice().chunks_exact(width).zip(fixed) {
            let largest = row.iter().fold(0.0_f32, |largest, w| largest.max(w.abs()));
            let fits = |digits: &u32| largest * power(*digits) < f32::from(i16::MAX);
            let digits = (10..=15).rev().find(fits)?;
            fixed.iter_mut().zip(row).for_each(|(fixed, w)| *fixed = round_i16(w * power(digits)));
            scales.push(power(FRACTION_BITS + 16 - digits));
        }
        let start = net.b1.as_slice().iter().map(|b| round_i16(b * power(FRACTION_BITS))).collect();
        Some(QuantizedLayer { rows, scales, start, width })
    }

    /// The sums that the first inputs of a list give.
    #[inline(always)]
    pub(super) fn accumulate(
        &self,
        inputs: impl Iterator<Item = (usize, f32)>,
        sums: &mut QuantizedAccumulator,
    ) {
        self.sum_inputs(&self.start, inputs, sums);
    }

    /// What `start` becomes with more inputs.
    #[inline(always)]
    pub(super) fn accumulate_from(
        &self,
        start: &QuantizedAccumulator,
        inputs: impl Iterator<Item = (usize, f32)>,
        sums: &mut QuantizedAccumulator,
    ) {
        self.sum_inputs(&start.0[..self.width], inputs, sums);
    }

    /// The sums as ordinary numbers.
    #[inline(always)]
    pub(super) fn read(&self, sums: &QuantizedAccumulator, out: &mut [f32; MAX_HIDDEN]) {
        for (sum, out) in sums.0[..self.width].iter().zip(out) {
            *out = f32::from(*sum) * (1.0 / power(FRACTION_BITS));
        }
    }

    #[inline(always)]
    fn sum_inputs(
        &self,
        start: &[i16],
        mut inputs: impl Iterator<Item = (usize, f32)>,
        sums: &mut QuantizedAccumulator,
    ) {
        let sums = &mut sums.0[..self.width];
        sums.copy_from_slice(start);
        let mut list = [(0_u16, 0_i16); BATCH];
        // What is left of an input that is too large for its row goes in once more.
        let mut left = (0, 0);
        loop {
            let mut len = 0;
            while len < BATCH {
                if left.1 == 0 {
                    let Some((i, x)) = inputs.next() else { break };
                    left = (i, (x * self.scales[i]) as i32);
                }
                let part = left.1.clamp(i16::MIN.into(), i16::MAX.into());
                list[len] = (left.0 as u16, part as i16);
                left.1 -= part;
                len += 1;
            }
            self.sum_batch(&list[..len], sums);
            if len < BATCH {
                break;
            }
        }
    }

    #[inline(always)]
    fn sum_batch(&self, list: &[(u16, i16)], sums: &mut [i16]) {
        let lost = (list.len() / 2) as i16;
        let (blocks, _) = sums.as_chunks_mut::<BLOCK>();
        for (block, sums) in blocks.iter_mut().enumerate() {
            let rows = &self.rows.as_slice()[block * BLOCK..];
            let mut sum = *sums;
            for value in &mut sum {
                *value = value.saturating_add(lost);
            }
            for &(i, x) in list {
                if let Some(row) = rows[usize::from(i) * self.width..].first_chunk() {
                    add_row(&mut sum, row, x);
                }
            }
            *sums = sum;
        }
    }
}

/// Adds an input times its row; a function for the reason that [`super::forward`] gives.
#[inline(always)]
fn add_row(sums: &mut [i16; BLOCK], row: &[i16; BLOCK], x: i16) {
    for column in 0..BLOCK {
        let product = (i32::from(x) * i32::from(row[column])) >> 16;
        sums[column] = sums[column].saturating_add(product as i16);
    }
}

/// Two to the power of `digits`.
#[inline(always)]
const fn power(digits: u32) -> f32 {
    (1_u32 << digits) as f32
}

fn round_i16(x: f32) -> i16 {
    x.round() as i16
}

#[cfg(test)]
mod tests {
    use super::super::{
        Activation, Activations, ForwardCache, OutputActivation, Outputs, Shape, Weights,
    };
    use super::*;
    use ndarray::Array1;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64;

    const SHAPE: Shape = Shape { inputs: 90, hidden: 256, outputs: 7 };

    /// A net whose weights are as large as learned ones, up to `largest` in every ninth row.
    fn net(shape: Shape, largest: f32) -> (Weights, Mlp) {
        let units =
            Activations { activation: Activation::Sigmoid, readout: OutputActivation::Softmax };
        let mut dense = Weights::random(shape, units, &mut Pcg64::seed_from_u64(5));
        for (i, mut row) in dense.w1.outer_iter_mut().enumerate() {
            row *= if i % 9 == 0 { 10.0 * largest } else { 7.0 };
        }
        let mlp = Mlp::from_weights(&dense);
        (dense, mlp)
    }

    fn outputs(net: &Mlp, index: &[u16], value: &[f32]) -> Outputs {
        net.forward(pulp::Scalar::new(), index, value, &mut ForwardCache::default())
    }

    #[test]
    fn rounding_moves_outputs_by_thousandths_at_most() {
        // Inputs of 3 do not fit rows of 10 in one piece.
        for largest in [0.5, 6.0, 10.0] {
            let (dense, slow) = net(SHAPE, largest);
            let mut quick = slow.clone();
            quick.quantize();
            assert!(quick.fixed.is_some());
            let mut rng = Pcg64::seed_from_u64(6);
            for _ in 0..50 {
                let index: Vec<u16> = (0..90).filter(|_| rng.random_bool(0.8)).collect();
                let value: Vec<f32> = index
                    .iter()
                    .map(|_| if rng.random_bool(0.05) { 3.0 } else { rng.random_range(0.0..1.0) })
                    .collect();
                let mut inputs = Array1::zeros(90);
                index.iter().zip(&value).for_each(|(&i, &x)| inputs[usize::from(i)] = x);
                let exact = dense.forward(inputs.view());
                let rounded = outputs(&quick, &index, &value);
                for (rounded, exact) in rounded.iter().zip(&exact) {
                    assert!((f64::from(*rounded) - exact).abs() < 5e-3, "{rounded} for {exact}");
                }
            }
        }
    }

    #[test]
    fn sums_too_large_for_sixteen_bits_stop_at_the_largest() {
        let (_, mut net) = net(SHAPE, 31.0);
        net.quantize();
        let mut hidden = ForwardCache::default();
        let index: Vec<u16> = (0..90).collect();
        net.forward(pulp::Scalar::new(), &index, &[30.0; 90], &mut hidden);
        assert!(hidden.sums.real[..256].iter().all(|sum| sum.abs() <= 64.0));
        let exact = |unit: usize| -> f32 {
            (0..90).map(|i| 30.0 * net.w1.as_slice()[i * 256 + unit]).sum()
        };
        assert!((0..256).any(|unit| exact(unit) > 200.0 && hidden.sums.real[unit] > 30.0));
    }

    #[test]
    fn nets_that_would_gain_nothing_stay_as_they_are() {
        for (shape, largest) in [(Shape { hidden: 40, ..SHAPE }, 1.0), (SHAPE, 40.0)] {
            let (_, slow) = net(shape, largest);
            let mut quick = slow.clone();
            quick.quantize();
            assert!(quick.fixed.is_none());
            assert_eq!(quick, slow);
        }
    }

    #[test]
    fn a_net_that_learns_again_says_what_its_weights_say() {
        let (_, slow) = net(SHAPE, 1.0);
        let mut quick = slow.clone();
        quick.quantize();
        assert_ne!(outputs(&quick, &[1, 4], &[0.7, 1.0]), outputs(&slow, &[1, 4], &[0.7, 1.0]));
        quick.slow();
        assert_eq!(quick, slow);
    }
}
