//! Practice on one's own mistakes, for the browser and over HTTP.

pub(crate) mod cards;
pub(crate) mod mistakes;
mod views;
