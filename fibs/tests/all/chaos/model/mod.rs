//! Some server of the protocol, made from a seed.
//!
//! The seed decides about the wording, what the server leaves out, what it does not know, when
//! boards come and how late. The model was written from the descriptions of FIBS, JIBS, BaldLies
//! and TigerGammon, not from the practice server of this crate.

mod commands;
mod game;
mod habits;
mod mischief;
mod opponent;
mod play;
mod server;

pub(crate) use habits::{Habits, KINDS};
pub(crate) use server::{BOB, FIRST, ME, Model};
