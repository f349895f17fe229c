//! The engine behind front ends: other people's windows, the terminal, and records to be judged.
//!
//! [`Adviser`] is what all of them ask. [`Ubgi`] speaks to controllers over two streams.

mod adviser;
mod lines;
mod ubgi;

pub use adviser::{Advice, Adviser, Terms};
pub use lines::{Lines, Refused};
pub use ubgi::{OpenNet, Ubgi};
