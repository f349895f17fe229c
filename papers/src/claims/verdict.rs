//! The rule: what follows from a difference and its interval.

/// What the rule says of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    Differs,
    Undecided,
    /// No order: the difference is too small to matter.
    Small,
    Agrees,
}

impl Verdict {
    /// What both readings of a figure say together.
    pub(super) fn of_both(self, other: Verdict) -> Verdict {
        if self == other { self } else { Verdict::Undecided }
    }

    pub(super) const fn text(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::Small => "too small to matter",
            Verdict::Undecided => "undecided",
            Verdict::Differs => "differs",
        }
    }
}

/// Whether an interval lies above 0, around it, or below it.
pub(super) fn sign(difference: f64, half: f64) -> Verdict {
    if difference - half > 0.0 {
        Verdict::Agrees
    } else if difference + half < 0.0 {
        Verdict::Differs
    } else {
        Verdict::Undecided
    }
}

/// The sign of a difference, where one within the margin and around 0 is too small to matter.
pub(super) fn order(difference: f64, half: f64, margin: Option<f64>) -> Verdict {
    match sign(difference, half) {
        Verdict::Undecided if margin.is_some_and(|most| difference.abs() + half <= most) => {
            Verdict::Small
        }
        told => told,
    }
}

/// Whether a difference lies within a margin, outside of it, or on both sides.
pub(super) fn closeness(difference: f64, half: f64, margin: f64) -> Verdict {
    match difference.abs() {
        d if d + half <= margin => Verdict::Agrees,
        d if d - half > margin => Verdict::Differs,
        _ => Verdict::Undecided,
    }
}

/// How many of `n` intervals of 95 % miss by chance, at most: the 97.5 % quantile of the binomial
/// distribution.
pub(super) fn chance(n: u64) -> u64 {
    let (mut term, mut sum, mut k) = (0.95_f64.powi(n as i32), 0.0, 0);
    loop {
        sum += term;
        if sum >= 0.975 || k >= n {
            return k;
        }
        term *= (n - k) as f64 / (k + 1) as f64 * 0.05 / 0.95;
        k += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_readings_that_contradict_each_other_decide_nothing() {
        use Verdict::{Agrees, Differs, Undecided};
        assert_eq!(Agrees.of_both(Agrees), Agrees);
        assert_eq!(Agrees.of_both(Differs), Undecided);
        assert_eq!(Undecided.of_both(Differs), Undecided);
    }

    #[test]
    fn an_order_is_too_small_to_matter_only_if_it_is_not_told_and_within_the_margin() {
        let told = |difference, half| order(difference, half, Some(0.02));
        assert_eq!(told(0.005, 0.01), Verdict::Small);
        assert_eq!(told(-0.005, 0.01), Verdict::Small);
        assert_eq!(told(0.015, 0.01), Verdict::Agrees);
        assert_eq!(told(-0.015, 0.01), Verdict::Differs);
        assert_eq!(told(0.012, 0.013), Verdict::Undecided);
        assert_eq!(order(0.005, 0.01, None), Verdict::Undecided);
    }

    #[test]
    fn of_thirty_intervals_of_95_per_cent_four_may_miss() {
        // Binomial(30, 0.05): P(X <= 3) = 0.939, P(X <= 4) = 0.984.
        assert_eq!(chance(30), 4);
        // P(X <= 0) = 0.735, P(X <= 1) = 0.967, P(X <= 2) = 0.998.
        assert_eq!(chance(6), 2);
    }
}
