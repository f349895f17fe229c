//! Uploaded records, their analysis, and what a library of them says about a player.

pub(crate) mod analyses;
pub(super) mod analysis_jobs;
mod analysis_store;
pub(super) mod decisions;
pub(super) mod library;
