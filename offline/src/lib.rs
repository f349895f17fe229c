//! nonet where nothing but a browser is: the router of `nonet serve`, called without a socket.
//!
//! A browser's worker holds a [`Process`]: the answers, and files in memory. Slow work goes to a
//! second worker with a process of its own and the same files. `page/` has the JavaScript around
//! it.

#[cfg(target_family = "wasm")]
pub mod module;
mod process;
mod training;

pub use process::{Process, Role};
pub use training::TrainingRun;
