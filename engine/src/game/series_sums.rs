//! Sums over the units of a series. They are whole numbers, so their order changes nothing.

use serde::{Deserialize, Serialize};

use super::cube_counts::CubeCounts;
use super::match_series::{MatchResults, Series, SeriesConfig};
use super::outcome_counts::OutcomeCounts;
use super::series_rules::SeriesRules;
use super::series_unit::{LUCK_BITS, PairResult};
use crate::stats::Estimate;

/// Sums over units.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct SeriesSums {
    units: u64,
    /// Units that one of the players won: the points of a pair of games can add up to 0.
    pub(super) decided: u64,
    points: i64,
    squares: i64,
    endless: u64,
    tally: OutcomeCounts,
    cube: [CubeCounts; 2],
    matches: MatchSums,
    adjusted: AdjustedSums,
}

/// Sums of the units' results less their luck, in units of 2^-[`LUCK_BITS`]: points, or matches
/// won. Units with an endless match are left out.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct AdjustedSums {
    units: u64,
    sum: i128,
    squares: i128,
}

impl AdjustedSums {
    fn add(&mut self, unit: &PairResult, of_matches: bool) {
        if of_matches && unit.endless > 0 {
            return;
        }
        let result = if of_matches { unit.matches_won.cast_signed() } else { unit.points };
        let value = (i128::from(result) << LUCK_BITS) - i128::from(unit.luck);
        self.units += 1;
        self.sum += value;
        self.squares += value * value;
    }

    fn joined(self, other: AdjustedSums) -> AdjustedSums {
        AdjustedSums {
            units: self.units + other.units,
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
        }
    }

    /// Per game or match.
    fn estimate(&self, seats: u64) -> Estimate {
        let unit = f64::from(1u32 << LUCK_BITS);
        let (sum, squares) = (self.sum as f64 / unit, self.squares as f64 / (unit * unit));
        Estimate::from_sums(self.units, sum, squares).scaled(1.0 / seats as f64)
    }
}

/// Sums over the units of a series of matches. Units with an endless game are left out.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct MatchSums {
    units: u64,
    won: u64,
    won_squares: u64,
    points: i64,
    point_squares: i64,
    games: i64,
    game_squares: i64,
    points_by_games: i64,
}

impl MatchSums {
    fn add(&mut self, unit: &PairResult) {
        if unit.endless > 0 {
            return;
        }
        let (points, games) = (unit.points, unit.outcomes.len() as i64);
        self.units += 1;
        self.won += unit.matches_won;
        self.won_squares += unit.matches_won * unit.matches_won;
        self.points += points;
        self.point_squares += points * points;
        self.games += games;
        self.game_squares += games * games;
        self.points_by_games += points * games;
    }

    fn joined(self, other: MatchSums) -> MatchSums {
        MatchSums {
            units: self.units + other.units,
            won: self.won + other.won,
            won_squares: self.won_squares + other.won_squares,
            points: self.points + other.points,
            point_squares: self.point_squares + other.point_squares,
            games: self.games + other.games,
            game_squares: self.game_squares + other.game_squares,
            points_by_games: self.points_by_games + other.points_by_games,
        }
    }

    fn results(&self, seats: u64) -> MatchResults {
        let per_match = |sum: f64, squares: f64| {
            Estimate::from_sums(self.units, sum, squares).scaled(1.0 / seats as f64)
        };
        MatchResults {
            played: self.units * seats,
            won: self.won,
            mwc: per_match(self.won as f64, self.won_squares as f64),
            points: per_match(self.points as f64, self.point_squares as f64),
        }
    }

    /// Points per game.
    ///
    /// The number of games varies, so this is the ratio of two sums. Its error is that of the mean
    /// of `points - ratio * games`, as is usual for ratios. The source is Cochran, Sampling
    /// Techniques, 1977, section 6.4.
    fn ppg(&self) -> Estimate {
        let ratio = self.points as f64 / self.games as f64;
        let squares = self.point_squares as f64 - 2.0 * ratio * self.points_by_games as f64
            + ratio * ratio * self.game_squares as f64;
        let residuals = Estimate::from_sums(self.units, 0.0, squares);
        let games = self.games as f64 / self.units as f64;
        Estimate { mean: ratio, ..residuals.scaled(1.0 / games) }
    }
}

impl SeriesSums {
    pub(super) fn add(&mut self, unit: &PairResult, config: &SeriesConfig) {
        self.units += 1;
        self.adjusted.add(unit, config.rules.is_match());
        self.decided += u64::from(unit.points != 0);
        self.points += unit.points;
        self.squares += unit.points * unit.points;
        self.endless += unit.endless;
        unit.outcomes.iter().for_each(|&outcome| self.tally.add(outcome));
        self.add_cube(unit.cube);
        self.matches.add(unit);
    }

