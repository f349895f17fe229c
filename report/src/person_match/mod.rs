//! A person's match against a net, for any user interface.
//!
//! Here are its settings, the forced actions of the person, the actions of the net, and its
//! continuation from a record.

mod person_match;
mod settings;

pub use person_match::{Forced, PersonMatch};
pub use settings::{MatchSettings, NET_NAME, SettingsError, names_of_two, player_names, start_of};
