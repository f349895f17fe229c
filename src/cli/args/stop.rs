//! The rules that end a series of `nonet eval` early.

use nonet::game::{SeriesRules, StopRule, StoppedSeries};
use nonet::stats::{Sprt, Verdict};
use serde_json::{Value, json};

use crate::cli::error::usage;

/// The options that end a series early.
#[derive(clap::Args)]
pub(crate) struct StopArgs {
    /// Stop when the 95 % interval is at most X on each side.
    ///
    /// X is in points per game, or in % of matches with --match.
    #[arg(long, value_name = "X", conflicts_with = "sprt", help_heading = "Early end")]
    until: Option<f64>,
    /// Stop when a sequential test decides between two results.
    ///
    /// For example 0..0.02 points per game, or 50..52 % of matches with --match. Each wrong
    /// decision has a probability of 5 %.
    #[arg(
        long,
        value_name = "LOW..HIGH",
        allow_hyphen_values = true,
        value_parser = bounds,
        help_heading = "Early end"
    )]
    sprt: Option<(f64, f64)>,
}

fn bounds(text: &str) -> Result<(f64, f64), String> {
    let numbers = text.split_once("..").and_then(|(low, high)| {
        Some((low.trim().parse::<f64>().ok()?, high.trim().parse::<f64>().ok()?))
    });
    numbers.ok_or_else(|| format!("invalid test '{text}': expected two numbers, as in 0..0.02"))
}

/// How many of the units of the options are one of the units of results: % of matches are given as
/// such.
const fn per_unit(rules: SeriesRules) -> f64 {
    if rules.is_match() { 100.0 } else { 1.0 }
}

impl StopArgs {
    /// The rule, if there is one.
    pub(crate) fn rule(&self, rules: SeriesRules) -> anyhow::Result<Option<StopRule>> {
        let scale = per_unit(rules);
        Ok(match (self.until, self.sprt) {
            (Some(half), _) if !(half > 0.0 && half.is_finite()) => {
                return Err(usage(format!("invalid --until '{half}': expected a number above 0")));
            }
            (Some(half), _) => Some(StopRule::HalfWidth(half / scale)),
            (None, Some((low, high))) => {
                Some(StopRule::Sprt(Sprt::new(low / scale, high / scale).map_err(usage)?))
            }
            (None, None) => None,
        })
    }

    /// The options as they are written on the command line.
    pub(crate) fn words(&self) -> String {
        let mut words = String::new();
        if let Some(half) = self.until {
            words += &format!(" --until {half}");
        }
        if let Some((low, high)) = self.sprt {
            words += &format!(" --sprt {low}..{high}");
        }
        words
    }
}

/// Why the series ended, in words.
pub(crate) fn end_in_words(stopped: &StoppedSeries, rule: &StopRule, rules: SeriesRules) -> String {
    let scale = per_unit(rules);
    let unit = if rules.is_match() { "% of matches" } else { "ppg" };
    match rule {
        StopRule::HalfWidth(half) => {
            let half = half * scale;
            if stopped.stopped {
                format!("  ended early: the interval is within {half} {unit} of the mean\n")
            } else {
                format!(
                    "  not ended early: the interval is wider than {half} {unit} on each side\n"
                )
            }
        }
        StopRule::Sprt(sprt) => {
            let (low, high) = sprt.means();
            let (low, high) = (low * scale, high * scale);
            let verdict = match stopped.verdict {
                Some(Verdict::High) => format!("{high:+} {unit}"),
                Some(Verdict::Low) => format!("{low:+} {unit}"),
                Some(Verdict::Open) | None => "undecided, more games are needed".to_owned(),
            };
            let (least, most) = Sprt::bounds();
            format!(
                "  test of {low:+} against {high:+} {unit}: {verdict} (log-likelihood ratio {:+.2}, bounds {least:.2} and \
                 {most:+.2}; the mean of a series that a test has ended is biased)\n",
                sprt.llr(&stopped.series.result())
            )
        }
    }
}

/// Why the series ended, for programs.
pub(crate) fn end_in_json(stopped: &StoppedSeries, rule: &StopRule) -> Value {
    match rule {
        StopRule::HalfWidth(half) => json!({"until": half, "stopped": stopped.stopped}),
        StopRule::Sprt(sprt) => {
            let (low, high) = sprt.means();
            let llr = sprt.llr(&stopped.series.result());
            json!({"low": low, "high": high, "llr": llr, "verdict": stopped.verdict, "stopped": stopped.stopped})
        }
    }
}
