//! Game records: recorded games, and readers and writers of their formats.
//!
//! [`Records`] recognises the format by the contents. It yields one [`RecordedGame`] after the
//! other, so millions of games need the memory of one. [`read_record`] reads them all.
//!
//! Every turn is replayed through the rules, and no illegal turn is yielded. A turn that breaks the
//! rules is lost with a warning, and [`RecordedGame::gaps`] says where. The game goes on as far as
//! the turns after it fit. A game without any usable turn is a [`RecordError`], and the other games
//! are read. Errors and warnings are printed as `file:line: reason`. [`Records::tally`] counts
//! games, errors and warnings.
//!
//! The winner and the points follow from the first of these that shows them:
//!
//! 1. the board,
//! 2. a refused double,
//! 3. the words of the result,
//! 4. the score of the next game.
//!
//! A contradiction is a warning.
//!
//! | format | read | written |
//! |---|---|---|
//! | Jellyfish `.mat`, and the same layout of gnubg, Snowie, eXtreme Gammon, BackgammonGalaxy, Backgammon Studio and others | yes | [`MatWriter`] |
//! | gnubg `.sgf`, with the first of several variations | yes | [`SgfWriter`], with an analysis |
//! | `.sgg` of GamesGrid and GridGammon | yes | |
//! | gnubg's text export with boards and analyses | yes | |
//! | FIBS `oldmoves`, with the prompts and times of clients | yes | |
//! | compact `.norec`: about 55 bytes a game | yes | [`CompactWriter`] |
//! | eXtreme Gammon's binary `.xg` | with the feature `compressed` | |
//! | BGBlitz's binary `.bgf` | with the feature `compressed` | |
//!
//! A file with one position and no game, such as `.xgp` of eXtreme Gammon, is refused with that
//! position: [`RecordError::single_position`].
//!
//! People type, copy and cut records. A game without its heading or names is read with a warning
//! that names the assumption. After an illegal play the game goes on from the board that its
//! checker moves make. If the turns after it do not fit there, they show which legal play of the
//! roll was meant. After a missing turn it goes on from the unchanged board. Two turns must fit.
//!
//! This module opens no files: the caller passes readers and writers.
//!
//! ```
//! use backgammon::record::Records;
//!
//! let text = b" 0 point match\n\n Game 1\n ann : 0   bob : 0\n  1) 31: 8/5 6/5\n";
//! let mut records = Records::new(&text[..], "night.mat")?;
//! let game = records.next().ok_or("one game")??;
//! assert_eq!(game.header().names, ["ann", "bob"]);
//! assert_eq!(game.positions().count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compact;
#[cfg(feature = "compressed")]
mod compressed;
mod date;
mod error;
mod fibs_oldmoves;
mod game;
mod game_reader;
mod gnubg_text;
mod mat;
mod names;
mod reader;
mod recorder;
mod sgf;
mod sgg;
mod single_position;
mod text_lines;

pub use compact::CompactWriter;
pub use date::date_in;
pub use error::{Location, RecordError, RecordErrorKind};
pub use game::{
    GameHeader, GameStart, MAX_NAME, RecordEnd, RecordEvent, RecordGap, RecordTurn, RecordedGame,
};
pub use mat::{MatWriter, mat_tags};
pub use names::{NameError, check_names};
pub use reader::{Format, ReadRecord, RecordCounts, Records, read_record};
pub use recorder::{MAX_TURNS, Recorder};
pub use sgf::{SgfCube, SgfMark, SgfNote, SgfPlay, SgfWriter};

#[cfg(test)]
mod tests;
