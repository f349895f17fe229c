//! A net laid out for speed: sparse inputs, hidden units in vectors of sixteen.

use super::activation::Activations;
use super::aligned::Aligned;
use super::quantized::{QuantizedAccumulator, QuantizedLayer};
use super::weights::{Shape, Weights};

/// Hidden units are padded to a multiple of this: one AVX register, two of SSE or NEON.
const LANES: usize = 8;
/// Hidden units of the widest net.
pub const MAX_HIDDEN: usize = 384;
/// Outputs of any net.
pub const MAX_OUTPUTS: usize = 8;

/// The outputs of a net; those beyond the shape's are 0.
pub type Outputs = [f32; MAX_OUTPUTS];

/// The sums of the hidden units in the middle of a forward pass.
#[derive(Clone, Debug)]
pub struct Accumulator {
    pub(super) real: [f32; MAX_HIDDEN],
    /// Those of a net in fixed point.
    pub(super) fixed: QuantizedAccumulator,
}

impl Default for Accumulator {
    fn default() -> Accumulator {
        Accumulator { real: [0.0; MAX_HIDDEN], fixed: QuantizedAccumulator::default() }
    }
}

/// What a forward pass leaves behind for the gradient step.
#[derive(Clone, Debug)]
pub struct ForwardCache {
    /// Weighted inputs and bias of each hidden unit.
    pub sums: Accumulator,
    /// The activations.
    pub(super) units: [f32; MAX_HIDDEN],
}

impl Default for ForwardCache {
    fn default() -> ForwardCache {
        ForwardCache { sums: Accumulator::default(), units: [0.0; MAX_HIDDEN] }
    }
}

/// One hidden layer, as Wiering, Patist & Mannen describe in section 3.3, or none.
#[derive(Clone, Debug, PartialEq)]
pub struct Mlp {
    pub(super) shape: Shape,
    pub(super) activations: Activations,
    /// Columns of `w1` with their padding, whose weights are 0.
    pub(super) width: usize,
    /// `[inputs, width]`: one row an input, because inputs are sparse.
    pub(super) w1: Aligned,
    /// `[width]`; the outputs' biases if there is no hidden layer
    pub(super) b1: Aligned,
    /// Sensitivities, `[width]`.
    pub(super) beta: Aligned,
    /// `[width, MAX_OUTPUTS]`, all 0 if there is no hidden layer
    pub(super) w2: Aligned,
    pub(super) b2: Outputs,
    /// The first layer as it is read in place of `w1` and `b1`, once the net has learned.
    pub(super) fixed: Option<QuantizedLayer>,
}

impl Mlp {
    /// Lays out a net for speed.
    ///
    /// # Panics
    /// If it has more than [`MAX_HIDDEN`] hidden units or [`MAX_OUTPUTS`] outputs.
    #[must_use]
    pub fn from_weights(dense: &Weights) -> Mlp {
        let shape = dense.shape();
        assert!(
            shape.hidden <= MAX_HIDDEN && shape.outputs <= MAX_OUTPUTS,
            "a net of {shape:?} does not fit"
        );
        let width = shape.columns().next_multiple_of(LANES);
        let mut w1 = Aligned::zeros(shape.inputs * width);
        let mut b1 = Aligned::zeros(width);
        let mut beta = Aligned::zeros(width);
        let mut w2 = Aligned::zeros(width * MAX_OUTPUTS);
        let mut b2 = [0.0; MAX_OUTPUTS];
        for ((i, h), &w) in dense.w1.indexed_iter() {
            w1.as_mut_slice()[i * width + h] = w;
        }
        for (h, &b) in dense.b1.indexed_iter() {
            b1.as_mut_slice()[h] = b;
        }
        for ((h, o), &w) in dense.w2.indexed_iter() {
            w2.as_mut_slice()[h * MAX_OUTPUTS + o] = w;
        }
        for (h, &b) in dense.beta.indexed_iter() {
            beta.as_mut_slice()[h] = b;
        }
        let biases = if shape.hidden == 0 { b1.as_mut_slice() } else { &mut b2[..] };
        for (o, &b) in dense.b2.indexed_iter() {
            biases[o] = b;
        }
        Mlp { shape, activations: dense.units, width, w1, b1, beta, w2, b2, fixed: None }
    }

