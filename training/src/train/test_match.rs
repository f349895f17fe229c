//! The tests of a training run: matches against the opponents, the choice of the best team, and
//! what the net knows.

use crate::train::knowledge::{Knowledge, keeps_game};
use crate::train::learning::update_rule::UpdateRule;
use crate::train::learning_curve::{TestResult, TestRow};
use crate::train::options::option_values::TestDice;
use crate::train::run_interface::Observer;
use crate::train::trainer::{AVERAGE, LAST, Trainer};
use nonet_engine::eval::Specialists;
use nonet_engine::game::{Greedy, Player, SeriesConfig, StreamPurpose, play_series};
use nonet_engine::nn::LearningRates;
use nonet_engine::progress::Progress;
use nonet_engine::search::{Plies, Search, SearchSettings};
use nonet_engine::store::NetFile;

impl Trainer {
    /// Plays the test that is due. Returns whether it was played to its end; otherwise nothing has
    /// changed.
    pub(super) fn test(&mut self, observer: &mut dyn Observer, progress: &Progress) -> bool {
        let mut results = Vec::new();
        for team in [Some(&self.learner.team), self.learner.ema.as_ref()].into_iter().flatten() {
            let Some(result) = self.test_match(team, StreamPurpose::Test, observer, progress)
            else {
                return false;
            };
            results.push(result);
        }
        let Some(others) = self.test_against_others(observer, progress) else { return false };
        let games = self.progress.games;
        let best = self.better_team(&results);
        let gate = match (
            self.plan.spec().gate_every,
            best.as_ref().map(|(team, _)| team).or(self.best.as_ref()),
        ) {
            (1.., Some(challenger)) if games.is_multiple_of(self.plan.spec().gate_every) => {
                match self.play_gate(challenger, observer, progress) {
                    None => return false,
                    played => played,
                }
            }
            _ => None,
        };
        if let Some(best) = best {
            let (best, value) = best;
            self.progress.best = Some((self.progress.history.len(), value));
            self.best = Some(best);
        }
        let learned = std::mem::take(&mut self.progress.learning);
        let UpdateRule { rates: LearningRates { alpha, .. }, lambda, .. } =
            self.plan.update_rule(games);
        let (last, ema) = (results[0], results.get(1).copied());
        self.progress.history.push(TestRow { games, alpha, lambda, last, ema, others, learned });
        let team = self.shown_team();
        let with_game = keeps_game(games) || games == self.end();
        self.progress.knowledge.push(Knowledge::of(team, games, with_game));
        if let Some(gate) = gate {
            self.progress.gates.push(gate);
            match self.best.clone() {
                Some(best) if gate.promoted => self.promote(best),
                _ => self.best = self.incumbent.clone(),
            }
        }
        true
    }

    /// The best team of these results with its smoothed points per game, if it is better than the
    /// best one so far. In a gated run single results count, as in the paper: the gate is a match
    /// on other dice.
    fn better_team(&self, results: &[TestResult]) -> Option<(NetFile, f64)> {
        let ema = self.learner.ema.as_ref().map(|team| (team, AVERAGE));
        let teams = [Some((&self.learner.team, LAST)), ema].into_iter().flatten();
        let mut best = (self.progress.best.map_or(f64::NEG_INFINITY, |(_, ppg)| ppg), None);
        for ((team, weights), result) in teams.zip(results) {
            let value = match self.plan.spec().gate_every {
                0 => self
                    .progress
                    .smoothed(result, |row| if weights == LAST { Some(row.last) } else { row.ema }),
                _ => result.ppg,
            };
            if value > best.0 {
                best = (value, Some((team, weights)));
            }
        }
        best.1.map(|(team, weights)| (self.net_file(team, weights), best.0))
    }

    /// A match of a test or a gate; `None` if it was stopped.
    pub(super) fn test_match(
        &self,
        team: &Specialists,
        purpose: StreamPurpose,
        observer: &mut dyn Observer,
        progress: &Progress,
    ) -> Option<TestResult> {
        observer.testing();
        let incumbent = self.incumbent.as_ref().map(|file| self.test_player(&file.team));
        let against = incumbent.as_deref().unwrap_or(self.participants.against.as_ref());
        self.series(team, against, purpose, progress)
    }

    /// The results of a test against the other opponents; `None` if it was stopped.
    fn test_against_others(
        &self,
        observer: &mut dyn Observer,
        progress: &Progress,
    ) -> Option<Vec<TestResult>> {
        let others = self.participants.others.iter();
        others
            .map(|against| {
                observer.testing();
                self.series(self.shown_team(), against.as_ref(), StreamPurpose::Test, progress)
            })
            .collect()
    }

    /// The team that stands for the run where one must: the moving average of the weights, or the
    /// current ones.
    fn shown_team(&self) -> &Specialists {
        self.learner.ema.as_ref().unwrap_or(&self.learner.team)
    }

    fn series(
        &self,
        team: &Specialists,
        against: &dyn Player,
        purpose: StreamPurpose,
        progress: &Progress,
    ) -> Option<TestResult> {
        // The tests after each gate use other dice, so that a team is not tested again on the dice
        // it was selected with.
        let part = match self.plan.spec().test_dice {
            TestDice::Same => 0,
            // In the upper half of the seed, where no other run of an experiment counts its seeds.
            TestDice::Fresh => (self.progress.history.len() as u64) << 32,
        };
        let gates = self.progress.gates.len() as u64;
        let seed = self.plan.spec().seed.wrapping_add(gates).wrapping_add(part);
        let games = self.plan.spec().eval_games;
        let config = SeriesConfig { purpose, ..SeriesConfig::new(games, seed) };
        let player = self.test_player(team);
        let series = play_series(player.as_ref(), against, &config, &progress.part()).ok()?;
        Some(TestResult::from(&series))
    }

    /// A team as a player of the tests.
    pub(super) fn test_player<'a>(&self, team: &'a Specialists) -> Box<dyn Player + 'a> {
        match self.plan.spec().eval_ply {
            Plies::ONE => Box::new(Greedy(team)),
            plies => Box::new(Search::new(team, plies, SearchSettings::NORMAL)),
        }
    }
}
