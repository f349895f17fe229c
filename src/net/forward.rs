//! The forward pass: sums over sparse inputs, activations, outputs.

use pulp::Simd;

use super::activation::sigmoid;
use super::mlp::{Hidden, MAX_OUTPUTS, Mlp, Outputs};

impl Mlp {
    /// The outputs for sparse inputs; `hidden` keeps what [`Mlp::descend`] needs.
    #[inline(always)]
    pub fn forward<S: Simd>(
        &self,
        simd: S,
        index: &[u16],
        value: &[f32],
        hidden: &mut Hidden,
    ) -> Outputs {
        let hidden = &mut hidden.0[..self.width];
        self.sum_inputs(simd, self.b1.as_slice(), index, value, hidden);
        self.finish(simd, hidden)
    }

    /// The first half of [`Mlp::forward`]: the sums that the first inputs of a list give.
    #[inline(always)]
    pub fn begin<S: Simd>(&self, simd: S, index: &[u16], value: &[f32], sums: &mut Hidden) {
        let sums = &mut sums.0[..self.width];
        self.sum_inputs(simd, self.b1.as_slice(), index, value, sums);
    }

    /// The second half of [`Mlp::forward`]: what it gives, to the bit, for the inputs that `sums` began with and these
    /// after them.
    #[inline(always)]
    pub fn complete<S: Simd>(
        &self,
        simd: S,
        sums: &Hidden,
        index: &[u16],
        value: &[f32],
        hidden: &mut Hidden,
    ) -> Outputs {
        let hidden = &mut hidden.0[..self.width];
        self.sum_inputs(simd, &sums.0[..self.width], index, value, hidden);
        self.finish(simd, hidden)
    }

    /// `start` plus each input times its row.
    #[inline(always)]
    fn sum_inputs<S: Simd>(
        &self,
        simd: S,
        start: &[f32],
        index: &[u16],
        value: &[f32],
        sums: &mut [f32],
    ) {
        let (start, _) = S::as_simd_f32s(start);
        let (sums, _) = S::as_mut_simd_f32s(sums);
        let mut first = 0;
        while first < sums.len() {
            // Up to eight vectors at a time: their sums stay in registers.
            let taken = (sums.len() - first).min(8);
            match taken {
                1 => self.sum_vectors::<S, 1>(simd, first, start, index, value, sums),
                2 => self.sum_vectors::<S, 2>(simd, first, start, index, value, sums),
                3 => self.sum_vectors::<S, 3>(simd, first, start, index, value, sums),
                4 => self.sum_vectors::<S, 4>(simd, first, start, index, value, sums),
                5 => self.sum_vectors::<S, 5>(simd, first, start, index, value, sums),
                6 => self.sum_vectors::<S, 6>(simd, first, start, index, value, sums),
                7 => self.sum_vectors::<S, 7>(simd, first, start, index, value, sums),
                _ => self.sum_vectors::<S, 8>(simd, first, start, index, value, sums),
            }
            first += taken;
        }
    }

    /// The vectors `first..first + V` of [`Mlp::sum_inputs`]. One sum follows the order of the list, so that it can be
    /// interrupted anywhere; the V of them are enough to keep additions from waiting for each other.
    #[inline(always)]
    fn sum_vectors<S: Simd, const V: usize>(
        &self,
        simd: S,
        first: usize,
        start: &[S::f32s],
        index: &[u16],
        value: &[f32],
        sums: &mut [S::f32s],
    ) {
        let vectors = self.width / S::F32_LANES;
        let (w1, _) = S::as_simd_f32s(self.w1.as_slice());
        let begun: [S::f32s; V] = std::array::from_fn(|v| start[first + v]);
        let sum = if vectors == V {
            // The whole net in one go: a row is a chunk, which needs one check where a slice needs two.
            let (rows, _) = w1.as_chunks::<V>();
            sum_rows(
                simd,
                begun,
                index,
                value,
                #[inline(always)]
                |i| &rows[i],
            )
        } else {
            sum_rows(
                simd,
                begun,
                index,
                value,
                #[inline(always)]
                |i| w1[i * vectors + first..].first_chunk().unwrap_or(&begun),
            )
        };
        sums[first..first + V].copy_from_slice(&sum);
    }

    /// The outputs from the sums of the hidden units, which become their activations.
    #[inline(always)]
    fn finish<S: Simd>(&self, simd: S, hidden: &mut [f32]) -> Outputs {
        for x in hidden.iter_mut() {
            *x = sigmoid(*x);
        }
        self.sum_hidden(simd, hidden)
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

/// `sums` plus each input times its row.
#[inline(always)]
fn sum_rows<'a, S: Simd, const V: usize>(
    simd: S,
    mut sums: [S::f32s; V],
    index: &[u16],
    value: &[f32],
    row: impl Fn(usize) -> &'a [S::f32s; V],
) -> [S::f32s; V] {
    for (&i, &x) in index.iter().zip(value) {
        let (row, x) = (row(i.into()), simd.splat_f32s(x));
        for v in 0..V {
            sums[v] = simd.add_f32s(sums[v], simd.mul_f32s(x, row[v]));
        }
    }
    sums
}
