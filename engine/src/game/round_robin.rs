//! Round robins: every player against every other one.

use serde::Serialize;

use super::match_series::{Series, SeriesConfig, SeriesError, play_adjusted_series, play_series};
use super::outcome_counts::OutcomeCounts;
use crate::game::{LuckEstimator, Player};
use crate::progress::Progress;
use crate::stats::Estimate;

/// The results of a round robin.
///
/// ```
/// use nonet_engine::eval::PubEval;
/// use nonet_engine::game::{Random, RoundRobin, SeriesConfig};
/// use nonet_engine::progress::Progress;
///
/// let config = SeriesConfig::new(20, 1);
/// let results = RoundRobin::play(&[&Random, &PubEval], None, &config, &Progress::default())?;
/// assert_eq!(results.ranking(), [1, 0]);
/// # Ok::<(), nonet_engine::game::SeriesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoundRobin {
    /// `pairs[i][j]`: the series of player `i` against player `j`, from the side of `i`. The
    /// diagonal is empty, and so is a pair that was not played before a stop.
    pub pairs: Vec<Vec<Option<Series>>>,
}

impl RoundRobin {
    /// Plays every pair once; with an estimator of luck, it is taken out of the results.
    /// `progress` counts games, or matches. When it is stopped, the games until then are the
    /// result.
    ///
    /// # Errors
    /// As [`play_series`], if a player fails or nothing was played before a stop.
    pub fn play(
        players: &[&dyn Player],
        luck: Option<&dyn LuckEstimator>,
        config: &SeriesConfig,
        progress: &Progress,
    ) -> Result<RoundRobin, SeriesError> {
        let mut pairs = vec![vec![None; players.len()]; players.len()];
        let all = 0..players.len();
        for (i, j) in all.clone().flat_map(|i| (i + 1..all.end).map(move |j| (i, j))) {
            let (a, b) = (players[i], players[j]);
            let played = match luck {
                Some(luck) => play_adjusted_series(a, b, luck, config, progress),
                None => play_series(a, b, config, progress),
            };
            let (series, stopped) = match played {
                Ok(series) => (Some(series), false),
                Err(SeriesError::Stopped(series)) => (series.map(|series| *series), true),
                Err(error) => return Err(error),
            };
            if let Some(series) = series {
                pairs[j][i] = Some(series.flipped());
                pairs[i][j] = Some(series);
            }
            if stopped {
                if pairs.iter().flatten().all(Option::is_none) {
                    return Err(SeriesError::Stopped(None));
                }
                break;
            }
        }
        Ok(RoundRobin { pairs })
    }

    /// Mean points per game of player `i` over all opponents, with equal weights.
    ///
    /// The mean is without the luck of the rolls if that was estimated, unless matches were played.
    /// `None` for a player without a series, after a stop.
    #[must_use]
    pub fn ppg(&self, i: usize) -> Option<Estimate> {
        self.mean(i, |series| match series.matches {
            Some(_) => Some(series.ppg),
            None => Some(series.result()),
        })
    }

    /// Mean match winning chances of player `i` over all opponents, with equal weights, without the
    /// luck of the rolls if that was estimated; `None` unless matches were played.
    #[must_use]
    pub fn mwc(&self, i: usize) -> Option<Estimate> {
        self.mean(i, |series| series.matches.map(|_| series.result()))
    }

    /// The mean of a value over all opponents of a player; `None` without a value.
    fn mean(&self, i: usize, value: impl Fn(&Series) -> Option<Estimate>) -> Option<Estimate> {
        let values: Vec<Estimate> = self.pairs[i].iter().flatten().filter_map(value).collect();
        if values.is_empty() {
            return None;
        }
        let n = values.len() as f64;
        let mean = values.iter().map(|value| value.mean).sum::<f64>() / n;
        let variance = values.iter().map(|value| value.stderr.powi(2)).sum::<f64>();
        let games = values.iter().map(|value| value.n).sum();
        Some(Estimate { mean, stderr: variance.sqrt() / n, n: games })
    }

    /// How all games of player `i` ended.
    #[must_use]
    pub fn tally(&self, i: usize) -> OutcomeCounts {
        let mut tally = OutcomeCounts::default();
        for series in self.pairs[i].iter().flatten() {
            for (sum, n) in tally.outcomes.iter_mut().zip(series.tally.outcomes) {
                *sum += n;
            }
        }
        tally
    }

    /// The indices of the players, the best first: by match winning chances if matches were played,
    /// else by points per game. Players without a series are the last.
    #[must_use]
    pub fn ranking(&self) -> Vec<usize> {
        let value = |i: usize| {
            self.mwc(i).or_else(|| self.ppg(i)).map_or(f64::NEG_INFINITY, |value| value.mean)
        };
        let mut order: Vec<usize> = (0..self.pairs.len()).collect();
        order.sort_by(|a, b| value(*b).total_cmp(&value(*a)));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::PubEval;
    use crate::game::Random;
    use crate::game::match_series::config;

    #[test]
    fn the_results_of_a_pair_are_opposite() {
        let config = config(40);
        let players: [&dyn Player; 3] = [&Random, &PubEval, &Random];
        let table =
            RoundRobin::play(&players, None, &config, &Progress::default()).expect("played");
        for i in 0..3 {
            assert!(table.pairs[i][i].is_none());
            for j in 0..3 {
                if let (Some(there), Some(back)) = (&table.pairs[i][j], &table.pairs[j][i]) {
                    assert_eq!(there.ppg.mean, -back.ppg.mean);
                    assert_eq!(
                        (there.tally.wins(), there.games),
                        (back.tally.losses(), back.games)
                    );
                }
            }
        }
        assert_eq!(table.ranking()[0], 1);
        assert_eq!(table.tally(1).wins() + table.tally(1).losses(), 80);
        // After a stop a player may be without a series: the last, and without a figure.
        let mut stopped = table;
        for i in 0..3 {
            (stopped.pairs[0][i], stopped.pairs[i][0]) = (None, None);
        }
        assert_eq!((stopped.ppg(0), stopped.ranking()), (None, vec![1, 2, 0]));
    }
}
