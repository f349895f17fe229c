//! Match records, logs and what is counted in them.

mod ended_matches;
pub(super) mod incidents;
pub(super) mod log_event;
pub(super) mod match_log;
pub(super) mod match_record;
pub(super) mod metrics;
pub(super) mod statistics;
pub(super) mod transcript;
pub(super) mod unused_file_name;
pub(super) mod watched_matches;