    /// The same net as plain matrices.
    #[must_use]
    pub fn to_weights(&self) -> Weights {
        let mut dense = Weights::zeros(self.shape, self.activations);
        for ((i, h), w) in dense.w1.indexed_iter_mut() {
            *w = self.w1.as_slice()[i * self.width + h];
        }
        for (h, b) in dense.b1.indexed_iter_mut() {
            *b = self.b1.as_slice()[h];
        }
        for ((h, o), w) in dense.w2.indexed_iter_mut() {
            *w = self.w2.as_slice()[h * MAX_OUTPUTS + o];
        }
        for (h, b) in dense.beta.indexed_iter_mut() {
            *b = self.beta.as_slice()[h];
        }
        let biases = if self.shape.hidden == 0 { self.b1.as_slice() } else { &self.b2[..] };
        for (o, b) in dense.b2.indexed_iter_mut() {
            *b = biases[o];
        }
        dense
    }

    /// The size of the net.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// What its units do.
    #[must_use]
    pub const fn units(&self) -> Activations {
        self.activations
    }

    /// Puts the first layer in fixed point if the net is wide enough to gain by it, which makes evaluations faster and
    /// rounds them by some thousandths of a point; the weights themselves stay as they are.
    pub fn quantize(&mut self) {
        self.fixed = QuantizedLayer::of(self);
    }

    /// Back to what the weights say: before they change.
    pub fn slow(&mut self) {
        self.fixed = None;
    }

    /// Moves every weight the share `step` (0..1) of the way to `other`: a running average of weights.
    ///
    /// # Panics
    /// If the shapes differ.
    pub fn ema_towards(&mut self, other: &Mlp, step: f32) {
        assert_eq!(self.shape, other.shape, "only nets of one shape can be averaged");
        let near = |ours: &mut [f32], theirs: &[f32]| {
            ours.iter_mut().zip(theirs).for_each(|(a, b)| *a += step * (b - *a));
        };
        near(self.w1.as_mut_slice(), other.w1.as_slice());
        near(self.b1.as_mut_slice(), other.b1.as_slice());
        near(self.beta.as_mut_slice(), other.beta.as_slice());
        near(self.w2.as_mut_slice(), other.w2.as_slice());
        near(&mut self.b2, &other.b2);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Activation, LearningRates, OutputActivation};
    use super::*;
    use crate::nn::pairs;
    use ndarray::Array1;
    use pulp::Simd;
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    impl Mlp {
        fn run(&self, index: &[u16], value: &[f32], hidden: &mut ForwardCache) -> Outputs {
            self.forward(pulp::Scalar::new(), index, value, hidden)
        }

        fn step(
            &mut self,
            index: &[u16],
            value: &[f32],
            hidden: &ForwardCache,
            delta: &Outputs,
            alpha: f32,
        ) {
            let rates = LearningRates { alpha, beta_alpha: 0.0 };
            self.sgd_step(pulp::Scalar::new(), index, value, hidden, delta, rates);
        }
    }

    /// No hidden layer; widths that fill a vector, overflow one, fill four and need a second round.
    const SHAPES: [Shape; 6] = [
        Shape { inputs: 9, hidden: 0, outputs: 7 },
        Shape { inputs: 9, hidden: 1, outputs: 7 },
        Shape { inputs: 30, hidden: 16, outputs: 7 },
        Shape { inputs: 30, hidden: 20, outputs: 7 },
        Shape { inputs: 31, hidden: 64, outputs: 8 },
        Shape { inputs: 12, hidden: 83, outputs: 1 },
    ];

    /// Everything that units may do.
    fn all_units() -> impl Iterator<Item = Activations> {
        let of = |activation| {
            [OutputActivation::Linear, OutputActivation::Softmax]
                .map(|readout| Activations { activation, readout })
        };
        Activation::ALL.into_iter().flat_map(of)
    }

    fn sample(shape: Shape) -> (Weights, Vec<u16>, Vec<f32>) {
        sample_of(shape, Activations::default())
    }

    fn sample_of(shape: Shape, units: Activations) -> (Weights, Vec<u16>, Vec<f32>) {
        let dense = Weights::random(shape, units, &mut Pcg64::seed_from_u64(3));
        let index: Vec<u16> = (0..shape.inputs as u16).filter(|i| i % 3 != 1).collect();
        let value = index.iter().map(|&i| 0.25 + f32::from(i) / 8.0).collect();
        (dense, index, value)
    }

    fn spread(shape: Shape, index: &[u16], value: &[f32]) -> Array1<f32> {
        let mut inputs = Array1::zeros(shape.inputs);
        index.iter().zip(value).for_each(|(&i, &x)| inputs[usize::from(i)] = x);
        inputs
    }

