//! Scoring: money play, or a match with its score.

use super::{Cube, CubeOwner, Outcome, Side};

/// The longest match, in points: the largest number in the 15 bits of a GNU Match ID.
pub const MAX_MATCH_LENGTH: u16 = 32767;

/// How a game is scored, seen by the player on roll.
///
/// ```
/// use backgammon::{Cube, Outcome, Scoring};
///
/// let game = Scoring::of_match(7, 5, 3, false)?;
/// assert_eq!(game.away(), Some((2, 4)));
/// assert_eq!(game.points(Outcome::WinGammon, Cube::CENTRED.doubled()), 4);
/// let jacoby = Scoring::Money { jacoby: true, beavers: false };
/// assert_eq!(jacoby.points(Outcome::WinGammon, Cube::CENTRED), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Scoring {
    /// Every point counts the same, and the session has no fixed end.
    Money {
        /// Gammons and backgammons count only after the cube has been turned.
        jacoby: bool,
        /// The player who is doubled may redouble at once and keep the cube.
        beavers: bool,
    },
    /// First to a number of points.
    Match(MatchScore),
}

/// The score of a match that is not over.
///
/// Both scores are below the length, and a Crawford game has exactly one side one point away.
///
/// ```
/// use backgammon::{MatchScore, Side};
///
/// let score = MatchScore::new(5, 3, 1, false)?;
/// let next = score.after_win(Side::Own, 1).ok_or("the match goes on")?;
/// assert!(next.is_crawford());
/// assert_eq!(next.after_win(Side::Own, 1), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "crate::serde_impls::MatchScoreFields",
        into = "crate::serde_impls::MatchScoreFields"
    )
)]
pub struct MatchScore {
    length: u16,
    own: u16,
    opponent: u16,
    crawford: bool,
}

/// Why a score is not that of a match in progress.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScoreError {
    /// The match length is not in 1..=32767 points.
    #[error("invalid match length '{0}': expected 1 to {MAX_MATCH_LENGTH} points")]
    Length(u16),
    /// A side has reached the length: the match is over.
    #[error("invalid score {score} of {side}: expected less than the match length {length}")]
    Reached {
        /// The side of the score.
        side: Side,
        /// That score, in points.
        score: u16,
        /// The match length, in points.
        length: u16,
    },
    /// A Crawford game without exactly one side one point away.
    #[error(
        "invalid Crawford game with {own_away} and {opponent_away} points to go: expected one side to need 1 point, the other more"
    )]
    Crawford {
        /// Points the player on roll still needs.
        own_away: u16,
        /// Points the opponent still needs.
        opponent_away: u16,
    },
}

impl MatchScore {
    /// A score in a match to `length` points.
    ///
    /// # Errors
    /// [`ScoreError`] names the invalid field.
    pub fn new(
        length: u16,
        own: u16,
        opponent: u16,
        crawford: bool,
    ) -> Result<MatchScore, ScoreError> {
        if length == 0 || length > MAX_MATCH_LENGTH {
            return Err(ScoreError::Length(length));
        }
        for (side, score) in [(Side::Own, own), (Side::Opponent, opponent)] {
            if score >= length {
                return Err(ScoreError::Reached { side, score, length });
            }
        }
        let (own_away, opponent_away) = (length - own, length - opponent);
        if crawford && (own_away == 1) == (opponent_away == 1) {
            return Err(ScoreError::Crawford { own_away, opponent_away });
        }
        Ok(MatchScore { length, own, opponent, crawford })
    }

    /// Points that win the match, 1..=32767.
    #[must_use]
    pub const fn length(self) -> u16 {
        self.length
    }

    /// Points of the player on roll, below the length.
    #[must_use]
    pub const fn own(self) -> u16 {
        self.own
    }

    /// Points of the opponent, below the length.
    #[must_use]
    pub const fn opponent(self) -> u16 {
        self.opponent
    }

    /// Points the player on roll still needs, at least 1.
    #[must_use]
    pub const fn own_away(self) -> u16 {
        self.length - self.own
    }

    /// Points the opponent still needs, at least 1.
    #[must_use]
    pub const fn opponent_away(self) -> u16 {
        self.length - self.opponent
    }

