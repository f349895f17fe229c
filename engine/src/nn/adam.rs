//! The optimizer Adam (Kingma & Ba 2015, arXiv 1412.6980, algorithm 1).

use pulp::{Simd, WithSimd};
use serde::{Deserialize, Serialize};

use super::activation::Activations;
use super::backward::{HiddenGradients, LearningRates};
use super::mlp::{ForwardCache, Mlp, Outputs};
use super::network::Network;
use super::weights::{Shape, Weights};
use crate::vectors::dispatch;

/// Decay of the running means of the gradient and of its square, and the term that keeps a step
/// finite: the paper's defaults.
const BETAS: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;

/// The state of the optimizer for one net. It changes weights and biases, not the betas of the
/// hidden units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "AdamValues", try_from = "AdamValues")]
pub struct Adam {
    /// Running mean of the gradient of each weight.
    means: Mlp,
    /// Running mean of its square.
    squares: Mlp,
    /// Steps so far.
    steps: u64,
}

/// The sum of the gradients of the examples since the last step.
#[derive(Clone, Debug)]
pub struct GradientSum {
    sum: Mlp,
    examples: u32,
}

/// The serialized form of [`Adam`]: its values in the order of [`Weights::values`].
#[derive(Serialize, Deserialize)]
struct AdamValues {
    shape: Shape,
    steps: u64,
    means: Vec<f32>,
    squares: Vec<f32>,
}

/// The number of values does not match the shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the state of Adam does not match its shape {0:?}")]
struct AdamSizeError(Shape);

/// A net of zeros to hold a value for each weight.
fn zeros(shape: Shape) -> Mlp {
    Mlp::from_weights(&Weights::zeros(shape, Activations::default()))
}

impl GradientSum {
    /// A sum of no examples.
    #[must_use]
    pub fn new(shape: Shape) -> GradientSum {
        GradientSum { sum: zeros(shape), examples: 0 }
    }

    /// Examples since the last step.
    #[must_use]
    pub const fn examples(&self) -> u32 {
        self.examples
    }

    /// Adds the gradient of `sum over o of delta[o] * output[o]`, the direction of
    /// [`Mlp::sgd_step`].
    ///
    /// The gradient is taken at the inputs and the cache of the last forward pass of `net`.
    ///
    /// # Panics
    /// If an index is not below the number of inputs.
    pub fn add_example(
        &mut self,
        net: &Mlp,
        indices: &[u16],
        values: &[f32],
        cache: &ForwardCache,
        delta: &Outputs,
    ) {
        dispatch(AddExample { sum: self, net, indices, values, cache, delta });
    }

    /// [`GradientSum::add_example`] inside a dispatched function.
    #[inline(always)]
    pub fn add<S: Simd>(
        &mut self,
        simd: S,
        net: &Mlp,
        indices: &[u16],
        values: &[f32],
        cache: &ForwardCache,
        delta: &Outputs,
    ) {
        let gradients = HiddenGradients::of(simd, net, cache, delta);
        let whole = LearningRates { alpha: 1.0, beta_alpha: 0.0 };
        self.sum.apply_gradient(simd, indices, values, cache, delta, whole, gradients);
        self.examples += 1;
    }
}

struct AddExample<'a> {
    sum: &'a mut GradientSum,
    net: &'a Mlp,
    indices: &'a [u16],
    values: &'a [f32],
    cache: &'a ForwardCache,
    delta: &'a Outputs,
}

impl WithSimd for AddExample<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let AddExample { sum, net, indices, values, cache, delta } = self;
        sum.add(simd, net, indices, values, cache, delta);
    }
}

impl Mlp {
    /// Makes one step along the sum of the gradients and resets the sum.
    #[inline(always)]
    pub fn sum_step(&mut self, gradients: &mut GradientSum, alpha: f32) {
        gradients.examples = 0;
        for (weights, gradient) in self.parts_mut().into_iter().zip(gradients.sum.parts_mut()) {
            for (weight, gradient) in weights.iter_mut().zip(gradient) {
                *weight += alpha * *gradient;
                *gradient = 0.0;
            }
        }
    }
}

impl Adam {
    /// The state for a net of this shape before the first step.
    #[must_use]
    pub fn new(shape: Shape) -> Adam {
        Adam { means: zeros(shape), squares: zeros(shape), steps: 0 }
    }

