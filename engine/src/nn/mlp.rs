//! The trainable net (multilayer perceptron): f32 weights laid out for vector instructions.

use pulp::Simd;

use super::activation::Activations;
use super::forward::pairs;
use super::layers::{self, FirstLayer, OutputLayer};
use super::network::{ForwardPass, Network};
use super::quantized_layer::QuantizedAccumulator;
use super::second_layer::SecondUnits;
use super::weights::{Shape, Weights};

/// The largest number of units of the first hidden layer.
pub const MAX_HIDDEN: usize = 512;
/// The largest number of outputs.
pub const MAX_OUTPUTS: usize = 8;

/// The outputs of a net; entries beyond the shape's number of outputs are 0.
pub type Outputs = [f32; MAX_OUTPUTS];

/// The sums of the hidden units (weighted inputs plus bias) before their activation.
#[derive(Clone, Debug)]
pub struct Accumulator {
    pub(super) real: [f32; MAX_HIDDEN],
    /// The sums of a first layer in fixed point.
    pub(super) fixed: QuantizedAccumulator,
}

impl Default for Accumulator {
    fn default() -> Accumulator {
        Accumulator { real: [0.0; MAX_HIDDEN], fixed: QuantizedAccumulator::default() }
    }
}

/// The intermediate values of a forward pass, which a gradient step needs.
#[derive(Clone, Debug)]
pub struct ForwardCache {
    /// The sums of the hidden units.
    pub(crate) sums: Accumulator,
    /// The activations of the hidden units.
    pub(super) activations: [f32; MAX_HIDDEN],
    /// The second hidden layer.
    pub(super) second: SecondUnits,
}

impl Default for ForwardCache {
    fn default() -> ForwardCache {
        ForwardCache {
            sums: Accumulator::default(),
            activations: [0.0; MAX_HIDDEN],
            second: SecondUnits::default(),
        }
    }
}

/// A net with one hidden layer, as Wiering, Patist & Mannen describe in section 3.3, with two, or
/// with none. It can be trained.
///
/// ```
/// use nonet_engine::nn::{Activations, ForwardCache, Mlp, Network, Shape, Weights};
///
/// let shape = Shape { inputs: 4, hidden: 8, second: 0, outputs: 1 };
/// let net = Mlp::from_weights(&Weights::zeros(shape, Activations::default()));
/// let outputs = net.forward(&[0, 3], &[1.0, 0.5], &mut ForwardCache::default());
/// assert_eq!(outputs[0], 0.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Mlp {
    pub(super) first: FirstLayer,
    pub(super) output: OutputLayer,
}

impl Mlp {
    /// Lays out plain matrices for vector instructions.
    ///
    /// # Panics
    /// If [`Shape::is_possible`] is false.
    #[must_use]
    pub fn from_weights(weights: &Weights) -> Mlp {
        let (first, output) = layers::from_weights(weights);
        Mlp { first, output }
    }

    /// The same net as plain matrices.
    #[must_use]
    pub fn to_weights(&self) -> Weights {
        layers::to_weights(&self.first, &self.output)
    }
}

impl Network for Mlp {
    fn dense(&self) -> Option<Weights> {
        Some(self.to_weights())
    }

    #[inline(always)]
    fn shape(&self) -> Shape {
        self.output.shape
    }

    #[inline(always)]
    fn activations(&self) -> Activations {
        self.output.activations
    }
}

impl ForwardPass for Mlp {
    #[inline(always)]
    fn accumulate<S: Simd>(
        &self,
        simd: S,
        indices: &[u16],
        values: &[f32],
        sums: &mut Accumulator,
    ) {
        self.first.accumulate(simd, pairs(indices, values), &mut sums.real);
    }

    #[inline(always)]
    fn accumulate_from<S: Simd>(
        &self,
        simd: S,
        start: &Accumulator,
        inputs: impl Iterator<Item = (usize, f32)> + Clone,
        sums: &mut Accumulator,
    ) {
        self.first.accumulate_from(simd, &start.real, inputs, &mut sums.real);
    }

    #[inline(always)]
    fn output<S: Simd>(&self, simd: S, cache: &mut ForwardCache) -> Outputs {
        self.output.output(simd, cache)
    }

