//! Means of samples with their standard errors.

use serde::Serialize;

/// Half the width of a 95 % confidence interval in standard errors: the 97.5 % quantile of the standard normal
/// distribution (OEIS A220510).
pub const Z95: f64 = 1.959_963_984_540_054;

/// The mean of a sample with its standard error.
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

impl Estimate {
    /// From the sum and the sum of squares of `n` independent values. Without values the mean is NaN.
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

    /// From independent values, in two passes: exact even where the values differ little from their mean.
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

    /// The interval that contains the true mean with 95 % confidence, by the normal distribution.
    #[must_use]
    pub fn interval95(&self) -> (f64, f64) {
        let half = Z95 * self.stderr;
        (self.mean - half, self.mean + half)
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
}
