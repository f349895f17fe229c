//! Variants of backgammon that differ in the start alone: where checkers stand, and how many.

use std::fmt;
use std::str::FromStr;

use super::{CHECKERS, Position};

/// A variant of backgammon. Dice, moves and the cube are the same in all of them.
///
/// ```
/// use backgammon::{Dice, Position, Results, Variant};
///
/// let start = Variant::Hypergammon.start();
/// assert_eq!((start.own_left(), start.pips()), (3, 69));
/// assert_eq!("nackgammon".parse(), Ok(Variant::Nackgammon));
/// assert_eq!(Variant::Backgammon.start(), Position::START);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// 15 checkers.
    #[default]
    Backgammon,
    /// 15 checkers, four of them back: two on the 24 point and two on the 23 point (Nack Ballard).
    Nackgammon,
    /// Three checkers, one on each of the 24, 23 and 22 points.
    Hypergammon,
}

/// A name that no variant has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown variant '{0}': expected backgammon, nackgammon or hypergammon")]
pub struct VariantError(String);

impl Variant {
    /// All variants.
    pub const ALL: [Variant; 3] = [Variant::Backgammon, Variant::Nackgammon, Variant::Hypergammon];

    /// The name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Backgammon => "backgammon",
            Variant::Nackgammon => "nackgammon",
            Variant::Hypergammon => "hypergammon",
        }
    }

    /// Checkers of each side at the start: 15 or 3.
    #[must_use]
    pub const fn checkers(self) -> u8 {
        match self {
            Variant::Backgammon | Variant::Nackgammon => CHECKERS.unsigned_abs(),
            Variant::Hypergammon => 3,
        }
    }

    /// The position at the start of a game, the same for both players. It knows how many checkers
    /// the game has, as do all positions that plays make of it.
    ///
    /// ```
    /// use backgammon::{Outcome, Position, Variant};
    ///
    /// assert_eq!(Variant::Hypergammon.start().checkers_at_start(), 3);
    /// let over = Position::from_sides(&[], &[(7, 3)])?;
    /// assert_eq!(over.outcome(), Some(Outcome::Win)); // twelve of fifteen checkers are off
    /// let over = over.in_game_of(3).expect("three checkers");
    /// assert_eq!(over.outcome(), Some(Outcome::WinGammon));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start(self) -> Position {
        let side: &[(usize, i8)] = match self {
            Variant::Backgammon => return Position::START,
            Variant::Nackgammon => &[(24, 2), (23, 2), (13, 4), (8, 3), (6, 4)],
            Variant::Hypergammon => &[(24, 1), (23, 1), (22, 1)],
        };
        #[allow(clippy::expect_used, reason = "a test makes every start")]
        let start = Position::from_sides(side, side).expect("no two sides share a point");
        #[allow(clippy::expect_used, reason = "a test makes every start")]
        start.in_game_of(self.checkers()).expect("all checkers")
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Variant {
    type Err = VariantError;

    fn from_str(name: &str) -> Result<Variant, VariantError> {
        let named = |variant: &Variant| variant.name().eq_ignore_ascii_case(name);
        Variant::ALL.into_iter().find(named).ok_or_else(|| VariantError(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    #[test]
    fn every_start_is_the_same_for_both_and_has_all_checkers() {
        for variant in Variant::ALL {
            let start = variant.start();
            assert_eq!(start.flipped(), start, "{variant}");
            assert_eq!(start.own_left(), variant.checkers(), "{variant}");
            assert_eq!((start.outcome(), start.checkers_at_start()), (None, variant.checkers()));
            assert_eq!(variant.to_string().parse(), Ok(variant));
        }
    }

    #[test]
    fn the_loser_of_three_checkers_is_gammoned_with_three_left() {
        let lost = |opponent: &[(usize, i8)]| {
            let over = Position::from_sides(&[], opponent).expect("legal");
            over.in_game_of(3).expect("three checkers").outcome()
        };
        assert_eq!(lost(&[(7, 2)]), Some(Outcome::Win));
        assert_eq!(lost(&[(7, 3)]), Some(Outcome::WinGammon));
        assert_eq!(lost(&[(1, 2), (25, 1)]), Some(Outcome::WinBackgammon));
        assert_eq!(
            "hyper".parse::<Variant>().map_err(|error| error.to_string()),
            Err("unknown variant 'hyper': expected backgammon, nackgammon or hypergammon"
                .to_owned())
        );
    }
}
