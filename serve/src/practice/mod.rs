//! Practice on one's own mistakes, for the browser and over HTTP.

pub(crate) mod cards;
pub(crate) mod draws;
pub(crate) mod mistakes;
pub(crate) mod test_answers;
mod views;
