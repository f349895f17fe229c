//! The trait of all nets, for training and for play: the forward pass.

use std::fmt;

use pulp::{Simd, WithSimd};

use super::activation::Activations;
use super::mlp::{Accumulator, ForwardCache, Outputs};
use super::weights::{Shape, Weights};
use crate::vectors::dispatch_wide;

/// A net that can be evaluated: the trainable [`Mlp`](super::Mlp), or the faster
/// [`QuantizedMlp`](super::QuantizedMlp) for play. The trait is sealed.
pub trait Network: ForwardPass + Clone + fmt::Debug + PartialEq + Send + Sync {
    /// The size of the net.
    fn shape(&self) -> Shape;

    /// The activations of its units.
    fn activations(&self) -> Activations;

    /// Its weights as plain matrices, every bit of them; `None` if it is a lossy copy of another
    /// net.
    fn dense(&self) -> Option<Weights> {
        None
    }

    /// Whether its first layer is in fixed point.
    fn is_quantized(&self) -> bool {
        false
    }

    /// The outputs for sparse inputs: input `indices[i]` is `values[i]`, all others are 0. `cache`
    /// receives the intermediate values that a gradient step needs.
    ///
    /// # Panics
    /// If an index is not below the number of inputs.
    fn forward(&self, indices: &[u16], values: &[f32], cache: &mut ForwardCache) -> Outputs {
        dispatch_wide(self.is_quantized(), Forward { net: self, indices, values, cache })
    }
}

/// Keeps [`ForwardPass`] and [`Network`] closed: only nets of this crate implement them.
mod sealed {
    pub trait Sealed {}
    impl Sealed for crate::nn::Mlp {}
    impl Sealed for crate::nn::QuantizedMlp {}
}

/// The parts of the forward pass, generic over the vector instructions of the processor. Call
/// them inside a function dispatched by [`pulp::Arch::dispatch`]. The trait is sealed.
pub trait ForwardPass: sealed::Sealed {
    /// Writes to `sums` the sums of the hidden units over the given inputs, biases included.
    fn accumulate<S: Simd>(&self, simd: S, indices: &[u16], values: &[f32], sums: &mut Accumulator);

    /// Writes to `sums` the sums in `start` plus more inputs, as (index, value).
    ///
    /// The bits are those of one [`ForwardPass::accumulate`] over the inputs of `start` followed by
    /// these.
    fn accumulate_from<S: Simd>(
        &self,
        simd: S,
        start: &Accumulator,
        inputs: impl Iterator<Item = (usize, f32)> + Clone,
        sums: &mut Accumulator,
    );

    /// The outputs from the sums of the hidden units.
    fn output<S: Simd>(&self, simd: S, cache: &mut ForwardCache) -> Outputs;

    /// The outputs of two positions from the sums of their hidden units: the bits of
    /// [`ForwardPass::output`].
    fn output_two<S: Simd>(&self, simd: S, caches: [&mut ForwardCache; 2]) -> [Outputs; 2];

    /// The whole forward pass.
    #[inline(always)]
    fn forward_with<S: Simd>(
        &self,
        simd: S,
        indices: &[u16],
        values: &[f32],
        cache: &mut ForwardCache,
    ) -> Outputs {
        self.accumulate(simd, indices, values, &mut cache.sums);
        self.output(simd, cache)
    }
}

struct Forward<'a, N: ?Sized> {
    net: &'a N,
    indices: &'a [u16],
    values: &'a [f32],
    cache: &'a mut ForwardCache,
}

impl<N: ForwardPass + ?Sized> WithSimd for Forward<'_, N> {
    type Output = Outputs;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Outputs {
        self.net.forward_with(simd, self.indices, self.values, self.cache)
    }
}
