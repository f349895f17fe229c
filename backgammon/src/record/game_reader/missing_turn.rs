//! Turns that are lost: turns that are missing in a record, and turns that break the rules.
//!
//! Either a whole turn is missing, or a roll in mid-game lacks its play. Typists leave out what a
//! player could not do. Where the rules say that the player could do it, the play is unknown. If
//! the turns after it fit the unchanged board, the game goes on there.
//!
//! After an illegal play the game goes on from the board that its moves make. If the next turns do
//! not fit there, it goes on from the legal play of the roll that they fit.

use super::{GameReader, Trouble};
use crate::record::error::RecordErrorKind;
use crate::record::game::GameStart;
use crate::record::recorder::{Mark, Recorder};
use crate::{ActionError, Dice, Next, Position, Seat};

/// The place before a turn that is lost.
pub(super) struct Suspended {
    mark: Mark,
    line: u64,
    reason: RecordErrorKind,
}

/// The turns and cube actions that must fit after a turn that is lost: the opponent's and the
/// player's own.
const ENOUGH: usize = 2;
/// The turns and cube actions that may show which play a lost turn had.
const MOST_TRIED: usize = 8;
/// Lost turns of a game; after more of them it is no record of a game.
const MOST_LOST: usize = 20;

impl GameReader {
    /// Reads an action of the player who is not on roll: the opponent's turn before it is missing,
    /// or was not possible.
    pub(in crate::record) fn act_after_missing_turn(
        &mut self,
        line: u64,
        action: impl Fn(&mut Recorder) -> Result<(), RecordErrorKind>,
    ) {
        // Two such turns in a row are no oversight: the columns mean something else.
        let since = |last: &Suspended| self.recorder.turns() < last.mark.turns + ENOUGH;
        let in_a_row = self.suspended.last().is_some_and(since);
        let ready = self.trouble.is_none() && !self.is_over();
        let expected = self.recorder.to_act().map(|player| self.recorder.name(player));
        let Some(name) = expected.filter(|_| ready) else { return self.act(line, action) };
        let reason = RecordErrorKind::OutOfTurn(name.clone());
        let boards = self.recorder.after_missing_turn().into_iter().collect();
        if in_a_row || self.go_on_from_one(boards, line, reason, &action).is_err() {
            self.fail(line, RecordErrorKind::OutOfTurn(name));
        }
    }

    /// The player who must act next, after an illegal play too.
    pub(in crate::record) fn to_act(&self) -> Option<Seat> {
        match &self.trouble {
            Some(Trouble { after, .. }) if !after.is_empty() => after[0].on_roll,
            _ => self.recorder.to_act(),
        }
    }

    /// Keeps the boards on which the game may go on after a wrong play.
    ///
    /// That play is the last thing that was read. The boards are the one that its moves make, and
    /// those of the legal plays of the roll.
    pub(super) fn note_illegal(&mut self, player: Seat, dice: Dice, play: &str) {
        use RecordErrorKind::{Action, Play};
        let Some(trouble) = self.trouble.as_mut().filter(|trouble| !trouble.followed) else {
            return;
        };
        if !matches!(trouble.reason, Play(_) | Action(ActionError::OpeningDouble(_))) {
            return;
        }
        let recorder = &mut self.recorder;
        let mut boards: Vec<Position> = recorder.after_illegal(player, play).into_iter().collect();
        boards.extend(recorder.boards_after(player, dice));
        let running = boards.into_iter().filter(|board| board.outcome().is_none());
        trouble.after = running.map(|board| recorder.start_at(board, player.other())).collect();
    }

    /// Stops reading at a turn of `player` of which not even the roll can be understood.
    pub(in crate::record) fn fail_turn(
        &mut self,
        line: u64,
        player: Seat,
        reason: RecordErrorKind,
    ) {
        let fine = self.trouble.is_none();
        self.fail(line, reason);
        if let Some(trouble) = self.trouble.as_mut().filter(|_| fine) {
            let board = self.recorder.state().begun_by(player).position.flipped();
            trouble.after = vec![self.recorder.start_at(board, player.other())];
        }
    }

