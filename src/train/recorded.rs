//! Recorded games as a source: somebody else played, long ago perhaps, and the learner watches.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::source::{Batch, GameSource, SourceError};
use crate::eval::Specialists;
use crate::play::Game;
use crate::record::{End, RecordError, RecordedGame};

/// Records from their first game on: games, and why something is none.
pub type Reading = Box<dyn Iterator<Item = Result<RecordedGame, RecordError>> + Send>;

/// Opens records at their start; `None` if they have been opened before and cannot be read twice.
pub type Opener = Box<dyn FnMut() -> Option<Reading> + Send>;

/// What becomes of games that were over before the last checker was off: by a resignation, or by a refused double, of
/// which no result follows for a learner that knows no cube.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unfinished {
    /// A resignation counts as the result that both players agreed on. After a refused double the value that the learner
    /// (or its teacher) gives the last position stands for the end.
    #[default]
    Agreed,
    /// The value of the last position stands for the end of all of them.
    Bootstrap,
    /// Nothing is learned from any of them.
    LeaveOut,
}

impl Unfinished {
    /// All of them.
    pub const ALL: [Unfinished; 3] =
        [Unfinished::Agreed, Unfinished::Bootstrap, Unfinished::LeaveOut];

    /// The name in commands.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Unfinished::Agreed => "agreed",
            Unfinished::Bootstrap => "bootstrap",
            Unfinished::LeaveOut => "leave-out",
        }
    }

    /// The way of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Unfinished> {
        Unfinished::ALL.into_iter().find(|way| way.name() == name)
    }

    /// What is learned from a recorded game; `None` if it is left out, as are games in which nobody rolled.
    #[must_use]
    pub fn lesson(self, game: RecordedGame) -> Option<Game> {
        match (self, game.end()) {
            (_, End::Natural { .. }) | (Unfinished::Agreed, End::Resigned { .. }) => {
                game.into_game()
            }
            (Unfinished::LeaveOut, _) => None,
            (Unfinished::Agreed | Unfinished::Bootstrap, _) => game.into_open_game(),
        }
    }
}

/// What was met in records besides games that were played to their end; all but the passes on the first way through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gleaning {
    /// Games, files and stray text that cannot be used.
    pub unusable: u64,
    /// Games that were left out, as [`Unfinished`] says.
    pub left_out: u64,
    /// Games for whose end the value of their last position stands.
    pub open: u64,
    /// How often the records were read to their end.
    pub passes: u64,
}

impl Gleaning {
    /// What was met, in words with its number; nothing that was not met.
    pub fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let Gleaning { unusable, left_out, open, passes } = *self;
        [
            ("pieces of the records of no use", unusable),
            ("recorded games left out", left_out),
            (
                "recorded games without a result, the value of their last position in its place",
                open,
            ),
            ("times the records were read to their end", passes),
        ]
        .into_iter()
        .filter(|(_, count)| *count > 0)
    }

    /// Adds what was met elsewhere.
    pub fn add(&mut self, other: &Gleaning) {
        self.unusable += other.unusable;
        self.left_out += other.left_out;
        self.open += other.open;
        self.passes += other.passes;
    }
}

/// Reasons that a batch holds at most; more of them are only counted.
const MOST_REASONS: usize = 1000;

/// Recorded games, again from the first one when all have been read.
///
/// Game `i` is the `i`-th usable game of the records, counted on through all passes. To go to any other game than the next
/// one, records are read from their start, at most once through.
pub struct Recorded {
    opener: Opener,
    unfinished: Unfinished,
    reading: Option<Reading>,
    /// The number of the next game, through all passes.
    next: u64,
    /// Usable games met since the records were opened.
    met: u64,
    /// Usable games in all the records, once they have been read through.
    in_all: Option<u64>,
}

/// One step through the records.
enum Found {
    Game(Game),
    LeftOut,
    Unusable(RecordError),
    End,
}

impl Recorded {
    /// Of records that `opener` opens.
    #[must_use]
    pub fn new(opener: Opener, unfinished: Unfinished) -> Recorded {
        Recorded { opener, unfinished, reading: None, next: 0, met: 0, in_all: None }
    }

    /// Takes the next step; at the end the records are closed.
    fn step(&mut self) -> Result<Found, SourceError> {
        let reading = match &mut self.reading {
            Some(reading) => reading,
            closed => closed.insert((self.opener)().ok_or(SourceError::Exhausted)?),
        };
        Ok(match reading.next() {
            Some(Err(error)) => Found::Unusable(error),
            Some(Ok(game)) => match self.unfinished.lesson(game) {
                Some(game) => {
                    self.next += 1;
                    self.met += 1;
                    Found::Game(game)
                }
                None => Found::LeftOut,
            },
            // Else the same would be looked for again without end.
            None if self.met == 0 => return Err(SourceError::NoGames),
            None => {
                self.in_all = Some(self.met);
                self.met = 0;
                self.reading = None;
                Found::End
            }
        })
    }

    /// Goes to a game, just behind the one before it, without a word about what lies on the way.
    fn go_to(&mut self, number: u64) -> Result<(), SourceError> {
        if number < self.next {
            (self.reading, self.next, self.met) = (None, 0, 0);
        }
        while self.next < number {
            if let (Some(in_all), None) = (self.in_all, &self.reading) {
                // Whole passes need no reading. The last game of a pass lies before its end.
                self.next += (number - self.next - 1) / in_all * in_all;
            }
            match self.step() {
                Ok(_) => {}
                Err(SourceError::Exhausted) => {
                    return Err(SourceError::TooFew { wanted: number, found: self.next });
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl GameSource for Recorded {
    fn games(&mut self, numbers: Range<u64>, _: &Specialists) -> Result<Batch, SourceError> {
        self.go_to(numbers.start)?;
        let mut batch = Batch::default();
        while self.next < numbers.end {
            // The first pass alone is reported: the others meet the same.
            let first = self.next == self.met;
            match self.step() {
                Ok(Found::Game(game)) => {
                    batch.gleaning.open += u64::from(first && game.outcome.is_none());
                    batch.games.push(game);
                }
                Ok(Found::LeftOut) => batch.gleaning.left_out += u64::from(first),
                Ok(Found::Unusable(error)) if first => {
                    batch.gleaning.unusable += 1;
                    if batch.reasons.len() < MOST_REASONS {
                        batch.reasons.push(error);
                    }
                }
                Ok(Found::Unusable(_)) => {}
                Ok(Found::End) => batch.gleaning.passes += 1,
                Err(SourceError::Exhausted) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(batch)
    }
}
