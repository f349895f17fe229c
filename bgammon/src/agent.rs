//! Decisions: the one trait that a user of this crate implements.

use backgammon::{Candidate, Dice, GameEnd, GameState, Position, Stake};

use crate::{Board, BoardError};

/// What to do while no match is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdleAction {
    /// Wait.
    Nothing,
    /// Create a public match and wait for an opponent.
    Create {
        /// Its length in points.
        points: u32,
        /// Its title; without one the server makes it.
        title: String,
    },
    /// Join the match of a player.
    Join(String),
    /// Log out and end the session.
    Quit,
}

/// Something that happened, in the order in which it happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The login worked.
    Ready,
    /// A match began or goes on.
    Match {
        /// The other player.
        opponent: String,
        /// Its length in points.
        length: u32,
        /// Whether it was in progress already.
        resumed: bool,
        /// Ratings, own first; `None` for guests.
        ratings: [Option<f64>; 2],
    },
    /// A game began.
    Game {
        /// Points of the match.
        length: u32,
        /// Own points first.
        score: [u32; 2],
        /// Whether it is the Crawford game.
        crawford: bool,
    },
    /// A roll was played.
    Turn {
        /// Whether the own side did it.
        own: bool,
        /// The roll.
        dice: Dice,
        /// The position before the play, seen by the player who rolled.
        before: Position,
        /// The position after the play, seen by the other player.
        after: Position,
    },
    /// The cube was turned.
    Double {
        /// Whether the own side did it.
        own: bool,
    },
    /// A double was taken.
    Take {
        /// Whether the own side did it.
        own: bool,
    },
    /// A game ended.
    GameOver {
        /// Whether the own side won it.
        won: bool,
        /// Points, the cube included.
        points: u32,
        /// How it ended.
        end: GameEnd,
    },
    /// A match ended.
    MatchOver {
        /// The other player.
        opponent: String,
        /// Whether the own side won it.
        won: bool,
        /// Own points first.
        score: [u32; 2],
    },
    /// The opponent left the table, or the own connection broke; the match may go on.
    Left {
        /// The other player.
        opponent: String,
    },
    /// Turns were missed.
    Gap {
        /// The other player.
        opponent: String,
    },
    /// The match will not go on, and its result is unknown.
    EndUnknown {
        /// The other player.
        opponent: String,
    },
    /// The server refused a command, with the reason.
    Refused(String),
    /// A command was sent; the login is not among them.
    Sent(String),
    /// This command had no effect within its deadline.
    Unanswered(String),
    /// Something that an operator should know: what is wrong, and what the session does about it.
    Warning(String),
    /// A table is left because nothing moves or nothing has an effect, with the reason.
    Stuck(String),
    /// A sentence of the server for people.
    Notice(String),
    /// A board that cannot be; it is ignored, and the board is asked for again.
    BadBoard(BoardError),
    /// A line that this crate does not know.
    Unknown(String),
}

/// Makes the decisions of a session. Only [`Agent::play`] has no default. A `game` is seen by the
/// player on roll, and the own side is [`Seat::X`](backgammon::Seat::X).
///
/// ```
/// use backgammon::{Candidate, Dice, Position};
/// use bgammon::Board;
/// use bgammon::agent::Agent;
///
/// struct Runner;
///
/// impl Agent for Runner {
///     fn play(&mut self, board: &Board, _: Dice, plays: &[Candidate]) -> Position {
///         let fastest = plays.iter().min_by_key(|play| play.after.opponent_pips());
///         fastest.map_or(board.position, |play| play.after)
///     }
/// }
/// ```
#[allow(unused_variables, reason = "defaults that need nothing")]
pub trait Agent {
    /// The board after the play to make, the opponent on roll: that of one of `plays`. Another
    /// board is a [`Event::Warning`], and the first play is made. `board` has no pending moves.
    fn play(&mut self, board: &Board, dice: Dice, plays: &[Candidate]) -> Position;

    /// Whether to double before rolling.
    fn double(&mut self, game: &GameState) -> bool {
        false
    }

    /// Whether to take a double; `game` is seen by the doubler.
    fn take(&mut self, game: &GameState) -> bool {
        true
    }

    /// Whether to resign before rolling, and what the game is worth then. The server counts a
    /// resignation by the checkers, so the session resigns only if that is no more.
    fn resign(&mut self, game: &GameState) -> Option<Stake> {
        None
    }

    /// Whether to play with an opponent who sits down.
    ///
    /// # Errors
    /// One sentence that is said to the player who is turned down.
    fn joined(&mut self, opponent: &str, length: u32) -> Result<(), String> {
        Ok(())
    }

    /// Whether to offer another match after one has ended.
    fn rematch(&mut self, opponent: &str) -> bool {
        true
    }

    /// Answers to a sentence of the opponent.
    ///
    /// An opponent gets a limited number of answers in an hour. Lines beyond it do not come here,
    /// unless [the opponent may give orders](Agent::takes_orders_from).
    fn on_chat(&mut self, from: &str, text: &str) -> Vec<String> {
        Vec::new()
    }

    /// Whether what the opponent says may be an order. Then [`Agent::on_chat`] gets every line,
    /// also one whose answer is not said.
    fn takes_orders_from(&self, name: &str) -> bool {
        false
    }

    /// What to say at the start of a match.
    fn greet(&mut self, opponent: &str) -> Option<String> {
        None
    }

    /// What to say when a match has ended.
    fn thank(&mut self, opponent: &str) -> Option<String> {
        None
    }

    /// What to do while no match is played.
    fn idle(&mut self) -> IdleAction {
        IdleAction::Nothing
    }

    /// Whether to log out now, a match in progress or not. The server keeps the seat for 15
    /// minutes.
    fn quits(&mut self) -> bool {
        false
    }

    /// Called for each event, in order.
    fn event(&mut self, event: &Event) {}
}