    #[inline(always)]
    fn output_two<S: Simd>(&self, simd: S, caches: [&mut ForwardCache; 2]) -> [Outputs; 2] {
        self.output.output_two(simd, caches)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Activation, LearningRates, OutputActivation};
    use super::*;
    use crate::vectors::dispatch;
    use ndarray::Array1;
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    impl Mlp {
        /// A step of the weights and biases, not of the sensitivities.
        fn step(
            &mut self,
            (indices, values): (&[u16], &[f32]),
            cache: &ForwardCache,
            delta: &Outputs,
            alpha: f32,
        ) {
            let rates = LearningRates { alpha, beta_alpha: 0.0 };
            self.sgd_step(indices, values, cache, delta, rates);
        }
    }

    /// No hidden layer; one, two; widths below, at and above multiples of the vector and tile
    /// sizes.
    const SHAPES: [Shape; 9] = [
        Shape { inputs: 9, hidden: 0, second: 0, outputs: 7 },
        Shape { inputs: 9, hidden: 1, second: 0, outputs: 7 },
        Shape { inputs: 30, hidden: 16, second: 0, outputs: 7 },
        Shape { inputs: 30, hidden: 20, second: 0, outputs: 7 },
        Shape { inputs: 31, hidden: 64, second: 0, outputs: 8 },
        Shape { inputs: 12, hidden: 83, second: 0, outputs: 1 },
        Shape { inputs: 30, hidden: 20, second: 5, outputs: 7 },
        Shape { inputs: 31, hidden: 64, second: 32, outputs: 7 },
        Shape { inputs: 9, hidden: 3, second: 44, outputs: 8 },
    ];

    /// All combinations of hidden and output activations.
    fn all_activations() -> impl Iterator<Item = Activations> {
        let of = |hidden| {
            [OutputActivation::Linear, OutputActivation::SoftmaxFrom(1)]
                .map(|output| Activations { hidden, output })
        };
        Activation::ALL.into_iter().flat_map(of)
    }

    fn sample(shape: Shape) -> (Weights, Vec<u16>, Vec<f32>) {
        sample_of(shape, Activations::default())
    }

    fn sample_of(shape: Shape, activations: Activations) -> (Weights, Vec<u16>, Vec<f32>) {
        let weights = Weights::random(shape, activations, &mut Pcg64::seed_from_u64(3));
        let indices: Vec<u16> = (0..shape.inputs as u16).filter(|i| i % 3 != 1).collect();
        let values = indices.iter().map(|&i| 0.25 + f32::from(i) / 8.0).collect();
        (weights, indices, values)
    }

    fn spread(shape: Shape, indices: &[u16], values: &[f32]) -> Array1<f32> {
        let mut inputs = Array1::zeros(shape.inputs);
        indices.iter().zip(values).for_each(|(&i, &x)| inputs[usize::from(i)] = x);
        inputs
    }

    #[test]
    fn the_fast_forward_pass_agrees_with_plain_matrices() {
        for (shape, activations) in
            SHAPES.into_iter().flat_map(|s| all_activations().map(move |u| (s, u)))
        {
            let (weights, indices, values) = sample_of(shape, activations);
            let mlp = Mlp::from_weights(&weights);
            assert_eq!(mlp.to_weights(), weights);
            let fast = mlp.forward(&indices, &values, &mut ForwardCache::default());
            let slow = weights.forward(spread(shape, &indices, &values).view());
            for (o, slow) in slow.iter().enumerate() {
                assert!(
                    (f64::from(fast[o]) - slow).abs() < 2e-6,
                    "{shape:?} {activations:?} output {o}: {} for {slow}",
                    fast[o]
                );
            }
            assert!(fast[shape.outputs..].iter().all(|&x| x == 0.0));
        }
    }

