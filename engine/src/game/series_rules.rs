//! The rules of a series: money games with or without the cube, or matches.

use serde::{Deserialize, Serialize};

use crate::backgammon::{MatchScore, Scoring};
use crate::cube::{CubeScoring, MatchEquityTable};

/// The rules of the games of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeriesRules {
    /// Money games without a cube.
    Cubeless,
    /// Money games with the cube.
    Money {
        /// Gammons and backgammons count only after the cube has been turned.
        jacoby: bool,
        /// The player who is doubled may double again at once and keep the cube.
        beavers: bool,
    },
    /// Matches with the cube and the Crawford rule.
    Match(MatchLength),
}

impl SeriesRules {
    /// Money games with the cube, without the Jacoby rule and beavers.
    pub const MONEY: SeriesRules = SeriesRules::Money { jacoby: false, beavers: false };

    /// Whether matches are played.
    #[must_use]
    pub const fn is_match(&self) -> bool {
        matches!(self, SeriesRules::Match(_))
    }
}

/// The length of a match that the built-in match equity table reaches: 1 to
/// [`MatchLength::LONGEST`] points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u16")]
pub struct MatchLength(u16);

impl TryFrom<u16> for MatchLength {
    type Error = MatchLengthError;

    fn try_from(points: u16) -> Result<MatchLength, MatchLengthError> {
        MatchLength::new(points)
    }
}

/// The length of a match that cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid match length '{found}': expected 1 to {longest} points, which the match equity table reaches",
    longest = MatchLength::LONGEST
)]
pub struct MatchLengthError {
    found: u16,
}

impl MatchLength {
    /// The longest match, in points: as far as the built-in match equity table is extended.
    pub const LONGEST: u16 = MatchEquityTable::EXTENDED_TO;

    /// A match to `points`.
    ///
    /// # Errors
    /// [`MatchLengthError`] if that is 0 or beyond the match equity table.
    pub const fn new(points: u16) -> Result<MatchLength, MatchLengthError> {
        match points {
            1..=MatchLength::LONGEST => Ok(MatchLength(points)),
            found => Err(MatchLengthError { found }),
        }
    }

    /// Points that win the match.
    #[must_use]
    pub const fn points(self) -> u16 {
        self.0
    }
}

impl MatchLength {
    /// The score before the first game.
    ///
    /// # Panics
    /// Never: every length has one.
    pub(super) fn start(self) -> MatchScore {
        MatchScore::new(self.0, 0, 0, false).expect("a match of at least one point")
    }
}

/// The scoring of a game at a score of a match to a [`MatchLength`].
///
/// # Panics
/// If the match is longer.
pub(super) fn scoring_at(score: MatchScore) -> CubeScoring {
    CubeScoring::new(Scoring::Match(score), MatchEquityTable::kazaross_xg2())
        .expect("the length of the match is within the table")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_beyond_the_match_equity_table_is_refused() {
        for points in [0, 65] {
            let error = MatchLength::new(points).expect_err("refused").to_string();
            assert!(
                error.starts_with(&format!("invalid match length '{points}': expected 1 to 64"))
            );
        }
    }

    #[test]
    fn the_longest_match_has_chances_at_its_start_and_at_its_end() {
        let start = MatchLength::new(MatchLength::LONGEST).expect("a length").start();
        scoring_at(start);
        let points = MatchLength::LONGEST - 1;
        scoring_at(MatchScore::new(MatchLength::LONGEST, points, points, false).expect("a score"));
    }
}
