//! nonet.
pub mod backgammon;
pub mod class;
pub mod features;
pub mod net;
pub mod value;
