//! `nonet analyse`: analyses recorded games.

mod command;
pub(super) mod records;
mod rollouts;
mod text;
mod why;

pub(super) use command::{Args, run};
