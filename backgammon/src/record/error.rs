//! Errors in records: the place and the reason.

use std::fmt;
use std::io;
use std::sync::Arc;

use crate::{ActionError, Dice, GameState, PlayError, ScoreError};

/// A place in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// A line, counted from 1.
    Line(u64),
    /// A game, counted from 1, of a record without lines: a compact one, or one of XG or BGBlitz.
    Game(u64),
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Line(line) => write!(f, "{line}"),
            Location::Game(game) => write!(f, "game {game}"),
        }
    }
}

/// A mistake in a record.
///
/// The reader skipped a part of the record, or read it in spite of the mistake. Such a part is a
/// game, the rest of a game, a result, text between games or the rest of the record.
#[derive(Debug, thiserror::Error)]
#[error("{file}:{place}: {reason}")]
pub struct RecordError {
    /// The name that was given to the reader.
    pub file: Arc<str>,
    /// The place of the error.
    pub place: Location,
    /// The reason.
    pub reason: RecordErrorKind,
}

/// Why a part of a record was skipped, or what is wrong with it.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum RecordErrorKind {
    #[error("cannot read the record: {0}")]
    Io(io::Error),
    #[error("unknown record format: {0}")]
    Unknown(&'static str),
    #[error("expected games, found a single position: {0}")]
    SinglePosition(Box<GameState>),
    #[error("invalid encoding {0}: expected UTF-8 or Windows-1252")]
    Encoding(&'static str),
    #[error("line too long: expected at most {limit} bytes")]
    LongLine { limit: u64 },
    #[error("unsupported game '{0}': expected backgammon from the starting position")]
    Variant(String),
    #[error("position set up by hand")]
    SetUp,
    #[error("invalid position '{text}': {reason}")]
    InvalidSetUp { text: String, reason: String },
    #[error("invalid text '{text}': expected {wanted}")]
    Unreadable { text: String, wanted: &'static str },
    #[error("unexpected text '{0}', which was passed over")]
    Stray(String),
    #[error("missing match length: expected a line such as '7 point match' before the game")]
    NoLength,
    #[error(transparent)]
    Score(#[from] ScoreError),
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error("invalid result number {index}: {dice} has only {results} results here")]
    NoSuchResult { dice: Dice, results: usize, index: usize },
    #[error("missing roll: only the last roll of a game may be hidden")]
    HiddenRoll,
    #[error("missing play of {0}: only the last roll of a game may lack its play")]
    Unplayed(Dice),
    #[error("{0}; the game goes on after it as a game of its own")]
    Split(Box<RecordErrorKind>),
    #[error("{0}; the game goes on after it")]
    GoesOn(Box<RecordErrorKind>),
    #[error("missing line of names: taken as '{0}'")]
    NoNames(String),
    #[error("out of turn: expected {0} to act")]
    OutOfTurn(String),
    #[error(transparent)]
    Action(#[from] ActionError),
    #[error("invalid cube value {written}: expected {expected}")]
    CubeValue { written: u32, expected: u32 },
    #[error("invalid result '{stated}': expected {played}")]
    Result { stated: String, played: String },
    #[error("game too long: expected at most {limit} turns")]
    TooLong { limit: usize },
    #[error("record too large: expected {0}, so the rest is not read; split the file")]
    TooLarge(&'static str),
    #[error("{0} more errors and warnings are not shown")]
    More(u64),
    #[error("unexpected end of the record: the game is incomplete")]
    CutOff,
    #[error("damaged record: {0}")]
    Damaged(&'static str),
    #[error("unsupported compact format version {found}: expected version {known}")]
    Version { found: u32, known: u32 },
}

impl RecordError {
    /// The position of a file that holds one position and no game, such as `.xgp`.
    ///
    /// ```
    /// use backgammon::record::read_record;
    ///
    /// let line = "0;1;0;1;0;ann;bob;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;\
    ///             5;0;0;0;-3;0;-5;0;0;0;0;2;0;3;1;";
    /// let error = read_record(line.as_bytes(), "position.txt").expect_err("no game");
    /// let position = error.single_position().map(|position| position.xgid()).unwrap_or_default();
    /// assert_eq!(position, "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10");
    /// ```
    #[must_use]
    pub fn single_position(&self) -> Option<&GameState> {
        match &self.reason {
            RecordErrorKind::SinglePosition(position) => Some(position),
            _ => None,
        }
    }
}

impl RecordErrorKind {
    pub(super) fn unreadable(text: &str, wanted: &'static str) -> RecordErrorKind {
        RecordErrorKind::Unreadable { text: shortened(text), wanted }
    }

    pub(super) fn stray(text: &str) -> RecordErrorKind {
        RecordErrorKind::Stray(shortened(text))
    }

    pub(super) fn set_up(text: &str, reason: String) -> RecordErrorKind {
        RecordErrorKind::InvalidSetUp { text: shortened(text), reason }
    }

    pub(super) fn single(position: GameState) -> RecordErrorKind {
        RecordErrorKind::SinglePosition(Box::new(position))
    }

    pub(super) fn at(self, file: &Arc<str>, place: Location) -> RecordError {
        RecordError { file: Arc::clone(file), place, reason: self }
    }
}

/// The first 60 characters of a text.
fn shortened(text: &str) -> String {
    const ENOUGH: usize = 60;
    let text = text.trim();
    if text.chars().count() <= ENOUGH {
        return text.to_owned();
    }
    text.chars().take(ENOUGH).chain("...".chars()).collect()
}
