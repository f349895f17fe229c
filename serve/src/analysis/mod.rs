//! Analyses of recorded matches: store and handlers.

pub(super) mod analyses;
pub(super) mod analysis_store;
