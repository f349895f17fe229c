//! A session without I/O: messages and the time go in, commands come out.
//!
//! A command is sent again until its effect is seen. The server's answers show the effect of
//! settings; the board shows the effect of everything in a match. The session keeps no state that
//! the latest board implies.
//!
//! # No state without an end
//!
//! A server may omit, reword or repeat any sentence. Each state has a deadline, and what happens
//! then does not need the server's help:
//!
//! | state | ends with | deadline | then |
//! |---|---|---|---|
//! | connected | the login prompt | 60 s | a new connection |
//! | logging in | the welcome, or another prompt (refused) | 60 s | a new connection |
//! | settings | the server's confirmation of each | 3 tries of 10 s each | goes on without it, with a warning |
//! | saved matches asked for | the list, or an error | 3 tries of 10 s | the agent's own records are used; asked again after 10 min |
//! | inviting | an answer, then the match | 10 s, then 30 s in all | forgotten; the same player again after 12 s to 10 min |
//! | inviting a player who is not ready | the server's refusal | at once | their own offer to resume is joined; without one they are told what helps |
//! | joining | the match | 2 tries of 10 s | forgotten |
//! | invited | the answer | 30 s | the player is asked to invite again |
//! | waiting for a board | the board | 3 tries of 10 s, by different words | between games `join`; else `leave`, unless nothing at all is answered (last row) |
//! | an offer waits and no board comes | the board | 10 s | answered from the last board |
//! | thinking | the decision is due | the pace's longest time | it is sent |
//! | a command was sent | a new board or sentence | 10 s | the board is read and decided on again; after 5 commands and 60 s without an effect `leave` |
//! | waiting for the opponent | their move | 60 s; 300 s | `roll` (the refusal names an offer that was lost), and asked if they are there; `leave` |
//! | between games | the next board | 300 s | `leave` |
//! | something says that the match is over | a board that says it is not | asked once, 10 s after the last time at the earliest; then 10 s | the table is free; the board is asked for once more after 10 s |
//! | a match may be on that is not known | its board, or the word that there is none | 3 tries of 10 s | there is none |
//! | a login prompt in mid-session | any line that needs a login | 10 s | a new connection |
//! | another program may use the account | the list of players | 5 s; not again for 60 s | it does not |
//! | the server goes down | the end of the match | a minute before | logs out |
//! | any state of a match | something changes | 330 s | `leave` |
//! | a match in which no turn ends | the end of a turn | 30 min, less the time that is counted in the next row; 330 s at least | `leave`; it rests for 10 min |
//! | an opponent leaves again and again, and no turn ends | the end of a turn | 30 min of play, with 5 min for each new match and each own invitation to go on | it rests for 10 min |
//! | others wait for a player with a saved match | the end of a turn | the same 30 min; none if the player wants to pause | they are played with |
//! | leaving | any sentence that says so | 2 tries of 10 s | a new connection, where the server saves the match |
//! | missed moves asked for | the list | 4 tries of 10 s | the record has a gap |
//! | any command unanswered | any line | 30 s, then 30 s for each of up to 3 others | a new connection |
//!
//! What players write changes nothing by itself. A sentence that is neither numbered nor the answer
//! to a command raises a doubt, and so does one in an unknown wording. A doubt asks the server
//! once, and an answer that does not come is an answer too. A refusal that names a player ends only
//! what waits for that player. A decision that was made is carried out unless a board contradicts
//! it. A match that begins is compared with the agreed match, and left if it differs.
//!
//! The three deadlines about turns are put off by the end of a turn alone. A turn has ended when a
//! board shows other checkers, another cube or another score than the board before. Everything else
//! a player can repeat without end: offers to resign, doubles that are taken back, leaving and
//! coming back, logins, invitations, words.
//!
//! These may say that a match is over:
//!
//! - the own who line without an opponent,
//! - the opponent's login, logout or invitation,
//! - every sentence about not playing.
//!
//! A match that was left because nothing had an effect is resumed after 10 minutes at the earliest,
//! and so is one that rests. A line that is silent is no reason to leave: the match is resumed on
//! the next connection. A command that the server does not know is not sent again.
//!
//! The crate's first page has an example.

mod config;
mod decisions;
mod dialect;
mod history;
mod lobby;
mod on_match_message;
mod on_message;
mod reply_limit;
mod saved_list;
mod settings;
mod state;
mod table;
mod track;
mod waiting;

use std::time::Duration;

pub use config::{Config, Pace};
pub use reply_limit::ReplyLimit;
pub use state::{Close, Session, Step};
pub use waiting::Waiting;

/// A command that must have an effect has it within this time, or is sent again.
const DEADLINE: Duration = Duration::from_secs(10);

/// An opponent may keep the session busy for this long without the end of a turn.
const NO_TURN: Duration = Duration::from_secs(30 * 60);

/// Whether a refusal is about this player: it names them, or no player.
fn is_about(named: Option<&str>, player: &str) -> bool {
    named.is_none_or(|name| name == player)
}