    fn add_cube(&mut self, cube: [CubeCounts; 2]) {
        for (sum, counts) in self.cube.iter_mut().zip(cube) {
            *sum = sum.plus(counts);
        }
    }

    /// Adds a unit of these points, of which no game is known.
    #[cfg(test)]
    pub(super) fn add_points(&mut self, points: i64, config: &SeriesConfig) {
        self.add(&PairResult { points, ..PairResult::default() }, config);
    }

    /// A unit's value is its points per game: half the sum of a pair. `luck`: whether it was
    /// estimated.
    pub(super) fn series(&self, config: &SeriesConfig, luck: bool) -> Series {
        let of_matches = config.rules.is_match();
        let ppg = if of_matches {
            self.matches.ppg()
        } else {
            let ppg = Estimate::from_sums(self.units, self.points as f64, self.squares as f64);
            ppg.scaled(1.0 / config.seats() as f64)
        };
        Series {
            games: self.tally.wins() + self.tally.losses(),
            endless: self.endless,
            ppg,
            tally: self.tally,
            matches: of_matches.then(|| self.matches.results(config.seats())),
            adjusted: luck.then(|| self.adjusted.estimate(config.seats())),
            cube: (config.rules != SeriesRules::Cubeless).then_some(self.cube),
        }
    }

    /// Whether these can be the sums of this many units: a message may say anything.
    pub(super) fn can_be_of(&self, units: u64, config: &SeriesConfig) -> bool {
        let most = i64::try_from(units * config.seats()).unwrap_or(i64::MAX);
        let games = self.tally.wins().saturating_add(self.tally.losses());
        let is_match = config.rules.is_match();
        // A cubeless game is worth 3 points at most; a cube, and a match, have no such bound.
        let bound = if config.rules == SeriesRules::Cubeless { 3 } else { 1 << 20 };
        let complete = games.saturating_add(self.endless) == most.unsigned_abs();
        let matches = self.matches.units <= units && self.matches.won <= most.unsigned_abs();
        self.units == units
            && self.decided <= units
            && self.endless <= most.unsigned_abs()
            && (is_match || complete)
            && self.points.unsigned_abs() <= most.unsigned_abs().saturating_mul(bound)
            && self.squares >= 0
            && self.adjusted.units <= units
            && (!is_match || matches)
    }

    /// The number of units.
    pub(super) const fn units(&self) -> u64 {
        self.units
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.units == 0
    }

    pub(super) fn joined(mut self, other: SeriesSums) -> SeriesSums {
        self.units += other.units;
        self.decided += other.decided;
        self.points += other.points;
        self.squares += other.squares;
        self.endless += other.endless;
        for (a, b) in self.tally.outcomes.iter_mut().zip(other.tally.outcomes) {
            *a += b;
        }
        self.add_cube(other.cube);
        self.matches = self.matches.joined(other.matches);
        self.adjusted = self.adjusted.joined(other.adjusted);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::Outcome;

    #[test]
    fn the_error_of_points_per_game_allows_for_the_number_of_games() {
        // Units of 1 and 3 games with 1 point a game: there is no scatter in points per game.
        let mut sums = MatchSums::default();
        for games in [1, 3, 1, 3] {
            let outcomes = vec![Outcome::Win; games];
            sums.add(&PairResult { points: games as i64, outcomes, ..PairResult::default() });
        }
        let ppg = sums.ppg();
        assert_eq!((ppg.mean, ppg.stderr), (1.0, 0.0));
        // With the points exchanged, there is: residuals 2 and -2, over 2 games a unit.
        let mut sums = MatchSums::default();
        for (games, points) in [(1, 3), (3, 1), (1, 3), (3, 1)] {
            let outcomes = vec![Outcome::Win; games];
            sums.add(&PairResult { points, outcomes, ..PairResult::default() });
        }
        let ppg = sums.ppg();
        assert_eq!(ppg.mean, 1.0);
        assert!((ppg.stderr - (16.0_f64 / 3.0 / 4.0).sqrt() / 2.0).abs() < 1e-12, "{ppg:?}");
    }

    #[test]
    fn an_endless_match_takes_its_pair_out_of_the_result() {
        let mut sums = MatchSums::default();
        sums.add(&PairResult { matches_won: 1, endless: 1, ..PairResult::default() });
        sums.add(&PairResult { matches_won: 2, ..PairResult::default() });
        let results = sums.results(2);
        assert_eq!((results.played, results.won, results.mwc.mean), (2, 2, 1.0));
    }
}
