//! The state of the practice server (accounts, lobby, matches and chat), without I/O.
//!
//! Lines and the time go in, lines and journal entries come out.

mod commands;
mod gag;
mod help;
mod invite;
mod lines;
mod login;
mod match_commands;
mod messages;
mod people;
mod play;
mod server_state;
mod settings;
mod statistics;
mod user_names;
mod who;
mod words;

pub(super) use server_state::{ConnectionId, ConnectionStage, Effects, ServerAccount, ServerState};
