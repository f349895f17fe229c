//! Matches against a person: their state without I/O, their store and their handlers.

pub(super) mod course;
pub(super) mod games;
pub(super) mod match_store;
pub(super) mod match_table;
pub(super) mod match_view;
pub(super) mod matches;
pub(super) mod tutor;
pub(super) mod watched;
