//! Series that end as soon as their result is known well enough.

use serde::Serialize;

use super::match_series::{Series, SeriesConfig, SeriesError, play_units};
use super::series_sums::SeriesSums;
use super::series_unit::Contest;
use crate::game::{LuckEstimator, Player};
use crate::progress::Progress;
use crate::stats::{Estimate, Sprt, Verdict, Z95};

/// When a series ends before its last game. It looks at its result after every 100 sequences of
/// dice.
///
/// ```
/// use nonet_engine::eval::PubEval;
/// use nonet_engine::game::{Random, SeriesConfig, StopRule, play_until};
/// use nonet_engine::progress::Progress;
///
/// let (config, rule) = (SeriesConfig::new(1000, 1), StopRule::HalfWidth(0.2));
/// let stopped = play_until(&PubEval, &Random, None, &config, rule, &Progress::default())?;
/// assert!(stopped.stopped && stopped.series.games < 1000);
/// # Ok::<(), nonet_engine::game::SeriesError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StopRule {
    /// When half the width of the 95 % interval is at most this: points per game, or match winning
    /// chances.
    HalfWidth(f64),
    /// When a sequential probability ratio test has found which of two means is the likelier one.
    Sprt(Sprt),
}

/// A series that may have ended early.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoppedSeries {
    /// All games that were played.
    pub series: Series,
    /// The verdict, if the rule is a test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Whether the rule ended the series, and not its last game.
    pub stopped: bool,
}

/// Sequences of dice between two looks at the result.
const UNITS_PER_LOOK: u64 = 100;

/// The fewest sequences of dice for which the error is believed.
const LEAST_UNITS: u64 = 200;

impl StopRule {
    /// Whether the series ends with this result.
    fn ends(&self, result: &Estimate) -> bool {
        match self {
            StopRule::HalfWidth(half) => result.n >= LEAST_UNITS && Z95 * result.stderr <= *half,
            StopRule::Sprt(sprt) => sprt.verdict(result) != Verdict::Open,
        }
    }
}

/// Plays a series of at most `config.games` games or matches that ends by `rule`. With `luck`, the
/// rule looks at the result without the luck of the rolls. The result depends on the players and
/// the arguments alone, not on the number of threads.
///
/// A mean that ended a test is biased away from the other hypothesis: the verdict is the result of
/// a test, not the mean.
///
/// # Errors
/// As [`play_series`](super::play_series).
pub fn play_until(
    a: &dyn Player,
    b: &dyn Player,
    luck: Option<&dyn LuckEstimator>,
    config: &SeriesConfig,
    rule: StopRule,
    progress: &Progress,
) -> Result<StoppedSeries, SeriesError> {
    let contest = Contest { players: [a, b], luck };
    let (mut sums, mut played) = (SeriesSums::default(), 0);
    loop {
        let until = config.units().min(played + UNITS_PER_LOOK);
        sums = match play_units(contest, config, played..until, progress) {
            Ok(more) => sums.joined(more),
            Err(unfinished) => return Err(unfinished.error(sums, config, luck.is_some())),
        };
        played = until;
        let series = sums.series(config, luck.is_some());
        let stopped = rule.ends(&series.result());
        if stopped || played == config.units() {
            let verdict = match rule {
                StopRule::Sprt(sprt) => Some(sprt.verdict(&series.result())),
                StopRule::HalfWidth(_) => None,
            };
            return Ok(StoppedSeries { series, verdict, stopped });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::PubEval;
    use crate::game::Random;
    use crate::game::match_series::config;

    fn until(a: &dyn Player, b: &dyn Player, games: u64, rule: StopRule) -> StoppedSeries {
        play_until(a, b, None, &config(games), rule, &Progress::default()).expect("played")
    }

    #[test]
    fn a_series_ends_when_its_interval_is_narrow_enough() {
        let wide = until(&Random, &PubEval, 20_000, StopRule::HalfWidth(0.1));
        assert!(wide.stopped && wide.series.games >= 400 && wide.series.games < 20_000);
        assert!(Z95 * wide.series.ppg.stderr <= 0.1);
        let never = until(&Random, &PubEval, 600, StopRule::HalfWidth(1e-6));
        assert_eq!((never.stopped, never.series.games), (false, 600));
    }

    #[test]
    fn a_test_finds_the_better_player() {
        let rule = StopRule::Sprt(Sprt::new(-0.5, 0.5).expect("in order"));
        let found = until(&PubEval, &Random, 20_000, rule);
        assert_eq!((found.verdict, found.stopped), (Some(Verdict::High), true));
        assert_eq!(until(&Random, &PubEval, 20_000, rule).verdict, Some(Verdict::Low));
        assert_eq!(until(&Random, &PubEval, 100, rule).verdict, Some(Verdict::Open));
    }
}
