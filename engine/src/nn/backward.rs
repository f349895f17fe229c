//! The backward pass: gradients, and the step of stochastic gradient descent.

use pulp::{Simd, WithSimd};

use super::activation::Activation;
use super::aligned::Aligned;
use super::layers::OutputLayer;
use super::mlp::{ForwardCache, MAX_HIDDEN, MAX_OUTPUTS, Mlp, Outputs};
use super::second_layer::{MAX_SECOND, NO_BETAS, SecondLayer, SecondUnits};
use super::tiles::{Tile, for_each_tile};
use crate::vectors::dispatch;

/// The learning rates of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearningRates {
    /// Learning rate of weights and biases.
    pub alpha: f32,
    /// Learning rate of the hidden units' sensitivities, 0 to leave them: extended backpropagation
    /// (Sperduti & Starita, Neural Networks 6, 1993).
    pub beta_alpha: f32,
}

/// A copy of a forward pass: with the inputs, it gives the gradient after the net has changed.
#[derive(Clone, Debug)]
pub struct ForwardSnapshot {
    cache: ForwardCache,
    beta: Aligned,
    second: Option<SecondLayer>,
    w2: Aligned,
}

impl Mlp {
    /// One step along the gradient.
    ///
    /// Every weight `w` gains `rate * sum over o of delta[o] * d output[o] / d w`. The gradient is
    /// taken at the inputs and the cache of the last forward pass.
    ///
    /// With `delta = target - output` this is the backpropagation step of Wiering, Patist & Mannen,
    /// section 3.3. Outputs are taken as linear, which for a softmax gives the step of the
    /// cross-entropy.
    ///
    /// # Panics
    /// If an index is not below the number of inputs.
    pub fn sgd_step(
        &mut self,
        indices: &[u16],
        values: &[f32],
        cache: &ForwardCache,
        delta: &Outputs,
        rates: LearningRates,
    ) {
        dispatch(Step { net: self, indices, values, cache, delta, rates });
    }

    /// [`Mlp::sgd_step`] inside a dispatched function.
    #[inline(always)]
    pub fn sgd_step_with<S: Simd>(
        &mut self,
        simd: S,
        indices: &[u16],
        values: &[f32],
        cache: &ForwardCache,
        delta: &Outputs,
        rates: LearningRates,
    ) {
        let gradients = HiddenGradients::of(simd, self, cache, delta);
        self.apply_gradient(simd, indices, values, cache, delta, rates, gradients);
    }

    /// The copy that [`Mlp::sgd_step_at`] needs of the current net; `cache` is that of the last
    /// forward pass.
    #[must_use]
    pub fn snapshot(&self, cache: &ForwardCache) -> ForwardSnapshot {
        let OutputLayer { beta, second, w2, .. } = &self.output;
        let (beta, second, w2) = (beta.clone(), second.clone(), w2.clone());
        ForwardSnapshot { cache: cache.clone(), beta, second, w2 }
    }

    /// [`Mlp::sgd_step`] along the gradient at an earlier forward pass.
    #[inline(always)]
    pub fn sgd_step_at<S: Simd>(
        &mut self,
        simd: S,
        indices: &[u16],
        values: &[f32],
        snapshot: &ForwardSnapshot,
        delta: &Outputs,
        rates: LearningRates,
    ) {
        let ForwardSnapshot { cache, beta, second, w2 } = snapshot;
        let activation = self.output.activations.hidden;
        let gradients =
            HiddenGradients::through(simd, activation, beta, second.as_ref(), w2, cache, delta);
        self.apply_gradient(simd, indices, values, cache, delta, rates, gradients);
    }

    /// Adds the gradient times the rates to the weights.
    #[allow(
        clippy::too_many_arguments,
        reason = "shared by offline SGD, eligibility traces and Adam"
    )]
    #[inline(always)]
    pub(super) fn apply_gradient<S: Simd>(
        &mut self,
        simd: S,
        indices: &[u16],
        values: &[f32],
        cache: &ForwardCache,
        delta: &Outputs,
        LearningRates { alpha, beta_alpha }: LearningRates,
        mut gradients: HiddenGradients,
    ) {
        let HiddenGradients { scaled, sums, second } = &mut gradients;
        let Mlp { first, output } = self;
        let sums = &mut sums[..first.width];
        if output.shape.hidden == 0 {
            sums[..MAX_OUTPUTS].copy_from_slice(delta);
        } else {
            let beta = output.beta.as_mut_slice();
            for ((beta, gradient), s) in beta.iter_mut().zip(scaled).zip(&cache.sums.real) {
                *beta += beta_alpha * *gradient * s;
            }
            let last = match &mut output.second {
                None => &cache.activations[..],
                Some(layer) => {
                    // Padding must stay 0.
                    second[output.shape.second..].fill(0.0);
                    layer.step(simd, &cache.activations[..output.shape.hidden], second, alpha);
                    &cache.second.activations[..]
                }
            };
            let (rows, _) = output.w2.as_mut_slice().as_chunks_mut::<MAX_OUTPUTS>();
            // Padding rows must stay 0.
            for (row, h) in rows.iter_mut().zip(last).take(output.shape.last()) {
                let step = alpha * h;
                for (w, d) in row.iter_mut().zip(delta) {
                    *w += step * d;
                }
            }
            for (b, d) in output.b2.iter_mut().zip(delta) {
                *b += alpha * d;
            }
        }
        sums[output.shape.columns()..].fill(0.0);
        let (gradients, _) = S::as_simd_f32s(sums);
        let (b1, _) = S::as_mut_simd_f32s(first.b1.as_mut_slice());
        let (w1, _) = S::as_mut_simd_f32s(first.w1.as_mut_slice());
        // The biases are the weights of an input that is always 1.
        for_each_tile(
            gradients.len(),
            RowUpdate { simd, rows: b1, gradients, indices: &[0], values: &[1.0], alpha },
        );
        for_each_tile(
            gradients.len(),
            RowUpdate { simd, rows: w1, gradients, indices, values, alpha },
        );
    }
}

