//! Utilities: the value of winning or losing points, for money and at a match score.

use std::sync::Arc;

use crate::backgammon::{Cube, CubeOwner, MatchScore, Outcome, Scoring};
use crate::cube::{MatchEquityTable, MetError};

/// Money or a match score with its match equity table, seen by the player on roll.
///
/// *Utility* is measured in points for money, and in match winning chances 0..=1 in a match.
///
/// ```
/// use nonet_engine::cube::CubeScoring;
///
/// let money = CubeScoring::money();
/// assert_eq!(money.utility(2), 2.0);
/// assert_eq!(money.opponent_utility(2.0), -2.0);
/// ```
#[derive(Clone, Debug)]
pub struct CubeScoring {
    session: Scoring,
    table: Arc<MatchEquityTable>,
}

impl CubeScoring {
    /// Money or a match score, and the table of match winning chances.
    ///
    /// # Errors
    /// [`MetError::TooLong`] if the table does not reach the score.
    pub fn new(session: Scoring, table: Arc<MatchEquityTable>) -> Result<CubeScoring, MetError> {
        if let Scoring::Match(score) = session {
            table.reaches(score)?;
        }
        Ok(CubeScoring { session, table })
    }

    /// Money without the Jacoby rule and without beavers, the usual reference for equities.
    #[must_use]
    pub fn money() -> CubeScoring {
        let session = Scoring::Money { jacoby: false, beavers: false };
        CubeScoring { session, table: MatchEquityTable::kazaross_xg2() }
    }

    /// Money or the match score.
    #[must_use]
    pub const fn session(&self) -> Scoring {
        self.session
    }

    /// Whether the match equity table is the one that is compiled in, which every machine has.
    #[must_use]
    pub fn has_usual_table(&self) -> bool {
        let usual = MatchEquityTable::kazaross_xg2();
        Arc::ptr_eq(&self.table, &usual) || *self.table == *usual
    }

    /// The same scoring for the other player.
    #[must_use]
    pub fn flipped(&self) -> CubeScoring {
        CubeScoring { session: self.session.flipped(), table: Arc::clone(&self.table) }
    }

    /// The score, in a match.
    #[must_use]
    pub const fn score(&self) -> Option<MatchScore> {
        match self.session {
            Scoring::Match(score) => Some(score),
            Scoring::Money { .. } => None,
        }
    }

    /// The utility of winning `points`, or of losing them if negative.
    #[inline]
    #[must_use]
    pub fn utility(&self, points: i32) -> f32 {
        match self.session {
            Scoring::Money { .. } => points as f32,
            Scoring::Match(score) => self.table.after(score, points),
        }
    }

    /// The utility of the other player when that of this player is `utility`.
    #[inline]
    #[must_use]
    pub const fn opponent_utility(&self, utility: f32) -> f32 {
        match self.session {
            Scoring::Money { .. } => -utility,
            Scoring::Match(_) => 1.0 - utility,
        }
    }

    /// The utility of a finished game.
    #[must_use]
    pub fn of_outcome(&self, outcome: Outcome, cube: Cube) -> f32 {
        let points =
            if self.single_games(cube) { outcome.points().signum() } else { outcome.points() };
        self.utility(points.saturating_mul(points_at(cube.value())))
    }

    /// Whether gammons count as single games: under the Jacoby rule as long as the cube has not
    /// been turned.
    #[must_use]
    pub const fn single_games(&self, cube: Cube) -> bool {
        matches!(self.session, Scoring::Money { jacoby: true, .. })
            && matches!(cube.owner(), CubeOwner::Centred)
    }

    /// Whether the player on roll can gain by doubling a cube at `value`.
    ///
    /// A player cannot gain in the Crawford game, or if a single game at that value wins the match.
    #[must_use]
    pub const fn may_gain_by_doubling(&self, value: u32) -> bool {
        match self.session {
            Scoring::Money { .. } => true,
            Scoring::Match(score) => !score.is_crawford() && value < score.own_away() as u32,
        }
    }

    /// The same for the opponent.
    #[must_use]
    pub const fn opponent_may_gain_by_doubling(&self, value: u32) -> bool {
        match self.session {
            Scoring::Money { .. } => true,
            Scoring::Match(score) => !score.is_crawford() && value < score.opponent_away() as u32,
        }
    }

    /// A utility as equity, normalized to a cube at 1: a single game lost at `value` is -1 and one
    /// won +1.
    #[must_use]
    pub fn equity(&self, utility: f32, value: u32) -> f32 {
        let points = points_at(value);
        let (lost, won) = (self.utility(-points), self.utility(points));
        2.0 * (utility - lost) / (won - lost) - 1.0
    }

    /// The utility of an equity that is normalized to a cube at 1: the inverse of
    /// [`CubeScoring::equity`].
    #[must_use]
    pub fn utility_of_equity(&self, equity: f32, value: u32) -> f32 {
        let points = points_at(value);
        let (lost, won) = (self.utility(-points), self.utility(points));
        lost + 0.5 * (equity + 1.0) * (won - lost)
    }

    /// The gammon prices of the player and of the opponent.
    ///
    /// A price is the additional value of a gammon over a single game. It is relative to the
    /// difference between a single game won and lost: 0.5 for money.
    #[must_use]
    pub fn gammon_prices(&self, value: u32) -> (f32, f32) {
        self.price_of_one_more(value, 1)
    }

    /// The backgammon prices of the player and of the opponent; 0.5 for money. A price is the
    /// additional value of a backgammon over a gammon, relative to the difference between a single
    /// game won and lost.
    #[must_use]
    pub fn backgammon_prices(&self, value: u32) -> (f32, f32) {
        self.price_of_one_more(value, 2)
    }

    /// The additional value of a win by one more than this many times the cube.
    fn price_of_one_more(&self, value: u32, times: i32) -> (f32, f32) {
        let points = points_at(value);
        let swing = self.utility(points) - self.utility(-points);
        let (less, more) = (times * points, (times + 1) * points);
        let own = self.utility(more) - self.utility(less);
        let theirs = self.utility(-less) - self.utility(-more);
        (own / swing, theirs / swing)
    }
}

/// The value of a cube in points, limited to 2^20, which no match length reaches.
pub(super) const fn points_at(value: u32) -> i32 {
    if value > 1 << 20 { 1 << 20 } else { value as i32 }
}
