//! The first layer in 16-bit fixed point: half the bytes and half the work of an f32 layer. The f32
//! layer of a wide net does not fit into the L1 and L2 caches.
//!
//! Weights, inputs and sums are `i16`; sums are multiples of 1/512, at most 64 in absolute value.
//! Only the upper 16 bits of a product are used, which rounds down; half a unit per product is
//! added as compensation. Integer arithmetic gives the same results on every processor.

use super::aligned::Aligned;
use super::layers::FirstLayer;
use super::mlp::MAX_HIDDEN;

/// Fraction bits of a sum.
const FRACTION_BITS: u32 = 9;
/// Columns that are summed at a time: eight AVX registers.
const BLOCK: usize = 128;
/// Columns at the end of a row that may follow whole blocks.
const HALF_BLOCK: usize = BLOCK / 2;
/// Inputs that are converted to integers at a time.
const BATCH: usize = 64;

/// The weights of the first layer in fixed point.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct QuantizedLayer {
    /// `[inputs, width]`, each row with as many fraction bits as its largest weight allows.
    rows: Aligned<i16>,
    /// The factor that converts each input to an integer of its row's scale: a power of two.
    scales: Vec<f32>,
    /// The biases, `[width]`.
    start: Vec<i16>,
    /// Columns: whole blocks, and half of one more or none.
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
    /// Quantizes a layer of hidden units; `None` if its width is not one or more blocks, with or
    /// without half a block, or if a weight is 32 or more in absolute value.
    pub(super) fn of(layer: &FirstLayer) -> Option<QuantizedLayer> {
        let FirstLayer { width, ref w1, ref b1 } = *layer;
        if width < BLOCK || !width.is_multiple_of(HALF_BLOCK) {
            return None;
        }
        let inputs = w1.as_slice().len() / width;
        let mut rows = Aligned::zeros(inputs * width);
        let mut scales = Vec::with_capacity(inputs);
        let quantized = rows.as_mut_slice().chunks_exact_mut(width);
        for (row, quantized) in w1.as_slice().chunks_exact(width).zip(quantized) {
            let largest = row.iter().fold(0.0_f32, |largest, w| largest.max(w.abs()));
            let fits = |bits: &u32| largest * power(*bits) < f32::from(i16::MAX);
            let bits = (10..=15).rev().find(fits)?;
            quantized.iter_mut().zip(row).for_each(|(q, w)| *q = round_i16(w * power(bits)));
            scales.push(power(FRACTION_BITS + 16 - bits));
        }
        let start = b1.as_slice().iter().map(|b| round_i16(b * power(FRACTION_BITS))).collect();
        Some(QuantizedLayer { rows, scales, start, width })
    }

    /// Writes to `sums` the sums over the given inputs, biases included.
    #[inline(always)]
    pub(super) fn accumulate(
        &self,
        inputs: impl Iterator<Item = (usize, f32)>,
        sums: &mut QuantizedAccumulator,
    ) {
        self.sum_inputs(&self.start, inputs, sums);
    }

    /// Writes to `sums` the sums in `start` plus more inputs.
    #[inline(always)]
    pub(super) fn accumulate_from(
        &self,
        start: &QuantizedAccumulator,
        inputs: impl Iterator<Item = (usize, f32)>,
        sums: &mut QuantizedAccumulator,
    ) {
        self.sum_inputs(&start.0[..self.width], inputs, sums);
    }

    /// The sums as f32.
    #[inline(always)]
    pub(super) fn dequantize(&self, sums: &QuantizedAccumulator, out: &mut [f32; MAX_HIDDEN]) {
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
        // The part of an input that exceeds the range of i16 becomes another entry of the list.
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
        let (blocks, rest) = sums.as_chunks_mut::<BLOCK>();
        for (block, sums) in blocks.iter_mut().enumerate() {
            self.sum_columns(list, block * BLOCK, sums);
        }
        if let Some(sums) = rest.first_chunk_mut::<HALF_BLOCK>() {
            self.sum_columns(list, self.width - HALF_BLOCK, sums);
        }
    }

    /// The sums of the `N` columns from `first` on.
    #[inline(always)]
    fn sum_columns<const N: usize>(&self, list: &[(u16, i16)], first: usize, sums: &mut [i16; N]) {
        let lost = (list.len() / 2) as i16;
        let rows = &self.rows.as_slice()[first..];
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

/// Adds an input times its row; a function for the reason given at `add_row` in [`super::forward`].
#[inline(always)]
fn add_row<const N: usize>(sums: &mut [i16; N], row: &[i16; N], x: i16) {
    for column in 0..N {
        let product = (i32::from(x) * i32::from(row[column])) >> 16;
        sums[column] = sums[column].saturating_add(product as i16);
    }
}

/// Two to the power of `bits`.
#[inline(always)]
const fn power(bits: u32) -> f32 {
    (1_u32 << bits) as f32
}

fn round_i16(x: f32) -> i16 {
    x.round() as i16
}
