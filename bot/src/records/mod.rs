//! Match records, logs and what is counted in them.

mod ended_matches;
mod file_stem;
pub(super) mod incidents;
pub(super) mod log_event;
pub(super) mod match_log;
pub(super) mod match_record;
pub(super) mod metrics;
pub(super) mod statistics;
pub(super) mod transcript;
pub(super) mod watched_matches;
