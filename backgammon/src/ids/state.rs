//! [`MatchState`]: score, cube, dice and seats, as Match ID and XGID both hold them.

use std::fmt;

use crate::{Cube, CubeOwner, Dice, Outcome, Scoring, Seat, Side};

/// The next decision.
///
/// ```
/// use backgammon::{GameState, Turn};
///
/// let game: GameState = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10".parse()?;
/// assert_eq!(game.state.turn, Turn::Rolled("52".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Turn {
    /// The player on roll may double or roll.
    ToRoll,
    /// The player on roll has a roll to play.
    Rolled(Dice),
    /// The cube has been offered and must be answered.
    Offered(CubeOffer),
}

/// Which offer of the cube must be answered.
///
/// ```
/// use backgammon::{CubeOffer, GameState, Side, Turn};
///
/// let game = GameState::money(backgammon::Position::START).double()?;
/// assert_eq!(game.state.turn, Turn::Offered(CubeOffer::Double));
/// assert_eq!(CubeOffer::Double.answered_by(), Side::Opponent);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum CubeOffer {
    /// The player on roll has doubled; the cube has not moved yet.
    Double,
    /// The opponent has beavered: the cube is turned once and owned by the opponent; the player on
    /// roll decides.
    Beaver,
    /// The player on roll has raccooned: the cube is turned twice and owned by the opponent, who
    /// decides.
    Raccoon,
}

impl CubeOffer {
    /// The side that answers.
    #[must_use]
    pub const fn answered_by(self) -> Side {
        match self {
            CubeOffer::Double | CubeOffer::Raccoon => Side::Opponent,
            CubeOffer::Beaver => Side::Own,
        }
    }
}

/// Whether a game is being played, and if not, how it ended.
///
/// ```
/// use backgammon::{GamePhase, GameState, Scoring, Seat, Stake};
///
/// let game = GameState::start(Scoring::MONEY);
/// assert_eq!(game.state.game, GamePhase::NotStarted);
/// assert_eq!(game.resign(Seat::X, Stake::Single)?.state.game, GamePhase::Resigned);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum GamePhase {
    /// No game yet.
    NotStarted,
    /// In progress.
    Playing,
    /// All checkers of one side are off.
    Over,
    /// A resignation was accepted.
    Resigned,
    /// A double was not taken.
    Dropped,
}

/// The stake of a resignation, in points on a 1-cube.
///
/// ```
/// use backgammon::{Outcome, Stake};
///
/// assert_eq!(Stake::Gammon.points(), 2);
/// assert_eq!(Stake::Gammon.outcome(), Outcome::WinGammon);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Stake {
    /// 1 point.
    Single,
    /// 2 points.
    Gammon,
    /// 3 points.
    Backgammon,
}

impl Stake {
    /// All three, in ascending order.
    pub const ALL: [Stake; 3] = [Stake::Single, Stake::Gammon, Stake::Backgammon];

    /// Points on a 1-cube, 1..=3.
    #[must_use]
    pub const fn points(self) -> u32 {
        self as u32 + 1
    }

    /// A win of that many points.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        match self {
            Stake::Single => Outcome::Win,
            Stake::Gammon => Outcome::WinGammon,
            Stake::Backgammon => Outcome::WinBackgammon,
        }
    }
}

/// An offer to resign.
///
/// ```
/// use backgammon::{MatchState, Resignation, Scoring, Side, Stake};
///
/// let mut state = MatchState::new(Scoring::MONEY);
/// state.resigned = Some(Resignation { by: Side::Own, stake: Stake::Single });
/// assert_eq!(state.to_decide(), Side::Opponent);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Resignation {
    /// The side that resigns; the other side decides.
    pub by: Side,
    /// The stake.
    pub stake: Stake,
}

/// Score, cube, dice and seats, seen by the player on roll.
///
/// "Own" is always the player on roll (while the cube is offered, the player who doubled). Only
/// [`MatchState::on_roll`] holds that player's seat.
///
/// ```
/// use backgammon::{MatchState, Scoring};
///
/// let state = MatchState::new(Scoring::of_match(7, 2, 1, false)?);
/// assert_eq!(state.to_string(), "match to 7, X 2, O 1; cube 1 in the middle");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MatchState {
    /// Money, or a match with its score.
    pub scoring: Scoring,
    /// The cube. A beaver or raccoon has already turned it, a first double has not.
    pub cube: Cube,
    /// Whether a game is being played.
    pub game: GamePhase,
    /// The seat of the player on roll.
    pub on_roll: Seat,
    /// The next decision.
    pub turn: Turn,
    /// An offer to resign: open, or accepted if the game is [`GamePhase::Resigned`]. While the cube
    /// is offered, it comes from the player who must answer.
    pub resigned: Option<Resignation>,
}

impl MatchState {
    /// A game in progress, X on roll, with the cube in the middle and before the roll.
    #[must_use]
    pub const fn new(scoring: Scoring) -> MatchState {
        MatchState {
            scoring,
            cube: Cube::CENTRED,
            game: GamePhase::Playing,
            on_roll: Seat::X,
            turn: Turn::ToRoll,
            resigned: None,
        }
    }

    /// The side that decides next. After a drop it is the side that dropped, as in GNU Backgammon.
    #[must_use]
    pub fn to_decide(&self) -> Side {
        match (self.resigned, self.turn, self.game) {
            (Some(resignation), _, _) => resignation.by.other(),
            (None, Turn::Offered(offer), _) => offer.answered_by(),
            (None, _, GamePhase::Dropped) => Side::Opponent,
            (None, _, _) => Side::Own,
        }
    }

    /// The roll, if the dice are rolled.
    #[must_use]
    pub const fn dice(&self) -> Option<Dice> {
        if let Turn::Rolled(dice) = self.turn { Some(dice) } else { None }
    }
}

impl fmt::Display for MatchState {
    /// Scoring and cube in a line, the player on roll called X as on a drawn board:
    /// `match to 7, X 2, O 1; cube 1 in the middle`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scoring {
            Scoring::Money { jacoby, beavers } => {
                let jacoby = if jacoby { ", Jacoby rule" } else { "" };
                let beavers = if beavers { ", beavers" } else { "" };
                write!(f, "money{jacoby}{beavers}")?;
            }
            Scoring::Match(score) => {
                let game = if score.is_crawford() { ", Crawford game" } else { "" };
                let (own, opponent) = (score.own(), score.opponent());
                write!(f, "match to {}, X {own}, O {opponent}{game}", score.length())?;
            }
        }
        let owner = match self.cube.owner() {
            CubeOwner::Centred => "in the middle",
            CubeOwner::Own => "owned by X",
            CubeOwner::Opponent => "owned by O",
        };
        write!(f, "; cube {} {owner}", self.cube.value())
    }
}

/// Turns a pair in the order X, O into the order own, opponent; applied twice, it gives the pair
/// back.
pub(super) fn own_first<T>(on_roll: Seat, x: T, o: T) -> (T, T) {
    if on_roll == Seat::X { (x, o) } else { (o, x) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_and_cube_are_a_line_of_words() {
        let money = MatchState::new(Scoring::Money { jacoby: true, beavers: false });
        assert_eq!(money.to_string(), "money, Jacoby rule; cube 1 in the middle");
        let crawford = Scoring::of_match(7, 6, 2, true).expect("a score");
        let cube = Cube::new(2, CubeOwner::Opponent).expect("a cube");
        let state = MatchState { cube, ..MatchState::new(crawford) };
        assert_eq!(state.to_string(), "match to 7, X 6, O 2, Crawford game; cube 2 owned by O");
    }
}
