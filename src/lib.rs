//! nonet.
pub mod arena;
pub mod backgammon;
pub mod class;
pub mod eval;
pub mod features;
pub mod net;
pub mod play;
pub mod report;
pub mod store;
pub mod train;
pub mod value;
pub mod workload;
