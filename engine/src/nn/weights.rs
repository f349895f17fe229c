//! The weights of a net as plain matrices, for files and reports, and its shape.

use std::fmt;

use ndarray::{Array1, Array2, ArrayView1, Axis, Slice};
use ndarray_rand::RandomExt;
use ndarray_rand::rand_distr::Uniform;
use rand::Rng;
use serde::{Deserialize, Serialize};

use super::activation::{Activations, OutputActivation};
use super::mlp::{MAX_HIDDEN, MAX_OUTPUTS};
use super::second_layer::MAX_SECOND;

/// The size of a net with one hidden layer, two or none. As text it is `393-256-32-7`.
///
/// ```
/// use nonet_engine::nn::Shape;
///
/// let shape = Shape { inputs: 393, hidden: 256, second: 32, outputs: 7 };
/// assert_eq!(shape.to_string(), "393-256-32-7");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Inputs.
    pub inputs: usize,
    /// Hidden units; 0 if the inputs are connected to the outputs.
    pub hidden: usize,
    /// Units of the second hidden layer; 0 if there is none.
    pub second: usize,
    /// Outputs.
    pub outputs: usize,
}

impl Shape {
    /// The number of weights and biases, without betas.
    #[must_use]
    pub const fn weights(&self) -> usize {
        self.inputs * self.columns()
            + self.hidden
            + (self.hidden + 1) * self.second
            + (self.last() + 1) * self.outputs
    }

    /// Whether nets of this size can be made.
    ///
    /// The limits are [`MAX_HIDDEN`] hidden units, [`MAX_SECOND`] in a second layer, and
    /// [`MAX_OUTPUTS`] outputs. A second layer needs a first one.
    #[must_use]
    pub const fn is_possible(&self) -> bool {
        self.hidden <= MAX_HIDDEN
            && self.second <= MAX_SECOND
            && (self.second == 0 || self.hidden > 0)
            && self.outputs <= MAX_OUTPUTS
    }

    /// Units of the last hidden layer.
    #[must_use]
    pub const fn last(&self) -> usize {
        if self.second == 0 { self.hidden } else { self.second }
    }

    /// Columns of the first layer: the hidden units, or the outputs if there is no hidden layer.
    #[must_use]
    pub const fn columns(&self) -> usize {
        if self.hidden == 0 { self.outputs } else { self.hidden }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { inputs, hidden, second, outputs } = self;
        match second {
            0 => write!(f, "{inputs}-{hidden}-{outputs}"),
            _ => write!(f, "{inputs}-{hidden}-{second}-{outputs}"),
        }
    }
}

/// The weights of a net as plain matrices. Without a hidden layer `outputs = g(x w1 + b2)`. With
/// one, `h = f(beta (x w1 + b1))` and `outputs = g(h w2 + b2)`. With two,
/// `outputs = g(f(h w_second + b_second) w2 + b2)`. `f` and `g` are the [`Activations`].
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// `f` and `g`.
    pub activations: Activations,
    /// `[inputs, hidden]`, or `[inputs, outputs]` without a hidden layer
    pub w1: Array2<f32>,
    /// `[hidden]`
    pub b1: Array1<f32>,
    /// Sensitivities of the hidden units, `[hidden]`.
    pub beta: Array1<f32>,
    /// `[hidden, second]`
    pub w_second: Array2<f32>,
    /// `[second]`
    pub b_second: Array1<f32>,
    /// `[hidden, outputs]`, or `[second, outputs]` with a second hidden layer
    pub w2: Array2<f32>,
    /// `[outputs]`
    pub b2: Array1<f32>,
}

/// The bound of initial weights and biases, which are uniform in `-INITIAL..=INITIAL`.
pub const INITIAL: f32 = 0.1;

