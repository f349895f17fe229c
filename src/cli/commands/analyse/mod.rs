//! `nonet analyse`: analyses recorded games.

mod command;
pub(super) mod records;
mod rollouts;
mod text;

pub(super) use command::{Args, run};
