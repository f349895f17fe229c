//! Who decides: the one trait that a user of this crate implements.

use std::time::Duration;

use backgammon::{CHECKERS, Candidate, Dice, FibsBoard, FibsBoardError, Position, Stake};

use crate::message::{Chat, Length, WhoLine};

/// A roll to be played.
#[derive(Clone, Copy, Debug)]
pub struct TurnContext<'a> {
    /// The board as the server sent it.
    pub board: &'a FibsBoard,
    /// Its checkers, ours to move.
    pub position: Position,
    /// The roll.
    pub dice: Dice,
    /// The legal plays, one for each position that they lead to: one or more.
    pub plays: &'a [Candidate],
}

/// Somebody wants to play a new match.
#[derive(Clone, Debug, PartialEq)]
pub struct Invitation {
    /// Who.
    pub from: String,
    /// Never [`Length::Resume`]: saved matches are resumed without a question.
    pub length: Length,
    /// What is known of him.
    pub who: Option<WhoLine>,
    /// How many matches are saved.
    pub saved: usize,
}

/// What to do when there is nothing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdleAction {
    /// Wait to be invited.
    Nothing,
    /// Invite somebody to a new match.
    Invite(String, Length),
    /// Log out for good.
    Quit,
}

/// What is known while no match is played.
#[derive(Clone, Copy, Debug)]
pub struct Lobby<'a> {
    /// Since the session began.
    pub now: Duration,
    /// Everybody who is logged in, by name.
    pub players: &'a std::collections::HashMap<String, WhoLine>,
}

/// Something that happened, in the order in which it happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The login worked, and the settings are as they should be.
    Ready {
        /// With whom matches are saved.
        saved: Vec<String>,
    },
    /// A match began or goes on.
    Match {
        /// The other player.
        opponent: String,
        /// What was agreed on.
        length: Length,
        /// What is known of him, and of us.
        standings: Box<[Option<WhoLine>; 2]>,
    },
    /// A game began.
    Game {
        /// Points of the match; `None` without an end.
        length: Option<u32>,
        /// Own points first.
        score: [u32; 2],
        /// Whether it is the one without a cube.
        crawford: bool,
    },
    /// A roll was played.
    Turn {
        /// Whether by us.
        own: bool,
        /// The roll.
        dice: Dice,
        /// Before, seen by whoever rolled.
        before: Position,
        /// Afterwards, seen by the other one.
        after: Position,
    },
    /// The cube was turned.
    Double {
        /// Whether by us.
        own: bool,
    },
    /// A double was taken.
    Take {
        /// Whether by us.
        own: bool,
    },
    /// A game ended.
    GameOver {
        /// Whether we won it.
        won: bool,
        /// Points, the cube included.
        points: u32,
        /// How.
        end: GameEnd,
    },
    /// A line of the rating calculation.
    Rating(String),
    /// A match ended.
    MatchOver {
        /// The other player.
        opponent: String,
        /// Whether we won it.
        won: bool,
        /// Own points first.
        score: [u32; 2],
    },
    /// The match is saved and may be resumed.
    Left {
        /// The other player.
        opponent: String,
    },
    /// Something may have been missed, and this is all that was played, in the server's words.
    ///
    /// It takes the place of every game and turn of the match so far.
    History {
        /// The other player.
        opponent: String,
        /// Lines of `oldmoves`, to the last complete turn.
        lines: Vec<String>,
    },
    /// Something was missed, and the server does not tell what.
    HistoryLost {
        /// The other player.
        opponent: String,
        /// Whether the server says that there is no such match; else it did not answer.
        certain: bool,
    },
    /// The server refused a command: we were wrong about the state of things.
    Refused(String),
    /// A command was sent.
    Sent(String),
    /// A line that looks like a board and is not a possible one; it is ignored, and the board is asked for again.
    BadBoard(FibsBoardError),
    /// A line that this crate does not know.
    Unknown(String),
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// All checkers of one side are off.
    Played,
    /// A double was refused.
    Dropped,
    /// Somebody gave up.
    Resigned,
}

/// What the player on roll would win if all of their checkers were off now: the most that a resignation is worth, unless
/// the opponent falls further behind.
#[must_use]
pub fn stake_if_won_now(position: &Position) -> Stake {
    let opponent = position.flipped();
    if opponent.own_left() < CHECKERS.unsigned_abs() {
        Stake::Single
    } else if (19..=25).any(|point| opponent.own(point) > 0) {
        Stake::Backgammon
    } else {
        Stake::Gammon
    }
}

/// Who decides. Only [`Agent::play`] has no default; it is asked once for each roll with a choice or without, never for
/// one that cannot be played.
#[allow(unused_variables, reason = "defaults that need nothing")]
pub trait Agent {
    /// Which of `turn.plays` to make.
    fn play(&mut self, turn: &TurnContext) -> usize;

    /// Whether to double before rolling.
    fn double(&mut self, board: &FibsBoard) -> bool {
        false
    }

    /// Whether to take a double; `board` shows the cube before it.
    fn take(&mut self, board: &FibsBoard) -> bool {
        true
    }

    /// Whether to accept what the other player gives up. By default if it is all that can still be won.
    fn accept_resignation(&mut self, board: &FibsBoard, stake: Stake) -> bool {
        stake >= stake_if_won_now(&board.position)
    }

    /// Whether to give up before rolling or moving; asked until it says so once in a game.
    fn resign(&mut self, board: &FibsBoard) -> Option<Stake> {
        None
    }

    /// Whether to play a new match; if not, one sentence why.
    ///
    /// # Errors
    /// The sentence.
    fn invited(&mut self, invitation: &Invitation) -> Result<(), String> {
        Ok(())
    }

    /// What to tell somebody who said something to us.
    fn on_chat(&mut self, chat: &Chat) -> Vec<String> {
        Vec::new()
    }

    /// What to say aloud at the start of a match that is not resumed.
    fn greet(&mut self, opponent: &str) -> Option<String> {
        None
    }

    /// What to do while no match is played.
    fn wish(&mut self, lobby: &Lobby) -> IdleAction {
        IdleAction::Nothing
    }

    /// Opponents of matches of which the end is not known, from an earlier session.
    fn unfinished(&self) -> Vec<String> {
        Vec::new()
    }

    /// Something happened.
    fn event(&mut self, event: &Event) {}
}
