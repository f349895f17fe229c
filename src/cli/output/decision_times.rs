//! How long players take for their decisions.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use nonet::cube::Answer;
use nonet::game::CubeChoice;
use serde_json::{Value, json};

use crate::cli::output::watched_player::DecisionWatcher;

/// How long the decisions of a player take.
pub(crate) struct DecisionTimes {
    plays: Times,
    cube: Times,
}

/// How long decisions took, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeSummary {
    pub(crate) decisions: u64,
    pub(crate) mean: f64,
    pub(crate) median: f64,
    /// The 95th percentile.
    pub(crate) slow: f64,
}

/// Times of decisions, counted in bins.
struct Times {
    bins: Vec<AtomicU64>,
    nanoseconds: AtomicU64,
}

/// The upper end of a bin relative to its lower end: percentiles are exact to 1 %.
const RATIO: f64 = 1.02;
/// Bins up to some three hours.
const BINS: usize = 1520;

impl Times {
    fn new() -> Times {
        Times {
            bins: (0..BINS).map(|_| AtomicU64::new(0)).collect(),
            nanoseconds: AtomicU64::new(0),
        }
    }

    fn time<T>(&self, decide: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let decision = decide();
        self.add(u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX));
        decision
    }

    fn add(&self, nanoseconds: u64) {
        let bin = (nanoseconds.max(1) as f64).ln() / RATIO.ln();
        self.bins[(bin as usize).min(BINS - 1)].fetch_add(1, Ordering::Relaxed);
        self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    /// `None` without decisions.
    fn summary(&self) -> Option<TimeSummary> {
        let counts: Vec<u64> = self.bins.iter().map(|bin| bin.load(Ordering::Relaxed)).collect();
        let all: u64 = counts.iter().sum();
        if all == 0 {
            return None;
        }
        let below = |share: f64| {
            let (wanted, mut sum) = (share * all as f64, 0);
            let bin = counts.iter().position(|count| {
                sum += count;
                sum as f64 >= wanted
            });
            // The middle of the bin.
            RATIO.powf(bin.unwrap_or(BINS) as f64 + 0.5) / 1e6
        };
        let mean = self.nanoseconds.load(Ordering::Relaxed) as f64 / all as f64 / 1e6;
        Some(TimeSummary { decisions: all, mean, median: below(0.5), slow: below(0.95) })
    }
}

impl DecisionTimes {
    pub(crate) fn new() -> DecisionTimes {
        DecisionTimes { plays: Times::new(), cube: Times::new() }
    }

    /// How long plays took; `None` without plays.
    pub(crate) fn plays(&self) -> Option<TimeSummary> {
        self.plays.summary()
    }

    /// A line for each kind of decision.
    pub(crate) fn in_words(&self, name: &str) -> String {
        let mut text = String::new();
        for (kind, times) in [("plays", &self.plays), ("cube decisions", &self.cube)] {
            if let Some(TimeSummary { decisions, mean, median, slow }) = times.summary() {
                let _ = writeln!(
                    text,
                    "  {name}: {mean:.3} ms a decision (median {median:.3}, 95 % below {slow:.3}), {decisions} {kind}"
                );
            }
        }
        text
    }

    pub(crate) fn in_json(&self) -> Value {
        let of = |times: &Times| {
            times.summary().map(|TimeSummary { decisions, mean, median, slow }| {
                json!({"decisions": decisions, "mean_ms": mean, "median_ms": median, "p95_ms": slow})
            })
        };
        json!({"plays": of(&self.plays), "cube": of(&self.cube)})
    }
}

impl DecisionWatcher for DecisionTimes {
    fn play(&self, decide: &mut dyn FnMut() -> usize) -> usize {
        self.plays.time(decide)
    }

    fn double(&self, _: &CubeChoice, decide: &mut dyn FnMut() -> bool) -> bool {
        self.cube.time(decide)
    }

    fn answer(&self, _: &CubeChoice, decide: &mut dyn FnMut() -> Answer) -> Answer {
        self.cube.time(decide)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_exact_to_one_per_cent() {
        let times = Times::new();
        assert!(times.summary().is_none());
        for microseconds in 1..=1000 {
            times.add(1000 * microseconds);
        }
        let TimeSummary { decisions, mean, median, slow } = times.summary().expect("some");
        assert_eq!(decisions, 1000);
        assert!((mean - 0.5005).abs() < 1e-9, "{mean}");
        assert!((median / 0.5 - 1.0).abs() < 0.011, "{median}");
        assert!((slow / 0.95 - 1.0).abs() < 0.011, "{slow}");
    }

    #[test]
    fn the_longest_times_fit() {
        let times = Times::new();
        times.add(0);
        times.add(u64::MAX / 4);
        assert_eq!(times.summary().expect("some").decisions, 2);
    }
}
