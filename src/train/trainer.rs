//! The one loop: games, lessons, tests, checkpoints.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::config::TrainConfig;
use super::history::{ClassCounts, Progress, TestResult, TestRow};
use super::learner::{Learner, Rule};
use super::method::Method;
use super::source::{GameSource, SourceError};
use crate::arena::{Series, SeriesConfig, Watch, play_series};
use crate::eval::{Evaluator, Preset, Specialists};
use crate::play::{Domain, Greedy, Player, stream};
use crate::record::RecordError;
use crate::store::{Checkpoint, NetFile, Provenance};

/// A run in the making.
pub struct Trainer {
    config: TrainConfig,
    learner: Learner,
    best: Option<NetFile>,
    progress: Progress,
    cast: Cast,
}

/// Who takes part in a run besides the learner and the players of its source.
#[derive(Clone)]
pub struct Cast {
    /// Whom tests are played against.
    pub against: Arc<dyn Player>,
    /// Whose judgements make the targets, if not the learner's own.
    pub teacher: Option<Arc<dyn Evaluator>>,
}

/// How a call of [`Trainer::run`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All games have been learned from, or all that the source had.
    Finished,
    /// It was asked to stop.
    Stopped,
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "transparent")]
pub enum TrainError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("the run cannot be kept")]
    Keep(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Who watches a run: shows it, and keeps it.
pub trait Observer {
    /// A batch has been learned.
    fn learned(&mut self, progress: &Progress);

    /// Something in recorded games is of no use, for these reasons and as many `more` that were not kept.
    fn unusable(&mut self, _reasons: &[RecordError], _more: u64) {}

    /// A test of `games` games begins; the watch counts them.
    fn testing(&mut self, games: u64, watch: &Watch);

    /// A test has ended: the last row of the history is new.
    fn tested(&mut self, progress: &Progress);

    /// The run is at rest here and wants to be kept.
    ///
    /// # Errors
    /// Whatever goes wrong ends the run.
    fn keep(
        &mut self,
        checkpoint: &Checkpoint<Progress>,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;
}

impl Trainer {
    /// A new run of a configuration that has been checked; names that are unknown all the same become the defaults.
    #[must_use]
    pub fn new(config: TrainConfig, cast: Cast) -> Trainer {
        let preset = Preset::named(&config.preset).unwrap_or(&Preset::ALL[0]);
        let team = Specialists::random(preset, &mut stream(config.seed, Domain::Weights, 0));
        let average = (config.average > 0).then(|| team.clone());
        let progress = Progress { learning: ClassCounts::new(), ..Progress::default() };
        Trainer { cast, config, learner: Learner { team, average }, best: None, progress }
    }

    /// Goes on from a checkpoint of the same configuration.
    #[must_use]
    pub fn resume(config: TrainConfig, cast: Cast, checkpoint: Checkpoint<Progress>) -> Trainer {
        let Checkpoint { progress, team, average, best } = checkpoint;
        let learner = Learner { team: team.team, average: average.map(|file| file.team) };
        Trainer { cast, config, learner, best, progress }
    }

    /// What has been counted and measured so far.
    #[must_use]
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &TrainConfig {
        &self.config
    }

    /// The best team so far, once a test has been played.
    #[must_use]
    pub fn best(&self) -> Option<&NetFile> {
        self.best.as_ref()
    }

    /// Learns on the current thread pool until all games are done or `stop` is set; either way the run is kept first.
    ///
    /// A test comes after every `eval_every` games, at the end, and where `eval_at` says. Batches end at tests and at the end of the run, so the same configuration always makes the same batches, however
    /// often it was stopped in between.
    ///
    /// # Errors
    /// [`TrainError`] when games cannot be had or the run cannot be kept.
    pub fn run(
        &mut self,
        source: &mut dyn GameSource,
        observer: &mut dyn Observer,
        stop: &AtomicBool,
    ) -> Result<Ended, TrainError> {
        loop {
            if stop.load(Ordering::Relaxed) {
                observer.keep(&self.checkpoint()).map_err(TrainError::Keep)?;
                return Ok(Ended::Stopped);
            }
            if self.test_is_due() {
                // A test that was stopped is played again from its first game after a resumption.
                if self.test(observer, stop) {
                    observer.tested(&self.progress);
                    observer.keep(&self.checkpoint()).map_err(TrainError::Keep)?;
                }
            } else if self.progress.games == self.end() {
                return Ok(Ended::Finished);
            } else {
                self.batch(source, observer)?;
                observer.learned(&self.progress);
            }
        }
    }

    fn test_is_due(&self) -> bool {
        let games = self.progress.games;
        let at_a_mark = games > 0 && self.next_test(games - 1) == games;
        at_a_mark && self.progress.history.last().is_none_or(|row| row.games < games)
    }

    fn batch(
        &mut self,
        source: &mut dyn GameSource,
        observer: &mut dyn Observer,
    ) -> Result<(), SourceError> {
        let TrainConfig { games: total, batch, average, .. } = self.config;
        let done = self.progress.games;
        let wanted = (done + batch).min(self.next_test(done));
        let (alpha, lambda) =
            (self.config.alpha.at(done, total), self.config.lambda.at(done, total));
        let games = source.games(done..wanted, &self.learner.team)?;
        if !games.reasons.is_empty() {
            let kept = games.reasons.len() as u64;
            observer.unusable(&games.reasons, games.gleaning.unusable.saturating_sub(kept));
        }
        self.progress.gleaning.add(&games.gleaning);
        let end = done + games.games.len() as u64 + games.endless;
        self.progress.exhausted = end < wanted;
        if end == done {
            // Nothing to learn, and no step for the average to make.
            return Ok(());
        }
        // The window of the average grows with the run, so that the first random weights are soon forgotten.
        let window = (end / 4).min(average).max(end - done);
        let step = (end - done) as f32 / window as f32;
        let method = Method::named(&self.config.method).unwrap_or(&Method::ALL[0]);
        let teacher = self.cast.teacher.as_deref();
        let rule = Rule { alpha, lambda, update: method.update, teacher, average_step: step };
        let lessons = self.learner.learn(&games.games, &rule);
        self.progress.learning.add(&lessons);
        self.progress.positions += lessons.examples.values().sum::<u64>();
        self.progress.endless += games.endless;
        self.progress.games = end;
        Ok(())
    }

    /// Plays the test due now; whether it came to its end.
    fn test(&mut self, observer: &mut dyn Observer, stop: &AtomicBool) -> bool {
        let mut results = Vec::new();
        for team in [Some(&self.learner.team), self.learner.average.as_ref()].into_iter().flatten()
        {
            let watch = Watch::default();
            observer.testing(self.config.eval_games, &watch);
            match self.series(team, Domain::Test, self.config.eval_games, &watch) {
                Some(series) if !stop.load(Ordering::Relaxed) => {
                    results.push(TestResult::from(&series))
                }
                _ => return false,
            }
        }
        let TrainConfig { games: total, .. } = self.config;
        let games = self.progress.games;
        let row = TestRow {
            games,
            alpha: self.config.alpha.at(games, total),
            lambda: self.config.lambda.at(games, total),
            last: results[0],
            average: results.get(1).copied(),
            learned: std::mem::replace(&mut self.progress.learning, ClassCounts::new()),
        };
        let (place, ppg) = results.iter().map(|result| result.ppg).enumerate().fold(
            (0, f64::NEG_INFINITY),
            |best, new| {
                if new.1 > best.1 { new } else { best }
            },
        );
        if self.progress.best.is_none_or(|(_, best)| ppg > best) {
            self.progress.best = Some((self.progress.history.len(), ppg));
            self.best = match (place, &self.learner.average) {
                (1, Some(average)) => Some(self.net_file(average, AVERAGE)),
                _ => Some(self.net_file(&self.learner.team, LAST)),
            };
        }
        self.progress.history.push(row);
        true
    }

    /// Plays a team against the yardstick of this run, on dice of the given purpose.
    pub fn series(
        &self,
        team: &Specialists,
        domain: Domain,
        games: u64,
        watch: &Watch,
    ) -> Option<Series> {
        let config = SeriesConfig { games, duplicate: true, seed: self.config.seed, domain };
        play_series(&Greedy(team), self.cast.against.as_ref(), &config, watch)
    }

    /// Games after which the run ends: those of the configuration, or fewer if the source had no more.
    fn end(&self) -> u64 {
        if self.progress.exhausted { self.progress.games } else { self.config.games }
    }

    /// The first number of games beyond `done` that a test comes after.
    fn next_test(&self, done: u64) -> u64 {
        let TrainConfig { eval_every, eval_at, .. } = &self.config;
        let regular = (done / eval_every + 1) * eval_every;
        let besides = eval_at.iter().copied().filter(|&games| games > done).min();
        regular.min(besides.unwrap_or(u64::MAX)).min(self.end())
    }

    /// The run at rest.
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint<Progress> {
        Checkpoint {
            progress: self.progress.clone(),
            team: self.net_file(&self.learner.team, LAST),
            average: self.learner.average.as_ref().map(|team| self.net_file(team, AVERAGE)),
            best: self.best.clone(),
        }
    }

    fn net_file(&self, team: &Specialists, weights: &str) -> NetFile {
        NetFile {
            preset: self.config.preset.clone(),
            provenance: Provenance {
                command: self.config.command(),
                seed: self.config.seed,
                games: self.progress.games,
                weights: weights.to_owned(),
                examples: self
                    .progress
                    .examples()
                    .iter()
                    .map(|(class, n)| (class.slug().to_owned(), *n))
                    .collect(),
                parent: None,
                program: concat!("nonet ", env!("CARGO_PKG_VERSION")).to_owned(),
            },
            team: team.clone(),
        }
    }
}

const LAST: &str = "last";
const AVERAGE: &str = "average";
