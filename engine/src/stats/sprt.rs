//! The sequential probability ratio test of a mean.

use serde::Serialize;

use super::Estimate;

/// A test that decides between two means, `low` and `high`, and ends as soon as the data allow it.
///
/// It is the generalized sequential probability ratio test: the variance is estimated from the
/// data, as the chess programs' fishtest does. Source: M. Van den Bergh, "A practical introduction
/// to the GSPRT" (2020). `n` independent values have the mean `m` and the variance `v`. The
/// log-likelihood ratio of `high` to `low` is `n (high - low) (2 m - low - high) / (2 v)`. The test
/// ends where it leaves the interval of [`Sprt::bounds`] (Wald, "Sequential tests of statistical
/// hypotheses", 1945).
///
/// ```
/// use nonet_engine::stats::{Estimate, Sprt, Verdict};
///
/// let test = Sprt::new(0.0, 0.1)?;
/// let result = Estimate::from_sums(1000, 300.0, 1000.0);
/// assert_eq!(test.verdict(&result), Verdict::High);
/// # Ok::<(), nonet_engine::stats::SprtError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    low: f64,
    high: f64,
}

/// The probability of each of the two wrong verdicts, where the mean is `low` or `high`.
const WRONG: f64 = 0.05;

/// The fewest values for which the estimated variance is believed.
const LEAST: u64 = 200;

/// The verdict of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The data speak for `high`.
    High,
    /// The data speak for `low`.
    Low,
    /// The data do not decide yet.
    Open,
}

/// The two means of a test are not in order.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "invalid bounds of a test, {low} and {high}: expected two finite numbers, the smaller one first"
)]
pub struct SprtError {
    /// The smaller mean that was asked for.
    pub low: f64,
    /// The larger one.
    pub high: f64,
}

impl Sprt {
    /// A test that decides between the means `low` and `high`.
    ///
    /// # Errors
    /// [`SprtError`] if `low` is not less than `high`, or one of them is not finite.
    pub fn new(low: f64, high: f64) -> Result<Sprt, SprtError> {
        if low < high && low.is_finite() && high.is_finite() {
            Ok(Sprt { low, high })
        } else {
            Err(SprtError { low, high })
        }
    }

    /// The two means.
    #[must_use]
    pub const fn means(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// The logarithm of the likelihood ratio of `high` to `low`; 0 as long as nothing can be said.
    #[must_use]
    pub fn llr(&self, estimate: &Estimate) -> f64 {
        let variance_of_mean = estimate.stderr * estimate.stderr;
        if !(variance_of_mean > 0.0 && variance_of_mean.is_finite()) {
            return 0.0;
        }
        (self.high - self.low) * (2.0 * estimate.mean - self.low - self.high)
            / (2.0 * variance_of_mean)
    }

    /// The bounds of the logarithm of the likelihood ratio between which the test goes on.
    ///
    /// They are `log(0.05 / 0.95)` and its negative, for errors of 5 % on both sides.
    #[must_use]
    pub fn bounds() -> (f64, f64) {
        let bound = ((1.0 - WRONG) / WRONG).ln();
        (-bound, bound)
    }

    /// The verdict on the values so far.
    #[must_use]
    pub fn verdict(&self, estimate: &Estimate) -> Verdict {
        let (low, high) = Sprt::bounds();
        match self.llr(estimate) {
            _ if estimate.n < LEAST => Verdict::Open,
            llr if llr >= high => Verdict::High,
            llr if llr <= low => Verdict::Low,
            _ => Verdict::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngCore, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    /// The share of tests that end with `High`, and the mean number of values, where the mean is
    /// `mean` and the standard deviation 1.4.
    fn simulated(sprt: Sprt, mean: f64, runs: u32) -> (f64, f64) {
        let mut rng = Pcg64::seed_from_u64(3);
        let (mut high, mut values) = (0_u32, 0.0);
        for _ in 0..runs {
            let (mut n, mut sum, mut squares) = (0_u64, 0.0, 0.0);
            let verdict = loop {
                for _ in 0..50 {
                    // Backgammon's results: 1, 2 or 3 points for either side.
                    let x = f64::from(rng.next_u32()) / 2.0_f64.powi(32);
                    let points = match x {
                        _ if x < 0.36 => 1.0,
                        _ if x < 0.495 => 2.0,
                        _ if x < 0.5 => 3.0,
                        _ if x < 0.86 => -1.0,
                        _ if x < 0.995 => -2.0,
                        _ => -3.0,
                    };
                    let value: f64 = points + mean;
                    n += 1;
                    sum += value;
                    squares += value * value;
                }
                match sprt.verdict(&Estimate::from_sums(n, sum, squares)) {
                    Verdict::Open => {}
                    verdict => break verdict,
                }
            };
            high += u32::from(verdict == Verdict::High);
            values += n as f64;
        }
        (f64::from(high) / f64::from(runs), values / f64::from(runs))
    }

    #[test]
    fn each_wrong_verdict_has_a_probability_of_at_most_a_twentieth() {
        let sprt = Sprt::new(0.0, 0.1).expect("in order");
        let (wrong, _) = simulated(sprt, 0.0, 2000);
        // The error of the share is 0.005; the overshoot of a bound makes the test a little
        // stricter.
        assert!((0.025..0.06).contains(&wrong), "{wrong}");
        let (right, _) = simulated(sprt, 0.1, 2000);
        assert!((0.94..0.975).contains(&right), "{right}");
    }

    #[test]
    fn a_clear_difference_needs_fewer_values_than_a_narrow_one() {
        let sprt = Sprt::new(0.0, 0.1).expect("in order");
        let [(_, at_bound), (share, far)] = [0.1, 0.4].map(|mean| simulated(sprt, mean, 200));
        assert!(share > 0.99 && 2.0 * far < at_bound, "{share}, {far} and {at_bound} values");
    }

    #[test]
    fn the_ratio_is_that_of_two_normal_distributions() {
        let sprt = Sprt::new(-0.02, 0.06).expect("in order");
        let estimate = Estimate { mean: 0.05, stderr: 0.02, n: 1000 };
        let log = |mean: f64| -0.5 * ((estimate.mean - mean) / estimate.stderr).powi(2);
        assert!((sprt.llr(&estimate) - (log(0.06) - log(-0.02))).abs() < 1e-12);
    }

    #[test]
    fn bounds_out_of_order_are_refused() {
        for (low, high) in [(0.0, 0.0), (0.1, 0.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
            assert!(Sprt::new(low, high).is_err());
        }
    }

    #[test]
    fn few_values_prove_nothing() {
        let sprt = Sprt::new(0.0, 0.1).expect("in order");
        assert_eq!(sprt.verdict(&Estimate { mean: 1.0, stderr: 0.01, n: 20 }), Verdict::Open);
        assert_eq!(sprt.verdict(&Estimate { mean: 1.0, stderr: 0.0, n: 2000 }), Verdict::Open);
    }
}
