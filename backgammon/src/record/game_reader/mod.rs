//! [`GameReader`]: replays one game of a text through the rules. The text may have mistakes.
//!
//! The parent module says how the winner and the points follow. A play that cannot be read on the
//! last roll before a result is no error: the player resigned while moving.

mod missing_turn;
mod result;

use self::missing_turn::Suspended;
use self::result::Words;
use super::error::RecordErrorKind;
use super::game::{GameHeader, GameStart, RecordedGame};
use super::recorder::Recorder;
use crate::{ActionError, Dice, Position, Seat};

/// A place in a text and what is wrong there.
pub(in crate::record) type Complaint = (u64, RecordErrorKind);

/// A game as far as it could be read.
#[derive(Debug)]
pub(in crate::record) struct ReadGame {
    pub(in crate::record) game: RecordedGame,
    /// Why the rest of the game is missing.
    pub(in crate::record) cut: Option<Complaint>,
    /// Mistakes in the game that leave it usable.
    pub(in crate::record) warnings: Vec<Complaint>,
}

/// One game while it is read.
pub(in crate::record) struct GameReader {
    recorder: Recorder,
    /// The score before the game, X's first.
    score: [u32; 2],
    /// The line of the last roll.
    rolled: u64,
    /// Whether the last roll was written with a hidden play, as in `62: ????`.
    hidden: bool,
    /// What could not be read; nothing is read after it.
    trouble: Option<Trouble>,
    result: Words,
    /// Those about this part of the game.
    warnings: Vec<Complaint>,
    /// The number of warnings about all parts.
    warned: usize,
    /// The parts of the game before positions that were set up.
    earlier: Vec<ReadGame>,
    /// Places before turns that are lost. They stand if enough turns follow.
    suspended: Vec<Suspended>,
    /// The same game after other plays of the last turn that is lost.
    others: Vec<Recorder>,
}

/// A game that was read: in several parts if positions were set up or turns are missing.
pub(in crate::record) struct ReadParts {
    pub(in crate::record) earlier: Vec<ReadGame>,
    /// An error says why no part of the last part can be used.
    pub(in crate::record) last: Result<ReadGame, Complaint>,
    /// Those about a last part that cannot be used.
    pub(in crate::record) warnings: Vec<Complaint>,
}

struct Trouble {
    line: u64,
    reason: RecordErrorKind,
    /// Whether actions follow, so that it is not the last roll.
    followed: bool,
    /// Whether it needs no warning before a result.
    harmless: bool,
    /// Where the game may go on after a turn that is lost, if what follows fits.
    after: Vec<GameStart>,
}

impl GameReader {
    pub(in crate::record) fn new(recorder: Recorder, score: [u32; 2], line: u64) -> GameReader {
        GameReader {
            recorder,
            score,
            rolled: line,
            hidden: false,
            trouble: None,
            result: Words::default(),
            warnings: Vec::new(),
            warned: 0,
            earlier: Vec::new(),
            suspended: Vec::new(),
            others: Vec::new(),
        }
    }

    pub(in crate::record) const fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    pub(in crate::record) const fn header(&self) -> &GameHeader {
        self.recorder.header()
    }

    /// Adds a warning; after many of one game further ones say nothing new.
    pub(in crate::record) fn warn(&mut self, line: u64, reason: RecordErrorKind) {
        const MANY: usize = 100;
        if self.warned < MANY {
            self.warned += 1;
            self.warnings.push((line, reason));
        }
    }

    /// The score before the game, X's first.
    pub(in crate::record) const fn score(&self) -> [u32; 2] {
        self.score
    }

    /// Whether the board, a refused double or the words of a result have ended the game.
    pub(in crate::record) fn is_over(&self) -> bool {
        self.recorder.is_over() || self.result.wins.is_some() || self.result.loses.is_some()
    }

    /// Reads an action; after trouble it is skipped.
    pub(in crate::record) fn act(
        &mut self,
        line: u64,
        action: impl Fn(&mut Recorder) -> Result<(), RecordErrorKind>,
    ) {
        if self.trouble.is_some() {
            self.go_on_after_illegal(&action);
            return;
        }
        let ended = self.recorder.is_over() || self.result.wins.is_some();
        let over =
            |reason: &RecordErrorKind| matches!(reason, RecordErrorKind::Action(ActionError::Over));
        let done = if ended { Err(ActionError::Over.into()) } else { self.try_all(&action) };
        match done {
            Ok(()) => {}
            Err(reason) if over(&reason) => {
                if !self.warnings.iter().any(|(_, reason)| over(reason)) {
                    self.warn(line, reason);
                }
            }
            Err(reason @ RecordErrorKind::Unplayed(_)) => {
                let line = self.rolled;
                if let Err(reason) = self.go_on_after_unplayed(line, reason, &action) {
                    let (harmless, after) = (false, Vec::new());
                    self.trouble = Some(Trouble { line, reason, followed: true, harmless, after });
                }
            }
            Err(reason) => self.fail(line, reason),
        }
    }

