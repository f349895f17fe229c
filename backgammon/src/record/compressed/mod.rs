//! Compressed formats of other programs: `.xg` and `.xgp` of eXtreme Gammon, `.bgf` of BGBlitz.
//!
//! A file is read at once, and its games are replayed through the rules as those of any text. Where
//! a file is damaged or cut off, the games before that place are read.

mod bgf;
mod inflate;
mod smile;
mod xg;
mod xg_position;

use std::collections::VecDeque;
use std::io::Read;
use std::sync::Arc;

use super::error::{Location, RecordError, RecordErrorKind};
use super::game_reader::{Complaint, GameReader, ReadGame};
use super::reader::{Format, LONGEST_WHOLE};

/// The games of a file that was read.
pub(super) struct CompressedReader {
    format: Format,
    file: Arc<str>,
    /// The number of the game that was yielded last.
    number: u64,
    found: Games,
}

/// Games in order; places are the numbers of the games, from 1.
#[derive(Default)]
struct Games {
    games: VecDeque<(u64, Result<ReadGame, RecordErrorKind>)>,
    /// Those that belong to none of the games.
    warnings: Vec<Complaint>,
}

impl Games {
    /// Adds a game that has ended.
    fn end(&mut self, number: u64, game: GameReader) {
        let read = game.finish(None);
        self.warnings.extend(read.warnings);
        self.games.extend(read.earlier.into_iter().map(|game| (number, Ok(game))));
        self.games.push_back((number, read.last.map_err(|(_, reason)| reason)));
    }

    fn fail(&mut self, number: u64, reason: RecordErrorKind) {
        self.games.push_back((number, Err(reason)));
    }
}

impl CompressedReader {
    pub(super) fn new(
        format: Format,
        source: impl Read,
        file: Arc<str>,
    ) -> Result<CompressedReader, RecordError> {
        let mut bytes = Vec::new();
        let read = source.take(LONGEST_WHOLE + 1).read_to_end(&mut bytes);
        let found = match read {
            Err(error) => Err(RecordErrorKind::Io(error)),
            Ok(_) if bytes.len() as u64 > LONGEST_WHOLE => {
                Err(RecordErrorKind::Damaged("the file is longer than 64 MiB"))
            }
            Ok(_) if format == Format::Xg => xg::read(&bytes),
            Ok(_) => bgf::read(&bytes),
        };
        match found {
            Ok(found) => Ok(CompressedReader { format, file, number: 0, found }),
            Err(reason) => Err(reason.at(&file, Location::Line(1))),
        }
    }

    pub(super) const fn format(&self) -> Format {
        self.format
    }

    /// The number of the last game, counted from 1.
    pub(super) const fn game_number(&self) -> u64 {
        self.number
    }

    /// The warnings about the games read so far.
    pub(super) const fn warnings(&mut self) -> &mut Vec<Complaint> {
        &mut self.found.warnings
    }
}

impl Iterator for CompressedReader {
    type Item = Result<ReadGame, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (number, game) = self.found.games.pop_front()?;
        self.number = number;
        Some(game.map_err(|reason| reason.at(&self.file, Location::Game(number))))
    }
}
