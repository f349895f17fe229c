//! Means of samples with their standard errors, and intervals for tests in stages.

use std::fmt;

use serde::Serialize;

/// Half the width of a 95 % confidence interval in standard errors: the 97.5 % quantile of the
/// standard normal distribution (OEIS A220510).
pub const Z95: f64 = 1.959_963_984_540_054;

/// The mean of a sample with its standard error.
///
/// ```
/// use nonet_engine::stats::Estimate;
///
/// let mean = Estimate::from_values([1.0, 2.0, 3.0].into_iter());
/// assert_eq!(mean.to_string(), "+2.000 ± 1.132");
/// assert!(mean.interval95().0 < 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean; infinite for fewer than two values.
    pub stderr: f64,
    /// The number of independent values.
    #[serde(skip)]
    pub n: u64,
}

impl fmt::Display for Estimate {
    /// The mean and half the width of its 95 % interval: `+1.480 ± 0.129`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.3} ± {:.3}", self.mean, Z95 * self.stderr)
    }
}

impl Estimate {
    /// From the sum and the sum of squares of `n` independent values. Without values the mean is
    /// NaN.
    #[must_use]
    pub fn from_sums(n: u64, sum: f64, squares: f64) -> Estimate {
        if n == 0 {
            return Estimate { mean: f64::NAN, stderr: f64::INFINITY, n };
        }
        let count = n as f64;
        let mean = sum / count;
        let variance =
            if n > 1 { ((squares - sum * mean) / (count - 1.0)).max(0.0) } else { f64::INFINITY };
        Estimate { mean, stderr: (variance / count).sqrt(), n }
    }

    /// From independent values, in two passes: exact even where the values differ little from their
    /// mean.
    #[must_use]
    pub fn from_values(values: impl Iterator<Item = f64> + Clone) -> Estimate {
        let n = values.clone().count() as u64;
        if n < 2 {
            let sum = values.sum();
            return Estimate::from_sums(n, sum, 0.0);
        }
        let count = n as f64;
        let mean = values.clone().sum::<f64>() / count;
        let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
        Estimate { mean, stderr: (variance / count).sqrt(), n }
    }

    /// The same values multiplied by `factor`.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Estimate {
        Estimate { mean: self.mean * factor, stderr: self.stderr * factor.abs(), n: self.n }
    }

    /// The difference from the mean of another sample, independent of this one.
    #[must_use]
    pub fn minus(self, other: Estimate) -> Estimate {
        let stderr = self.stderr.hypot(other.stderr);
        Estimate { mean: self.mean - other.mean, stderr, n: self.n.min(other.n) }
    }

    /// Half the width of the 95 % interval: what ± means in every output.
    #[must_use]
    pub fn half95(&self) -> f64 {
        Z95 * self.stderr
    }

    /// The interval that contains the true mean with 95 % confidence, by the normal distribution.
    #[must_use]
    pub fn interval95(&self) -> (f64, f64) {
        let half = self.half95();
        (self.mean - half, self.mean + half)
    }
}

/// Half the widths of the repeated confidence intervals of O'Brien & Fleming for [`LOOKS`] looks.
///
/// They are this many standard errors at the last look. At an earlier look they are larger by the
/// root of the ratio of the data. Source: Jennison & Turnbull, Group Sequential Methods with
/// Applications to Clinical Trials (2000), table 2.3, for a two-sided error of 5 %.
const OBRIEN_FLEMING: f64 = 2.040;

/// How often a test in stages looks at its data, at most.
pub const LOOKS: u32 = 5;

impl Estimate {
    /// The interval at look `look`, 1..=[`LOOKS`], of a test that looks at its data after each of
    /// [`LOOKS`] equal stages.
    ///
    /// All these intervals together contain the true mean with 95 % confidence. Suppose that the
    /// mean is not above a value. A test that stops at the first interval above this value is wrong
    /// with a probability of at most 2.5 %.
    #[must_use]
    pub fn repeated_interval95(&self, look: u32) -> (f64, f64) {
        let half = OBRIEN_FLEMING * f64::from(LOOKS).sqrt() / f64::from(look).sqrt() * self.stderr;
        (self.mean - half, self.mean + half)
    }
}