    #[test]
    fn the_fast_forward_pass_agrees_with_plain_matrices() {
        for (shape, units) in SHAPES.into_iter().flat_map(|s| all_units().map(move |u| (s, u))) {
            let (dense, index, value) = sample_of(shape, units);
            let mlp = Mlp::from_weights(&dense);
            assert_eq!(mlp.to_weights(), dense);
            let fast = mlp.run(&index, &value, &mut ForwardCache::default());
            let slow = dense.forward(spread(shape, &index, &value).view());
            for (o, slow) in slow.iter().enumerate() {
                assert!(
                    (f64::from(fast[o]) - slow).abs() < 2e-6,
                    "{shape:?} {units:?} output {o}: {} for {slow}",
                    fast[o]
                );
            }
            assert!(fast[shape.outputs..].iter().all(|&x| x == 0.0));
        }
    }

    #[test]
    fn the_step_is_the_gradient_of_finite_differences() {
        let linear: Vec<Activations> =
            all_units().filter(|u| u.readout == OutputActivation::Linear).collect();
        for (shape, units) in SHAPES.into_iter().flat_map(|s| linear.iter().map(move |u| (s, *u))) {
            let (dense, index, value) = sample_of(shape, units);
            let inputs = spread(shape, &index, &value);
            let mut delta = [0.0; MAX_OUTPUTS];
            for (o, d) in delta.iter_mut().enumerate().take(shape.outputs) {
                *d = 0.3 - 0.2 * o as f32;
            }
            let mut mlp = Mlp::from_weights(&dense);
            let mut hidden = ForwardCache::default();
            mlp.run(&index, &value, &mut hidden);
            mlp.step(&index, &value, &hidden, &delta, 1.0);
            let stepped: Vec<f32> = mlp.to_weights().values().collect();
            let start: Vec<f32> = dense.values().collect();
            let goal = |values: &[f32]| -> f64 {
                let dense = Weights::from_values(shape, units, &mut values.iter().copied())
                    .expect("enough");
                dense
                    .forward(inputs.view())
                    .iter()
                    .zip(&delta)
                    .map(|(y, &d)| y * f64::from(d))
                    .sum()
            };
            for i in 0..start.len() {
                // Small, as the slope of x / (1 + |x|) has a kink.
                let h = 1.0 / 16_384.0;
                let mut moved = start.clone();
                moved[i] = start[i] + h;
                let up = goal(&moved);
                moved[i] = start[i] - h;
                let slope = (up - goal(&moved)) / (2.0 * f64::from(h));
                let step = f64::from(stepped[i] - start[i]);
                assert!(
                    (step - slope).abs() < 2e-5 + 1e-3 * slope.abs(),
                    "{shape:?} {units:?} weight {i}: {step} for {slope}"
                );
            }
        }
    }

    #[test]
    fn sensitivities_follow_their_gradient() {
        for units in all_units().filter(|units| units.readout == OutputActivation::Linear) {
            let (dense, index, value) = sample_of(SHAPES[3], units);
            let inputs = spread(SHAPES[3], &index, &value);
            let (mut mlp, mut hidden) = (Mlp::from_weights(&dense), ForwardCache::default());
            mlp.run(&index, &value, &mut hidden);
            let mut delta = [0.0; MAX_OUTPUTS];
            delta[2] = 1.0;
            let rates = LearningRates { alpha: 0.0, beta_alpha: 1.0 };
            mlp.sgd_step(pulp::Scalar::new(), &index, &value, &hidden, &delta, rates);
            let stepped = mlp.to_weights();
            assert_eq!(stepped.w1, dense.w1);
            for j in 0..dense.beta.len() {
                let at = |shift: f32| {
                    let mut moved = dense.clone();
                    moved.beta[j] += shift;
                    moved.forward(inputs.view())[2]
                };
                let slope = (at(0.01) - at(-0.01)) / 0.02;
                let step = f64::from(stepped.beta[j] - dense.beta[j]);
                assert!(
                    (step - slope).abs() < 1e-3 * slope.abs() + 1e-5,
                    "{units:?} {step} {slope}"
                );
            }
        }
    }

