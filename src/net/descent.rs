//! The gradient step.

use pulp::Simd;

use super::columns::{Pass, by_columns};
use super::mlp::{Hidden, MAX_HIDDEN, MAX_OUTPUTS, Mlp, Outputs};

impl Mlp {
    /// One step along the gradient: every weight `w` gains `alpha * sum over o of delta[o] * d output[o] / d w`, taken
    /// at the inputs and hidden units of the last [`Mlp::forward`]. With `delta = target - output` this is the
    /// backpropagation step of section 3.3.
    #[inline(always)]
    pub fn descend<S: Simd>(
        &mut self,
        simd: S,
        index: &[u16],
        value: &[f32],
        hidden: &Hidden,
        delta: &Outputs,
        alpha: f32,
    ) {
        let mut slopes = [0.0; MAX_HIDDEN];
        let slopes = &mut slopes[..self.width];
        let (rows, _) = self.w2.as_mut_slice().as_chunks_mut::<MAX_OUTPUTS>();
        for ((row, slope), &h) in rows.iter_mut().zip(slopes.iter_mut()).zip(&hidden.0) {
            let [a, b, c, d, e, f, g, i]: Outputs = std::array::from_fn(|o| delta[o] * row[o]);
            let back = ((a + e) + (c + g)) + ((b + f) + (d + i));
            *slope = back * h * (1.0 - h);
            let step = alpha * h;
            for (w, d) in row.iter_mut().zip(delta) {
                *w += step * d;
            }
        }
        // The padding would follow the outputs' deltas otherwise.
        rows[self.shape.hidden..].fill([0.0; MAX_OUTPUTS]);
        for (b, d) in self.b2.iter_mut().zip(delta) {
            *b += alpha * d;
        }
        slopes[self.shape.hidden..].fill(0.0);
        let (slopes, _) = S::as_simd_f32s(slopes);
        let (b1, _) = S::as_mut_simd_f32s(self.b1.as_mut_slice());
        let (w1, _) = S::as_mut_simd_f32s(self.w1.as_mut_slice());
        // Biases are the row of an input that is always 1.
        by_columns(
            slopes.len(),
            Climb { simd, rows: b1, slopes, index: &[0], value: &[1.0], alpha },
        );
        by_columns(slopes.len(), Climb { simd, rows: w1, slopes, index, value, alpha });
    }
}

/// The step of the rows of some inputs.
struct Climb<'a, S: Simd> {
    simd: S,
    rows: &'a mut [S::f32s],
    slopes: &'a [S::f32s],
    index: &'a [u16],
    value: &'a [f32],
    alpha: f32,
}

impl<S: Simd> Pass for Climb<'_, S> {
    #[inline(always)]
    fn run<const V: usize>(&mut self, first: usize) {
        let simd = self.simd;
        let vectors = self.slopes.len();
        let slopes: [S::f32s; V] = std::array::from_fn(|v| self.slopes[first + v]);
        for (&i, &x) in self.index.iter().zip(self.value) {
            let scale = simd.splat_f32s(self.alpha * x);
            let row = &mut self.rows[usize::from(i) * vectors + first..][..V];
            for v in 0..V {
                row[v] = simd.add_f32s(row[v], simd.mul_f32s(scale, slopes[v]));
            }
        }
    }
}