    /// The one game after a side first comes to one point away, played without the cube.
    #[must_use]
    pub const fn is_crawford(self) -> bool {
        self.crawford
    }

    /// Whether the Crawford game is over: a side is one point away and may be doubled again. Never
    /// in a match to 1 point.
    #[must_use]
    pub const fn is_post_crawford(self) -> bool {
        !self.crawford && self.length > 1 && (self.own_away() == 1 || self.opponent_away() == 1)
    }

    /// The score after a game that a side won; `None` if that wins the match. The first game after
    /// a side comes to one point away is the Crawford game.
    #[must_use]
    pub fn after_win(self, winner: Side, points: u32) -> Option<MatchScore> {
        let (own, opponent) = match winner {
            Side::Own => (points, 0),
            Side::Opponent => (0, points),
        };
        let add = |score: u16, points: u32| u16::try_from(points).ok()?.checked_add(score);
        let (own, opponent) = (add(self.own, own)?, add(self.opponent, opponent)?);
        let crawford_played = self.crawford || self.is_post_crawford();
        let is_one_away = |score: u16| score == self.length - 1;
        let crawford = !crawford_played && is_one_away(own) != is_one_away(opponent);
        MatchScore::new(self.length, own, opponent, crawford).ok()
    }

    /// The same score, seen by the other player.
    #[must_use]
    pub const fn flipped(self) -> MatchScore {
        MatchScore { own: self.opponent, opponent: self.own, ..self }
    }
}

impl Scoring {
    /// Money play without the Jacoby rule and without beavers.
    pub const MONEY: Scoring = Scoring::Money { jacoby: false, beavers: false };

    /// The points of a game that the checkers ended: 1, 2 or 3 times the cube. Under the Jacoby
    /// rule gammons count as single games until the cube is turned.
    #[must_use]
    pub const fn points(self, outcome: Outcome, cube: Cube) -> u32 {
        let jacoby = matches!(self, Scoring::Money { jacoby: true, .. });
        let single = jacoby && matches!(cube.owner(), CubeOwner::Centred);
        cube.value() * if single { 1 } else { outcome.points().unsigned_abs() }
    }

    /// A match in progress; shorthand for [`MatchScore::new`].
    ///
    /// # Errors
    /// [`ScoreError`] names the invalid field.
    pub fn of_match(
        length: u16,
        own: u16,
        opponent: u16,
        crawford: bool,
    ) -> Result<Scoring, ScoreError> {
        MatchScore::new(length, own, opponent, crawford).map(Scoring::Match)
    }

    /// A match in progress from counts of points, own first; money without a length.
    ///
    /// # Errors
    /// [`ScoreError`] names the invalid field. Numbers above 65535 count as 65535.
    pub fn of_points(
        length: Option<u32>,
        score: [u32; 2],
        crawford: bool,
    ) -> Result<Scoring, ScoreError> {
        let small = |points: u32| u16::try_from(points).unwrap_or(u16::MAX);
        let [own, opponent] = score.map(small);
        length.map_or(Ok(Scoring::MONEY), |length| {
            Scoring::of_match(small(length), own, opponent, crawford)
        })
    }

    /// Points the player on roll and the opponent still need; `None` for money.
    #[must_use]
    pub const fn away(self) -> Option<(u16, u16)> {
        match self {
            Scoring::Money { .. } => None,
            Scoring::Match(score) => Some((score.own_away(), score.opponent_away())),
        }
    }

    /// Whether the Crawford game of a match is over.
    #[must_use]
    pub const fn is_post_crawford(self) -> bool {
        matches!(self, Scoring::Match(score) if score.is_post_crawford())
    }

    /// Whether the cube is in play: always, except in the Crawford game.
    #[must_use]
    pub const fn may_use_cube(self) -> bool {
        !matches!(self, Scoring::Match(score) if score.is_crawford())
    }

    /// Whether servers let a player double: never in a match to 1 point nor in the Crawford game.
    /// [`Scoring::may_use_cube`] is the rule for records, which may hold doubles in a match to 1.
    #[must_use]
    pub const fn has_cube(self) -> bool {
        self.may_use_cube() && !matches!(self, Scoring::Match(score) if score.length() == 1)
    }

