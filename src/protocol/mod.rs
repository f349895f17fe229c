//! Protocols in which other programs ask the engine, and in which the engine asks other programs.

pub mod gnubg;
mod lines;
pub mod ubgi;

pub use lines::{LineReader, Refused};
