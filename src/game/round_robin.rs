//! Round robins: every player against every other one.

use serde::Serialize;

use super::match_series::{Series, SeriesConfig, play_series};
use super::outcome_counts::OutcomeCounts;
use crate::game::Player;
use crate::progress::Progress;
use crate::stats::Estimate;

/// The results of a round robin.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoundRobin {
    /// `pairs[i][j]`: the series of player `i` against player `j`, from the side of `i`; the diagonal is empty.
    pub pairs: Vec<Vec<Option<Series>>>,
}

impl RoundRobin {
    /// Plays every pair once. `progress` counts games; `None` if it was stopped before the end.
    pub fn play(
        players: &[&dyn Player],
        config: &SeriesConfig,
        progress: &Progress,
    ) -> Option<RoundRobin> {
        let mut pairs = vec![vec![None; players.len()]; players.len()];
        for i in 0..players.len() {
            for j in i + 1..players.len() {
                let series = play_series(players[i], players[j], config, progress)?;
                pairs[j][i] = Some(series.flipped());
                pairs[i][j] = Some(series);
            }
        }
        Some(RoundRobin { pairs })
    }

    /// Mean points per game of player `i` over all opponents, with equal weights.
    #[must_use]
    pub fn ppg(&self, i: usize) -> Estimate {
        let series: Vec<&Series> = self.pairs[i].iter().flatten().collect();
        let n = series.len() as f64;
        let mean = series.iter().map(|series| series.ppg.mean).sum::<f64>() / n;
        let variance = series.iter().map(|series| series.ppg.stderr.powi(2)).sum::<f64>();
        let values = series.iter().map(|series| series.ppg.n).sum();
        Estimate { mean, stderr: variance.sqrt() / n, n: values }
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

    /// The indices of the players, the best first.
    #[must_use]
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.pairs.len()).collect();
        order.sort_by(|a, b| self.ppg(*b).mean.total_cmp(&self.ppg(*a).mean));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::PubEval;
    use crate::game::{Random, SeriesRules, StreamPurpose};

    #[test]
    fn the_results_of_a_pair_are_opposite() {
        let config = SeriesConfig {
            games: 40,
            duplicate: true,
            rules: SeriesRules::Cubeless,
            seed: 1,
            purpose: StreamPurpose::Match,
        };
        let players: [&dyn Player; 3] = [&Random, &PubEval, &Random];
        let table = RoundRobin::play(&players, &config, &Progress::default()).expect("played");
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
    }
}
