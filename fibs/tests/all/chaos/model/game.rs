//! The match and its game, seen by the client.

use backgammon::{Dice, Position};

/// A double or a resignation that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offer {
    None,
    /// By the client, or by bob.
    Double {
        own: bool,
    },
    Resignation {
        own: bool,
        points: u32,
    },
}

/// The game on the table, seen by the client.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) position: Position,
    /// Whether the client is on roll; `None` between two games.
    pub(super) own_turn: Option<bool>,
    pub(super) dice: Option<Dice>,
    pub(super) cube: u32,
    /// The owner of the cube: the client, bob, or neither.
    pub(super) owner: Option<bool>,
    pub(super) offer: Offer,
    pub(super) turns: u32,
    /// Who has joined the next game: the client, bob.
    pub(super) joined: [bool; 2],
}

/// A match, played or saved.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) score: [u32; 2],
    pub(super) crawford_played: bool,
    pub(super) game: Game,
}

impl Table {
    pub(super) fn new() -> Table {
        Table { score: [0, 0], crawford_played: false, game: Game::new() }
    }
}

impl Game {
    pub(super) fn new() -> Game {
        Game {
            position: Position::START,
            own_turn: None,
            dice: None,
            cube: 1,
            owner: None,
            offer: Offer::None,
            turns: 0,
            joined: [false; 2],
        }
    }
}
