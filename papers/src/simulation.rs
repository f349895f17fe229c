//! One simulation of an experiment: a training run and the matches of its best net.

use std::sync::{Arc, PoisonError};

use serde::{Deserialize, Serialize};

use super::cell_task::Cell;
use super::input_shares::InputShares;
use super::report::of_contact;
use super::run::{DivergedRun, Opened, RatingCurve, RunResult};
use super::spec::{Experiment, ExperimentError, Metric};
use nonet_engine::eval::Specialists;
use nonet_engine::game::{Greedy, Player, SeriesConfig, StreamPurpose, play_series};
use nonet_engine::progress::Progress;
use nonet_training::train::{
    Observer, RunOutcome, RunProgress, TestResult, TrainCheckpoint, TrainError, TrainPlan, Trainer,
};

/// New matches of the net of the best test against the expert.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Retest {
    pub(super) matches: u64,
    /// Games of each.
    pub(super) games: u64,
}

/// A simulation to be run.
pub(super) struct Simulation {
    pub(super) plan: TrainPlan,
    /// Place of the variant in its experiment.
    pub(super) variant: usize,
    pub(super) repeat: u64,
    pub(super) retest: Option<Retest>,
    pub(super) keeps: Keeps,
    /// Whether a match or a later simulation needs its net.
    pub(super) needs_net: bool,
}

/// What is kept of the weights of a simulation, in addition to the results of its tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Keeps {
    /// The weights at each test, and how often inputs are on.
    pub(super) weights: bool,
    /// The size of the weights at each test.
    sizes: bool,
}

impl Keeps {
    /// What the report of an experiment needs.
    pub(super) fn of(experiment: &Experiment) -> Keeps {
        Keeps { weights: experiment.weights.is_some(), sizes: experiment.metric == Metric::Size }
    }

    /// Whether a simulation has all of it.
    pub(super) fn are_in(self, run: &RunResult) -> bool {
        let tests = || run.tests.iter().map(|(games, _)| *games);
        (!self.weights || tests().eq(run.weights.iter().map(|(games, _)| *games)))
            && (!self.sizes || tests().eq(run.sizes.iter().map(|(games, _)| *games)))
    }
}

/// The root mean square of the weights and biases of all nets, to six decimal places.
fn size_of(team: &Specialists) -> f64 {
    let weights = team.nets().iter().map(|net| net.mlp.to_weights());
    let (mut sum, mut n) = (0.0, 0);
    for weight in weights.flat_map(|weights| weights.values().collect::<Vec<f32>>()) {
        (sum, n) = (sum + f64::from(weight).powi(2), n + 1);
    }
    (1e6 * (sum / f64::from(n)).sqrt()).round() / 1e6
}

/// Follows a simulation.
struct Follower<'a> {
    learned: &'a dyn Fn(u64),
    /// Whether the net of the best test is kept.
    keep: bool,
    /// Its share of points, and the net.
    best: Option<(f64, Specialists)>,
    keeps: Keeps,
    /// The weights at each test, if they are kept.
    weights: Vec<(u64, Vec<f64>)>,
    /// Their sizes, if they are kept.
    sizes: Vec<(u64, f64)>,
}

impl Observer for Follower<'_> {
    fn learned(&mut self, progress: &RunProgress) {
        (self.learned)(progress.games);
    }

    fn save(
        &mut self,
        checkpoint: &TrainCheckpoint,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        if let Some(test) = checkpoint.progress.history.last().filter(|_| self.keep) {
            let share = test.last.points;
            if self.best.as_ref().is_none_or(|(best, _)| share > *best) {
                self.best = Some((share, checkpoint.team.team.clone()));
            }
        }
        let games = checkpoint.progress.games;
        let team = &checkpoint.team.team;
        if self.keeps.weights
            && self.weights.last().is_none_or(|(last, _)| *last < games)
            && let Some(weights) = of_contact(team)
        {
            self.weights.push((games, weights));
        }
        if self.keeps.sizes && self.sizes.last().is_none_or(|(last, _)| *last < games) {
            self.sizes.push((games, size_of(team)));
        }
        Ok(())
    }
}

/// The ratings to a hundredth, as servers show them.
fn rounded(curve: &RatingCurve) -> Vec<f64> {
    let curve = curve.lock().unwrap_or_else(PoisonError::into_inner);
    curve.iter().map(|rating| (100.0 * rating).round() / 100.0).collect()
}

impl Simulation {
    /// Runs it on the current thread pool; `learned` is told the games so far. `None` if `progress`
    /// was stopped.
    ///
    /// # Errors
    /// Those of the run. Weights that diverge are an error only where something needs the net.
    pub(super) fn run(
        &self,
        opened: Opened,
        learned: &dyn Fn(u64),
        progress: &Progress,
    ) -> Result<Option<Cell>, ExperimentError> {
        let Opened { participants, source, ratings } = opened;
        let mut source = InputShares::of(source, self.keeps.weights);
        let against = Arc::clone(participants.against());
        let mut trainer = Trainer::new(self.plan.clone(), participants);
        let (weights, sizes, keep) = (Vec::new(), Vec::new(), self.retest.is_some());
        let keeps = self.keeps;
        let mut follower = Follower { learned, keep, best: None, keeps, weights, sizes };
        match trainer.run(&mut source, &mut follower, &progress.part()) {
            Ok(RunOutcome::Finished) => {}
            Ok(RunOutcome::Stopped) => return Ok(None),
            Err(TrainError::Diverged { games, .. }) if !self.needs_net => {
                return Ok(Some(Cell::Diverged(self.diverged(games))));
            }
            Err(error) => return Err(error.into()),
        }
        let Some(retest) = self.play_again(follower.best, against.as_ref(), progress) else {
            return Ok(None);
        };
        let tests = trainer.progress().history.iter().map(|row| (row.games, row.last)).collect();
        let net = trainer.checkpoint().team;
        let run = RunResult {
            options: Some(self.plan.spec().clone()),
            command: self.plan.spec().to_command_line(),
            program: String::new(),
            variant: self.variant,
            repeat: self.repeat,
            tests,
            examples: net.provenance.examples.clone(),
            retest,
            weights: follower.weights,
            shares: source.shares(),
            sizes: follower.sizes,
            ratings: ratings.map(|curve| rounded(&curve)).unwrap_or_default(),
        };
        Ok(Some(Cell::Ended(run, net)))
    }

    /// What is kept of it if its weights diverge within this number of games.
    fn diverged(&self, games: u64) -> DivergedRun {
        DivergedRun {
            options: self.plan.spec().clone(),
            command: self.plan.spec().to_command_line(),
            program: String::new(),
            variant: self.variant,
            repeat: self.repeat,
            diverged: games,
        }
    }

    /// Lets the net of the best test play new matches against the expert, on dice that had no part
    /// in choosing it; `None` if it was stopped.
    fn play_again(
        &self,
        best: Option<(f64, Specialists)>,
        against: &dyn Player,
        progress: &Progress,
    ) -> Option<Vec<TestResult>> {
        let Some(((_, team), retest)) = best.zip(self.retest) else { return Some(Vec::new()) };
        let again = |number: u64| {
            // In the upper half of the seed, as the dice of tests.
            let seed = self.plan.spec().seed.wrapping_add(number << 32);
            let purpose = StreamPurpose::Final;
            let config = SeriesConfig { purpose, ..SeriesConfig::new(retest.games, seed) };
            let series = play_series(&Greedy(&team), against, &config, &progress.part()).ok()?;
            Some(TestResult::from(&series))
        };
        (0..retest.matches).map(again).collect()
    }
}
