//! Turns that are missing in a record, a roll without its play in mid-game or a whole turn, and
//! illegal plays.
//!
//! Typists leave out what a player could not do. Where the rules say that they could, the play is
//! unknown, and no legal game can hold it. If the turns after it fit the unchanged board, the game
//! is read in two parts, each of them legal. So it is after an illegal play whose checker moves can
//! be made.

use super::{GameReader, ReadGame, Trouble};
use crate::record::error::RecordErrorKind;
use crate::record::game::GameStart;
use crate::record::recorder::Recorder;
use crate::{PlayError, Seat};

/// The game up to a turn that is missing.
pub(super) struct Suspended {
    recorder: Recorder,
    line: u64,
    reason: RecordErrorKind,
}

/// The turns and cube actions that must fit after a turn that is missing: the opponent's and the
/// player's own.
const ENOUGH: usize = 2;

impl GameReader {
    /// Reads an action of the player who is not on roll: the opponent's turn before it is missing,
    /// or was not possible.
    pub(in crate::record) fn act_after_missing_turn(
        &mut self,
        line: u64,
        action: impl Fn(&mut Recorder) -> Result<(), RecordErrorKind>,
    ) {
        // Two such turns in a row are no oversight: the columns mean something else.
        let in_a_row = !self.suspended.is_empty() && self.recorder.turns() < ENOUGH;
        let ready = self.trouble.is_none() && !self.is_over();
        let expected = self.recorder.to_act().map(|player| self.recorder.name(player));
        let Some(name) = expected.filter(|_| ready) else { return self.act(line, action) };
        let reason = RecordErrorKind::OutOfTurn(name.clone());
        if in_a_row || !self.pass_over(line, reason, &action) {
            self.fail(line, RecordErrorKind::OutOfTurn(name));
        }
    }

    /// The player who must act next, after an illegal play too.
    pub(in crate::record) fn to_act(&self) -> Option<Seat> {
        match &self.trouble {
            Some(Trouble { after: Some(after), .. }) => after.on_roll,
            _ => self.recorder.to_act(),
        }
    }

    /// Keeps the board after an illegal play, which is the last thing that was read.
    pub(super) fn note_illegal(&mut self, player: Seat, play: &str) {
        let Some(trouble) = self.trouble.as_mut().filter(|trouble| !trouble.followed) else {
            return;
        };
        if matches!(trouble.reason, RecordErrorKind::Play(PlayError::Illegal { .. })) {
            let (cube, cube_owner) = (self.recorder.cube(), self.recorder.cube_owner());
            let on_roll = Some(player.other());
            trouble.after = self
                .recorder
                .position()
                .after_illegal(play)
                .map(|position| GameStart { position, on_roll, cube, cube_owner });
        }
    }

    /// Reads the action after an illegal play from the board after it, if the action fits there.
    pub(super) fn go_on_after_illegal(
        &mut self,
        action: &impl Fn(&mut Recorder) -> Result<(), RecordErrorKind>,
    ) {
        let Some(trouble) = &mut self.trouble else { return };
        trouble.followed = true;
        let Some(start) = trouble.after.take() else { return };
        let mut after = self.recorder.going_on_from(start);
        if action(&mut after).is_ok()
            && let Some(Trouble { line, reason, .. }) = self.trouble.take()
        {
            self.suspend(after, line, reason);
        }
    }

    fn suspend(&mut self, after: Recorder, line: u64, reason: RecordErrorKind) {
        let mut recorder = std::mem::replace(&mut self.recorder, after);
        recorder.forget_results();
        self.suspended.push(Suspended { recorder, line, reason });
    }

    /// Whether an action breaks no rule.
    pub(in crate::record) fn allows(
        &self,
        action: impl Fn(&mut Recorder) -> Result<(), RecordErrorKind>,
    ) -> bool {
        action(&mut self.recorder.clone()).is_ok()
    }

    /// Goes on with the opponent after a turn that is missing, and reads an action; `false`, and
    /// nothing changes, if it does not fit.
    pub(super) fn pass_over(
        &mut self,
        line: u64,
        reason: RecordErrorKind,
        action: &impl Fn(&mut Recorder) -> Result<(), RecordErrorKind>,
    ) -> bool {
        let Some(mut after) = self.recorder.after_missing_turn() else { return false };
        if action(&mut after).is_err() {
            return false;
        }
        self.suspend(after, line, reason);
        true
    }

    /// Decides about the turns that are missing: if too few turns follow the first of them, the
    /// game ends there.
    pub(super) fn settle(&mut self) {
        let later: usize =
            self.suspended.iter().skip(1).map(|part| part.recorder.events().len()).sum();
        let stands = later + self.recorder.events().len() >= ENOUGH;
        let end_at = if stands { self.suspended.len() } else { 0 };
        let unusable = self.recorder.turns() == 0 && self.trouble.is_some();
        let end_at = if unusable { end_at.saturating_sub(1) } else { end_at };
        let mut dropped = self.suspended.drain(end_at..);
        if let Some(Suspended { recorder, line, reason }) = dropped.next() {
            self.recorder = recorder;
            self.trouble =
                Some(Trouble { line, reason, followed: true, harmless: false, after: None });
        }
        drop(dropped);
        for Suspended { recorder, line, reason } in self.suspended.drain(..) {
            let reason = RecordErrorKind::Split(Box::new(reason));
            if recorder.turns() > 0 {
                self.earlier.push(ReadGame { game: recorder.finish(), cut: Some((line, reason)) });
            } else {
                self.warnings.push((line, reason));
            }
        }
    }
}
