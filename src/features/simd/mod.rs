//! The same code for one position or for as many as a vector has lanes.

pub(crate) mod batch;
pub(crate) mod columns;
pub(crate) mod lanes;