    #[test]
    fn the_step_is_the_gradient_of_finite_differences() {
        let linear: Vec<Activations> =
            all_activations().filter(|u| u.output == OutputActivation::Linear).collect();
        for (shape, activations) in
            SHAPES.into_iter().flat_map(|s| linear.iter().map(move |u| (s, *u)))
        {
            let (weights, indices, values) = sample_of(shape, activations);
            let inputs = spread(shape, &indices, &values);
            let mut delta = [0.0; MAX_OUTPUTS];
            for (o, d) in delta.iter_mut().enumerate().take(shape.outputs) {
                *d = 0.3 - 0.2 * o as f32;
            }
            let mut mlp = Mlp::from_weights(&weights);
            let mut cache = ForwardCache::default();
            mlp.forward(&indices, &values, &mut cache);
            mlp.step((&indices, &values), &cache, &delta, 1.0);
            let stepped: Vec<f32> = mlp.to_weights().values().collect();
            let start: Vec<f32> = weights.values().collect();
            let goal = |values: &[f32]| -> f64 {
                let weights = Weights::from_values(shape, activations, &mut values.iter().copied())
                    .expect("enough");
                weights
                    .forward(inputs.view())
                    .iter()
                    .zip(&delta)
                    .map(|(y, &d)| y * f64::from(d))
                    .sum()
            };
            for i in 0..start.len() {
                // Small, because the slope of x / (1 + |x|) has a kink.
                let h = 1.0 / 16_384.0;
                let mut moved = start.clone();
                moved[i] = start[i] + h;
                let up = goal(&moved);
                moved[i] = start[i] - h;
                let slope = (up - goal(&moved)) / (2.0 * f64::from(h));
                let step = f64::from(stepped[i] - start[i]);
                assert!(
                    (step - slope).abs() < 2e-5 + 1e-3 * slope.abs(),
                    "{shape:?} {activations:?} weight {i}: {step} for {slope}"
                );
            }
        }
    }

    #[test]
    fn the_step_of_betas_is_the_gradient_of_finite_differences() {
        let linear = || all_activations().filter(|u| u.output == OutputActivation::Linear);
        // One hidden layer, and two.
        for (shape, activations) in
            [SHAPES[3], SHAPES[6]].into_iter().flat_map(|s| linear().map(move |u| (s, u)))
        {
            let (weights, indices, values) = sample_of(shape, activations);
            let inputs = spread(shape, &indices, &values);
            let (mut mlp, mut cache) = (Mlp::from_weights(&weights), ForwardCache::default());
            mlp.forward(&indices, &values, &mut cache);
            let mut delta = [0.0; MAX_OUTPUTS];
            delta[2] = 1.0;
            let rates = LearningRates { alpha: 0.0, beta_alpha: 1.0 };
            mlp.sgd_step(&indices, &values, &cache, &delta, rates);
            let stepped = mlp.to_weights();
            assert_eq!(stepped.w1, weights.w1);
            for j in 0..weights.beta.len() {
                let at = |shift: f32| {
                    let mut moved = weights.clone();
                    moved.beta[j] += shift;
                    moved.forward(inputs.view())[2]
                };
                let slope = (at(0.01) - at(-0.01)) / 0.02;
                let step = f64::from(stepped.beta[j] - weights.beta[j]);
                assert!(
                    (step - slope).abs() < 1e-3 * slope.abs() + 1e-5,
                    "{shape:?} {activations:?} {step} {slope}"
                );
            }
        }
    }

    #[test]
    fn steps_of_a_softmax_reach_the_target_distribution() {
        let activations =
            Activations { output: OutputActivation::SoftmaxFrom(1), ..Activations::default() };
        let (weights, indices, values) = sample_of(SHAPES[3], activations);
        let (mut mlp, mut cache) = (Mlp::from_weights(&weights), ForwardCache::default());
        let target = [0.4, 0.5, 0.1, 0.0, 0.3, 0.1, 0.0, 0.0];
        for _ in 0..500 {
            let out = mlp.forward(&indices, &values, &mut cache);
            mlp.step(
                (&indices, &values),
                &cache,
                &std::array::from_fn(|o| target[o] - out[o]),
                0.05,
            );
        }
        let out = mlp.forward(&indices, &values, &mut cache);
        assert!(out.iter().zip(&target).all(|(a, b)| (a - b).abs() < 0.01), "{out:?}");
    }

