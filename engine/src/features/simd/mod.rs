//! Vectorized encoding: the same code for one position and for as many positions as a vector has
//! lanes.

pub(super) mod batch;
pub(super) mod columns;
pub(super) mod lanes;
