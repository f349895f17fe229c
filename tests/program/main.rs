//! The program `nonet` as a process: its commands, whole runs, the papers, and engines in other
//! processes.

#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/positions.rs"]
mod positions;
#[cfg(unix)]
#[path = "../common/pty.rs"]
mod pty;

mod engine;
mod front_ends;
mod gnubg;
mod gnubg_socket;
mod learning_from_records;
#[cfg(unix)]
mod opponents;
mod papers;
mod play;
mod practise;
mod readers;
mod stopped_runs;
#[cfg(unix)]
mod terminal;
mod training_runs;
