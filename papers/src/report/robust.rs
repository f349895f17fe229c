//! What few simulations say without a normal distribution: interquartile means, single runs.

use std::fmt::Write;

use super::ExperimentReport;
use crate::figures::{Figure, rounded_up};
use crate::spec::Metric;
use crate::statistics::{bootstrap95, interquartile_mean, median};

/// With fewer simulations a bootstrap says nothing.
const FEWEST: usize = 5;

/// An interval wider than this on either side describes no typical simulation.
pub(super) const fn widest(metric: Metric) -> f64 {
    match metric {
        Metric::Share | Metric::Wins => 0.1,
        Metric::Ppg => 0.5,
        Metric::Rating => 500.0,
        Metric::Size => f64::INFINITY,
    }
}

/// Whether the simulations lie so far apart that their mean describes none.
pub(super) fn is_scattered(figure: &Figure, metric: Metric) -> bool {
    figure.n >= 2 && figure.half95 > widest(metric)
}

impl ExperimentReport<'_> {
    /// The figure of a variant in a table. Of scattered simulations it is their median and range.
    pub(super) fn cell(&self, figure: &Figure, place: usize, games: u64, metric: Metric) -> String {
        if !is_scattered(figure, metric) {
            return figure.text_in(metric);
        }
        let curves = self.single_curves(place, metric);
        let here = curves.iter().flatten().filter(|(at, ..)| *at == games);
        let values: Vec<f64> = here.map(|(_, value, _)| *value).collect();
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let text = |value| one(value, metric);
        format!("{}, runs {} to {}", text(median(&values)), text(low), text(high))
    }

    /// Interquartile means and single runs after the last test.
    pub(super) fn write_robust(&self, text: &mut String) {
        let metric = match (self.experiment.metric, &self.other) {
            (Metric::Rating, Some((other, _))) => *other,
            (metric, _) => metric,
        };
        let mut rows = String::new();
        for (place, variant) in self.experiment.variants.iter().enumerate() {
            let curves = self.single_curves(place, metric);
            let last = curves.iter().filter_map(|curve| curve.last());
            let values: Vec<(f64, f64)> = last.map(|(_, value, error)| (*value, *error)).collect();
            if values.len() < FEWEST {
                continue;
            }
            let mut bare: Vec<f64> = values.iter().map(|(value, _)| *value).collect();
            bare.sort_by(f64::total_cmp);
            let of = |draw: &[usize]| draw.iter().map(|i| bare[*i]).collect::<Vec<_>>();
            let interval =
                bootstrap95(&[bare.len()], |draw| Some(interquartile_mean(&of(&draw[0]))));
            let (low, high) = interval.unwrap_or((f64::NAN, f64::NAN));
            let figure = Figure::of(&values);
            let mean = if is_scattered(&figure, metric) {
                "none: they lie too far apart".to_owned()
            } else {
                format!("{:.3} ± {:.3}", figure.mean, rounded_up(figure.half95))
            };
            let single: Vec<String> = bare.iter().map(|value| one(*value, metric)).collect();
            let _ = writeln!(
                rows,
                "| {} | {mean} | {:.3} [{low:.3}, {high:.3}] | {} |",
                variant.name,
                interquartile_mean(&bare),
                single.join(", ")
            );
        }
        if rows.is_empty() {
            return;
        }
        text.push_str(
            "The last test once more. The mean has Student's interval. The interquartile mean, of the middle half of the \
             simulations, has the 95 % interval of a bootstrap.\n\n| variant | mean | interquartile mean | simulations |\n|---|---|---|---|\n",
        );
        let _ = writeln!(text, "{rows}");
    }
}

/// The median of the simulations after each of their tests; values without errors.
pub(super) fn medians(curves: &[Vec<(u64, f64, f64)>]) -> Vec<(u64, f64, f64)> {
    let mut tests: Vec<u64> = curves.iter().flatten().map(|(games, ..)| *games).collect();
    tests.sort_unstable();
    tests.dedup();
    let of = |games: u64| {
        let here = curves.iter().flatten().filter(|(own, ..)| *own == games);
        let values: Vec<f64> = here.map(|(_, value, _)| *value).collect();
        (games, median(&values), 0.0)
    };
    tests.into_iter().map(of).collect()
}

fn one(value: f64, metric: Metric) -> String {
    match metric {
        Metric::Rating => format!("{value:.0}"),
        _ => format!("{value:.3}"),
    }
}
