//! Why a record, or one game of it, cannot be used, and where.

use std::fmt;
use std::io;
use std::sync::Arc;

use crate::{Dice, PlayError, ScoreError};

/// Where in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// A line, counted from 1.
    Line(u64),
    /// A game of a compact record, counted from 1: it has no lines.
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

/// Something that was not used: one game, a stray piece of text, or all that follows.
#[derive(Debug, thiserror::Error)]
#[error("{file}:{place}: {reason}")]
pub struct RecordError {
    /// The name the reader was given.
    pub file: Arc<str>,
    /// Where.
    pub place: Location,
    /// Why.
    pub reason: RecordErrorKind,
}

/// Why something in a record cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum RecordErrorKind {
    #[error("cannot read on: {0}")]
    Io(io::Error),
    #[error("no record of games in a known format: {0}")]
    Unknown(&'static str),
    #[error("a single position of Snowie, not a game")]
    SinglePosition,
    #[error("the text is {0}, not UTF-8")]
    Encoding(&'static str),
    #[error("the line is longer than {limit} bytes")]
    LongLine { limit: u64 },
    #[error("'{0}' is another game than backgammon from its usual start")]
    Variant(String),
    #[error("the game does not begin from the usual start but from a position set up by hand")]
    SetUp,
    #[error("cannot read '{text}': {wanted} wanted")]
    Unreadable { text: String, wanted: &'static str },
    #[error("'{0}' belongs to no game")]
    Stray(String),
    #[error("nothing says before the game how many points the match is for")]
    NoLength,
    #[error(transparent)]
    Score(#[from] ScoreError),
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error("{dice} leads to {results} boards here, and number {index} is wanted")]
    NoSuchResult { dice: Dice, results: usize, index: usize },
    #[error("the board after {0} follows from no legal play of it")]
    NoSuchBoard(Dice),
    #[error("how {0} was played is not recorded")]
    Unplayed(Dice),
    #[error(
        "nobody begins with {0}: the first roll is one die of each player, thrown again if equal"
    )]
    OpeningDouble(Dice),
    #[error("it is the turn of {0}")]
    OutOfTurn(String),
    #[error("{0}")]
    Cube(&'static str),
    #[error("the cube is turned to {written}, but {expected} is next")]
    CubeValue { written: u32, expected: u32 },
    #[error("the game is already over")]
    Over,
    #[error("the result says {stated}, but the game says {played}")]
    Result { stated: String, played: String },
    #[error("the game has more than {limit} turns")]
    TooLong { limit: usize },
    #[error("the record ends inside a game")]
    CutOff,
    #[error("damaged: {0}")]
    Damaged(&'static str),
    #[error("compact format version {found}; this program reads version {known}")]
    Version { found: u32, known: u32 },
}

impl RecordErrorKind {
    pub(super) fn unreadable(text: &str, wanted: &'static str) -> RecordErrorKind {
        RecordErrorKind::Unreadable { text: shortened(text), wanted }
    }

    pub(super) fn stray(text: &str) -> RecordErrorKind {
        RecordErrorKind::Stray(shortened(text))
    }

    pub(super) fn at(self, file: &Arc<str>, place: Location) -> RecordError {
        RecordError { file: Arc::clone(file), place, reason: self }
    }
}

/// Enough of a line to find it again.
fn shortened(text: &str) -> String {
    const ENOUGH: usize = 60;
    let text = text.trim();
    if text.chars().count() <= ENOUGH {
        return text.to_owned();
    }
    text.chars().take(ENOUGH).chain("...".chars()).collect()
}
