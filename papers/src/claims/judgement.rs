//! What a check finds: comparisons with their intervals, a verdict, and both in words.

use super::verdict::{Verdict, closeness, order};
use crate::figures::{Comparison, rounded_up};
use crate::spec::Metric;
use crate::statistics::two_sided;

/// The difference that is too small to matter, one for all claims: 0.05 points a game, or 0.02 of a
/// share. The two are the same where a game is worth 1.3 points. Ratings and sizes have none.
pub(super) const fn margin(metric: Metric) -> Option<f64> {
    match metric {
        Metric::Share | Metric::Wins => Some(0.02),
        Metric::Ppg => Some(0.05),
        Metric::Rating | Metric::Size => None,
    }
}

/// Simulations of each row that would decide a claim are counted up to here.
const MOST_RUNS: f64 = 1000.0;

/// A difference that a claim stands on.
#[derive(Clone, Debug)]
pub(super) struct Tested {
    pub(super) verdict: Verdict,
    /// The chance of a difference from 0, or from the margin, as large as this one.
    p: f64,
    /// Simulations of each row that decide it in four of five cases, if it stays as it is.
    runs: f64,
    text: String,
    /// What pages add to the text.
    detail: String,
}

impl Tested {
    /// One thing above another, or the difference within the margin if there is one.
    pub(super) fn order(comparison: &Comparison, margin: Option<f64>, text: String) -> Tested {
        let Comparison { difference, half95, .. } = *comparison;
        let size = difference.abs();
        let verdict = order(difference, half95, margin);
        let by_sign = Tested::new(comparison, verdict, size, text.clone());
        let Some(room) = margin.map(|margin| margin - size).filter(|room| *room > 0.0) else {
            return by_sign;
        };
        let by_margin = Tested::new(comparison, verdict, room, text);
        match verdict {
            Verdict::Small => by_margin,
            _ => Tested { runs: by_sign.runs.min(by_margin.runs), ..by_sign },
        }
    }

    /// One thing above another, where any difference matters.
    pub(super) fn sign(comparison: &Comparison, text: String) -> Tested {
        Tested::order(comparison, None, text)
    }

    /// Two things that are equal within a margin.
    pub(super) fn equality(comparison: &Comparison, margin: f64, text: String) -> Tested {
        let Comparison { difference, half95, .. } = *comparison;
        let verdict = closeness(difference, half95, margin);
        Tested::new(comparison, verdict, (margin - difference.abs()).abs(), text)
    }

    /// A difference within a range, or outside of it.
    pub(super) fn range(comparison: &Comparison, [low, high]: [f64; 2], text: String) -> Tested {
        let Comparison { difference, half95, .. } = *comparison;
        let verdict = if difference - half95 >= low && difference + half95 <= high {
            Verdict::Agrees
        } else if difference + half95 < low || difference - half95 > high {
            Verdict::Differs
        } else {
            Verdict::Undecided
        };
        let border = (difference - low).abs().min((difference - high).abs());
        Tested::new(comparison, verdict, border, text)
    }

    fn new(comparison: &Comparison, verdict: Verdict, distance: f64, text: String) -> Tested {
        let Comparison { stderr, degrees, n, .. } = *comparison;
        // 1.96 for the interval and 0.84 for four of five cases.
        let runs = (n as f64 * (2.80 * stderr / distance).powi(2)).ceil();
        let p = two_sided(distance / stderr, degrees);
        Tested { verdict, p, runs, text, detail: String::new() }
    }

    /// The same with words that only pages have.
    pub(super) fn with_detail(self, detail: String) -> Tested {
        Tested { detail, ..self }
    }
}

/// What a check finds.
#[derive(Clone, Debug)]
pub(super) struct Judgement {
    pub(super) verdict: Verdict,
    /// All of it in words.
    pub(super) text: String,
    /// The figure that decides.
    pub(super) short: String,
    /// The chance of such a difference; `None` if the verdict is no test of one.
    pub(super) p: Option<f64>,
    /// Simulations that would decide it, if it is undecided.
    pub(super) runs: Option<f64>,
}

