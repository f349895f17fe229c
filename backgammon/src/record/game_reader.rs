//! [`GameReader`]: one game of a text, whose writer may have made mistakes, replayed through the rules.
//!
//! The winner and the points follow from the board; if it does not show them, from a refused double; then from the words of
//! the result; then from the score of the next game. What cannot be read on the last roll before a result is no error: the
//! player resigned while moving.

use super::error::RecordErrorKind;
use super::game::{GameHeader, GameStart, RecordedGame};
use super::recorder::Recorder;
use crate::{Dice, Position, Seat};

/// A place in a text and what is wrong there.
pub(super) type Complaint = (u64, RecordErrorKind);

/// A game as far as it could be read.
#[derive(Debug)]
pub(super) struct ReadGame {
    pub(super) game: RecordedGame,
    /// Why the rest of the game is missing.
    pub(super) cut: Option<Complaint>,
}

/// One game while it is read.
pub(super) struct GameReader {
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
    warnings: Vec<Complaint>,
}

struct Trouble {
    line: u64,
    reason: RecordErrorKind,
    /// Whether actions follow, so that it is not the last roll.
    followed: bool,
    /// Whether it needs no warning before a result.
    harmless: bool,
}

/// The words of the result.
#[derive(Default)]
struct Words {
    /// Winner, points and line of `Wins n points`.
    wins: Option<(Seat, Option<u32>, u64)>,
    /// Loser, points and line of `Losses n points`, `Resigns` and the like.
    loses: Option<(Seat, Option<u32>, u64)>,
}

impl GameReader {
    pub(super) fn new(recorder: Recorder, score: [u32; 2], line: u64) -> GameReader {
        let (result, warnings) = (Words::default(), Vec::new());
        GameReader { recorder, score, rolled: line, hidden: false, trouble: None, result, warnings }
    }

    pub(super) const fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    pub(super) const fn header(&self) -> &GameHeader {
        self.recorder.header()
    }

    pub(super) fn warn(&mut self, line: u64, reason: RecordErrorKind) {
        self.warnings.push((line, reason));
    }

    /// Reads an action; after trouble it is skipped.
    pub(super) fn act(
        &mut self,
        line: u64,
        action: impl FnOnce(&mut Recorder) -> Result<(), RecordErrorKind>,
    ) {
        if let Some(trouble) = &mut self.trouble {
            trouble.followed = true;
            return;
        }
        let ended = self.recorder.is_over() || self.result.wins.is_some();
        let done = if ended { Err(RecordErrorKind::Over) } else { action(&mut self.recorder) };
        match done {
            Ok(()) => {}
            Err(RecordErrorKind::Over) => {
                if !self.warnings.iter().any(|(_, reason)| matches!(reason, RecordErrorKind::Over))
                {
                    self.warn(line, RecordErrorKind::Over);
                }
            }
            Err(reason @ RecordErrorKind::Unplayed(_)) => {
                self.trouble =
                    Some(Trouble { line: self.rolled, reason, followed: true, harmless: false });
            }
            Err(reason) => self.fail(line, reason),
        }
    }

    /// Stops reading at something that cannot be understood.
    pub(super) fn fail(&mut self, line: u64, reason: RecordErrorKind) {
        if self.recorder.is_over() || self.result.wins.is_some() {
            self.warn(line, reason);
        } else if let Some(trouble) = &mut self.trouble {
            trouble.followed = true;
        } else {
            self.trouble = Some(Trouble { line, reason, followed: false, harmless: false });
        }
    }

    /// Reads a roll that is hidden together with its play.
    pub(super) fn hidden_roll(&mut self, line: u64) {
        let before = self.trouble.is_some() || self.recorder.is_over();
        self.fail(line, RecordErrorKind::HiddenRoll);
        if let (false, Some(trouble)) = (before, &mut self.trouble) {
            trouble.harmless = true;
        }
    }

    /// Reads a roll; `None` or an empty text for a play that is not written.
    pub(super) fn roll(&mut self, line: u64, player: Seat, dice: Dice, play: Option<&str>) {
        let before = self.rolled;
        self.act(line, |recorder| match play {
            Some(play) => recorder.written(player, dice, play),
            None => recorder.unplayed(player, dice),
        });
        if self.trouble.is_none() {
            (self.rolled, self.hidden) = (line, play.is_none());
        } else {
            self.rolled = before;
        }
    }