    #[test]
    fn repeated_steps_reach_the_target() {
        let (weights, indices, values) = sample(SHAPES[3]);
        let mut mlp = Mlp::from_weights(&weights);
        let mut cache = ForwardCache::default();
        let target = [1.5, 0.7, 0.2, 0.1, 0.0, 0.0, 0.0, 0.0];
        for _ in 0..500 {
            let out = mlp.forward(&indices, &values, &mut cache);
            let delta = std::array::from_fn(|o| target[o] - out[o]);
            mlp.step((&indices, &values), &cache, &delta, 0.01);
        }
        let out = mlp.forward(&indices, &values, &mut cache);
        assert!(out.iter().zip(&target).all(|(a, b)| (a - b).abs() < 1e-3), "{out:?}");
    }

    #[test]
    fn a_forward_pass_split_at_any_input_gives_the_same_bits() {
        for shape in SHAPES {
            let (weights, indices, values) = sample(shape);
            let mlp = Mlp::from_weights(&weights);
            let (mut sums, mut cache) = (Accumulator::default(), ForwardCache::default());
            let whole = mlp.forward(&indices, &values, &mut cache);
            for cut in 0..=indices.len() {
                let simd = pulp::Scalar::new();
                mlp.accumulate(simd, &indices[..cut], &values[..cut], &mut sums);
                mlp.accumulate_from(
                    simd,
                    &sums,
                    pairs(&indices[cut..], &values[cut..]),
                    &mut cache.sums,
                );
                let halves = mlp.output(simd, &mut cache);
                assert_eq!(whole.map(f32::to_bits), halves.map(f32::to_bits), "{shape:?} {cut}");
            }
        }
    }

    #[test]
    fn two_positions_at_once_give_the_same_bits() {
        for (shape, activations) in
            SHAPES.into_iter().flat_map(|s| all_activations().map(move |u| (s, u)))
        {
            let (weights, indices, values) = sample_of(shape, activations);
            let mlp = Mlp::from_weights(&weights);
            let (mut one, mut two) = (ForwardCache::default(), ForwardCache::default());
            let expected = [
                mlp.forward(&indices, &values, &mut one),
                mlp.forward(&indices[1..], &values[1..], &mut two),
            ];
            // On single numbers, and on the widest vectors of this machine.
            let narrow = mlp.output_two(pulp::Scalar::new(), [&mut one, &mut two]);
            let wide = dispatch(OutputOfTwo(&mlp, [&mut one, &mut two]));
            for both in [narrow, wide] {
                assert_eq!(
                    both.map(|o| o.map(f32::to_bits)),
                    expected.map(|o| o.map(f32::to_bits))
                );
            }
        }
    }

    struct OutputOfTwo<'a>(&'a Mlp, [&'a mut ForwardCache; 2]);

    impl pulp::WithSimd for OutputOfTwo<'_> {
        type Output = [Outputs; 2];

        fn with_simd<S: pulp::Simd>(self, simd: S) -> [Outputs; 2] {
            self.0.output_two(simd, self.1)
        }
    }

    #[test]
    fn vectors_of_any_width_give_the_same_bits() {
        for shape in SHAPES {
            let (weights, indices, values) = sample(shape);
            let (mut wide, mut narrow) = (Mlp::from_weights(&weights), Mlp::from_weights(&weights));
            let (delta, rates) =
                ([0.5; MAX_OUTPUTS], LearningRates { alpha: 0.1, beta_alpha: 0.0 });
            let mut cache = ForwardCache::default();
            let on_wide = wide.forward(&indices, &values, &mut cache);
            wide.sgd_step(&indices, &values, &cache, &delta, rates);
            let (scalar, mut cache) = (pulp::Scalar::new(), ForwardCache::default());
            let on_narrow = narrow.forward_with(scalar, &indices, &values, &mut cache);
            narrow.sgd_step_with(scalar, &indices, &values, &cache, &delta, rates);
            assert_eq!(on_wide.map(f32::to_bits), on_narrow.map(f32::to_bits), "{shape:?}");
            let bits = |mlp: &Mlp| mlp.to_weights().values().map(f32::to_bits).collect::<Vec<_>>();
            assert_eq!(bits(&wide), bits(&narrow), "{shape:?}");
        }
    }
}
