//! nonet.
pub mod backgammon;