    #[test]
    fn a_step_on_shares_lowers_the_cross_entropy() {
        let units = Activations { readout: OutputActivation::Softmax, ..Activations::default() };
        let (dense, index, value) = sample_of(SHAPES[3], units);
        let (mut mlp, mut hidden) = (Mlp::from_weights(&dense), ForwardCache::default());
        let target = [0.4, 0.5, 0.1, 0.0, 0.3, 0.1, 0.0, 0.0];
        for _ in 0..500 {
            let out = mlp.run(&index, &value, &mut hidden);
            mlp.step(&index, &value, &hidden, &std::array::from_fn(|o| target[o] - out[o]), 0.05);
        }
        let out = mlp.run(&index, &value, &mut hidden);
        assert!(out.iter().zip(&target).all(|(a, b)| (a - b).abs() < 0.01), "{out:?}");
    }

    #[test]
    fn repeated_steps_reach_the_target() {
        let (dense, index, value) = sample(SHAPES[3]);
        let mut mlp = Mlp::from_weights(&dense);
        let mut hidden = ForwardCache::default();
        let target = [1.5, 0.7, 0.2, 0.1, 0.0, 0.0, 0.0, 0.0];
        for _ in 0..500 {
            let out = mlp.run(&index, &value, &mut hidden);
            let delta = std::array::from_fn(|o| target[o] - out[o]);
            mlp.step(&index, &value, &hidden, &delta, 0.01);
        }
        let out = mlp.run(&index, &value, &mut hidden);
        assert!(out.iter().zip(&target).all(|(a, b)| (a - b).abs() < 1e-3), "{out:?}");
    }

    /// One forward pass and one step on whatever vectors the processor has.
    struct OnVectors<'a>(&'a mut Mlp, &'a [u16], &'a [f32]);

    impl pulp::WithSimd for OnVectors<'_> {
        type Output = Outputs;
        fn with_simd<S: Simd>(self, simd: S) -> Outputs {
            let mut hidden = ForwardCache::default();
            let out = self.0.forward(simd, self.1, self.2, &mut hidden);
            let rates = LearningRates { alpha: 0.1, beta_alpha: 0.0 };
            self.0.sgd_step(simd, self.1, self.2, &hidden, &[0.5; MAX_OUTPUTS], rates);
            out
        }
    }

    #[test]
    fn a_forward_pass_may_be_interrupted_anywhere() {
        for shape in SHAPES {
            let (dense, index, value) = sample(shape);
            let mlp = Mlp::from_weights(&dense);
            let (mut sums, mut hidden) = (Accumulator::default(), ForwardCache::default());
            let whole = mlp.run(&index, &value, &mut hidden);
            for cut in 0..=index.len() {
                let simd = pulp::Scalar::new();
                mlp.accumulate(simd, &index[..cut], &value[..cut], &mut sums);
                mlp.accumulate_from(
                    simd,
                    &sums,
                    pairs(&index[cut..], &value[cut..]),
                    &mut hidden.sums,
                );
                let halves = mlp.output(simd, &mut hidden);
                assert_eq!(whole.map(f32::to_bits), halves.map(f32::to_bits), "{shape:?} {cut}");
            }
        }
    }

    #[test]
    fn vectors_of_any_width_give_the_same_bits() {
        for shape in SHAPES {
            let (dense, index, value) = sample(shape);
            let (mut wide, mut narrow) = (Mlp::from_weights(&dense), Mlp::from_weights(&dense));
            let on_wide = pulp::Arch::new().dispatch(OnVectors(&mut wide, &index, &value));
            let mut hidden = ForwardCache::default();
            let on_narrow = narrow.run(&index, &value, &mut hidden);
            narrow.step(&index, &value, &hidden, &[0.5; MAX_OUTPUTS], 0.1);
            assert_eq!(on_wide.map(f32::to_bits), on_narrow.map(f32::to_bits), "{shape:?}");
            let bits = |mlp: &Mlp| mlp.to_weights().values().map(f32::to_bits).collect::<Vec<_>>();
            assert_eq!(bits(&wide), bits(&narrow), "{shape:?}");
        }
    }

    #[test]
    fn averaging_goes_the_whole_way_with_a_step_of_one() {
        let (dense, ..) = sample(SHAPES[4]);
        let goal = Mlp::from_weights(&dense);
        let mut mlp = Mlp::from_weights(&Weights::zeros(SHAPES[4], Activations::default()));
        mlp.ema_towards(&goal, 0.5);
        mlp.ema_towards(&goal, 1.0);
        let gap = mlp
            .to_weights()
            .values()
            .zip(dense.values())
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f32::max);
        assert!(gap < 1e-7);
    }
}
