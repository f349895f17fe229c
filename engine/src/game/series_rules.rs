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

/// The length of a match that the built-in match equity table reaches: 1 to 25 points.
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
    "invalid match length '{found}': expected 1 to {longest} points, which the match equity table reaches"
)]
pub struct MatchLengthError {
    found: u16,
    longest: usize,
}

impl MatchLength {
    /// A match to `points`.
    ///
    /// # Errors
    /// [`MatchLengthError`] if that is 0 or beyond the match equity table.
    pub fn new(points: u16) -> Result<MatchLength, MatchLengthError> {
        let longest = MatchEquityTable::kazaross_xg2().length();
        if points == 0 || usize::from(points) > longest {
            return Err(MatchLengthError { found: points, longest });
        }
        Ok(MatchLength(points))
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
    /// Never: a match to 1 to 25 points has one.
    pub(super) fn start(self) -> MatchScore {
        MatchScore::new(self.0, 0, 0, false).expect("a match to 1 to 25 points")
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
        assert!(MatchLength::new(25).is_ok());
        for points in [0, 26] {
            let error = MatchLength::new(points).expect_err("refused").to_string();
            assert!(
                error.starts_with(&format!("invalid match length '{points}': expected 1 to 25"))
            );
        }
    }
}
