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
/// WebAssembly has vectors of 128 bits, and no instruction for the upper half of a product.
const WASM: bool = cfg!(target_arch = "wasm32");
/// Columns that are summed at a time: eight registers of AVX, or of WebAssembly.
const BLOCK: usize = if WASM { 64 } else { 128 };
/// Columns at the end of a row that may follow whole blocks.
const HALF_BLOCK: usize = 64;
/// Columns of the narrowest layer that is worth it.
const NARROWEST: usize = 128;
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
    /// Quantizes a layer of hidden units; `None` if its width is below 128 or not a multiple of 64,
    /// or if a weight is 32 or more in absolute value.
    pub(super) fn of(layer: &FirstLayer) -> Option<QuantizedLayer> {
        let FirstLayer { width, ref w1, ref b1 } = *layer;
        if width < NARROWEST || !width.is_multiple_of(HALF_BLOCK) {
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

    /// The sums of the `N` columns from `first` on. In WebAssembly it is a function of its own, as
    /// the other loops over vectors of sums are: V8 keeps sums in registers in short functions
    /// only.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn sum_columns<const N: usize>(&self, list: &[(u16, i16)], first: usize, sums: &mut [i16; N]) {
        let lost = (list.len() / 2) as i16;
        let rows = &self.rows.as_slice()[first..];
        let mut sum = *sums;
        for value in &mut sum {
            *value = value.saturating_add(lost);
        }
        for &(i, x) in list {
            if let Some(row) = rows[usize::from(i) * self.width..].first_chunk() {
                if WASM {
                    add_row_by_shift(&mut sum, row, x);
                } else {
                    add_row(&mut sum, row, x);
                }
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

/// [`add_row`] where the upper half of a product takes several instructions. An input of 1 or 1/2
/// is a power of two in its row's scale: a shift gives the same bits. Its distance is a constant,
/// so that it is a part of the instruction.
#[inline(always)]
fn add_row_by_shift<const N: usize>(sums: &mut [i16; N], row: &[i16; N], x: i16) {
    match x {
        0x0200 => add_shifted_row::<7, N>(sums, row),
        0x0400 => add_shifted_row::<6, N>(sums, row),
        0x0800 => add_shifted_row::<5, N>(sums, row),
        0x1000 => add_shifted_row::<4, N>(sums, row),
        0x2000 => add_shifted_row::<3, N>(sums, row),
        0x4000 => add_shifted_row::<2, N>(sums, row),
        _ => add_row(sums, row, x),
    }
}

#[inline(always)]
fn add_shifted_row<const BY: u32, const N: usize>(sums: &mut [i16; N], row: &[i16; N]) {
    for column in 0..N {
        sums[column] = sums[column].saturating_add(row[column] >> BY);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_give_the_bits_of_products() {
        let weights = [i16::MIN + 1, -16_384, -513, -3, -2, -1, 0, 1, 2, 3, 511, 16_383, i16::MAX];
        let powers = (0..15).map(|bits| 1 << bits);
        for x in powers.chain([i16::MIN, -1024, -1, 0, 3, 1023, 1025, i16::MAX]) {
            for start in [i16::MIN, -7, 0, 7, i16::MAX] {
                let (mut product, mut shift) = ([start; 13], [start; 13]);
                add_row(&mut product, &weights, x);
                add_row_by_shift(&mut shift, &weights, x);
                assert_eq!(product, shift, "{x}");
            }
        }
    }
}
