//! What a series is made of: money games with or without the cube, or matches.

use serde::Serialize;

use crate::backgammon::{MatchScore, Scoring, Seat};
use crate::cube::{CubeScoring, MatchEquityTable};

/// The rules of the games of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MatchLength(u16);

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

/// The score of a match between two players.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunningScore {
    length: MatchLength,
    points: [u16; 2],
    crawford: bool,
    crawford_played: bool,
}

impl RunningScore {
    pub(super) const fn new(length: MatchLength) -> RunningScore {
        RunningScore { length, points: [0; 2], crawford: false, crawford_played: false }
    }

    /// The player who has won the match.
    pub(super) fn winner(&self) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.points[seat.index()] >= self.length.0)
    }

    /// Adds a game that `winner` won. The first game after a player comes to one point away is the Crawford game.
    pub(super) fn add(&mut self, winner: Seat, points: u32) {
        let own = &mut self.points[winner.index()];
        *own = own.saturating_add(u16::try_from(points).unwrap_or(u16::MAX));
        self.crawford_played |= self.crawford;
        let one_away = self.points.map(|points| points == self.length.0 - 1);
        self.crawford = !self.crawford_played && one_away[0] != one_away[1];
    }

    /// The scoring of the next game, seen by the first player.
    ///
    /// # Panics
    /// If the match is over.
    pub(super) fn scoring(&self) -> CubeScoring {
        let [own, opponent] = self.points;
        let score = MatchScore::new(self.length.0, own, opponent, self.crawford)
            .expect("the match is not over, and one player is one point away in a Crawford game");
        CubeScoring::new(Scoring::Match(score), MatchEquityTable::kazaross_xg2())
            .expect("the length of the match is within the table")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(games: &[(Seat, u32)]) -> RunningScore {
        let mut score = RunningScore::new(MatchLength::new(5).expect("a length"));
        games.iter().for_each(|&(winner, points)| score.add(winner, points));
        score
    }

    fn is_crawford(score: &RunningScore) -> bool {
        matches!(score.scoring().session(), Scoring::Match(score) if score.is_crawford())
    }

    #[test]
    fn the_crawford_game_is_the_first_after_a_player_comes_to_one_point_away() {
        let games = [(Seat::X, 2), (Seat::O, 1), (Seat::X, 2), (Seat::O, 1), (Seat::O, 2)];
        let crawford: Vec<bool> =
            (0..=games.len()).map(|played| is_crawford(&after(&games[..played]))).collect();
        assert_eq!(crawford, [false, false, false, true, false, false]);
        // Both come to one point away: there is no Crawford game at 4-4 after it was played.
        assert_eq!(after(&games).scoring().session().away(), Some((1, 1)));
    }

    #[test]
    fn a_match_ends_when_a_player_has_its_points() {
        assert_eq!(after(&[(Seat::O, 4)]).winner(), None);
        assert_eq!(after(&[(Seat::O, 4), (Seat::O, 4)]).winner(), Some(Seat::O));
        assert_eq!(after(&[(Seat::X, 100_000)]).winner(), Some(Seat::X));
    }

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
