//! Records the games of a player who is watched, from the boards and sentences that the server sends to watchers.

use fibs::message::Message;

use super::fibs_to_engine::{scoring_of, seat};
use crate::backgammon::record::{GameHeader, RecordedGame, Recorder};
use crate::backgammon::{Dice, FibsBoard, Position, Side};

/// Follows the boards of a player who is watched, and records every turn that follows from the position before it.
#[derive(Default)]
pub struct Watcher {
    /// The player who is watched.
    name: String,
    game: Option<Recorder>,
    last: Option<WatchedState>,
    finished: Vec<RecordedGame>,
    /// Boards that did not follow from the one before: a turn was missed, and its game ends there.
    pub missed: u32,
}

/// The position before the next play.
struct WatchedState {
    /// Seen by the player on roll.
    position: Position,
    /// Whether the watched player is on roll.
    own: bool,
    dice: Option<Dice>,
}

impl Watcher {
    /// Watches the player `name`.
    #[must_use]
    pub fn new(name: &str) -> Watcher {
        Watcher { name: name.to_owned(), ..Watcher::default() }
    }

    /// Games that have ended since the last call, or that could not be followed to their end.
    pub fn take_games(&mut self) -> Vec<RecordedGame> {
        std::mem::take(&mut self.finished)
    }

    /// Ends the record of the game in progress.
    pub fn stop(&mut self) {
        self.last = None;
        if let Some(game) = self.game.take() {
            let game = game.finish();
            if game.turns().next().is_some() {
                self.finished.push(game);
            }
        }
    }

    /// Processes a message of the server.
    pub fn handle(&mut self, message: &Message) {
        match message {
            Message::Board(board) if board.player == self.name => self.board(board),
            Message::Rolls { name, dice } => {
                let own = *name == self.name;
                if let Some(last) = self.last.as_mut().filter(|last| last.own == own) {
                    last.dice = last.dice.or(Some(*dice));
                }
            }
            Message::Moves { name, steps } => self.last_play(*name == self.name, steps),
            Message::CannotMove { name } => {
                let own = *name == self.name;
                if let Some(last) = self.last.as_ref().filter(|last| last.own == own) {
                    let after = last.position.flipped();
                    self.played(after);
                }
            }
            Message::Doubles { name } => {
                let own = *name == self.name;
                self.cube_action(|game| game.double(seat(own)).is_ok());
            }
            Message::Takes { name } => {
                let own = *name == self.name;
                self.cube_action(|game| game.take(seat(own)).is_ok());
            }
            Message::Drops { name, .. } => {
                let own = *name == self.name;
                self.cube_action(|game| game.drop(seat(own)).is_ok());
                self.stop();
            }
            Message::WinsGame { .. } | Message::Accepts { .. } => self.stop(),
            _ => {}
        }
    }

    /// Records a cube action; one that is illegal means that something was missed, and ends the record.
    fn cube_action(&mut self, record: impl FnOnce(&mut Recorder) -> bool) {
        if let Some(game) = &mut self.game
            && !record(game)
        {
            self.stop();
        }
    }

    /// Records a play that bears off the last checkers: no board follows it. Other plays are recorded from their boards.
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

    /// Records the play that leads to `after`, seen by the player on roll then.
    fn played(&mut self, after: Position) {
        let Some(last) = self.last.take() else { return };
        let recorded = match (&mut self.game, last.dice) {
            (Some(game), Some(dice)) => game.turn(seat(last.own), dice, &after).is_ok(),
            _ => false,
        };
        if recorded {
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
            // With an impossible score there is no record, and the first turn counts as missed.
            self.game =
                scoring_of(board).ok().map(|scoring| Recorder::new(GameHeader { names, scoring }));
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