impl Weights {
    /// A net with weights and biases of 0, and the initial betas.
    #[must_use]
    pub fn zeros(shape: Shape, activations: Activations) -> Weights {
        Weights {
            activations,
            w1: Array2::zeros((shape.inputs, shape.columns())),
            b1: Array1::zeros(shape.hidden),
            beta: Array1::from_elem(shape.hidden, activations.hidden.initial_beta()),
            w_second: Array2::zeros((shape.hidden, shape.second)),
            b_second: Array1::zeros(shape.second),
            w2: Array2::zeros((shape.last(), shape.outputs)),
            b2: Array1::zeros(shape.outputs),
        }
    }

    /// An untrained net: every weight and bias uniform in -0.1..=0.1.
    pub fn random(shape: Shape, activations: Activations, rng: &mut impl Rng) -> Weights {
        let zeros = Weights::zeros(shape, activations);
        #[allow(clippy::expect_used, reason = "the range is a constant")]
        let uniform =
            Uniform::new_inclusive(-INITIAL, INITIAL).expect("the range is finite and not empty");
        Weights {
            w1: Array2::random_using(zeros.w1.dim(), uniform, rng),
            b1: Array1::random_using(shape.hidden, uniform, rng),
            w_second: Array2::random_using(zeros.w_second.dim(), uniform, rng),
            b_second: Array1::random_using(shape.second, uniform, rng),
            w2: Array2::random_using(zeros.w2.dim(), uniform, rng),
            b2: Array1::random_using(shape.outputs, uniform, rng),
            ..zeros
        }
    }

    /// The same net with `hidden` units in its first hidden layer. New units have random input
    /// weights in -0.1..=0.1 and output weights of 0, so the outputs do not change. Net2Net (Chen,
    /// Goodfellow & Shlens 2016) copies units instead. A net that is as wide already, or has no
    /// hidden layer, is returned unchanged.
    #[must_use]
    pub fn widened(&self, hidden: usize, rng: &mut impl Rng) -> Weights {
        let old = self.shape();
        if old.hidden == 0 || hidden <= old.hidden {
            return self.clone();
        }
        let mut wide = Weights::random(Shape { hidden, ..old }, self.activations, rng);
        let (units, kept) = (Axis(0), Slice::from(..old.hidden));
        for (mut wide, own) in wide.w1.outer_iter_mut().zip(self.w1.outer_iter()) {
            // An input that the net does not read stays so.
            if own.iter().all(|&weight| weight == 0.0) {
                wide.fill(0.0);
            }
            wide.slice_axis_mut(units, kept).assign(&own);
        }
        wide.b1.slice_axis_mut(units, kept).assign(&self.b1);
        wide.beta.slice_axis_mut(units, kept).assign(&self.beta);
        if old.second == 0 {
            wide.w2.fill(0.0);
            wide.w2.slice_axis_mut(units, kept).assign(&self.w2);
        } else {
            wide.w_second.fill(0.0);
            wide.w_second.slice_axis_mut(units, kept).assign(&self.w_second);
            wide.b_second.assign(&self.b_second);
            wide.w2.assign(&self.w2);
        }
        wide.b2.assign(&self.b2);
        wide
    }

    /// The size of the net.
    #[must_use]
    pub fn shape(&self) -> Shape {
        Shape {
            inputs: self.w1.nrows(),
            hidden: self.b1.len(),
            second: self.b_second.len(),
            outputs: self.b2.len(),
        }
    }

