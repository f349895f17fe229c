//! A session without I/O: lines and the time go in, commands come out.
//!
//! The latest board implies what to do next, so the session keeps little else. A command is sent
//! again until a board shows its effect, and the board is asked for before.
//!
//! # No state without an end
//!
//! | state | ends with | deadline | then |
//! |---|---|---|---|
//! | logging in | the welcome, or a notice (refused) | 60 s | a new connection |
//! | after the welcome | the own seat, if there is one | 2 s | `join`, or the lobby |
//! | joining the match of the last connection | the seat, or a refusal | 10 s | its result is unknown; new connection if no line came |
//! | creating or joining a match | the seat, or a refusal | 10 s | `leave`, and again after 10 s to 5 min; new connection if no line came |
//! | waiting for somebody to sit down | an opponent | 30 min | `leave` |
//! | waiting for a board | the board | 3 tries of 10 s | `leave`; a new connection if no line came |
//! | thinking | the decision is due | the pace's longest time | it is sent |
//! | a command was sent | a new board | 10 s | the board is asked for; after 5 commands and 60 s without an effect `leave` |
//! | waiting for the opponent | a new board | 60 s | the board is asked for |
//! | the opponent sits there and is to act | a roll, or the end of the turn | 11 min; 2 min before the first turn | `leave` |
//! | the opponent has left | the opponent, back again | 15.5 min; 60 s before the first turn | `leave` |
//! | boards, and no turn ends | the end of a turn | 30 min; if the own side is to act, 30 min with the opponent there | `leave` |
//! | a match is over | another one, or the opponent leaves | 60 s | `leave` |
//! | leaving | the own `left`, or a refusal | 2 tries of 10 s | a new connection |
//! | no line from the server | any line | 60 s | it is asked for the list |
//! | | | 90 s | a new connection |
//!
//! The session leaves no opponent because its own line fails: before a `leave` that could lose the
//! match, the server must have said something. A new connection keeps the table. While the opponent
//! is away the server refuses all plays, so none is sent, and no refusal counts.
//!
//! What players write changes nothing. A resignation and a dropped double cannot be taken back. So
//! the session asks for the board first, and it must be the board that was decided on.

mod act;
mod config;
mod decisions;
mod on_message;
mod replies;
mod state;
mod table;
mod track;

use std::time::Duration;

pub use config::{Config, Pace};
pub use state::{Close, Session, Step};

/// A command that must have an effect has it within this time.
const DEADLINE: Duration = Duration::from_secs(10);