    /// Stops reading at something that cannot be understood.
    pub(in crate::record) fn fail(&mut self, line: u64, reason: RecordErrorKind) {
        if self.recorder.is_over() || self.result.wins.is_some() {
            self.warn(line, reason);
        } else if let Some(trouble) = &mut self.trouble {
            trouble.followed = true;
        } else {
            self.trouble =
                Some(Trouble { line, reason, followed: false, harmless: false, after: Vec::new() });
        }
    }

    /// Reads a roll that is hidden together with its play.
    pub(in crate::record) fn hidden_roll(&mut self, line: u64) {
        let before = self.trouble.is_some() || self.recorder.is_over();
        self.fail(line, RecordErrorKind::HiddenRoll);
        if let (false, Some(trouble)) = (before, &mut self.trouble) {
            trouble.harmless = true;
        }
    }

    /// Reads a roll; `None` or an empty text for a play that is not written.
    pub(in crate::record) fn roll(
        &mut self,
        line: u64,
        player: Seat,
        dice: Dice,
        play: Option<&str>,
    ) {
        let before = self.rolled;
        self.act(line, |recorder| match play {
            Some(play) => recorder.written(player, dice, play),
            None => recorder.unplayed(player, dice),
        });
        if self.trouble.is_none() {
            (self.rolled, self.hidden) = (line, play.is_none());
        } else {
            self.rolled = before;
            self.note_illegal(player, dice, play.unwrap_or_default());
        }
    }

    /// Reads a double; a written value that does not fit is a warning.
    pub(in crate::record) fn double(
        &mut self,
        line: u64,
        player: Seat,
        value: Option<u32>,
        beaver: bool,
    ) {
        if let Some(value) = value
            && self.trouble.is_none()
            && !self.recorder.is_over()
        {
            self.recorder.infer_automatic_doubles(value);
            if let Err(reason) = self.recorder.check_cube_value(value) {
                self.warn(line, reason);
            }
        }
        self.act(line, |game| if beaver { game.beaver(player) } else { game.double(player) });
    }

    /// Reads `Wins n points`; of several such words the first counts.
    pub(in crate::record) fn wins(&mut self, line: u64, winner: Seat, points: Option<u32>) {
        self.result.wins.get_or_insert((winner, points, line));
    }

    /// Reads `Losses n points` or `Resigns`.
    pub(in crate::record) fn loses(&mut self, line: u64, loser: Seat, points: Option<u32>) {
        self.result.loses.get_or_insert((loser, points, line));
    }

    /// Goes on from a position that was set up.
    pub(in crate::record) fn set_up(&mut self, line: u64, start: GameStart) {
        self.settle();
        let same_cube = (start.cube, start.cube_owner)
            == (self.recorder.cube(), self.recorder.cube_owner())
            && !self.recorder.is_offered();
        let ended = self.is_over();
        let trouble = self.trouble.take();
        let (line_of, reason) = trouble.map_or((line, None), |t| (t.line, Some(t.reason)));
        (self.rolled, self.hidden) = (line, false);
        if self.recorder.turns() == 0 || (same_cube && !ended) {
            let begun = self.recorder.turns() > 0 && !self.recorder.is_after_gap();
            self.recorder.go_on_from(start);
            let reason = reason.or_else(|| begun.then_some(RecordErrorKind::SetUp));
            if let Some(reason) = reason {
                self.warn(line_of, RecordErrorKind::GoesOn(Box::new(reason)));
            }
            return;
        }
        let fresh = self.recorder.going_on_from(start);
        let before = std::mem::replace(&mut self.recorder, fresh);
        self.result = Words::default();
        let reason = RecordErrorKind::Split(Box::new(reason.unwrap_or(RecordErrorKind::SetUp)));
        let (cut, warnings) = (Some((line_of, reason)), std::mem::take(&mut self.warnings));
        self.earlier.push(ReadGame { game: before.finish(), cut, warnings });
    }

    /// Ends the game. `next` is the score of the next game of the match.
    pub(in crate::record) fn finish(mut self, next: Option<[u32; 2]>) -> ReadParts {
        self.settle();
        let mut cut = None;
        match self.trouble.take() {
            Some(trouble) if trouble.followed => {
                // The words may show the winner in spite of what is lost.
                self.end(next);
                cut = Some((trouble.line, trouble.reason));
            }
            trouble => {
                let ended = self.end(next);
                match (trouble, ended) {
                    (None, _) => {}
                    (Some(trouble), true) if trouble.harmless => {}
                    (Some(trouble), true) => self.warn(trouble.line, trouble.reason),
                    (Some(trouble), false) => cut = Some((trouble.line, trouble.reason)),
                }
            }
        }
        if let (0, Some(cut)) = (self.recorder.turns(), cut.take_if(|_| self.recorder.turns() == 0))
        {
            return ReadParts { earlier: self.earlier, last: Err(cut), warnings: self.warnings };
        }
        let last = Ok(ReadGame { game: self.recorder.finish(), cut, warnings: self.warnings });
        ReadParts { earlier: self.earlier, last, warnings: Vec::new() }
    }

    /// The board before the next roll, seen by the player who must act.
    pub(in crate::record) const fn position(&self) -> &Position {
        self.recorder.position()
    }
}
