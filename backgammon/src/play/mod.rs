//! Playing a [`GameState`](crate::GameState): the one definition of alternation, cube and score.
//!
//! Every action takes a state and gives the state after it; an action that breaks a rule is an
//! [`ActionError`]. The caller brings the dice.

mod actions;
mod result;

use crate::{Dice, Position, Seat, Stake};

pub use result::stake_if_won_now;

/// The next decision and its player.
///
/// ```
/// use backgammon::{GameState, Next, Scoring, Seat};
///
/// let game = GameState::start(Scoring::MONEY);
/// assert_eq!(game.next(), Next::OpeningRoll);
/// let game = game.opened(Seat::O, "31".parse()?)?;
/// assert_eq!(game.next(), Next::Play(Seat::O, "31".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Each player throws one die, and the higher one begins with that roll.
    OpeningRoll,
    /// The player rolls, or doubles if [`GameState::may_double`](crate::GameState::may_double).
    Roll(Seat),
    /// The player plays a roll.
    Play(Seat, Dice),
    /// The player answers a double or a beaver.
    Answer(Seat),
    /// The game is over.
    Over(GameResult),
}

/// The winner of a game and the points won, cube included. A match may need fewer points.
///
/// ```
/// use backgammon::{GameResult, GameState, Scoring, Seat, Stake};
///
/// let game = GameState::opening(Scoring::MONEY, Seat::X, "31".parse()?)?;
/// let game = game.resign(Seat::X, Stake::Gammon)?;
/// assert_eq!(game.result(), Some(GameResult { winner: Seat::O, points: 2 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The player who won.
    pub winner: Seat,
    /// Points, at least 1.
    pub points: u32,
}

/// How a game ended.
///
/// ```
/// use backgammon::GameEnd;
///
/// assert_ne!(GameEnd::Dropped, GameEnd::Resigned);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// All checkers of one side are off.
    Played,
    /// A double was refused.
    Dropped,
    /// A resignation was accepted.
    Resigned,
}

/// An action in a game, for [`GameState::apply`](crate::GameState::apply).
///
/// ```
/// use backgammon::{Action, GameState, Next, Scoring, Seat};
///
/// let mut game = GameState::start(Scoring::MONEY);
/// let after = game.position.read_play("8/5 6/5", "31".parse()?)?.after;
/// let opening = Action::Open(Seat::X, "31".parse()?);
/// for action in [opening, Action::Play(after), Action::Double, Action::Take] {
///     game = game.apply(action)?;
/// }
/// assert_eq!((game.next(), game.state.cube.value()), (Next::Roll(Seat::O), 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The opening roll, and the player who begins with it.
    Open(Seat, Dice),
    /// A roll of the player on roll.
    Roll(Dice),
    /// The board after a play, the opponent on roll.
    Play(Position),
    /// The player on roll doubles.
    Double,
    /// The double or beaver is accepted.
    Take,
    /// The double or beaver is refused, which ends the game.
    Pass,
    /// The doubled player doubles again at once and keeps the cube.
    Beaver,
    /// This player resigns, and the other one accepts.
    Resign(Seat, Stake),
}

/// Why an action is not allowed.
///
/// ```
/// use backgammon::{ActionError, GameState, Scoring, Seat};
///
/// let game = GameState::opening(Scoring::MONEY, Seat::X, "31".parse()?)?;
/// assert_eq!(game.double(), Err(ActionError::DoubleAfterRoll));
/// assert_eq!(game.rolled("66".parse()?), Err(ActionError::Rolled("31".parse()?)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ActionError {
    #[error("unexpected action: the game is over")]
    Over,
    #[error("missing opening roll: expected one die of each player")]
    NotBegun,
    #[error("unexpected opening roll: the game has begun")]
    Begun,
    #[error("invalid opening roll {0}: expected two different dice")]
    OpeningDouble(Dice),
    #[error("missing roll: expected the dice to be rolled before a play")]
    NotRolled,
    #[error("missing play of {0}: expected it before any other action")]
    Rolled(Dice),
    #[error("illegal board: no legal play of {0} leads to it")]
    NoSuchBoard(Dice),
    #[error("missing answer to a double: expected take, drop or beaver")]
    Offered,
    #[error("unexpected answer: no double was offered")]
    NotOffered,
    #[error("invalid double before the first roll")]
    DoubleBeforeStart,
    #[error("invalid double: players double before they roll")]
    DoubleAfterRoll,
    #[error("invalid double: the opponent owns the cube")]
    OpponentsCube,
    #[error("invalid double: the cube shows 32768, its highest value")]
    HighestCube,
    #[error("invalid double in the Crawford game")]
    Crawford,
    #[error("invalid beaver: beavers are for money games only")]
    BeaverInMatch,
    #[error("invalid beaver: beavers are not played here")]
    NoBeavers,
}
