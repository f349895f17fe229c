//! Protocols between the engine and other programs: UBGI, and the external player protocol of gnubg.

pub mod gnubg;
mod line_reader;
pub mod ubgi;

pub use line_reader::{LineReader, Refused};
