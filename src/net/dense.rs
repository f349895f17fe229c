//! A net as plain matrices.

use ndarray::{Array1, Array2, ArrayView1};
use ndarray_rand::RandomExt;
use ndarray_rand::rand_distr::Uniform;
use rand::Rng;
use serde::{Deserialize, Serialize};

/// The size of a net with one hidden layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Inputs.
    pub inputs: usize,
    /// Hidden units, sigmoid.
    pub hidden: usize,
    /// Outputs, linear.
    pub outputs: usize,
}

impl Shape {
    /// Weights and biases together.
    #[must_use]
    pub const fn weights(&self) -> usize {
        (self.inputs + 1) * self.hidden + (self.hidden + 1) * self.outputs
    }
}

/// A net with one hidden layer: `outputs = sigmoid(x w1 + b1) w2 + b2`.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    /// `[inputs, hidden]`
    pub w1: Array2<f32>,
    /// `[hidden]`
    pub b1: Array1<f32>,
    /// `[hidden, outputs]`
    pub w2: Array2<f32>,
    /// `[outputs]`
    pub b2: Array1<f32>,
}

/// Initial weights and biases lie uniformly within plus or minus this much.
pub(crate) const INITIAL: f32 = 0.1;

impl Dense {
    /// A net of zeros.
    #[must_use]
    pub fn zeros(shape: Shape) -> Dense {
        Dense {
            w1: Array2::zeros((shape.inputs, shape.hidden)),
            b1: Array1::zeros(shape.hidden),
            w2: Array2::zeros((shape.hidden, shape.outputs)),
            b2: Array1::zeros(shape.outputs),
        }
    }

    /// A net to begin learning from: every weight uniform in -0.1..0.1.
    pub fn random(shape: Shape, rng: &mut impl Rng) -> Dense {
        // The constructor fails on empty or infinite ranges only.
        let Ok(uniform) = Uniform::new_inclusive(-INITIAL, INITIAL) else {
            return Dense::zeros(shape);
        };
        Dense {
            w1: Array2::random_using((shape.inputs, shape.hidden), uniform, rng),
            b1: Array1::random_using(shape.hidden, uniform, rng),
            w2: Array2::random_using((shape.hidden, shape.outputs), uniform, rng),
            b2: Array1::random_using(shape.outputs, uniform, rng),
        }
    }

    /// The size of the net.
    #[must_use]
    pub fn shape(&self) -> Shape {
        Shape { inputs: self.w1.nrows(), hidden: self.w1.ncols(), outputs: self.w2.ncols() }
    }

    /// All weights in the order w1 (row by row), b1, w2, b2; the order of net files.
    pub fn values(&self) -> impl Iterator<Item = f32> + '_ {
        self.w1.iter().chain(&self.b1).chain(&self.w2).chain(&self.b2).copied()
    }

    /// Takes all weights in the order of [`Dense::values`]; `None` when there are too few.
    pub fn from_values(shape: Shape, values: &mut impl Iterator<Item = f32>) -> Option<Dense> {
        let mut dense = Dense::zeros(shape);
        let Dense { w1, b1, w2, b2 } = &mut dense;
        for slot in w1.iter_mut().chain(b1).chain(w2).chain(b2) {
            *slot = values.next()?;
        }
        Some(dense)
    }

    /// The outputs for dense inputs `[inputs]`, in double precision inside: slow, and right.
    #[must_use]
    pub fn forward(&self, inputs: ArrayView1<f32>) -> Array1<f64> {
        let wide = |x: &f32| f64::from(*x);
        let sums = self.b1.map(wide) + inputs.map(wide).dot(&self.w1.map(wide));
        let hidden = sums.map(|x| 1.0 / (1.0 + (-x).exp()));
        self.b2.map(wide) + hidden.dot(&self.w2.map(wide))
    }
}
