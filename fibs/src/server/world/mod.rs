//! Accounts, matches and chat of the server, without I/O: lines and the time go in, lines and journal entries come out.

mod commands;
mod invite;
mod lines;
mod login;
mod match_commands;
mod play;
mod state;

pub(super) use state::{Effects, Id, ServerAccount, World};
