//! Intervals for means of few values.

use super::Estimate;

/// The 97.5 % quantiles of Student's t distribution for 1 to 30 degrees of freedom. Source:
/// NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.2.
const QUANTILES: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];

/// The 97.5 % quantile for these degrees of freedom, rounded down; above 30 that of 30, which is at
/// most 4 % too wide.
fn quantile(degrees: f64) -> f64 {
    let index = (degrees.max(1.0) as usize).min(QUANTILES.len()) - 1;
    QUANTILES[index]
}

impl Estimate {
    /// Half the width of the interval that contains the true mean with 95 % confidence, by
    /// Student's t distribution.
    ///
    /// It is for few values, such as the results of runs with different seeds. It is infinite for
    /// one value.
    #[must_use]
    pub fn student_half95(&self) -> f64 {
        if self.n < 2 { f64::INFINITY } else { quantile((self.n - 1) as f64) * self.stderr }
    }

    /// The difference of two independent means, `self` less `other`, and half the width of its 95 %
    /// interval. Source: Welch, "The generalization of Student's problem when several different
    /// population variances are involved", 1947.
    #[must_use]
    pub fn difference95(&self, other: &Estimate) -> (f64, f64) {
        let parts = [self, other].map(|estimate| estimate.stderr * estimate.stderr);
        let variance = parts[0] + parts[1];
        let spread: f64 = parts
            .iter()
            .zip([self.n, other.n])
            .map(|(part, n)| part * part / (n.max(2) - 1) as f64)
            .sum();
        let degrees = if spread > 0.0 { variance * variance / spread } else { f64::INFINITY };
        (self.mean - other.mean, quantile(degrees) * variance.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_runs_have_a_wider_interval_than_the_normal_distribution_says() {
        let estimate = Estimate::from_values([0.50, 0.52, 0.54, 0.56, 0.58].into_iter());
        assert!((estimate.student_half95() - 2.776 * estimate.stderr).abs() < 1e-12);
        let one = Estimate::from_values([0.5].into_iter());
        assert_eq!(one.student_half95(), f64::INFINITY);
    }

    #[test]
    fn the_difference_of_samples_of_one_size_and_variance_has_all_their_degrees_of_freedom() {
        let sample =
            |shift: f64| Estimate::from_values([1.0, 2.0, 3.0].map(|x| x + shift).into_iter());
        let (difference, half) = sample(4.0).difference95(&sample(0.0));
        assert_eq!(difference, 4.0);
        // Four degrees of freedom: 2.776 times the root of 2/3.
        assert!((half - 2.776 * (2.0_f64 / 3.0).sqrt()).abs() < 1e-9, "{half}");
    }
}
