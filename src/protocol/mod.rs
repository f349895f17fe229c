//! Protocols between the engine and other programs: UBGI, and the external player protocol of gnubg.

pub mod gnubg;
mod lines;
pub mod ubgi;

pub use lines::{LineReader, Refused};
