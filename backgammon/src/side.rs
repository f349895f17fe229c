//! Which of the two players: [`Side`] seen from the player on roll, [`Seat`] fixed for a whole
//! game.

use std::fmt;

/// One of the two sides of a position, seen by the player on roll.
///
/// ```
/// use backgammon::{Scoring, Side};
///
/// let score = Scoring::of_match(5, 3, 1, false)?;
/// assert_eq!(score.flipped(), Scoring::of_match(5, 1, 3, false)?);
/// assert_eq!(Side::Own.other(), Side::Opponent);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Side {
    /// The player on roll.
    Own,
    /// The other player.
    Opponent,
}

impl Side {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::Own => Side::Opponent,
            Side::Opponent => Side::Own,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Own => "the player on roll",
            Side::Opponent => "the opponent",
        })
    }
}

/// One of the two players of a game, independent of who is on roll.
///
/// The letters are those of an XGID. Programs number the players differently, so an index means
/// [`Seat::index`] and nothing else; readers and writers translate the numbers of their formats.
///
/// ```
/// use backgammon::{GameState, Scoring, Seat};
///
/// let game = GameState::opening(Scoring::MONEY, Seat::O, "31".parse()?)?;
/// assert_eq!(game.state.on_roll, Seat::O);
/// assert_eq!(Seat::BOTH[Seat::O.index()], Seat::O);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Seat {
    /// The first player. In records: the left column of a `.mat` file, White of gnubg's SGF, X of
    /// FIBS. In IDs: the bottom of the board and uppercase in an XGID, player 1 of a GNU Match ID.
    X,
    /// The second player. In records: the right column of a `.mat` file, Black of gnubg's SGF, O of
    /// FIBS. In IDs: the top of the board and lowercase in an XGID, player 0 of a GNU Match ID.
    O,
}

impl Seat {
    /// Both, so that `BOTH[i].index() == i`.
    pub const BOTH: [Seat; 2] = [Seat::X, Seat::O];

    /// The other player.
    #[must_use]
    pub const fn other(self) -> Seat {
        match self {
            Seat::X => Seat::O,
            Seat::O => Seat::X,
        }
    }

    /// Index in [`Seat::BOTH`] and in arrays with an entry for each player, 0 or 1.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}
