//! What a net that trains and a net that plays have in common: the forward pass.

use std::fmt;

use pulp::{Simd, WithSimd};

use super::activation::Activations;
use super::mlp::{Accumulator, ForwardCache, Outputs};
use super::weights::Shape;

/// A net that can be evaluated: an [`Mlp`](super::Mlp), whose weights can be trained, or a
/// [`QuantizedMlp`](super::QuantizedMlp), which is faster and cannot. The trait is sealed.
pub trait Network: ForwardPass + Clone + fmt::Debug + PartialEq + Send + Sync {
    /// The size of the net.
    fn shape(&self) -> Shape;

    /// The activations of its units.
    fn activations(&self) -> Activations;

    /// The outputs for sparse inputs: input `indices[i]` is `values[i]`, all others are 0. `cache` keeps what a gradient
    /// step needs.
    ///
    /// # Panics
    /// If an index is not below the number of inputs.
    fn forward(&self, indices: &[u16], values: &[f32], cache: &mut ForwardCache) -> Outputs {
        pulp::Arch::new().dispatch(Forward { net: self, indices, values, cache })
    }
}

/// The parts of the forward pass, generic over the vector instructions of the processor. Callers must be inside a
/// function that [`pulp::Arch::dispatch`] has compiled for them.
pub trait ForwardPass {
    /// The sums of the hidden units over the first inputs of a list, biases included.
    fn accumulate<S: Simd>(&self, simd: S, indices: &[u16], values: &[f32], sums: &mut Accumulator);

    /// `start` plus more inputs, as (index, value): the same bits as one [`ForwardPass::accumulate`] over the inputs of
    /// `start` and these after them.
    fn accumulate_from<S: Simd>(
        &self,
        simd: S,
        start: &Accumulator,
        inputs: impl Iterator<Item = (usize, f32)> + Clone,
        sums: &mut Accumulator,
    );

    /// The outputs from the sums of the hidden units.
    fn output<S: Simd>(&self, simd: S, cache: &mut ForwardCache) -> Outputs;

    /// All parts in one.
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
