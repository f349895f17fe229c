//! A person's match against a net, whatever shows it: what it needs beside its record, what happens without a choice, what the net does,
//! and how the match goes on from its record.

mod person_match;
mod settings;

pub use person_match::{Forced, PersonMatch};
pub use settings::{MatchSettings, NET_NAME, SettingsError, player_names, start_of};
