//! Game records: recorded games, and readers and writers of their formats.
//!
//! [`Records`] recognises the format by the contents and yields one [`RecordedGame`] after the other, so that millions of
//! games need the memory of one. Every turn is replayed through the rules. A game that breaks them is yielded as a
//! [`RecordError`], printed as `file:line: reason`; the games around it are read. [`Records::tally`] counts both.
//!
//! | format | read | written |
//! |---|---|---|
//! | Jellyfish `.mat`, and the same layout in Snowie's `.txt` | yes | [`MatWriter`] |
//! | gnubg `.sgf` | yes | |
//! | FIBS `oldmoves` | yes | |
//! | compact `.norec`: about 55 bytes a game | yes | [`CompactWriter`] |
//!
//! This module opens no files: the caller passes readers and writers.
//!
//! ```
//! use backgammon::record::Records;
//!
//! let text = b" 0 point match\n\n Game 1\n ann : 0   bob : 0\n  1) 31: 8/5 6/5   62: 24/18 13/11\n";
//! let mut records = Records::new(&text[..], "night.mat")?;
//! let game = records.next().ok_or("one game")??;
//! assert_eq!(game.header().names, ["ann", "bob"]);
//! assert_eq!(game.positions().count(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compact;
mod error;
mod fibs_oldmoves;
mod game;
mod game_reader;
mod mat;
mod reader;
mod recorder;
mod sgf;
mod text_lines;

pub use compact::CompactWriter;
pub use error::{Location, RecordError, RecordErrorKind};
pub use game::{GameHeader, GameStart, RecordEnd, RecordEvent, RecordTurn, RecordedGame};
pub use mat::MatWriter;
pub use reader::{Format, ReadRecord, RecordCounts, Records, read_record};
pub use recorder::{MAX_TURNS, Recorder};

#[cfg(test)]
mod tests;
