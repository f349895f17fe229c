//! The rules against a slow rule book and counted positions, and records of matches in the formats
//! of many programs.

#[cfg(feature = "compressed")]
mod compressed;
mod game;
mod gnubg_exports;
mod perft;
mod rules;
mod spellings;
