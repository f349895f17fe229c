//! `nonet analyse`: analyses recorded games.

mod command;
mod rollouts;
mod text;

pub(super) use command::{Args, run};
