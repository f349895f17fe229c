//! A session without I/O: messages and the time go in, commands come out.
//!
//! A command that must have an effect is sent again until the effect is seen: settings by the server's answers,
//! everything in a match by its board. The session keeps no state that the latest board implies.
//!
//! The crate's first page has an example.

mod config;
mod history;
mod lobby;
mod on_message;
mod settings;
mod state;
mod table;
mod track;

use std::time::Duration;

pub use config::{Config, Pace};
pub use state::{Close, Session, Step};

/// A command that must have an effect has it within this time, or is sent again.
const DEADLINE: Duration = Duration::from_secs(10);
