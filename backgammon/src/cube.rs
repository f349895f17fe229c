//! The doubling cube: its value and its owner.

use crate::Seat;

/// Who may turn the cube, seen by the player on roll.
///
/// ```
/// use backgammon::{CubeOwner, Seat};
///
/// assert_eq!(CubeOwner::of_seat(Some(Seat::X), Seat::O), CubeOwner::Opponent);
/// assert_eq!(CubeOwner::Opponent.seat(Seat::O), Some(Seat::X));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum CubeOwner {
    /// In the middle: both players may.
    Centred,
    /// The player on roll.
    Own,
    /// The opponent.
    Opponent,
}

impl CubeOwner {
    /// The owner by seat, `None` while the cube is centred, as the player `on_roll` sees it.
    #[must_use]
    pub fn of_seat(owner: Option<Seat>, on_roll: Seat) -> CubeOwner {
        match owner {
            None => CubeOwner::Centred,
            Some(owner) if owner == on_roll => CubeOwner::Own,
            Some(_) => CubeOwner::Opponent,
        }
    }

    /// The seat of the owner, `None` while the cube is centred; `on_roll` sees it so.
    #[must_use]
    pub const fn seat(self, on_roll: Seat) -> Option<Seat> {
        match self {
            CubeOwner::Centred => None,
            CubeOwner::Own => Some(on_roll),
            CubeOwner::Opponent => Some(on_roll.other()),
        }
    }

    /// The same owner, seen by the other player.
    #[must_use]
    pub const fn flipped(self) -> CubeOwner {
        match self {
            CubeOwner::Centred => CubeOwner::Centred,
            CubeOwner::Own => CubeOwner::Opponent,
            CubeOwner::Opponent => CubeOwner::Own,
        }
    }
}

/// A doubling cube with the value 1, 2, 4, ... 32768.
///
/// Two unusual cubes are allowed, because the programs that exchange positions write them:
///
/// - a centred cube above 1 (automatic doubles),
/// - an owned cube at 1, with which editors set who may double.
///
/// ```
/// use backgammon::{Cube, CubeOwner};
///
/// let doubled = Cube::CENTRED.doubled();
/// assert_eq!((doubled.value(), doubled.owner()), (2, CubeOwner::Opponent));
/// assert!(doubled.flipped().may_double());
/// assert!(Cube::new(3, CubeOwner::Own).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::serde_impls::CubeFields", into = "crate::serde_impls::CubeFields")
)]
pub struct Cube {
    log2: u8,
    owner: CubeOwner,
}

/// Why a number is not the value of a cube.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CubeError {
    /// The value is not a power of two.
    #[error("invalid cube '{0}': expected a power of two from 1 to 32768")]
    NotAPowerOfTwo(u32),
    /// The power of two is beyond [`Cube::MAX_LOG2`].
    #[error("invalid cube 2^{log2}: expected at most 32768, which is 2^{}", Cube::MAX_LOG2)]
    TooHigh {
        /// The power asked for.
        log2: u32,
    },
}

impl Cube {
    /// The cube at the start of a game.
    pub const CENTRED: Cube = Cube { log2: 0, owner: CubeOwner::Centred };

    /// The highest power of two: 32768 is what the four bits of a GNU Match ID can hold.
    pub const MAX_LOG2: u8 = 15;

    /// A cube showing `value` points.
    ///
    /// # Errors
    /// [`CubeError`] names a value that is not a power of two or is above 32768.
    pub const fn new(value: u32, owner: CubeOwner) -> Result<Cube, CubeError> {
        if value.is_power_of_two() {
            Cube::from_log2(value.trailing_zeros(), owner)
        } else {
            Err(CubeError::NotAPowerOfTwo(value))
        }
    }

    /// A cube showing 2 to the power of `log2`.
    ///
    /// # Errors
    /// [`CubeError::TooHigh`] above [`Cube::MAX_LOG2`].
    pub const fn from_log2(log2: u32, owner: CubeOwner) -> Result<Cube, CubeError> {
        if log2 > Cube::MAX_LOG2 as u32 {
            return Err(CubeError::TooHigh { log2 });
        }
        Ok(Cube { log2: log2 as u8, owner })
    }

    /// Points at stake, 1..=32768.
    #[must_use]
    pub const fn value(self) -> u32 {
        1 << self.log2
    }

    /// The exponent of its value, a power of two: 0..=15.
    #[must_use]
    pub const fn log2(self) -> u8 {
        self.log2
    }

    /// Who may turn it.
    #[must_use]
    pub const fn owner(self) -> CubeOwner {
        self.owner
    }

    /// The same cube, seen by the other player.
    #[must_use]
    pub const fn flipped(self) -> Cube {
        Cube { owner: self.owner.flipped(), ..self }
    }

    /// Whether the player on roll may turn it by its owner and value. The Crawford rule is a second
    /// condition: [`super::Scoring::may_use_cube`].
    #[must_use]
    pub const fn may_double(self) -> bool {
        !matches!(self.owner, CubeOwner::Opponent) && self.log2 < Cube::MAX_LOG2
    }

    /// The cube after the player on roll has doubled and the opponent has taken, seen by the player
    /// who doubled. The value is twice as high, at most 32768, and the opponent owns the cube.
    /// [`Cube::may_double`] says whether the double is allowed.
    #[must_use]
    pub const fn doubled(self) -> Cube {
        let log2 = if self.log2 < Cube::MAX_LOG2 { self.log2 + 1 } else { Cube::MAX_LOG2 };
        Cube { log2, owner: CubeOwner::Opponent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_player_who_takes_owns_the_cube_and_alone_may_redouble() {
        let taken = Cube::CENTRED.doubled();
        assert_eq!((taken.value(), taken.log2(), taken.owner()), (2, 1, CubeOwner::Opponent));
        assert!(!taken.may_double(), "only the player who took may redouble");
        assert!(taken.flipped().may_double());
        let back = taken.flipped().doubled();
        assert_eq!((back.value(), back.owner()), (4, CubeOwner::Opponent));
    }

    #[test]
    fn the_highest_cube_stays_as_high() {
        let highest = Cube::from_log2(Cube::MAX_LOG2.into(), CubeOwner::Own).expect("the highest");
        assert!(!highest.may_double());
        assert_eq!(
            (highest.doubled().value(), highest.doubled().owner()),
            (32768, CubeOwner::Opponent)
        );
    }

    #[test]
    fn a_cube_shows_powers_of_two_up_to_32768() {
        for log2 in 0..=15 {
            let cube = Cube::new(1 << log2, CubeOwner::Own).expect("a power of two");
            assert_eq!((cube.value(), u32::from(cube.log2())), (1 << log2, log2));
            assert_eq!(cube.may_double(), log2 < 15);
        }
        assert_eq!(Cube::new(65536, CubeOwner::Own), Err(CubeError::TooHigh { log2: 16 }));
        for value in [0, 3, 6, 1023, u32::MAX] {
            let error = Cube::new(value, CubeOwner::Centred).expect_err("no power of two");
            assert_eq!(error, CubeError::NotAPowerOfTwo(value));
            assert!(error.to_string().contains(&format!("invalid cube '{value}':")), "{error}");
        }
    }
}