    /// The same scoring, seen by the other player.
    #[must_use]
    pub const fn flipped(self) -> Scoring {
        match self {
            Scoring::Money { .. } => self,
            Scoring::Match(score) => Scoring::Match(score.flipped()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crawford_game_has_exactly_one_side_one_point_away() {
        for (own, opponent, allowed) in [(6, 3, true), (3, 6, true), (6, 6, false), (5, 5, false)] {
            assert_eq!(
                Scoring::of_match(7, own, opponent, true).is_ok(),
                allowed,
                "{own}-{opponent}"
            );
        }
        assert!(
            Scoring::of_match(1, 0, 0, true).is_err(),
            "a match to 1 point has no Crawford game"
        );
    }

    #[test]
    fn the_cube_is_out_of_play_in_the_crawford_game_only() {
        let crawford = Scoring::of_match(7, 6, 3, true).expect("legal");
        assert!(!crawford.may_use_cube() && !crawford.is_post_crawford());
        assert!(!crawford.has_cube());
        let after = Scoring::of_match(7, 6, 4, false).expect("legal");
        assert!(after.may_use_cube() && after.has_cube() && after.is_post_crawford());
        let last = Scoring::of_match(7, 6, 6, false).expect("legal");
        assert!(last.is_post_crawford());
        let single = Scoring::of_match(1, 0, 0, false).expect("legal");
        assert!(single.may_use_cube() && !single.has_cube() && !single.is_post_crawford());
        let money = Scoring::Money { jacoby: true, beavers: false };
        assert!(money.may_use_cube() && money.has_cube() && !money.is_post_crawford());
        assert_eq!(money.away(), None);
    }

    #[test]
    fn the_crawford_game_is_the_first_after_a_side_comes_to_one_point_away() {
        let games = [
            (Side::Own, 2),
            (Side::Opponent, 1),
            (Side::Own, 2),
            (Side::Opponent, 1),
            (Side::Opponent, 2),
        ];
        let mut score = MatchScore::new(5, 0, 0, false).expect("a score");
        let mut crawford = vec![];
        for (winner, points) in games {
            score = score.after_win(winner, points).expect("not over");
            crawford.push(score.is_crawford());
        }
        assert_eq!(crawford, [false, false, true, false, false]);
        // Both came to one point away: there is no Crawford game at 4-4 after it was played.
        assert_eq!((score.own_away(), score.opponent_away()), (1, 1));
    }

    #[test]
    fn a_match_ends_when_a_side_has_its_points() {
        let score = MatchScore::new(5, 0, 4, true).expect("a score");
        assert_eq!(score.after_win(Side::Opponent, 1), None);
        assert_eq!(score.after_win(Side::Own, 100_000), None);
        assert_eq!(score.after_win(Side::Own, u32::from(u16::MAX)), None);
        assert_eq!(score.after_win(Side::Own, 4), MatchScore::new(5, 4, 4, false).ok());
        let begun = MatchScore::new(5, 0, 0, false).expect("a score");
        assert_eq!(begun.after_win(Side::Own, u32::from(u16::MAX)), None);
        let to_one = MatchScore::new(1, 0, 0, false).expect("a score");
        assert_eq!(to_one.after_win(Side::Own, 1), None);
    }

    #[test]
    fn a_flip_swaps_the_away_scores() {
        let scoring = Scoring::of_match(9, 3, 7, false).expect("legal");
        assert_eq!(scoring.away(), Some((6, 2)));
        assert_eq!(scoring.flipped().away(), Some((2, 6)));
        assert_eq!(scoring.flipped().flipped(), scoring);
    }

    #[test]
    fn impossible_scores_are_refused_by_name() {
        for length in [0, 32768, u16::MAX] {
            assert_eq!(MatchScore::new(length, 0, 0, false), Err(ScoreError::Length(length)));
        }
        assert!(MatchScore::new(32767, 32766, 0, true).is_ok());
        let reached = ScoreError::Reached { side: Side::Opponent, score: 7, length: 7 };
        assert_eq!(MatchScore::new(7, 0, 7, false), Err(reached));
        let message = MatchScore::new(7, 8, 0, false).expect_err("too many points").to_string();
        assert!(
            message.starts_with(
                "invalid score 8 of the player on roll: expected less than the match length 7"
            ),
            "{message}"
        );
    }
}
