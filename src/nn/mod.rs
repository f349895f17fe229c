//! The mathematics of small nets: shapes, forward pass, gradient step, initial weights. Knows no backgammon.
//!
//! A [`Weights`] net is plain matrices, for files, reports and checks; an [`Mlp`] is the same net laid out for speed. The
//! forward pass and the gradient step read sparse inputs and use only sums and products in a fixed order, never a fused
//! multiply-add: the results are the same bits on every processor, whatever its vectors are. So are those of a net whose
//! first layer has been put in fixed point for play ([`Mlp::quantize`]).

mod activation;
mod adam;
mod aligned;
mod backward;
mod forward;
mod mlp;
mod quantized;
mod tiles;
mod weights;

pub(crate) use activation::tanh;
pub use activation::{Activation, Activations, OutputActivation};
pub use adam::Adam;
pub use backward::{ForwardSnapshot, LearningRates};
pub use forward::pairs;
pub use mlp::{Accumulator, ForwardCache, MAX_HIDDEN, MAX_OUTPUTS, Mlp, Outputs};
pub use weights::{Shape, Weights};