    /// The shape of the net.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.means.shape()
    }

    /// Makes one step of `net` along the mean of the gradients and resets their sum. Does nothing
    /// if there are no examples.
    #[inline(always)]
    pub fn step(&mut self, net: &mut Mlp, gradients: &mut GradientSum, alpha: f32) {
        if gradients.examples == 0 {
            return;
        }
        self.steps += 1;
        let share = 1.0 / gradients.examples as f32;
        gradients.examples = 0;
        let [unbiased_mean, unbiased_square] =
            BETAS.map(|decay| (1.0 / (1.0 - power(decay, self.steps))) as f32);
        let Adam { means, squares, .. } = self;
        let parts = net.parts_mut().into_iter().zip(gradients.sum.parts_mut());
        for ((weights, gradient), (means, squares)) in
            parts.zip(means.parts_mut().into_iter().zip(squares.parts_mut()))
        {
            let rows = weights.iter_mut().zip(gradient).zip(means.iter_mut().zip(squares));
            for ((weight, gradient), (mean, square)) in rows {
                let slope = share * *gradient;
                *gradient = 0.0;
                *mean += (1.0 - BETAS[0]) * (slope - *mean);
                *square += (1.0 - BETAS[1]) * (slope * slope - *square);
                *weight += alpha * (*mean * unbiased_mean)
                    / ((*square * unbiased_square).sqrt() + EPSILON);
            }
        }
    }
}

impl From<Adam> for AdamValues {
    fn from(adam: Adam) -> AdamValues {
        let Adam { means, squares, steps } = &adam;
        let [means, squares] = [means, squares].map(|net| net.to_weights().values().collect());
        AdamValues { shape: adam.shape(), steps: *steps, means, squares }
    }
}

impl TryFrom<AdamValues> for Adam {
    type Error = AdamSizeError;

    fn try_from(values: AdamValues) -> Result<Adam, AdamSizeError> {
        let AdamValues { shape, steps, means, squares } = values;
        let size = means.len();
        let fits = shape.is_possible()
            && shape.inputs <= size
            && shape.weights() == size
            && squares.len() == size;
        let net = |values: Vec<f32>| {
            let weights =
                Weights::from_values(shape, Activations::default(), &mut values.into_iter());
            weights.map(|weights| Mlp::from_weights(&weights)).ok_or(AdamSizeError(shape))
        };
        if !fits {
            return Err(AdamSizeError(shape));
        }
        Ok(Adam { means: net(means)?, squares: net(squares)?, steps })
    }
}

/// `base` to the power of `exponent`, by products alone: the same bits on every machine.
fn power(base: f32, exponent: u64) -> f64 {
    let (mut result, mut square, mut rest) = (1.0, f64::from(base), exponent);
    while rest > 0 {
        if rest % 2 == 1 {
            result *= square;
        }
        square *= square;
        rest /= 2;
    }
    result
}

