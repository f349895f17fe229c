//! Small neural nets: shapes, forward pass, gradient step, initial weights. Independent of
//! backgammon.
//!
//! The weights of a net have one type for each purpose:
//!
//! | type | purpose |
//! |---|---|
//! | [`Weights`] | plain matrices: files, reports, checks |
//! | [`Mlp`] | training: f32, laid out for vector instructions |
//! | [`QuantizedMlp`] | playing: the first layer of a wide net in 16-bit fixed point |
//!
//! The forward pass and the gradient step read sparse inputs. They use only sums and products in a
//! fixed order, never a fused multiply-add. So the results are the same bits on every processor and
//! with any vector instructions.

mod activation;
mod adam;
mod aligned;
mod backward;
mod forward;
mod layers;
mod mlp;
mod network;
mod quantized;
mod quantized_layer;
mod second_layer;
mod tiles;
mod weight_average;
mod weights;

pub use activation::tanh;
pub use activation::{Activation, Activations, OutputActivation, UnknownOutputActivation};
pub use adam::{Adam, GradientSum};
pub use backward::ForwardSnapshot;
pub use backward::LearningRates;
pub(crate) use forward::pairs;
pub use mlp::{Accumulator, ForwardCache, MAX_HIDDEN, MAX_OUTPUTS, Mlp, Outputs};
pub use network::ForwardPass;
pub use network::Network;
pub use quantized::QuantizedMlp;
pub use second_layer::MAX_SECOND;
pub use weights::INITIAL;
pub use weights::{Shape, Weights};