/// The gradient of `sum over o of delta[o] * output[o]` with respect to the hidden units.
pub(super) struct HiddenGradients {
    /// With respect to each unit's sum times its sensitivity.
    scaled: [f32; MAX_HIDDEN],
    /// With respect to each unit's sum.
    sums: [f32; MAX_HIDDEN],
    /// With respect to the sums of the second layer.
    second: [f32; MAX_SECOND],
}

impl HiddenGradients {
    /// The gradients at the last forward pass of a net.
    #[inline(always)]
    pub(super) fn of<S: Simd>(
        simd: S,
        net: &Mlp,
        cache: &ForwardCache,
        delta: &Outputs,
    ) -> HiddenGradients {
        let output = &net.output;
        let activation = output.activations.hidden;
        let OutputLayer { beta, second, w2, .. } = output;
        HiddenGradients::through(simd, activation, beta, second.as_ref(), w2, cache, delta)
    }

    #[inline(always)]
    fn through<S: Simd>(
        simd: S,
        activation: Activation,
        beta: &Aligned,
        second: Option<&SecondLayer>,
        w2: &Aligned,
        cache: &ForwardCache,
        delta: &Outputs,
    ) -> HiddenGradients {
        let mut gradients = HiddenGradients {
            scaled: [0.0; MAX_HIDDEN],
            sums: [0.0; MAX_HIDDEN],
            second: [0.0; MAX_SECOND],
        };
        let HiddenGradients { scaled, sums, second: of_second } = &mut gradients;
        let (rows, _) = w2.as_slice().as_chunks::<MAX_OUTPUTS>();
        let beta = beta.as_slice();
        let (scaled, sums) = (&mut scaled[..beta.len()], &mut sums[..beta.len()]);
        // With respect to the activations of the first hidden layer.
        match second {
            None => {
                for (row, back) in rows.iter().zip(&mut *scaled) {
                    *back = back_from_outputs(delta, row);
                }
            }
            Some(layer) => {
                let width = layer.width;
                for (row, back) in rows.iter().zip(&mut of_second[..width]) {
                    *back = back_from_outputs(delta, row);
                }
                let SecondUnits { sums, activations } = &cache.second;
                activation.backward(
                    &sums[..width],
                    &NO_BETAS[..width],
                    &activations[..width],
                    &mut of_second[..width],
                );
                layer.backward(simd, of_second, scaled);
            }
        }
        activation.backward(
            &cache.sums.real[..beta.len()],
            beta,
            &cache.activations[..beta.len()],
            scaled,
        );
        for ((sum, scaled), beta) in sums.iter_mut().zip(scaled).zip(beta) {
            *sum = *scaled * beta;
        }
        gradients
    }
}

/// The gradient with respect to a unit of the last hidden layer; `row` has its output weights.
#[inline(always)]
fn back_from_outputs(delta: &Outputs, row: &Outputs) -> f32 {
    let [a, b, c, d, e, f, g, h]: Outputs = std::array::from_fn(
        #[inline(always)]
        |o| delta[o] * row[o],
    );
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

struct Step<'a> {
    net: &'a mut Mlp,
    indices: &'a [u16],
    values: &'a [f32],
    cache: &'a ForwardCache,
    delta: &'a Outputs,
    rates: LearningRates,
}

impl WithSimd for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Step { net, indices, values, cache, delta, rates } = self;
        net.sgd_step_with(simd, indices, values, cache, delta, rates);
    }
}

/// Adds the step to the weight rows of the active inputs.
struct RowUpdate<'a, S: Simd> {
    simd: S,
    rows: &'a mut [S::f32s],
    gradients: &'a [S::f32s],
    indices: &'a [u16],
    values: &'a [f32],
    alpha: f32,
}

impl<S: Simd> Tile for RowUpdate<'_, S> {
    #[inline(always)]
    fn run<const V: usize>(&mut self, first: usize) {
        let simd = self.simd;
        let vectors = self.gradients.len();
        let gradients: [S::f32s; V] = std::array::from_fn(
            #[inline(always)]
            |v| self.gradients[first + v],
        );
        for (&i, &x) in self.indices.iter().zip(self.values) {
            let scale = simd.splat_f32s(self.alpha * x);
            let row = &mut self.rows[usize::from(i) * vectors + first..][..V];
            for v in 0..V {
                row[v] = simd.add_f32s(row[v], simd.mul_f32s(scale, gradients[v]));
            }
        }
    }
}
