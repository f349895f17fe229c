//! The state of the practice server (accounts, lobby, matches and chat), without I/O: lines and the time go in, lines and
//! journal entries come out.

mod commands;
mod invite;
mod lines;
mod login;
mod match_commands;
mod play;
mod server_state;

pub(super) use server_state::{ConnectionId, Effects, ServerAccount, ServerState};
