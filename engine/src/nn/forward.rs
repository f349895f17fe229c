//! The forward pass in f32: sums over sparse inputs, activations, outputs.

use pulp::Simd;

use super::layers::{FirstLayer, OutputLayer};
use super::mlp::{ForwardCache, MAX_HIDDEN, MAX_OUTPUTS, Outputs};
use super::tiles::{Tile, for_each_tile};

impl FirstLayer {
    /// Writes to `sums` the biases plus each input times its row.
    #[inline(always)]
    pub(super) fn accumulate<S: Simd>(
        &self,
        simd: S,
        inputs: impl Iterator<Item = (usize, f32)> + Clone,
        sums: &mut [f32; MAX_HIDDEN],
    ) {
        self.sum_inputs(simd, self.b1.as_slice(), inputs, sums);
    }

    /// Writes to `sums` the sums in `start` plus each input times its row.
    #[inline(always)]
    pub(super) fn accumulate_from<S: Simd>(
        &self,
        simd: S,
        start: &[f32; MAX_HIDDEN],
        inputs: impl Iterator<Item = (usize, f32)> + Clone,
        sums: &mut [f32; MAX_HIDDEN],
    ) {
        self.sum_inputs(simd, &start[..self.width], inputs, sums);
    }

    #[inline(always)]
    fn sum_inputs<S: Simd>(
        &self,
        simd: S,
        start: &[f32],
        inputs: impl Iterator<Item = (usize, f32)> + Clone,
        sums: &mut [f32; MAX_HIDDEN],
    ) {
        let (w1, _) = S::as_simd_f32s(self.w1.as_slice());
        let (start, _) = S::as_simd_f32s(start);
        let (sums, _) = S::as_mut_simd_f32s(&mut sums[..self.width]);
        for_each_tile(sums.len(), Sum { simd, w1, start, inputs, sums });
    }
}

impl OutputLayer {
    /// The outputs from the f32 sums of the hidden units.
    #[inline(always)]
    pub(super) fn output<S: Simd>(&self, simd: S, cache: &mut ForwardCache) -> Outputs {
        let width = self.beta.as_slice().len();
        let (sums, units) = (&cache.sums.real[..width], &mut cache.activations[..width]);
        let outputs = if self.shape.hidden == 0 {
            std::array::from_fn(|o| sums[o])
        } else {
            self.activations.hidden.apply(sums, self.beta.as_slice(), units);
            match &self.second {
                None => self.sum_hidden(simd, units),
                Some(layer) => {
                    layer.forward(simd, self.activations.hidden, units, &mut cache.second);
                    self.sum_hidden(simd, &cache.second.activations[..layer.width])
                }
            }
        };
        self.activations.output.apply(outputs, self.shape.outputs)
    }

    /// [`OutputLayer::output`] of two positions: the same bits, faster if there is a second hidden
    /// layer.
    #[inline(always)]
    pub(super) fn output_two<S: Simd>(
        &self,
        simd: S,
        [a, b]: [&mut ForwardCache; 2],
    ) -> [Outputs; 2] {
        let Some(layer) = &self.second else { return [self.output(simd, a), self.output(simd, b)] };
        let (activation, beta) = (self.activations.hidden, self.beta.as_slice());
        let width = beta.len();
        activation.apply(&a.sums.real[..width], beta, &mut a.activations[..width]);
        activation.apply(&b.sums.real[..width], beta, &mut b.activations[..width]);
        let first = [&a.activations[..width], &b.activations[..width]];
        layer.forward_two(simd, activation, first, [&mut a.second, &mut b.second]);
        let (a, b) = (
            self.sum_hidden(simd, &a.second.activations[..layer.width]),
            self.sum_hidden(simd, &b.second.activations[..layer.width]),
        );
        let outputs = self.shape.outputs;
        [self.activations.output.apply(a, outputs), self.activations.output.apply(b, outputs)]
    }

    /// The sums of the outputs over the units of the last hidden layer. Four partial sums are
    /// independent of each other: in a single sum each addition would wait for the previous one.
    #[inline(always)]
    fn sum_hidden<S: Simd>(&self, simd: S, units: &[f32]) -> Outputs {
        const WAYS: usize = 4;
        let lanes = MAX_OUTPUTS / S::F32_LANES;
        let (w2, _) = S::as_simd_f32s(self.w2.as_slice());
        let mut outputs = [0.0; MAX_OUTPUTS];
        for (lane, out) in outputs.chunks_exact_mut(S::F32_LANES).enumerate() {
            let mut sums = [simd.splat_f32s(0.0); WAYS];
            let (units, _) = units.as_chunks::<WAYS>();
            for (units, rows) in units.iter().zip(w2.chunks_exact(WAYS * lanes)) {
                for k in 0..WAYS {
                    let h = simd.splat_f32s(units[k]);
                    sums[k] = simd.add_f32s(sums[k], simd.mul_f32s(h, rows[k * lanes + lane]));
                }
            }
            let sum =
                simd.add_f32s(simd.add_f32s(sums[0], sums[1]), simd.add_f32s(sums[2], sums[3]));
            let (out, _) = S::as_mut_simd_f32s(out);
            out[0] = sum;
        }
        std::array::from_fn(|o| outputs[o] + self.b2[o])
    }
}

/// Inputs as (index, value).
#[inline(always)]
pub(crate) fn pairs<'a>(
    indices: &'a [u16],
    values: &'a [f32],
) -> impl Iterator<Item = (usize, f32)> + Clone + 'a {
    let indices = indices.iter().map(
        #[inline(always)]
        |&i| usize::from(i),
    );
    indices.zip(values.iter().copied())
}

/// The sums over all inputs, starting with `start`.
struct Sum<'a, S: Simd, I> {
    simd: S,
    w1: &'a [S::f32s],
    start: &'a [S::f32s],
    inputs: I,
    sums: &'a mut [S::f32s],
}

impl<S: Simd, I: Iterator<Item = (usize, f32)> + Clone> Tile for Sum<'_, S, I> {
    /// Each sum is taken in the order of the list, so that it can be continued from any prefix. V
    /// independent sums keep additions from waiting for each other.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn run<const V: usize>(&mut self, first: usize) {
        let vectors = self.sums.len();
        let mut sums: [S::f32s; V] = std::array::from_fn(
            #[inline(always)]
            |v| self.start[first + v],
        );
        let inputs = self.inputs.clone();
        if vectors == V {
            // The whole layer is one tile: a row is a chunk, which needs one bounds check; a slice
            // needs two.
            let (rows, _) = self.w1.as_chunks::<V>();
            for (i, x) in inputs {
                add_row(self.simd, &mut sums, &rows[i], x);
            }
        } else {
            for (i, x) in inputs {
                if let Some(row) = self.w1[i * vectors + first..].first_chunk() {
                    add_row(self.simd, &mut sums, row, x);
                }
            }
        }
        self.sums[first..first + V].copy_from_slice(&sums);
    }
}

/// Adds an input times its row. This is a function because a closure cannot be forced inline here.
/// Code that is not inlined lacks the vector instructions of the dispatched function and is ten
/// times slower.
#[inline(always)]
fn add_row<S: Simd, const V: usize>(simd: S, sums: &mut [S::f32s; V], row: &[S::f32s; V], x: f32) {
    let x = simd.splat_f32s(x);
    for v in 0..V {
        sums[v] = simd.add_f32s(sums[v], simd.mul_f32s(x, row[v]));
    }
}