impl Mlp {
    /// All weights and biases: those of the hidden layers, then those of the outputs.
    #[inline(always)]
    fn parts_mut(&mut self) -> [&mut [f32]; 6] {
        let Mlp { first, output } = self;
        let [weights, biases] = match &mut output.second {
            Some(second) => [second.weights.as_mut_slice(), second.biases.as_mut_slice()],
            None => [&mut [][..], &mut []],
        };
        [
            first.w1.as_mut_slice(),
            first.b1.as_mut_slice(),
            weights,
            biases,
            output.w2.as_mut_slice(),
            &mut output.b2[..],
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::MAX_OUTPUTS;
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    /// With one hidden layer and with two.
    const SHAPES: [Shape; 2] = [
        Shape { inputs: 9, hidden: 5, second: 0, outputs: 3 },
        Shape { inputs: 9, hidden: 5, second: 4, outputs: 3 },
    ];

    fn net(shape: Shape) -> Mlp {
        Mlp::from_weights(&Weights::random(
            shape,
            Activations::default(),
            &mut Pcg64::seed_from_u64(1),
        ))
    }

    fn weights(net: &Mlp) -> Vec<f32> {
        net.to_weights().values().collect()
    }

    fn outputs(delta: [f32; 3]) -> Outputs {
        let mut all = [0.0; MAX_OUTPUTS];
        all[..3].copy_from_slice(&delta);
        all
    }

    /// Adds one example.
    fn add(gradients: &mut GradientSum, net: &Mlp, indices: &[u16], delta: [f32; 3]) {
        let (mut cache, values) = (ForwardCache::default(), vec![0.5; indices.len()]);
        net.forward(indices, &values, &mut cache);
        let simd = pulp::Scalar::new();
        gradients.add(simd, net, indices, &values, &cache, &outputs(delta));
    }

    /// The step of stochastic gradient descent at rate 1 for each weight.
    fn gradient(net: &Mlp, indices: &[u16], delta: [f32; 3]) -> Vec<f64> {
        let (mut cache, values) = (ForwardCache::default(), vec![0.5; indices.len()]);
        let mut moved = net.clone();
        net.forward(indices, &values, &mut cache);
        let rates = LearningRates { alpha: 1.0, beta_alpha: 0.0 };
        moved.sgd_step(indices, &values, &cache, &outputs(delta), rates);
        let pairs = weights(&moved).into_iter().zip(weights(net));
        pairs.map(|(a, b)| f64::from(a) - f64::from(b)).collect()
    }

    const EXAMPLES: [(&[u16], [f32; 3]); 4] = [
        (&[0, 3], [0.3, -0.1, 0.2]),
        (&[1, 3, 8], [-0.2, 0.4, 0.1]),
        (&[0, 5], [0.1, 0.1, -0.5]),
        (&[2, 3], [0.6, 0.0, -0.1]),
    ];

    #[test]
    fn steps_are_those_of_the_papers_algorithm() {
        SHAPES.into_iter().for_each(assert_steps_are_those_of_the_algorithm);
    }

    fn assert_steps_are_those_of_the_algorithm(shape: Shape) {
        let mut net = net(shape);
        let (mut adam, mut gradients) = (Adam::new(shape), GradientSum::new(shape));
        let mut slow: Vec<f64> = weights(&net).into_iter().map(f64::from).collect();
        let (mut m, mut v) = (vec![0.0; slow.len()], vec![0.0; slow.len()]);
        let mut rounded = vec![false; slow.len()];
        for (t, pair) in EXAMPLES.chunks_exact(2).enumerate() {
            let mut mean = vec![0.0; slow.len()];
            for (indices, delta) in pair {
                add(&mut gradients, &net, indices, *delta);
                for (sum, g) in mean.iter_mut().zip(gradient(&net, indices, *delta)) {
                    *sum += g / 2.0;
                }
            }
            for i in 0..slow.len() {
                m[i] = 0.9 * m[i] + 0.1 * mean[i];
                v[i] = 0.999 * v[i] + 0.001 * mean[i] * mean[i];
                let (a, b) = (
                    m[i] / (1.0 - 0.9_f64.powi(t as i32 + 1)),
                    v[i] / (1.0 - 0.999_f64.powi(t as i32 + 1)),
                );
                slow[i] += 0.01 * a / (b.sqrt() + 1e-8);
                // For gradients near 0 the step depends on rounding.
                rounded[i] |= mean[i].abs() < 1e-5 && mean[i] != 0.0;
            }
            adam.step(&mut net, &mut gradients, 0.01);
            assert_eq!(gradients.examples(), 0);
        }
        let pairs = weights(&net).into_iter().zip(slow).zip(rounded);
        let exact: Vec<(f32, f64)> =
            pairs.filter(|(_, rounded)| !rounded).map(|(pair, _)| pair).collect();
        assert!(4 * exact.len() > 3 * weights(&net).len(), "{} weights", exact.len());
        for (fast, slow) in exact {
            assert!((f64::from(fast) - slow).abs() < 2e-3, "{shape:?}: {fast} for {slow}");
        }
    }

    #[test]
    fn the_length_of_the_first_step_is_the_rate_for_any_gradient() {
        for (shape, scale) in SHAPES.into_iter().flat_map(|shape| [(shape, 1.0), (shape, 50.0)]) {
            let before = net(shape);
            let mut net = before.clone();
            let (mut adam, mut gradients) = (Adam::new(shape), GradientSum::new(shape));
            add(&mut gradients, &net, &[0, 3], [0.3 * scale, -0.1 * scale, 0.2 * scale]);
            adam.step(&mut net, &mut gradients, 0.01);
            let moves: Vec<f32> =
                weights(&net).iter().zip(weights(&before)).map(|(a, b)| (a - b).abs()).collect();
            assert!(moves.iter().filter(|&&m| (m - 0.01).abs() < 1e-4).count() > 20, "{moves:?}");
            assert!(moves.iter().all(|&m| m < 0.0101), "{moves:?}");
        }
    }

    #[test]
    fn a_step_without_examples_changes_nothing() {
        for shape in SHAPES {
            let mut net = net(shape);
            let (mut adam, mut gradients) = (Adam::new(shape), GradientSum::new(shape));
            adam.step(&mut net, &mut gradients, 0.01);
            assert_eq!(weights(&net), weights(&self::net(shape)));
            assert_eq!(adam, Adam::new(shape));
        }
    }

    #[test]
    fn the_state_is_read_back_and_refused_if_its_size_is_wrong() {
        for shape in SHAPES {
            let mut net = net(shape);
            let (mut adam, mut gradients) = (Adam::new(shape), GradientSum::new(shape));
            add(&mut gradients, &net, EXAMPLES[0].0, EXAMPLES[0].1);
            adam.step(&mut net, &mut gradients, 0.01);
            let text = serde_json::to_string(&adam).expect("numbers");
            assert_eq!(serde_json::from_str::<Adam>(&text).expect("as written"), adam);
            let wrong = text.replace("\"inputs\":9", "\"inputs\":8");
            let error = serde_json::from_str::<Adam>(&wrong).expect_err("too many").to_string();
            assert!(error.contains("does not match its shape"), "{error}");
        }
    }
}
