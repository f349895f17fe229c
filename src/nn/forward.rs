//! The forward pass: sums over sparse inputs, activations, outputs.

use pulp::Simd;

use super::mlp::{Accumulator, ForwardCache, MAX_HIDDEN, MAX_OUTPUTS, Mlp, Outputs};
use super::tiles::{Tile, for_each_tile};

impl Mlp {
    /// The outputs for sparse inputs; `hidden` keeps what [`Mlp::sgd_step`] needs.
    #[inline(always)]
    pub fn forward<S: Simd>(
        &self,
        simd: S,
        index: &[u16],
        value: &[f32],
        hidden: &mut ForwardCache,
    ) -> Outputs {
        self.accumulate(simd, index, value, &mut hidden.sums);
        self.output(simd, hidden)
    }

    /// The first part of [`Mlp::forward`]: the sums that the first inputs of a list give.
    #[inline(always)]
    pub fn accumulate<S: Simd>(
        &self,
        simd: S,
        index: &[u16],
        value: &[f32],
        sums: &mut Accumulator,
    ) {
        match &self.fixed {
            None => {
                let start = self.b1.as_slice();
                self.sum_inputs(simd, start, pairs(index, value), &mut sums.real);
            }
            Some(quantized) => quantized.accumulate(pairs(index, value), &mut sums.fixed),
        }
    }

    /// The second part of [`Mlp::forward`], as often as there are more inputs: what it gives, to the bit, for the inputs
    /// that `start` has and these after them.
    #[inline(always)]
    pub fn accumulate_from<S: Simd>(
        &self,
        simd: S,
        start: &Accumulator,
        inputs: impl Iterator<Item = (usize, f32)> + Clone,
        sums: &mut Accumulator,
    ) {
        match &self.fixed {
            None => self.sum_inputs(simd, &start.real[..self.width], inputs, &mut sums.real),
            Some(quantized) => quantized.accumulate_from(&start.fixed, inputs, &mut sums.fixed),
        }
    }

    /// `start` plus each input times its row.
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

    /// The last part of [`Mlp::forward`]: the outputs from the sums of the hidden units.
    #[inline(always)]
    pub fn output<S: Simd>(&self, simd: S, hidden: &mut ForwardCache) -> Outputs {
        if let Some(quantized) = &self.fixed {
            quantized.read(&hidden.sums.fixed, &mut hidden.sums.real);
        }
        let (sums, units) = (&hidden.sums.real[..self.width], &mut hidden.units[..self.width]);
        let outputs = if self.shape.hidden == 0 {
            std::array::from_fn(|o| sums[o])
        } else {
            self.activations.activation.apply(sums, self.beta.as_slice(), units);
            self.sum_hidden(simd, units)
        };
        self.activations.readout.read(outputs, self.shape.outputs)
    }

    /// The outputs from the hidden units, in four sums side by side: one would wait for itself at every unit.
    #[inline(always)]
    fn sum_hidden<S: Simd>(&self, simd: S, hidden: &[f32]) -> Outputs {
        const WAYS: usize = 4;
        let lanes = MAX_OUTPUTS / S::F32_LANES;
        let (w2, _) = S::as_simd_f32s(self.w2.as_slice());
        let mut outputs = [0.0; MAX_OUTPUTS];
        for (lane, out) in outputs.chunks_exact_mut(S::F32_LANES).enumerate() {
            let mut sums = [simd.splat_f32s(0.0); WAYS];
            let (units, _) = hidden.as_chunks::<WAYS>();
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
pub fn pairs<'a>(
    index: &'a [u16],
    value: &'a [f32],
) -> impl Iterator<Item = (usize, f32)> + Clone + 'a {
    let index = index.iter().map(
        #[inline(always)]
        |&i| usize::from(i),
    );
    index.zip(value.iter().copied())
}

/// The sums over all inputs, `start` included.
struct Sum<'a, S: Simd, I> {
    simd: S,
    w1: &'a [S::f32s],
    start: &'a [S::f32s],
    inputs: I,
    sums: &'a mut [S::f32s],
}

impl<S: Simd, I: Iterator<Item = (usize, f32)> + Clone> Tile for Sum<'_, S, I> {
    /// One sum follows the order of the list, so that it can be interrupted anywhere; the V of them are enough to keep
    /// additions from waiting for each other.
    #[inline(always)]
    fn run<const V: usize>(&mut self, first: usize) {
        let vectors = self.sums.len();
        let mut sums: [S::f32s; V] = std::array::from_fn(
            #[inline(always)]
            |v| self.start[first + v],
        );
        let inputs = self.inputs.clone();
        if vectors == V {
            // The whole net in one go: a row is a chunk, which needs one check where a slice needs two.
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

/// Adds an input times its row. A function, because a closure may not be made to be inlined, and what is not inlined is
/// compiled without the vectors of the dispatched function around it: ten times slower.
#[inline(always)]
fn add_row<S: Simd, const V: usize>(simd: S, sums: &mut [S::f32s; V], row: &[S::f32s; V], x: f32) {
    let x = simd.splat_f32s(x);
    for v in 0..V {
        sums[v] = simd.add_f32s(sums[v], simd.mul_f32s(x, row[v]));
    }
}
