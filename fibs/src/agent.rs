//! Decisions: the one trait that a user of this crate implements.

use std::time::Duration;

use backgammon::{
    Candidate, Dice, FibsBoard, FibsBoardError, GameState, Position, ScoreError, Stake,
};
pub use backgammon::{GameEnd, stake_if_won_now};

use crate::message::{Chat, Length, WhoLine};

/// A roll to be played.
#[derive(Clone, Copy, Debug)]
pub struct TurnContext<'a> {
    /// The board as the server sent it.
    pub board: &'a FibsBoard,
    /// Its checkers, the own side on roll.
    pub position: Position,
    /// The roll.
    pub dice: Dice,
    /// The legal plays, one for each position that they lead to: one or more.
    pub plays: &'a [Candidate],
}

impl TurnContext<'_> {
    /// The game with its roll, seen by the own side.
    ///
    /// # Errors
    /// [`ScoreError`] if the score that the server sent is impossible.
    pub fn state(&self) -> Result<GameState, ScoreError> {
        Ok(self.board.state()?.with_dice(self.dice))
    }
}

/// Another player's invitation to a new match, or another match that the agent has not agreed to
/// yet: see [`Agent::invited`].
#[derive(Clone, Debug, PartialEq)]
pub struct Invitation {
    /// The player's name.
    pub from: String,
    /// Never [`Length::Resume`]: saved matches that the agent knows are resumed without a question.
    pub length: Length,
    /// The player's latest who line, if one came.
    pub who: Option<WhoLine>,
}

/// What to do while no match is played and no invitation is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdleAction {
    /// Wait to be invited.
    Nothing,
    /// Invite a player to a new match.
    Invite(String, Length),
    /// Log out and end the session.
    Quit,
}

/// What an agent can see while no match is played.
#[derive(Clone, Copy, Debug)]
pub struct Lobby<'a> {
    /// Time since the session began.
    pub now: Duration,
    /// All players who are logged in, by name.
    pub players: &'a std::collections::HashMap<String, WhoLine>,
}

/// Something that happened, in the order in which it happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The login worked and the settings are made.
    Ready {
        /// Opponents of saved matches.
        saved: Vec<String>,
    },
    /// A match began or goes on.
    Match {
        /// The other player.
        opponent: String,
        /// The length that was agreed on.
        length: Length,
        /// Who lines of the opponent and of the own account, as far as they came.
        standings: Box<[Option<WhoLine>; 2]>,
    },
    /// A game began.
    Game {
        /// Points of the match; `None` without an end.
        length: Option<u32>,
        /// Own points first.
        score: [u32; 2],
        /// Whether it is the Crawford game.
        crawford: bool,
    },
    /// A roll was played.
    Turn {
        /// Whether the own account did it.
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
        /// Whether the own account did it.
        own: bool,
    },
    /// A double was taken.
    Take {
        /// Whether the own account did it.
        own: bool,
    },
    /// A game ended.
    GameOver {
        /// Whether the own account won it.
        won: bool,
        /// Points, the cube included.
        points: u32,
        /// How it ended.
        end: GameEnd,
    },
    /// A line of the rating calculation.
    Rating(String),
    /// A match ended.
    MatchOver {
        /// The other player.
        opponent: String,
        /// Whether the own account won it.
        won: bool,
        /// Own points first.
        score: [u32; 2],
    },
    /// The match is saved and may be resumed.
    Left {
        /// The other player.
        opponent: String,
    },
    /// All moves of the match from the server's `oldmoves`, after lines may have been missed.
    ///
    /// They replace every game and turn of the match reported so far.
    History {
        /// The other player.
        opponent: String,
        /// Lines of `oldmoves` up to the last complete turn.
        lines: Vec<String>,
    },
    /// Moves were missed and the server did not send them.
    HistoryLost {
        /// The other player.
        opponent: String,
        /// `true` if the server says that there is no such match, `false` if it did not answer.
        certain: bool,
    },
    /// The server refused a command, with the reason. The session's view of the game was out of
    /// date, or the server does not know the command.
    Refused(String),
    /// A command was sent.
    Sent(String),
    /// This command had no effect within its deadline, or the server does not know it.
    Unanswered(String),
    /// Something that an operator should know: what is wrong, and what the session does about it.
    Warning(String),
    /// A table is left because nothing moves or nothing has an effect, with the reason.
    Stuck(String),
    /// A line that looks like a board and is not a possible one; it is ignored, and the board is
    /// asked for again.
    BadBoard(FibsBoardError),
    /// A line that this crate does not know.
    Unknown(String),
}

