//! Statistics of samples: means with their errors, and tests that stop as soon as they can decide.

mod estimate;
mod sprt;
mod student;

pub use estimate::{Estimate, LOOKS, Z95, wilson95};
pub use sprt::{Sprt, SprtError, Verdict};
