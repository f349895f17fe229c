//! What a person types: lines with editing and history, or from a pipe.

mod editor;
mod lines;

pub(super) use lines::{Lines, Typed};