impl Judgement {
    /// A verdict that is no test of a difference.
    pub(super) fn plain(text: String, verdict: Verdict) -> Judgement {
        Judgement { verdict, short: text.clone(), text, p: None, runs: None }
    }

    /// Of several comparisons the one that decides: see the rule.
    pub(super) fn of_all(tested: &[Tested], after: &str) -> Judgement {
        let verdict = tested.iter().map(|one| one.verdict).min().unwrap_or(Verdict::Undecided);
        let deciding = tested.iter().filter(|one| one.verdict == verdict);
        // A single comparison that differs is enough; to agree, all have to.
        let by_p = |a: &&Tested, b: &&Tested| a.p.total_cmp(&b.p);
        let worst = match verdict {
            Verdict::Differs => deciding.clone().min_by(by_p),
            Verdict::Agrees | Verdict::Small | Verdict::Undecided => deciding.clone().max_by(by_p),
        };
        let all: Vec<String> =
            tested.iter().map(|one| format!("{}{}", one.text, one.detail)).collect();
        let runs = deciding.map(|one| one.runs).fold(0.0, f64::max);
        let short = worst.map(|one| one.text.clone()).unwrap_or_default();
        Judgement {
            verdict,
            text: format!("{}{after}", all.join(", ")),
            short: if tested.len() > 1 {
                format!("{short}, the deciding one of {}", tested.len())
            } else {
                short
            },
            // To differ one comparison of several is enough, so its chance counts as often.
            p: worst.map(|one| match verdict {
                Verdict::Differs => (one.p * tested.len() as f64).min(1.0),
                Verdict::Agrees | Verdict::Small | Verdict::Undecided => one.p,
            }),
            runs: (verdict == Verdict::Undecided).then_some(runs),
        }
    }

    /// The same with the unit of its figures.
    pub(super) fn with_unit(self, unit: &str) -> Judgement {
        let short = format!("{} ({unit})", self.short);
        // Of two readings each text names its own.
        let text = match unit {
            "share of points" | "share of games" => self.text,
            _ => format!("{} ({unit})", self.text),
        };
        Judgement { short, text, ..self }
    }

    /// The same with a note behind both texts.
    pub(super) fn with_note(self, note: &str) -> Judgement {
        let [text, short] = [self.text, self.short].map(|words| words + note);
        Judgement { text, short, ..self }
    }

    /// Both readings of a figure together.
    pub(super) fn of_both(self, other: Judgement) -> Judgement {
        let verdict = self.verdict.of_both(other.verdict);
        let runs = match (self.runs, other.runs) {
            _ if verdict != Verdict::Undecided => None,
            (Some(a), Some(b)) => Some(f64::max(a, b)),
            (a, b) => a.or(b),
        };
        // The figure of the reading that decides nothing, or both if they contradict each other.
        let short = match (self.verdict, other.verdict) {
            (a, b) if a == b && other.runs.is_none_or(|runs| self.runs >= Some(runs)) => self.short,
            (a, b) if a == b => other.short,
            (Verdict::Undecided, _) => self.short,
            (_, Verdict::Undecided) => other.short,
            _ => format!("{}; {}", self.short, other.short),
        };
        let contradict = self.runs.is_none() && other.runs.is_none();
        let note = if verdict == Verdict::Undecided && contradict && self.p.is_some() {
            "; the readings contradict each other"
        } else {
            ""
        };
        Judgement {
            verdict,
            text: format!("points: {}; games: {}{note}", self.text, other.text),
            short,
            p: self.p.zip(other.p).map(|(a, b)| a.max(b)),
            runs,
        }
    }

    /// How many simulations would decide it, in words.
    pub(super) fn needed(&self) -> Option<String> {
        let runs = self.runs.filter(|_| self.verdict == Verdict::Undecided)?;
        Some(if runs.is_finite() && runs <= MOST_RUNS {
            format!("about {runs} simulations of each row would decide")
        } else {
            format!("more than {MOST_RUNS} simulations of each row would be needed to decide")
        })
    }
}

