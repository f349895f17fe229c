#![doc = include_str!("../README.md")]

pub mod agent;
mod board;
mod command;
mod lines;
mod message;
#[cfg(feature = "server")]
pub mod server;
pub mod session;

pub use board::{Board, BoardError, Seated};
pub use command::Command;
pub use lines::{LONGEST_LINE, Lines};
pub use message::{Failed, Message};