    /// Reads an action, on the boards after all plays that a lost turn may have had.
    pub(super) fn try_all(
        &mut self,
        action: &impl Fn(&mut Recorder) -> Result<(), RecordErrorKind>,
    ) -> Result<(), RecordErrorKind> {
        if self.others.iter().any(|other| other.events().len() >= MOST_TRIED) {
            self.others.clear();
        }
        self.others.retain_mut(|other| action(other).is_ok());
        let done = action(&mut self.recorder);
        if done.is_err() && !self.others.is_empty() {
            let other = self.others.remove(0);
            if let Some(last) = self.suspended.last_mut() {
                self.recorder.back_to(last.mark.clone());
                self.recorder.go_on_with(other);
                return Ok(());
            }
        }
        done
    }

    /// Reads the action after a turn that is lost, from a board on which it fits.
    pub(super) fn go_on_after_illegal(
        &mut self,
        action: &impl Fn(&mut Recorder) -> Result<(), RecordErrorKind>,
    ) {
        let Some(trouble) = &mut self.trouble else { return };
        trouble.followed = true;
        let after = std::mem::take(&mut trouble.after);
        let Some(Trouble { line, reason, .. }) = self.trouble.take() else { return };
        if let Err(reason) = self.go_on_from_one(after, line, reason, action) {
            let (harmless, after) = (false, Vec::new());
            self.trouble = Some(Trouble { line, reason, followed: true, harmless, after });
        }
    }

    /// Reads an action after a turn that is lost, on the first board on which it fits.
    ///
    /// The other boards on which it fits are kept, for the case that a later action does not fit.
    /// If it fits on no board, the error is `reason`.
    fn go_on_from_one(
        &mut self,
        boards: Vec<GameStart>,
        line: u64,
        reason: RecordErrorKind,
        action: &impl Fn(&mut Recorder) -> Result<(), RecordErrorKind>,
    ) -> Result<(), RecordErrorKind> {
        if self.suspended.len() == MOST_LOST {
            return Err(reason);
        }
        let fitting = boards.into_iter().filter_map(|start| {
            let mut after = self.recorder.going_on_from(start);
            action(&mut after).ok()?;
            Some(after)
        });
        let mut fitting: Vec<Recorder> = fitting.collect();
        if fitting.is_empty() {
            return Err(reason);
        }
        self.suspended.push(Suspended { mark: self.recorder.mark(), line, reason });
        self.recorder.go_on_with(fitting.remove(0));
        self.others = fitting;
        Ok(())
    }

    /// Reads an action after a roll that lacks its play.
    ///
    /// The game goes on from the unchanged board, unless the play is hidden, or from the board
    /// after a legal play.
    pub(super) fn go_on_after_unplayed(
        &mut self,
        line: u64,
        reason: RecordErrorKind,
        action: &impl Fn(&mut Recorder) -> Result<(), RecordErrorKind>,
    ) -> Result<(), RecordErrorKind> {
        let mut boards = Vec::new();
        if let Next::Play(player, dice) = self.recorder.state().next() {
            boards.extend(self.recorder.after_missing_turn().filter(|_| !self.hidden));
            let legal = self.recorder.boards_after(player, dice);
            let running = legal.into_iter().filter(|board| board.outcome().is_none());
            boards.extend(running.map(|board| self.recorder.start_at(board, player.other())));
        }
        self.go_on_from_one(boards, line, reason, action)
    }

    /// Whether an action breaks no rule.
    pub(in crate::record) fn allows(
        &mut self,
        action: impl Fn(&mut Recorder) -> Result<(), RecordErrorKind>,
    ) -> bool {
        let mark = self.recorder.mark();
        let allowed = action(&mut self.recorder).is_ok();
        self.recorder.back_to(mark);
        allowed
    }

    /// Decides about the turns that are lost: if too few turns follow the first of them, the game
    /// ends there. If its end follows, one is enough.
    pub(super) fn settle(&mut self) {
        self.others.clear();
        let mut suspended = std::mem::take(&mut self.suspended).into_iter();
        let Some(first) = suspended.next() else { return };
        let later = self.recorder.events().len() - first.mark.events;
        let enough = if self.is_over() { 1 } else { ENOUGH };
        if later < enough {
            let Suspended { mark, line, reason } = first;
            self.recorder.back_to(mark);
            self.trouble =
                Some(Trouble { line, reason, followed: true, harmless: false, after: Vec::new() });
            return;
        }
        for Suspended { line, reason, .. } in std::iter::once(first).chain(suspended) {
            self.warn(line, RecordErrorKind::GoesOn(Box::new(reason)));
        }
    }
}
