//! The gradient step.

use pulp::Simd;

use super::activation::Activation;
use super::aligned::Aligned;
use super::mlp::{ForwardCache, MAX_HIDDEN, MAX_OUTPUTS, Mlp, Outputs};
use super::tiles::{Tile, for_each_tile};

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearningRates {
    /// Learning rate of weights and biases.
    pub alpha: f32,
    /// Learning rate of the hidden units' sensitivities, 0 to leave them: extended backpropagation (Sperduti & Starita,
    /// Neural Networks 6, 1993).
    pub beta_alpha: f32,
}

/// What a net was like at a forward pass, as far as the gradient of that moment needs it besides the inputs.
#[derive(Clone, Debug)]
pub struct ForwardSnapshot {
    hidden: ForwardCache,
    beta: Aligned,
    w2: Aligned,
}

impl Mlp {
    /// One step along the gradient: every weight `w` gains `rate * sum over o of delta[o] * d output[o] / d w`, taken
    /// at the inputs and hidden units of the last [`Mlp::forward`]. With `delta = target - output` this is the
    /// backpropagation step of section 3.3. Outputs count as linear: for shares of 1 this is the step of the cross-entropy.
    #[inline(always)]
    pub fn sgd_step<S: Simd>(
        &mut self,
        simd: S,
        index: &[u16],
        value: &[f32],
        hidden: &ForwardCache,
        delta: &Outputs,
        rates: LearningRates,
    ) {
        let activation = self.activations.activation;
        let slopes = HiddenGradients::of(activation, &self.beta, &self.w2, hidden, delta);
        self.apply_gradient(simd, index, value, hidden, delta, rates, slopes);
    }

    /// What [`Mlp::sgd_step_at`] needs of the present one: `hidden` is that of the last [`Mlp::forward`].
    #[must_use]
    pub fn snapshot(&self, hidden: &ForwardCache) -> ForwardSnapshot {
        ForwardSnapshot { hidden: hidden.clone(), beta: self.beta.clone(), w2: self.w2.clone() }
    }

    /// [`Mlp::sgd_step`] along the gradient of an earlier moment.
    #[inline(always)]
    pub fn sgd_step_at<S: Simd>(
        &mut self,
        simd: S,
        index: &[u16],
        value: &[f32],
        snapshot: &ForwardSnapshot,
        delta: &Outputs,
        rates: LearningRates,
    ) {
        let ForwardSnapshot { hidden, beta, w2 } = snapshot;
        let slopes = HiddenGradients::of(self.activations.activation, beta, w2, hidden, delta);
        self.apply_gradient(simd, index, value, hidden, delta, rates, slopes);
    }

    /// The step itself.
    #[allow(clippy::too_many_arguments, reason = "the two ways of descending share it")]
    #[inline(always)]
    pub(super) fn apply_gradient<S: Simd>(
        &mut self,
        simd: S,
        index: &[u16],
        value: &[f32],
        hidden: &ForwardCache,
        delta: &Outputs,
        LearningRates { alpha, beta_alpha }: LearningRates,
        mut slopes: HiddenGradients,
    ) {
        let HiddenGradients { scaled, sums } = &mut slopes;
        let sums = &mut sums[..self.width];
        if self.shape.hidden == 0 {
            sums[..MAX_OUTPUTS].copy_from_slice(delta);
        } else {
            let beta = self.beta.as_mut_slice();
            for ((beta, slope), s) in beta.iter_mut().zip(scaled).zip(&hidden.sums.real) {
                *beta += beta_alpha * *slope * s;
            }
            let (rows, _) = self.w2.as_mut_slice().as_chunks_mut::<MAX_OUTPUTS>();
            // The padding would follow the outputs' deltas.
            for (row, h) in rows.iter_mut().zip(&hidden.units).take(self.shape.hidden) {
                let step = alpha * h;
                for (w, d) in row.iter_mut().zip(delta) {
                    *w += step * d;
                }
            }
            for (b, d) in self.b2.iter_mut().zip(delta) {
                *b += alpha * d;
            }
        }
        sums[self.shape.columns()..].fill(0.0);
        let (slopes, _) = S::as_simd_f32s(sums);
        let (b1, _) = S::as_mut_simd_f32s(self.b1.as_mut_slice());
        let (w1, _) = S::as_mut_simd_f32s(self.w1.as_mut_slice());
        // Biases are the row of an input that is always 1.
        for_each_tile(
            slopes.len(),
            RowUpdate { simd, rows: b1, slopes, index: &[0], value: &[1.0], alpha },
        );
        for_each_tile(slopes.len(), RowUpdate { simd, rows: w1, slopes, index, value, alpha });
    }
}

/// How steeply what the deltas weigh depends on each hidden unit.
pub(super) struct HiddenGradients {
    /// On its sum times its sensitivity.
    scaled: [f32; MAX_HIDDEN],
    /// On its sum.
    sums: [f32; MAX_HIDDEN],
}

impl HiddenGradients {
    #[inline(always)]
    pub(super) fn of(
        activation: Activation,
        beta: &Aligned,
        w2: &Aligned,
        hidden: &ForwardCache,
        delta: &Outputs,
    ) -> HiddenGradients {
        let mut slopes = HiddenGradients { scaled: [0.0; MAX_HIDDEN], sums: [0.0; MAX_HIDDEN] };
        let (rows, _) = w2.as_slice().as_chunks::<MAX_OUTPUTS>();
        let units = hidden.units.iter().zip(&hidden.sums.real).zip(beta.as_slice());
        let slots = slopes.scaled.iter_mut().zip(&mut slopes.sums);
        for ((row, (scaled, sum)), ((&h, s), beta)) in rows.iter().zip(slots).zip(units) {
            let [a, b, c, d, e, f, g, i]: Outputs = std::array::from_fn(
                #[inline(always)]
                |o| delta[o] * row[o],
            );
            let back = ((a + e) + (c + g)) + ((b + f) + (d + i));
            *scaled = activation.backward(back, beta * s, h);
            *sum = *scaled * beta;
        }
        slopes
    }
}

/// The step of the rows of some inputs.
struct RowUpdate<'a, S: Simd> {
    simd: S,
    rows: &'a mut [S::f32s],
    slopes: &'a [S::f32s],
    index: &'a [u16],
    value: &'a [f32],
    alpha: f32,
}

impl<S: Simd> Tile for RowUpdate<'_, S> {
    #[inline(always)]
    fn run<const V: usize>(&mut self, first: usize) {
        let simd = self.simd;
        let vectors = self.slopes.len();
        let slopes: [S::f32s; V] = std::array::from_fn(
            #[inline(always)]
            |v| self.slopes[first + v],
        );
        for (&i, &x) in self.index.iter().zip(self.value) {
            let scale = simd.splat_f32s(self.alpha * x);
            let row = &mut self.rows[usize::from(i) * vectors + first..][..V];
            for v in 0..V {
                row[v] = simd.add_f32s(row[v], simd.mul_f32s(scale, slopes[v]));
            }
        }
    }
}