/// Wilson's 95 % interval of a probability, 0..=1, from `n` independent trials with `k` successes.
///
/// Without trials it is 0 to 1. Source: Wilson 1927, "Probable inference, the law of succession,
/// and statistical inference".
#[must_use]
pub fn wilson95(k: u64, n: u64) -> (f64, f64) {
    if n == 0 {
        return (0.0, 1.0);
    }
    let (n, z2) = (n as f64, Z95 * Z95);
    let share = k as f64 / n;
    let centre = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    ((centre - half).max(0.0), (centre + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use rand::{RngCore, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    #[test]
    fn the_error_is_that_of_the_mean() {
        let values = [1.0, 2.0, 3.0, 4.0_f64];
        let estimate =
            Estimate::from_sums(4, values.iter().sum(), values.iter().map(|x| x * x).sum());
        assert_eq!((estimate.mean, estimate.n), (2.5, 4));
        assert!((estimate.stderr - (5.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
        let (low, high) = estimate.interval95();
        assert!((high - low - 2.0 * 1.959_964 * estimate.stderr).abs() < 1e-5);
        let by_values = Estimate::from_values(values.into_iter());
        assert!((by_values.stderr - estimate.stderr).abs() < 1e-12);
        assert_eq!((by_values.mean, by_values.n), (2.5, 4));
    }

    #[test]
    fn one_value_has_no_finite_error() {
        let one = Estimate { mean: 2.0, stderr: f64::INFINITY, n: 1 };
        assert_eq!(Estimate::from_sums(1, 2.0, 4.0), one);
        assert_eq!(Estimate::from_values([2.0].into_iter()), one);
    }

    #[test]
    fn scaling_turns_the_mean_but_not_the_error() {
        let estimate = Estimate { mean: 0.5, stderr: 0.1, n: 9 }.scaled(-2.0);
        assert_eq!(estimate, Estimate { mean: -1.0, stderr: 0.2, n: 9 });
    }

    #[test]
    fn the_intervals_of_all_looks_hold_together_with_95_percent() {
        // Sums of standard normal variables, one for each stage: the mean of all is 0.
        let mut rng = Pcg64::seed_from_u64(1);
        let mut normal = || {
            let sum: f64 = (0..12).map(|_| rng.next_u32()).map(f64::from).sum();
            sum / f64::from(u32::MAX) - 6.0
        };
        let runs = 100_000;
        let (mut above, mut outside) = (0, 0);
        for _ in 0..runs {
            let (mut sum, mut crossed) = (0.0, [false; 2]);
            for look in 1..=LOOKS {
                sum += normal();
                let n = f64::from(look);
                let estimate =
                    Estimate { mean: sum / n, stderr: 1.0 / n.sqrt(), n: u64::from(look) };
                let (low, high) = estimate.repeated_interval95(look);
                crossed = [crossed[0] || low > 0.0, crossed[1] || high < 0.0];
            }
            above += u32::from(crossed[0]);
            outside += u32::from(crossed[0] || crossed[1]);
        }
        let share = |count: u32| f64::from(count) / f64::from(runs);
        // The error of the shares is 0.0005 and 0.0007.
        assert!((0.0235..0.0265).contains(&share(above)), "{}", share(above));
        assert!((0.048..0.052).contains(&share(outside)), "{}", share(outside));
    }

    #[test]
    fn wilsons_interval_is_that_of_the_textbooks() {
        // Agresti & Coull 1998, for 0 of 10: (0, 0.278).
        let (low, high) = wilson95(0, 10);
        assert!(low.abs() < 1e-12 && (high - 0.2775).abs() < 1e-4, "{low} {high}");
        let (low, high) = wilson95(5, 10);
        assert!((low + high - 1.0).abs() < 1e-12, "{low} {high}");
        assert_eq!(wilson95(0, 0), (0.0, 1.0));
    }
}
