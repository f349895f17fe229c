//! Options that several commands share, and what they open.

pub(super) mod databases;
pub(super) mod engine;
pub(super) mod filter;
pub(super) mod matches;
pub(super) mod nats;
pub(super) mod output_file;
pub(super) mod player;
pub(super) mod position;
pub(super) mod record;
pub(super) mod run;
pub(super) mod scores;
pub(super) mod stop;
pub(super) mod threads;
