//! Other people's matches, written down while they are played.

use fibs::message::Message;

use super::convert::{seat, session_of};
use crate::backgammon::record::{GameHeader, RecordedGame, Recorder};
use crate::backgammon::{Dice, FibsBoard, Position, Side};

/// Follows the boards of a player who is watched, and keeps every turn that follows from the one before.
#[derive(Default)]
pub struct Watcher {
    whom: String,
    game: Option<Recorder>,
    last: Option<WatchedState>,
    finished: Vec<RecordedGame>,
    /// Boards that did not follow from the one before.
    pub missed: u32,
}

struct WatchedState {
    position: Position,
    own: bool,
    dice: Option<Dice>,
}

impl Watcher {
    /// Watches a player of this name.
    #[must_use]
    pub fn new(whom: &str) -> Watcher {
        Watcher { whom: whom.to_owned(), ..Watcher::default() }
    }

    /// Games that have ended, or of which the rest was missed, since the last call.
    pub fn take(&mut self) -> Vec<RecordedGame> {
        std::mem::take(&mut self.finished)
    }

    /// The game that is being played ends here for us.
    pub fn stop(&mut self) {
        self.last = None;
        if let Some(game) = self.game.take() {
            let game = game.finish();
            if game.turns().next().is_some() {
                self.finished.push(game);
            }
        }
    }

    /// A message arrived.
    pub fn message(&mut self, message: &Message) {
        match message {
            Message::Board(board) if board.player == self.whom => self.board(board),
            Message::Rolls { name, dice } => {
                let own = *name == self.whom;
                if let Some(last) = self.last.as_mut().filter(|last| last.own == own) {
                    last.dice = last.dice.or(Some(*dice));
                }
            }
            Message::Moves { name, steps } => self.last_play(*name == self.whom, steps),
            Message::CannotMove { name } => {
                let own = *name == self.whom;
                if let Some(last) = self.last.as_ref().filter(|last| last.own == own) {
                    let after = last.position.flipped();
                    self.played(after);
                }
            }
            Message::Doubles { name } => {
                let own = *name == self.whom;
                self.cube(|game| game.double(seat(own)).is_ok());
            }
            Message::Takes { name } => {
                let own = *name == self.whom;
                self.cube(|game| game.take(seat(own)).is_ok());
            }
            Message::Drops { name, .. } => {
                let own = *name == self.whom;
                self.cube(|game| game.drop(seat(own)).is_ok());
                self.stop();
            }
            Message::WinsGame { .. } | Message::Accepts { .. } => self.stop(),
            _ => {}
        }
    }

    fn cube(&mut self, done: impl FnOnce(&mut Recorder) -> bool) {
        if let Some(game) = &mut self.game
            && !done(game)
        {
            self.stop();
        }
    }

    /// A sentence about a play, whose board may not follow if it was the last one.
    fn last_play(&mut self, own: bool, steps: &str) {
        let Some(last) = self.last.as_ref().filter(|last| last.own == own) else { return };
        let left = last.position.own_left();
        let off = steps
            .split_whitespace()
            .filter(|step| step.ends_with("off") || step.ends_with("-o"))
            .count();
        let Some(dice) = last.dice else { return };
        if off != usize::from(left) {
            return;
        }
        let all_off = crate::backgammon::candidates(&last.position, dice)
            .into_iter()
            .find(|candidate| candidate.after.opponent_left() == 0);
        if let Some(candidate) = all_off {
            self.played(candidate.after);
        }
    }

    fn played(&mut self, after: Position) {
        let Some(last) = self.last.take() else { return };
        let done = match (&mut self.game, last.dice) {
            (Some(game), Some(dice)) => game.turn(seat(last.own), dice, &after).is_ok(),
            _ => false,
        };
        if done {
            self.last = Some(WatchedState { position: after, own: !last.own, dice: None });
        } else {
            self.missed += 1;
            self.stop();
        }
    }

    fn board(&mut self, board: &FibsBoard) {
        let own = match board.on_roll() {
            None => return,
            Some(side) => side == Side::Own,
        };
        if board.is_doubled() {
            return;
        }
        let now = if own { board.position } else { board.position.flipped() };
        let rolled = board.rolled();
        if now == Position::START && self.last.as_ref().is_none_or(|last| last.position != now) {
            self.stop();
            let names = [board.player.clone(), board.opponent.clone()];
            self.game =
                session_of(board).map(|session| Recorder::new(GameHeader { names, session }));
        }
        if let Some(last) = &self.last
            && (last.position != now || last.own != own)
        {
            self.played(now);
        }
        let known = self.last.as_ref().and_then(|last| last.dice);
        self.last = Some(WatchedState { position: now, own, dice: rolled.or(known) });
    }
}
