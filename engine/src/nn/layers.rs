//! The layers of a net in f32, padded and aligned for vector instructions.

use super::activation::Activations;
use super::aligned::Aligned;
use super::mlp::{MAX_HIDDEN, MAX_OUTPUTS, Outputs};
use super::second_layer::{MAX_SECOND, SecondLayer};
use super::weights::{Shape, Weights};

/// Columns are padded to a multiple of this: one AVX register, two of SSE or NEON.
pub(super) const LANES: usize = 8;

/// The weights between the inputs and the hidden units, or the outputs if there is no hidden layer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FirstLayer {
    /// Columns and padding; the weights of the padding are 0.
    pub(super) width: usize,
    /// `[inputs, width]`: one row per input, because inputs are sparse.
    pub(super) w1: Aligned,
    /// `[width]`; the outputs' biases if there is no hidden layer.
    pub(super) b1: Aligned,
}

/// The second half of a net: activations of the hidden units, a second hidden layer if there is
/// one, output weights and output activation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OutputLayer {
    /// The size of the whole net.
    pub(super) shape: Shape,
    pub(super) activations: Activations,
    /// Sensitivities of the hidden units, `[width]`.
    pub(super) beta: Aligned,
    /// The second hidden layer.
    pub(super) second: Option<SecondLayer>,
    /// `[units of the last hidden layer with their padding, MAX_OUTPUTS]`, all 0 if there is no
    /// hidden layer.
    pub(super) w2: Aligned,
    pub(super) b2: Outputs,
}

/// Lays out plain matrices as layers.
///
/// # Panics
/// If it has more than [`MAX_HIDDEN`] hidden units, [`MAX_SECOND`] in the second layer, or
/// [`MAX_OUTPUTS`] outputs.
pub(super) fn from_weights(weights: &Weights) -> (FirstLayer, OutputLayer) {
    let shape = weights.shape();
    assert!(
        shape.is_possible(),
        "a net of {shape} is too large: expected at most {MAX_HIDDEN} hidden units, {MAX_SECOND} in the second layer and \
         {MAX_OUTPUTS} outputs"
    );
    let width = shape.columns().next_multiple_of(LANES);
    let mut w1 = Aligned::zeros(shape.inputs * width);
    let mut b1 = Aligned::zeros(width);
    let mut beta = Aligned::zeros(width);
    let mut second = (shape.second > 0).then(|| SecondLayer::zeros(width, shape.second));
    if let Some(second) = &mut second {
        for ((h, unit), &w) in weights.w_second.indexed_iter() {
            second.weights.as_mut_slice()[h * second.width + unit] = w;
        }
        for (unit, &b) in weights.b_second.indexed_iter() {
            second.biases.as_mut_slice()[unit] = b;
        }
    }
    let last = second.as_ref().map_or(width, |second| second.width);
    let mut w2 = Aligned::zeros(last * MAX_OUTPUTS);
    let mut b2 = [0.0; MAX_OUTPUTS];
    for ((i, h), &w) in weights.w1.indexed_iter() {
        w1.as_mut_slice()[i * width + h] = w;
    }
    for (h, &b) in weights.b1.indexed_iter() {
        b1.as_mut_slice()[h] = b;
    }
    for ((h, o), &w) in weights.w2.indexed_iter() {
        w2.as_mut_slice()[h * MAX_OUTPUTS + o] = w;
    }
    for (h, &b) in weights.beta.indexed_iter() {
        beta.as_mut_slice()[h] = b;
    }
    let biases = if shape.hidden == 0 { b1.as_mut_slice() } else { &mut b2[..] };
    for (o, &b) in weights.b2.indexed_iter() {
        biases[o] = b;
    }
    let output = OutputLayer { shape, activations: weights.activations, beta, second, w2, b2 };
    (FirstLayer { width, w1, b1 }, output)
}

/// The plain matrices of the layers.
pub(super) fn to_weights(first: &FirstLayer, output: &OutputLayer) -> Weights {
    let (FirstLayer { width, w1, b1 }, OutputLayer { shape, activations, beta, second, w2, b2 }) =
        (first, output);
    let mut weights = Weights::zeros(*shape, *activations);
    for (mut row, padded) in weights.w1.outer_iter_mut().zip(w1.as_slice().chunks_exact(*width)) {
        let row = row.as_slice_mut().expect("a row of a new matrix lies in one piece");
        row.copy_from_slice(&padded[..row.len()]);
    }
    for (h, b) in weights.b1.indexed_iter_mut() {
        *b = b1.as_slice()[h];
    }
    if let Some(second) = second {
        for ((h, unit), w) in weights.w_second.indexed_iter_mut() {
            *w = second.weights.as_slice()[h * second.width + unit];
        }
        for (unit, b) in weights.b_second.indexed_iter_mut() {
            *b = second.biases.as_slice()[unit];
        }
    }
    for ((h, o), w) in weights.w2.indexed_iter_mut() {
        *w = w2.as_slice()[h * MAX_OUTPUTS + o];
    }
    for (h, b) in weights.beta.indexed_iter_mut() {
        *b = beta.as_slice()[h];
    }
    let biases = if shape.hidden == 0 { b1.as_slice() } else { &b2[..] };
    for (o, b) in weights.b2.indexed_iter_mut() {
        *b = biases[o];
    }
    weights
}