/// Makes the decisions of a session. Only [`Agent::play`] has no default.
///
/// It is called for each roll that can be played, forced plays included. It is called again for the
/// same roll if the server refused the play or showed no effect. The same holds if the board is
/// read again before the play is sent, and after a reconnection.
///
/// ```
/// use backgammon::Position;
/// use fibs::agent::{Agent, TurnContext};
///
/// struct Runner;
///
/// impl Agent for Runner {
///     fn play(&mut self, turn: &TurnContext) -> Position {
///         let fastest = turn.plays.iter().min_by_key(|play| play.after.opponent_pips());
///         fastest.map_or(turn.position, |play| play.after)
///     }
/// }
/// ```
#[allow(unused_variables, reason = "defaults that need nothing")]
pub trait Agent {
    /// The board after the play to make, the opponent on roll: that of one of `turn.plays`. Another
    /// board is a [`Event::Warning`], and the first play is made.
    fn play(&mut self, turn: &TurnContext) -> Position;

    /// Whether to double before rolling.
    fn double(&mut self, board: &FibsBoard) -> bool {
        false
    }

    /// Whether to take a double; `board` shows the cube before it, and its [`FibsBoard::state`] the
    /// offer.
    fn take(&mut self, board: &FibsBoard) -> bool {
        true
    }

    /// Whether to accept the other player's resignation. By default if it is worth all that can
    /// still be won.
    fn accept_resignation(&mut self, board: &FibsBoard, stake: Stake) -> bool {
        stake >= stake_if_won_now(&board.position)
    }

    /// Whether to resign before rolling or moving; not asked again in a game once it has answered
    /// with a stake.
    fn resign(&mut self, board: &FibsBoard) -> Option<Stake> {
        None
    }

    /// Whether matches are begun at the moment, whoever invites to whatever match.
    ///
    /// It is asked before [`Agent::invited`]. Saved matches that the agent knows go on in any case.
    ///
    /// # Errors
    /// One sentence that is told to the player who is turned down for now.
    fn open_to_matches(&self) -> Result<(), String> {
        Ok(())
    }

    /// Whether to accept an invitation to a new match. The answer is about the match alone: about
    /// the moment, see [`Agent::open_to_matches`].
    ///
    /// Also asked about a saved match that the agent does not know, and about a match that began
    /// without an invitation. That match is refused for good.
    ///
    /// # Errors
    /// One sentence that is told to the player who is turned down.
    fn invited(&mut self, invitation: &Invitation) -> Result<(), String> {
        Ok(())
    }

    /// Answers to a tell, or to a kibitz of the opponent; each is sent as a tell.
    ///
    /// A player gets a limited number of answers in an hour. So do all players together, but the
    /// opponent is answered beyond that. Lines beyond these numbers do not come here, unless [the
    /// player may give orders](Agent::takes_orders_from).
    fn on_chat(&mut self, chat: &Chat) -> Vec<String> {
        Vec::new()
    }

    /// Whether what the player writes may be an order. Then every line comes to [`Agent::on_chat`],
    /// also one whose answer is not told.
    fn takes_orders_from(&self, name: &str) -> bool {
        false
    }

    /// A kibitz at the start of a new match.
    fn greet(&mut self, opponent: &str) -> Option<String> {
        None
    }

    /// What to tell the opponent when a match has ended.
    fn thank(&mut self, opponent: &str) -> Option<String> {
        None
    }

    /// What to do while no match is played.
    fn idle(&mut self, lobby: &Lobby) -> IdleAction {
        IdleAction::Nothing
    }

    /// Whether to log out now, once the answers that wait are told. `playing`: a match is on, which
    /// the server would save, or it was cut off and the session waits for its opponent.
    fn quits(&mut self, playing: bool) -> bool {
        false
    }

    /// Opponents of unfinished matches of an earlier session.
    fn unfinished(&self) -> Vec<String> {
        Vec::new()
    }

    /// Called for each event, in order.
    fn event(&mut self, event: &Event) {}
}

/// A closure that chooses plays is an agent: it never doubles, always takes and waits to be
/// invited.
impl<F: FnMut(&TurnContext) -> Position> Agent for F {
    fn play(&mut self, turn: &TurnContext) -> Position {
        self(turn)
    }
}