    /// All weights and biases in the order of net files: w1 (row by row), b1, w_second, b_second,
    /// w2, b2. Betas are not included.
    pub fn values(&self) -> impl Iterator<Item = f32> + '_ {
        self.slices().into_iter().flatten().copied()
    }

    /// The same values in six pieces: w1 (row by row), b1, w_second, b_second, w2, b2.
    ///
    /// # Panics
    /// If a matrix was put together column by column.
    #[must_use]
    pub fn slices(&self) -> [&[f32]; 6] {
        let slices = [
            self.w1.as_slice(),
            self.b1.as_slice(),
            self.w_second.as_slice(),
            self.b_second.as_slice(),
            self.w2.as_slice(),
            self.b2.as_slice(),
        ];
        slices.map(|slice| slice.expect("the matrices of a net lie row by row"))
    }

    /// A net from values in the order of [`Weights::values`]; `None` if there are too few.
    pub fn from_values(
        shape: Shape,
        activations: Activations,
        values: &mut impl Iterator<Item = f32>,
    ) -> Option<Weights> {
        let mut weights = Weights::zeros(shape, activations);
        let Weights { w1, b1, w_second, b_second, w2, b2, .. } = &mut weights;
        let slices = [
            w1.as_slice_mut(),
            b1.as_slice_mut(),
            w_second.as_slice_mut(),
            b_second.as_slice_mut(),
            w2.as_slice_mut(),
            b2.as_slice_mut(),
        ];
        for slice in slices {
            for slot in slice.expect("new matrices lie row by row") {
                *slot = values.next()?;
            }
        }
        Some(weights)
    }

    /// The outputs `[outputs]` for dense inputs `[inputs]`, computed in double precision: the
    /// reference for the fast nets.
    #[must_use]
    pub fn forward(&self, inputs: ArrayView1<f32>) -> Array1<f64> {
        let wide = |x: &f32| f64::from(*x);
        let sums = inputs.map(wide).dot(&self.w1.map(wide));
        let outputs = if self.b1.is_empty() {
            sums + self.b2.map(wide)
        } else {
            let sums = (sums + self.b1.map(wide)) * self.beta.map(wide);
            let mut hidden = sums.map(|&u| self.activations.hidden.exact(u));
            if !self.b_second.is_empty() {
                let sums = hidden.dot(&self.w_second.map(wide)) + self.b_second.map(wide);
                hidden = sums.map(|&u| self.activations.hidden.exact(u));
            }
            self.b2.map(wide) + hidden.dot(&self.w2.map(wide))
        };
        match self.activations.output {
            OutputActivation::Linear => outputs,
            OutputActivation::SoftmaxFrom(first) => {
                let all: f64 = outputs.iter().skip(first).map(|o| o.exp()).sum();
                let share = |(o, x): (usize, &f64)| if o < first { *x } else { x.exp() / all };
                outputs.iter().enumerate().map(share).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::{Activation, OutputActivation};
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    #[test]
    fn a_widened_net_has_the_same_outputs() {
        let mut rng = Pcg64::seed_from_u64(1);
        let activations =
            Activations { hidden: Activation::Sigmoid, output: OutputActivation::SoftmaxFrom(1) };
        for second in [0, 4] {
            let shape = Shape { inputs: 9, hidden: 5, second, outputs: 7 };
            let narrow = Weights::random(shape, activations, &mut rng);
            let wide = narrow.widened(8, &mut rng);
            assert_eq!(wide.shape(), Shape { hidden: 8, ..shape });
            for seed in 0..5 {
                let inputs = Array1::from_shape_fn(9, |i| ((i + seed) % 3) as f32);
                let (old, new) = (narrow.forward(inputs.view()), wide.forward(inputs.view()));
                assert!((old - new).iter().all(|gap| gap.abs() < 1e-12));
            }
            assert!(
                wide.w1.column(7).iter().any(|w| *w != 0.0),
                "otherwise the unit could never learn"
            );
            assert_eq!(wide.widened(3, &mut rng), wide);
        }
    }

    #[test]
    fn a_shape_counts_the_weights_that_a_net_has() {
        for (second, text) in [(0, "9-5-7"), (4, "9-5-4-7")] {
            let shape = Shape { inputs: 9, hidden: 5, second, outputs: 7 };
            let net = Weights::zeros(shape, Activations::default());
            assert_eq!(net.values().count(), shape.weights());
            assert_eq!(shape.to_string(), text);
        }
    }
}