    /// Reads a double; a written value that does not fit is a warning.
    pub(super) fn double(&mut self, line: u64, player: Seat, value: Option<u32>, beaver: bool) {
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
    pub(super) fn wins(&mut self, line: u64, winner: Seat, points: Option<u32>) {
        self.result.wins.get_or_insert((winner, points, line));
    }

    /// Reads `Losses n points` or `Resigns`.
    pub(super) fn loses(&mut self, line: u64, loser: Seat, points: Option<u32>) {
        self.result.loses.get_or_insert((loser, points, line));
    }

    /// Goes on from a position that was set up. Returns the game before it, if it has a turn.
    pub(super) fn set_up(
        &mut self,
        line: u64,
        start: GameStart,
    ) -> Option<(ReadGame, Vec<Complaint>)> {
        let fresh = Recorder::from_start(self.header().clone(), start);
        let mut next = GameReader::new(fresh, self.score, line);
        std::mem::swap(self, &mut next);
        let before = next;
        if before.recorder.turns() == 0 {
            self.warnings = before.warnings;
            return None;
        }
        let cut = before.trouble.map_or((line, RecordErrorKind::SetUp), |t| (t.line, t.reason));
        Some((ReadGame { game: before.recorder.finish(), cut: Some(cut) }, before.warnings))
    }

    /// Ends the game. `next` is the score of the next game of the match. An error says why no part of the game can be used.
    pub(super) fn finish(
        mut self,
        next: Option<[u32; 2]>,
    ) -> (Result<ReadGame, Complaint>, Vec<Complaint>) {
        let mut cut = None;
        match self.trouble.take() {
            Some(trouble) if trouble.followed => cut = Some((trouble.line, trouble.reason)),
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
            return (Err(cut), self.warnings);
        }
        (Ok(ReadGame { game: self.recorder.finish(), cut }), self.warnings)
    }

    /// Finds out how the game ended; `false` if nothing shows it.
    fn end(&mut self, next: Option<[u32; 2]>) -> bool {
        let stated = self.stated(next);
        // A roll that takes the last checkers off is often written without its play.
        if let Some(roller) = self.recorder.unplayed_by()
            && let Some((winner, _, _)) = stated
            && (winner == roller || (!self.hidden && next.is_none()))
        {
            self.recorder.bear_off_unplayed();
        }
        let Some((winner, points, line)) = stated else { return self.recorder.is_over() };
        if self.recorder.is_over() {
            // A column does not show the winner of a game that the board has decided.
            let shown = self.result.wins.is_none_or(|(by_column, _, _)| by_column != winner);
            let winner = shown.then_some(winner);
            if let Err(reason) = self.recorder.check_result(winner, points) {
                self.warn(line, reason);
            }
            return true;
        }
        if let Some(doubler) = self.recorder.offered_by() {
            let done = if winner == doubler {
                self.recorder
                    .drop(doubler.other())
                    .and_then(|()| self.recorder.check_result(Some(winner), points))
            } else {
                Err(RecordErrorKind::Cube(
                    "missing answer to a double: expected take, drop or beaver",
                ))
            };
            if let Err(reason) = done {
                self.warn(line, reason);
            }
            return self.recorder.is_over();
        }
        let mut points = points.unwrap_or_else(|| self.recorder.cube());
        if points > 3 * self.recorder.cube() {
            // Some servers write such a number if a player left the match.
            let played = format!("at most 3 times the cube value {}", self.recorder.cube());
            let stated = format!("{points} points for {}", self.recorder.name(winner));
            self.warn(line, RecordErrorKind::Result { stated, played });
            let most = 3 * self.recorder.cube();
            let gained = self.gained(next).filter(|(player, _)| *player == winner);
            let needed = self.recorder.needs(winner).unwrap_or(self.recorder.cube());
            points = gained.map_or(needed, |(_, points)| points).min(most);
            // Its own points are no news after this warning.
            let _ = self.recorder.resign_points(winner, points);
        } else if let Err(reason) = self.recorder.resign_points(winner, points) {
            self.warn(line, reason);
        }
        true
    }

    /// Winner, points and line of the result, by its words and by the next score.
    fn stated(&self, next: Option<[u32; 2]>) -> Option<(Seat, Option<u32>, u64)> {
        let gained = self.gained(next);
        let words = self.result.wins.or_else(|| {
            self.result.loses.map(|(loser, points, line)| (loser.other(), points, line))
        });
        match (words, gained) {
            // The column of the words may be shifted; the next score is not.
            (Some((winner, points, line)), Some((gainer, gain)))
                if winner != gainer && points.is_none_or(|points| points == gain) =>
            {
                Some((gainer, points.or(Some(gain)), line))
            }
            (Some((winner, None, line)), Some((gainer, gain))) if winner == gainer => {
                Some((winner, Some(gain), line))
            }
            (Some(words), _) => Some(words),
            (None, Some((gainer, gain))) => Some((gainer, Some(gain), self.rolled)),
            (None, None) => None,
        }
    }

    /// The player whose score has grown alone, and by how much.
    fn gained(&self, next: Option<[u32; 2]>) -> Option<(Seat, u32)> {
        let [x, o] = next?;
        match (x.checked_sub(self.score[0])?, o.checked_sub(self.score[1])?) {
            (gain @ 1.., 0) => Some((Seat::X, gain)),
            (0, gain @ 1..) => Some((Seat::O, gain)),
            _ => None,
        }
    }

    /// The board before the next roll, seen by the player who must act.
    pub(super) const fn position(&self) -> &Position {
        self.recorder.position()
    }
}
