//! Matches against a person: their state without I/O, their store and their handlers.

pub(super) mod course;
pub(super) mod games;
pub(super) mod match_store;
pub(super) mod match_table;
pub(super) mod match_view;
pub(super) mod matches;
pub(super) mod tutor;
pub(super) mod watched;

use nonet_engine::engine::Level;
use nonet_report::person_match::SettingsError;

use crate::defaults;
use crate::error::ApiError;

/// The level of this name, or the usual one without a name.
pub(super) fn level(name: Option<&str>) -> Result<Level, ApiError> {
    let name = name.unwrap_or(defaults::level());
    Level::named(name).ok_or_else(|| SettingsError::Level(name.to_owned()).into())
}
