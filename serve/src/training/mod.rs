//! Training runs: processes, views and handlers.

mod last_match;
pub(super) mod run_care;
mod run_phase;
pub(super) mod run_process;
pub(super) mod run_view;
pub(super) mod runs;
