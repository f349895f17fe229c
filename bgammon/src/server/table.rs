//! A table: the match that is played there, and who sits at it.

use std::time::Duration;

use backgammon::{GameState, Position, Scoring, Seat, Turn};

use super::ClientId;

/// A table with a match; X is player 1.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) id: u64,
    pub(super) length: u16,
    pub(super) title: String,
    pub(super) clients: [Option<ClientId>; 2],
    pub(super) names: [String; 2],
    /// Who sits down again at the next login.
    pub(super) rejoins: [bool; 2],
    /// The first die was rolled: no other player may sit down.
    pub(super) begun: bool,
    /// When a player left last.
    pub(super) left_at: Duration,
    pub(super) game: GameState,
    /// The opening roll is not complete.
    pub(super) opening: bool,
    /// The dice of the opening roll.
    pub(super) die: [u8; 2],
    /// Single moves of this turn, as the player on roll counts.
    pub(super) moves: Vec<(u8, u8)>,
    pub(super) points: [u32; 2],
    pub(super) winner: Option<Seat>,
    /// Who wants another match.
    pub(super) rematch: Option<Seat>,
}

fn first_game(length: u16) -> GameState {
    GameState::start(Scoring::of_match(length, 0, 0, false).expect("1 to 127 points"))
}

impl Table {
    pub(super) fn new(id: u64, length: u16, title: String, now: Duration) -> Table {
        Table {
            id,
            length,
            title,
            clients: [None; 2],
            names: [String::new(), String::new()],
            rejoins: [false; 2],
            begun: false,
            left_at: now,
            game: first_game(length),
            opening: true,
            die: [0; 2],
            moves: Vec::new(),
            points: [0; 2],
            winner: None,
            rematch: None,
        }
    }

    /// Another match of the same players.
    pub(super) fn again(&mut self) {
        (self.begun, self.rematch, self.points) = (false, None, [0; 2]);
        self.next_game(first_game(self.length));
    }

    pub(super) fn next_game(&mut self, game: GameState) {
        (self.game, self.opening, self.die) = (game, true, [0; 2]);
        (self.moves, self.winner) = (Vec::new(), None);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.clients.iter().all(Option::is_none)
    }

    /// Whether the match is over.
    pub(super) fn is_over(&self) -> bool {
        self.points.iter().any(|points| *points >= u32::from(self.length))
    }

    pub(super) fn is_offered(&self) -> bool {
        self.winner.is_none() && matches!(self.game.state.turn, Turn::Offered(_))
    }

    pub(super) fn seat_of(&self, id: ClientId) -> Option<Seat> {
        [Seat::X, Seat::O].into_iter().find(|seat| self.clients[seat.index()] == Some(id))
    }

    /// The dice, 0 if not rolled.
    pub(super) fn rolls(&self) -> [u8; 2] {
        match self.game.dice() {
            _ if self.opening => self.die,
            Some(dice) => [dice.high(), dice.low()],
            None => [0; 2],
        }
    }

    /// The checkers after the moves of this turn, seen by a player.
    pub(super) fn seen_by(&self, viewer: Seat) -> Position {
        // Seen by the other player.
        let moved =
            self.game.dice().and_then(|dice| self.game.position.after_steps(dice, &self.moves));
        match moved.filter(|_| !self.moves.is_empty()) {
            Some(after) if viewer == self.game.state.on_roll => after.flipped(),
            Some(after) => after,
            None => self.game.seen_by(viewer),
        }
    }
}
