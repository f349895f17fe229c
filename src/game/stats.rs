//! Means with their errors, and counts of how games ended.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

use crate::backgammon::Outcome;

/// A mean with its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub stderr: f64,
}

impl Estimate {
    /// From the sum and the sum of squares of `n` independent values; an error of one value or none is infinite.
    #[must_use]
    pub fn from_sums(n: u64, sum: f64, squares: f64) -> Estimate {
        if n == 0 {
            return Estimate { mean: f64::NAN, stderr: f64::INFINITY };
        }
        let count = n as f64;
        let mean = sum / count;
        let variance =
            if n > 1 { ((squares - sum * mean) / (count - 1.0)).max(0.0) } else { f64::INFINITY };
        Estimate { mean, stderr: (variance / count).sqrt() }
    }

    /// The interval that holds the true mean with 95 % confidence, by the normal distribution.
    #[must_use]
    pub fn interval95(&self) -> (f64, f64) {
        let half = z95() * self.stderr;
        (self.mean - half, self.mean + half)
    }
}

/// Standard deviations either side of the mean that hold 95 % of a normal distribution: 1.96.
fn z95() -> f64 {
    Normal::standard().inverse_cdf(0.975)
}

/// How the games of one side ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OutcomeCounts {
    /// Games by outcome, in the order of [`Outcome::ALL`].
    pub outcomes: [u64; 6],
}

impl OutcomeCounts {
    /// Counts a game.
    pub fn add(&mut self, outcome: Outcome) {
        self.outcomes[outcome.index()] += 1;
    }

    /// Games won, of any kind.
    #[must_use]
    pub fn wins(&self) -> u64 {
        self.outcomes[..3].iter().sum()
    }

    /// Games lost, of any kind.
    #[must_use]
    pub fn losses(&self) -> u64 {
        self.outcomes[3..].iter().sum()
    }

    /// Points won and points lost.
    #[must_use]
    pub fn points(&self) -> (u64, u64) {
        let [a, b, c, d, e, f] = self.outcomes;
        (a + 2 * b + 3 * c, d + 2 * e + 3 * f)
    }

    /// Share of all points that were won, 0..1: the "equity" of Wiering, Patist & Mannen, where 0.5 is parity.
    #[must_use]
    pub fn share_of_points(&self) -> f64 {
        let (won, lost) = self.points();
        won as f64 / (won + lost) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_that_of_the_mean() {
        let values = [1.0, 2.0, 3.0, 4.0_f64];
        let estimate =
            Estimate::from_sums(4, values.iter().sum(), values.iter().map(|x| x * x).sum());
        assert_eq!(estimate.mean, 2.5);
        assert!((estimate.stderr - (5.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
        let (low, high) = estimate.interval95();
        assert!((high - low - 2.0 * 1.959_964 * estimate.stderr).abs() < 1e-5);
    }

    #[test]
    fn one_value_proves_nothing() {
        assert_eq!(Estimate::from_sums(1, 2.0, 4.0).stderr, f64::INFINITY);
    }

    #[test]
    fn the_papers_equity_is_a_share_of_points() {
        let mut tally = OutcomeCounts::default();
        tally.add(Outcome::WinGammon);
        tally.add(Outcome::Lose);
        assert_eq!((tally.wins(), tally.losses()), (1, 1));
        assert!((tally.share_of_points() - 2.0 / 3.0).abs() < 1e-12);
    }
}
