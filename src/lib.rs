//! nonet.
pub mod backgammon;
pub mod report;
