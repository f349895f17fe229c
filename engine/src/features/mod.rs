//! Feature encodings: they turn a position into the inputs of a net. Each input has a name, a unit
//! and a reason.
//!
//! An encoding lists the inputs of one side once. A net reads them twice, for the player on roll
//! and for the opponent, each in their own point numbering. A few inputs that depend on both sides
//! follow. Lengths are computed from the tables. Both halves come from one table and one function,
//! so a mirrored position gives mirrored inputs.
//!
//! The encodings have 68, 277 and 393 inputs. These counts and their split into raw and
//! higher-level inputs are those of Wiering, Patist & Mannen, section 4.1. The paper does not list
//! the inputs; they were chosen here.
//!
//! # Inputs of your own
//! A program that uses this crate implements [`Inputs`]; nothing changes here.
//!
//! # Adding an encoding to this crate
//! Write one file with a type that implements `FeatureSet`. `race.rs` is a short example. Then add
//! one row to the table in `encoding.rs`. Nothing else changes.
//!
//! # Encoding several positions at once
//! The contact encoding computes most inputs in vectors with one lane for each position (`simd`). A
//! single position uses the same code with vectors of one lane, so both give the same bits.
//!
//! # Example: the start position
//! In the start position the 24 point holds two checkers. In the contact encoding its units "1 or
//! more" and "2 or more" are 1. The other three are 0 and are not stored.
//! ```
//! use nonet_engine::backgammon::Position;
//! use nonet_engine::features::{Encoding, SparseInputs};
//!
//! let mut inputs = SparseInputs::default();
//! Encoding::Contact.encode(&Position::START, &mut inputs);
//! let layout = Encoding::Contact.layout();
//! assert_eq!(layout.len(), 393);
//! let named = |name: &str| {
//!     let index = layout.iter().position(|input| input.name == name).expect("a known input");
//!     inputs.dense(layout.len())[index]
//! };
//! assert_eq!(named("own point 24: 2 or more"), 1.0);
//! assert_eq!(named("own point 24: 3 or more"), 0.0);
//! assert_eq!(named("own point 6: beyond 4"), 0.5);        // five checkers: (5 - 4) / 2
//! assert!((named("own pips") - 1.67).abs() < 1e-6);       // 167 pips, in hundreds
//! assert_eq!(named("own blot hit on 24"), 0.0);           // two checkers are not a blot
//! assert_eq!(named("opponent made in home board"), named("own made in home board"));
//! ```

mod blockade;
mod contact;
mod encoding;
mod endgame;
mod feature;
mod hits;
mod inputs;
mod pubeval;
mod race;
mod raw;
mod side;
mod simd;
mod sparse;
#[cfg(test)]
mod tests;

pub(crate) use blockade::MEAN_ROLL;
pub use encoding::{ByEncoding, Encoding};
pub use feature::Feature;
pub use inputs::{Inputs, NetEncoding};
pub use simd::batch::{EncodeBatch, EncodeScratch, MAX_BATCH};
pub use sparse::SparseInputs;
