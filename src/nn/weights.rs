//! A net as plain matrices.

use ndarray::{Array1, Array2, ArrayView1, Axis, Slice};
use ndarray_rand::RandomExt;
use ndarray_rand::rand_distr::Uniform;
use rand::Rng;
use serde::{Deserialize, Serialize};

use super::activation::{Activations, OutputActivation};

/// The size of a net with one hidden layer, or with none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Inputs.
    pub inputs: usize,
    /// Hidden units; 0 for inputs that lead straight to the outputs.
    pub hidden: usize,
    /// Outputs.
    pub outputs: usize,
}

impl Shape {
    /// Weights and biases together, without sensitivities.
    #[must_use]
    pub const fn weights(&self) -> usize {
        self.inputs * self.columns() + self.hidden + (self.hidden + 1) * self.outputs
    }

    /// Where the inputs' weights lead: to the hidden units, or to the outputs if there are none.
    #[must_use]
    pub const fn columns(&self) -> usize {
        if self.hidden == 0 { self.outputs } else { self.hidden }
    }
}

/// A net with one hidden layer: `outputs = g(f(beta (x w1 + b1)) w2 + b2)`; or with none: `outputs = g(x w1 + b2)`. `f`
/// and `g` are those of its [`Activations`].
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// What its units do.
    pub units: Activations,
    /// `[inputs, hidden]`, or `[inputs, outputs]` without a hidden layer
    pub w1: Array2<f32>,
    /// `[hidden]`
    pub b1: Array1<f32>,
    /// Sensitivities of the hidden units, `[hidden]`.
    pub beta: Array1<f32>,
    /// `[hidden, outputs]`
    pub w2: Array2<f32>,
    /// `[outputs]`
    pub b2: Array1<f32>,
}

/// Initial weights and biases lie uniformly within plus or minus this much.
pub(crate) const INITIAL: f32 = 0.1;

impl Weights {
    /// A net of zeros, but for the sensitivities.
    #[must_use]
    pub fn zeros(shape: Shape, units: Activations) -> Weights {
        Weights {
            units,
            w1: Array2::zeros((shape.inputs, shape.columns())),
            b1: Array1::zeros(shape.hidden),
            beta: Array1::from_elem(shape.hidden, units.activation.initial_beta()),
            w2: Array2::zeros((shape.hidden, shape.outputs)),
            b2: Array1::zeros(shape.outputs),
        }
    }

    /// A net to begin learning from: every weight uniform in -0.1..0.1.
    pub fn random(shape: Shape, units: Activations, rng: &mut impl Rng) -> Weights {
        let zeros = Weights::zeros(shape, units);
        // The constructor fails on empty or infinite ranges only.
        let Ok(uniform) = Uniform::new_inclusive(-INITIAL, INITIAL) else {
            return zeros;
        };
        Weights {
            w1: Array2::random_using(zeros.w1.dim(), uniform, rng),
            b1: Array1::random_using(shape.hidden, uniform, rng),
            w2: Array2::random_using(zeros.w2.dim(), uniform, rng),
            b2: Array1::random_using(shape.outputs, uniform, rng),
            ..zeros
        }
    }

    /// The same net with more hidden units, `hidden` in all: it says what it said, because the new units, whose inputs have
    /// random weights in -0.1..0.1, have no say before they learn (Chen, Goodfellow & Shlens 2016, Net2Net, keep the function
    /// in another way). A net that is as wide already, or has no hidden layer, stays as it is.
    #[must_use]
    pub fn widened(&self, hidden: usize, rng: &mut impl Rng) -> Weights {
        let old = self.shape();
        if old.hidden == 0 || hidden <= old.hidden {
            return self.clone();
        }
        let mut wide = Weights::random(Shape { hidden, ..old }, self.units, rng);
        let (units, kept) = (Axis(0), Slice::from(..old.hidden));
        wide.w1.slice_axis_mut(Axis(1), kept).assign(&self.w1);
        wide.b1.slice_axis_mut(units, kept).assign(&self.b1);
        wide.beta.slice_axis_mut(units, kept).assign(&self.beta);
        wide.w2.fill(0.0);
        wide.w2.slice_axis_mut(units, kept).assign(&self.w2);
        wide.b2.assign(&self.b2);
        wide
    }

    /// The size of the net.
    #[must_use]
    pub fn shape(&self) -> Shape {
        Shape { inputs: self.w1.nrows(), hidden: self.b1.len(), outputs: self.b2.len() }
    }

    /// All weights in the order w1 (row by row), b1, w2, b2; the order of net files. Sensitivities are not among them.
    pub fn values(&self) -> impl Iterator<Item = f32> + '_ {
        self.w1.iter().chain(&self.b1).chain(&self.w2).chain(&self.b2).copied()
    }

    /// Takes all weights in the order of [`Weights::values`]; `None` when there are too few.
    pub fn from_values(
        shape: Shape,
        units: Activations,
        values: &mut impl Iterator<Item = f32>,
    ) -> Option<Weights> {
        let mut dense = Weights::zeros(shape, units);
        let Weights { w1, b1, w2, b2, .. } = &mut dense;
        for slot in w1.iter_mut().chain(b1).chain(w2).chain(b2) {
            *slot = values.next()?;
        }
        Some(dense)
    }

    /// The outputs for dense inputs `[inputs]`, in double precision inside: slow, and right.
    #[must_use]
    pub fn forward(&self, inputs: ArrayView1<f32>) -> Array1<f64> {
        let wide = |x: &f32| f64::from(*x);
        let sums = inputs.map(wide).dot(&self.w1.map(wide));
        let outputs = if self.b1.is_empty() {
            sums + self.b2.map(wide)
        } else {
            let sums = (sums + self.b1.map(wide)) * self.beta.map(wide);
            let hidden = sums.map(|&u| self.units.activation.exact(u));
            self.b2.map(wide) + hidden.dot(&self.w2.map(wide))
        };
        match self.units.readout {
            OutputActivation::Linear => outputs,
            OutputActivation::Softmax => {
                let all: f64 = outputs.iter().skip(1).map(|o| o.exp()).sum();
                let share = |(o, x): (usize, &f64)| if o == 0 { *x } else { x.exp() / all };
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
    fn a_widened_net_says_what_it_said() {
        let mut rng = Pcg64::seed_from_u64(1);
        let shape = Shape { inputs: 9, hidden: 5, outputs: 7 };
        let units =
            Activations { activation: Activation::Sigmoid, readout: OutputActivation::Softmax };
        let narrow = Weights::random(shape, units, &mut rng);
        let wide = narrow.widened(8, &mut rng);
        assert_eq!(wide.shape(), Shape { hidden: 8, ..shape });
        for seed in 0..5 {
            let inputs = Array1::from_shape_fn(9, |i| ((i + seed) % 3) as f32);
            let (old, new) = (narrow.forward(inputs.view()), wide.forward(inputs.view()));
            assert!((old - new).iter().all(|gap| gap.abs() < 1e-12));
        }
        assert!(wide.w1.column(7).iter().any(|w| *w != 0.0), "or it could never learn");
        assert_eq!(wide.widened(3, &mut rng), wide);
    }
}
