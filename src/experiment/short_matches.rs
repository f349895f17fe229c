//! Matches as short as a paper's, played many times: how they scatter.

use crate::train::TestResult;

/// How matches ended: the points of the first side less those of the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShortMatches {
    /// Ascending, at least one.
    points: Vec<i64>,
}

impl ShortMatches {
    /// From the results of matches of `games` games.
    ///
    /// # Panics
    /// Without results.
    pub(super) fn of(results: &[TestResult], games: u64) -> ShortMatches {
        assert!(!results.is_empty(), "a match has at least one series");
        // A game is worth whole points, so that rounding only undoes the division.
        let points = |result: &TestResult| (result.ppg * games as f64).round() as i64;
        let mut points: Vec<i64> = results.iter().map(points).collect();
        points.sort_unstable();
        ShortMatches { points }
    }

    pub(super) fn count(&self) -> usize {
        self.points.len()
    }

    /// The share of matches whose points are so.
    pub(super) fn share(&self, holds: impl Fn(i64) -> bool) -> f64 {
        self.points.iter().filter(|points| holds(**points)).count() as f64 / self.count() as f64
    }

    /// The lowest and the highest result after the lowest 2.5 % and the highest 2.5 % of matches are left out.
    pub(super) fn central95(&self) -> [i64; 2] {
        let out = self.count() / 40;
        [self.points[out], self.points[self.count() - 1 - out]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_of_a_hundred_matches_lie_outside() {
        let result = |points: i64| TestResult {
            ppg: points as f64 / 30.0,
            stderr: 0.1,
            wins: 0.5,
            points: 0.5,
        };
        let results: Vec<TestResult> = (-60..=59).rev().map(result).collect();
        let ended = ShortMatches::of(&results, 30);
        assert_eq!((ended.count(), ended.central95()), (120, [-57, 56]));
        assert_eq!(ended.share(|points| points > 0), 59.0 / 120.0);
        assert_eq!(ended.share(|points| points <= -60), 1.0 / 120.0);
        assert_eq!(ShortMatches::of(&results[..1], 30).central95(), [59, 59]);
    }
}
