//! Games in writing: what a recorded game is, and how to read and write it.
//!
//! [`Records`] reads whatever it is given, tells the format by the content and yields one [`RecordedGame`] after the
//! other, so that millions of games need the room of one. Every turn is replayed through the rules. A game that cannot
//! be used comes out as a [`RecordError`] that reads `file:line: reason`; the games around it are not harmed, and
//! [`Records::tally`] counts both.
//!
//! | format | read | written |
//! |---|---|---|
//! | Jellyfish `.mat`, and the same layout in Snowie's `.txt` | yes | [`MatWriter`] |
//! | gnubg `.sgf` | yes | |
//! | FIBS `oldmoves` | yes | |
//! | compact `.norec`: about 55 bytes a game | yes | [`CompactWriter`] |
//!
//! Nothing here opens a file: readers and writers are handed in.
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
mod game;
mod lines;
mod mat;
mod oldmoves;
mod reader;
mod recorder;
mod sgf;

pub use compact::CompactWriter;
pub use error::{Location, RecordError, RecordErrorKind};
pub use game::{GameHeader, RecordEnd, RecordEvent, RecordTurn, RecordedGame};
pub use mat::MatWriter;
pub use reader::{Format, RecordCounts, Records};
pub use recorder::{MAX_TURNS, Recorder};

#[cfg(test)]
mod tests;
