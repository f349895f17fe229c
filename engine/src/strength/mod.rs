//! Players who err: with noise of a size, or as people choose.

mod fallible;
mod human_choice;

pub use fallible::{Fallible, Strength};
pub use human_choice::{ComparedPlay, HumanChoice};