/// A difference with its interval.
pub(super) fn signed(comparison: &Comparison, metric: Metric) -> String {
    let Comparison { difference, half95, .. } = comparison;
    match metric {
        Metric::Rating => format!("{difference:+.0} ± {:.0}", half95.ceil()),
        _ => format!("{difference:+.3} ± {:.3}", rounded_up(*half95)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison(difference: f64) -> Comparison {
        // Student's quantile for four degrees of freedom.
        Comparison { difference, half95: 2.776, stderr: 1.0, degrees: 4.0, n: 5 }
    }

    #[test]
    fn a_difference_is_decided_where_its_chance_is_below_five_per_cent() {
        for (difference, verdict) in
            [(2.8, Verdict::Agrees), (2.7, Verdict::Undecided), (-2.8, Verdict::Differs)]
        {
            let found =
                Judgement::of_all(&[Tested::sign(&comparison(difference), String::new())], "");
            assert_eq!(found.verdict, verdict);
            assert_eq!(found.p < Some(0.05), verdict != Verdict::Undecided, "{difference}");
            assert_eq!(found.needed().is_some(), verdict == Verdict::Undecided);
        }
    }

    #[test]
    fn twice_the_distance_needs_a_quarter_of_the_simulations() {
        let needed = |difference: f64| Tested::sign(&comparison(difference), String::new()).runs;
        assert_eq!((needed(1.4), needed(0.7)), (20.0, 80.0));
        let none = Judgement::of_all(&[Tested::sign(&comparison(0.0), String::new())], "");
        assert!(none.needed().is_some_and(|words| words.starts_with("more than 1000")));
    }

    #[test]
    fn a_difference_near_zero_is_decided_by_the_margin() {
        let of = |difference: f64| Tested::order(&comparison(difference), Some(4.2), String::new());
        // The distance to the margin counts: 4.2 less 1.4 is 2.8.
        assert_eq!((of(1.4).verdict, of(1.4).runs), (Verdict::Small, 5.0));
        assert!(of(1.4).p < 0.05);
        // It is 2.7 from the margin and 1.5 from 0: the larger distance needs fewer simulations.
        assert_eq!((of(1.5).verdict, of(1.5).runs), (Verdict::Undecided, 6.0));
        let both = Judgement::of_all(&[of(9.0), of(1.0)], "");
        assert_eq!(both.verdict, Verdict::Small);
        let open = Judgement::of_all(&[of(2.0), of(1.0)], "");
        assert_eq!(open.verdict, Verdict::Undecided);
    }

    #[test]
    fn one_comparison_that_differs_is_enough_and_all_have_to_agree() {
        let of = |difference: f64| Tested::sign(&comparison(difference), format!("{difference}"));
        let agrees = Judgement::of_all(&[of(9.0), of(3.0)], "");
        assert_eq!(
            (agrees.verdict, agrees.short.as_str()),
            (Verdict::Agrees, "3, the deciding one of 2")
        );
        let differs = Judgement::of_all(&[of(9.0), of(-3.0), of(-9.0)], "");
        assert_eq!(
            (differs.verdict, differs.short.as_str()),
            (Verdict::Differs, "-9, the deciding one of 3")
        );
        let alone = Judgement::of_all(&[of(-9.0)], "");
        assert_eq!(differs.p, alone.p.map(|p| 3.0 * p));
    }

    #[test]
    fn of_two_readings_the_undecided_one_is_shown() {
        let of = |difference: f64, unit: &str| {
            let tested = Tested::sign(&comparison(difference), format!("{difference}"));
            Judgement::of_all(&[tested], "").with_unit(unit)
        };
        let short =
            |points: f64, games: f64| of(points, "points").of_both(of(games, "games")).short;
        assert_eq!(short(9.0, 1.0), "1 (games)");
        assert_eq!(short(1.0, 9.0), "1 (points)");
        assert_eq!(short(2.0, 1.0), "1 (games)");
        assert_eq!(short(9.0, 8.0), "9 (points)");
        assert_eq!(short(9.0, -9.0), "9 (points); -9 (games)");
    }
}
