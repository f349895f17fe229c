//! Protocols between the engine and other programs: UBGI, and the external player protocol of
//! gnubg.

mod child_process;
pub mod gnubg;
mod line_reader;
pub mod ubgi;

pub use child_process::Output;
pub use line_reader::{LineReader, Refused};
