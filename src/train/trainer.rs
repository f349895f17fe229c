//! The one loop: games, lessons, tests, checkpoints.

use std::sync::Arc;

use super::history::{ClassCounts, GateResult, RunProgress, TestResult, TestRow};
use super::learner::Learner;
use super::plan::{Start, TrainPlan};
use super::source::{GameSource, SourceError};
use super::spec::TrainSpec;
use super::update_rule::{ReplayConfig, UpdateRule};
use crate::backgammon::record::RecordError;
use crate::bearoff::BearoffDatabases;
use crate::eval::{Evaluator, ExternalFailure, Specialists};
use crate::features::ByEncoding;
use crate::game::{Greedy, Player, StreamPurpose, stream};
use crate::game::{Series, SeriesConfig, play_series};
use crate::progress::Progress;
use crate::search::{Plies, Search, SearchSettings};
use crate::stats::Z95;
use crate::store::{Checkpoint, NetFile, Provenance};

/// A run in the making.
pub struct Trainer {
    plan: TrainPlan,
    learner: Learner,
    best: Option<NetFile>,
    /// The team that the rung of a ladder began with.
    incumbent: Option<NetFile>,
    progress: RunProgress,
    cast: Participants,
}

/// Who takes part in a run besides the learner and the players of its source.
#[derive(Clone)]
pub struct Participants {
    /// Whom tests are played against.
    pub against: Arc<dyn Player>,
    /// Whose judgements make the targets, if not the learner's own.
    pub teacher: Option<Arc<dyn Evaluator>>,
    /// Who knows the endings better than whoever makes the targets.
    pub endings: Option<Arc<BearoffDatabases>>,
    /// The team to begin with, if not a random one.
    pub start: Option<Arc<Specialists>>,
}

/// How a call of [`Trainer::run`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunOutcome {
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
    #[error(transparent)]
    External(#[from] ExternalFailure),
}

/// Who watches a run: shows it, and keeps it.
pub trait Observer {
    /// A batch has been learned.
    fn learned(&mut self, progress: &RunProgress);

    /// Something in recorded games is of no use, for these reasons and as many `more` that were not kept.
    fn unusable(&mut self, _reasons: &[RecordError], _more: u64) {}

    /// A test begins.
    fn testing(&mut self);

    /// A test has ended: the last row of the history is new.
    fn tested(&mut self, progress: &RunProgress);

    /// The run is at rest here and wants to be kept.
    ///
    /// # Errors
    /// Whatever goes wrong ends the run.
    fn keep(
        &mut self,
        checkpoint: &Checkpoint<RunProgress>,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;
}

impl Trainer {
    /// A new run.
    ///
    /// # Panics
    /// If the plan begins with a net file, whose nets `cast.start` lacks.
    #[must_use]
    #[allow(clippy::expect_used, reason = "the documented panic")]
    pub fn new(plan: TrainPlan, cast: Participants) -> Trainer {
        let rng = |number| stream(plan.spec().seed, StreamPurpose::Weights, number);
        let team = match plan.start() {
            Start::Random => Specialists::random(plan.architecture(), &mut rng(0)),
            Start::Net { widen, .. } => {
                let start = cast.start.as_deref().expect("the nets that the plan begins with");
                let [races, contact] = *widen;
                let widths =
                    ByEncoding::new(|encoding| if encoding.contact() { contact } else { races });
                start.clone().widened(&widths, &mut rng(1))
            }
        };
        let average = (plan.spec().ema > 0).then(|| team.clone());
        let progress = RunProgress { learning: ClassCounts::new(), ..RunProgress::default() };
        let learner = Learner::new(team, average);
        let mut trainer = Trainer { cast, plan, learner, best: None, incumbent: None, progress };
        if trainer.plan.spec().gate_every > 0 {
            trainer.begin_gate(trainer.net_file(&trainer.learner.team, LAST));
        }
        trainer
    }

    /// Goes on from a checkpoint of the same configuration.
    #[must_use]
    pub fn resume(
        plan: TrainPlan,
        cast: Participants,
        checkpoint: Checkpoint<RunProgress>,
    ) -> Trainer {
        let Checkpoint { progress, team, average, best, incumbent, net_learners } = checkpoint;
        let fresh = Learner::new(team.team, average.map(|file| file.team));
        // A checkpoint whose checksum is right holds what this program wrote for this team.
        let learner = fresh.clone().with_net_learners(&net_learners).unwrap_or(fresh);
        Trainer { cast, plan, learner, best, incumbent, progress }
    }

    /// What has been counted and measured so far.
    #[must_use]
    pub fn progress(&self) -> &RunProgress {
        &self.progress
    }

    /// What the run is.
    #[must_use]
    pub fn plan(&self) -> &TrainPlan {
        &self.plan
    }

    /// The best team so far, once a test has been played.
    #[must_use]
    pub fn best(&self) -> Option<&NetFile> {
        self.best.as_ref()
    }

    /// Learns on the current thread pool until all games are done or `progress` is stopped; either way the run is kept
    /// first. `progress` counts games learned from.
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
        progress: &Progress,
    ) -> Result<RunOutcome, TrainError> {
        loop {
            if progress.is_stopped() {
                observer.keep(&self.checkpoint()).map_err(TrainError::Keep)?;
                return Ok(RunOutcome::Stopped);
            }
            if self.test_is_due() {
                // A test that was stopped is played again from its first game after a resumption.
                if self.test(observer, progress) {
                    observer.tested(&self.progress);
                    observer.keep(&self.checkpoint()).map_err(TrainError::Keep)?;
                } else if let Some(failure) = self.cast.against.failure() {
                    return Err(failure.clone().into());
                }
            } else if self.progress.games == self.end() {
                return Ok(RunOutcome::Finished);
            } else {
                self.batch(source, observer)?;
                progress.set(self.progress.games);
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
    ) -> Result<(), TrainError> {
        let TrainSpec { batch, ema, seed, .. } = *self.plan.spec();
        let done = self.progress.games;
        let wanted = (done + batch).min(self.next_test(done));
        let (alpha, lambda) = self.rates();
        let games = source.games(done..wanted, &self.learner.team)?;
        if !games.reasons.is_empty() {
            let kept = games.reasons.len() as u64;
            observer.unusable(&games.reasons, games.record_stats.unusable.saturating_sub(kept));
        }
        self.progress.record_stats.add(&games.record_stats);
        let end = done + games.games.len() as u64 + games.endless;
        self.progress.exhausted = end < wanted;
        if end == done {
            // Nothing to learn, and no step for the average to make.
            return Ok(());
        }
        // The window of the average grows with the run, so that the first random weights are soon forgotten.
        let window = (end / 4).min(ema).max(end - done);
        let step = (end - done) as f32 / window as f32;
        let teacher = self.cast.teacher.as_deref();
        let recall =
            self.plan.replay().map(|size| ReplayConfig { size: size.get(), seed, number: done });
        let endings = self.cast.endings.as_ref();
        let rule = UpdateRule {
            teacher,
            endings,
            recall,
            average_step: step,
            ..self.plan.rule(alpha, lambda)
        };
        let stats = self.learner.learn(&games.games, &rule);
        if let Some(failure) = teacher.and_then(|teacher| teacher.failure()) {
            return Err(failure.clone().into());
        }
        self.progress.learning.add(&stats);
        self.progress.positions += stats.examples.values().sum::<u64>();
        self.progress.endless += games.endless;
        self.progress.games = end;
        Ok(())
    }

    /// Plays the test due now; whether it came to its end. Nothing is changed otherwise.
    fn test(&mut self, observer: &mut dyn Observer, progress: &Progress) -> bool {
        let mut results = Vec::new();
        for team in [Some(&self.learner.team), self.learner.average.as_ref()].into_iter().flatten()
        {
            let Some(result) = self.match_of(team, StreamPurpose::Test, observer, progress) else {
                return false;
            };
            results.push(result);
        }
        let games = self.progress.games;
        let best = self.better(&results);
        let rung = match (self.plan.spec().gate_every, best.as_ref().or(self.best.as_ref())) {
            (1.., Some(challenger)) if games.is_multiple_of(self.plan.spec().gate_every) => {
                match self.decide(challenger, observer, progress) {
                    None => return false,
                    decided => decided,
                }
            }
            _ => None,
        };
        if let Some(best) = best {
            let top = results.iter().map(|result| result.ppg).fold(f64::NEG_INFINITY, f64::max);
            self.progress.best = Some((self.progress.history.len(), top));
            self.best = Some(best);
        }
        let learned = std::mem::replace(&mut self.progress.learning, ClassCounts::new());
        let (alpha, lambda) = self.rates();
        let (last, average) = (results[0], results.get(1).copied());
        self.progress.history.push(TestRow { games, alpha, lambda, last, average, learned });
        if let Some(rung) = rung {
            self.progress.rungs.push(rung);
            match self.best.clone() {
                Some(best) if rung.promoted => self.promote(best),
                _ => self.best = self.incumbent.clone(),
            }
        }
        true
    }

    /// The team of these results that is better than the best one so far, if one is.
    fn better(&self, results: &[TestResult]) -> Option<NetFile> {
        let average = self.learner.average.as_ref().map(|team| (team, AVERAGE));
        let teams = [Some((&self.learner.team, LAST)), average].into_iter().flatten();
        let mut best = (self.progress.best.map_or(f64::NEG_INFINITY, |(_, ppg)| ppg), None);
        for ((team, weights), result) in teams.zip(results) {
            if result.ppg > best.0 {
                best = (result.ppg, Some((team, weights)));
            }
        }
        best.1.map(|(team, weights)| self.net_file(team, weights))
    }

    /// The match that ends a rung: the best team of it against the one that it began with, on dice of its own (Wiering,
    /// Patist & Mannen, section 4.1, who tell nothing of their dice). `None` if it was stopped.
    fn decide(
        &self,
        challenger: &NetFile,
        observer: &mut dyn Observer,
        progress: &Progress,
    ) -> Option<GateResult> {
        let games = self.progress.games;
        let best_after = challenger.provenance.games;
        if self.incumbent.as_ref() == Some(challenger) {
            return Some(GateResult { games, best_after, result: None, promoted: false });
        }
        let result = self.match_of(&challenger.team, StreamPurpose::Gate, observer, progress)?;
        let promoted = result.ppg - Z95 * result.stderr > 0.0;
        Some(GateResult { games, best_after, result: Some(result), promoted })
    }

    /// Goes on from the best team of a rung, which is the next one's rival.
    fn promote(&mut self, best: NetFile) {
        let average = self.learner.average.is_some().then(|| best.team.clone());
        self.learner = Learner::new(best.team.clone(), average);
        self.begin_gate(best);
    }

    fn begin_gate(&mut self, team: NetFile) {
        // Against itself it scores nothing, so whoever scores more is better.
        self.progress.best = Some((self.progress.history.len().saturating_sub(1), 0.0));
        self.incumbent = Some(team.clone());
        self.best = Some(team);
    }

    /// A match of the run's own tests; `None` if it was stopped.
    fn match_of(
        &self,
        team: &Specialists,
        domain: StreamPurpose,
        observer: &mut dyn Observer,
        progress: &Progress,
    ) -> Option<TestResult> {
        observer.testing();
        // Each rung has its own dice, or the tests of one would choose for the next.
        let seed = self.plan.spec().seed.wrapping_add(self.progress.rungs.len() as u64);
        let games = self.plan.spec().eval_games;
        let config = SeriesConfig { games, duplicate: true, cube: false, seed, domain };
        let incumbent = self.incumbent.as_ref().map(|file| self.tested(&file.team));
        let against = incumbent.as_deref().unwrap_or(self.cast.against.as_ref());
        let series = play_series(self.tested(team).as_ref(), against, &config, &progress.part())?;
        Some(TestResult::from(&series))
    }

    /// A team as it plays in tests.
    fn tested<'a>(&self, team: &'a Specialists) -> Box<dyn Player + 'a> {
        match self.plan.spec().eval_ply {
            Plies::ONE => Box::new(Greedy(team)),
            plies => Box::new(Search::new(team, plies, SearchSettings::NORMAL)),
        }
    }

    /// The rates of the moment.
    fn rates(&self) -> (f32, f32) {
        self.plan.rates(self.progress.games)
    }

    /// Why no test can be played, if the opponent of the tests is an external engine that has failed.
    #[must_use]
    pub fn opponent_failure(&self) -> Option<&ExternalFailure> {
        self.cast.against.failure()
    }

    /// Plays a team against the yardstick of this run, on dice of the given purpose.
    pub fn series(
        &self,
        team: &Specialists,
        domain: StreamPurpose,
        games: u64,
        progress: &Progress,
    ) -> Option<Series> {
        let config = SeriesConfig {
            games,
            duplicate: true,
            cube: false,
            seed: self.plan.spec().seed,
            domain,
        };
        play_series(self.tested(team).as_ref(), self.cast.against.as_ref(), &config, progress)
    }

    /// Games after which the run ends: those of the configuration, or fewer if the source had no more or the ladder no
    /// further rung.
    fn end(&self) -> u64 {
        let early = self.progress.exhausted || self.progress.is_topped();
        if early { self.progress.games } else { self.plan.spec().games }
    }

    /// The first number of games beyond `done` that a test comes after.
    fn next_test(&self, done: u64) -> u64 {
        let TrainSpec { eval_every, eval_at, .. } = self.plan.spec();
        let regular = (done / eval_every + 1) * eval_every;
        let besides = eval_at.iter().copied().filter(|&games| games > done).min();
        regular.min(besides.unwrap_or(u64::MAX)).min(self.end())
    }

    /// The run at rest.
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint<RunProgress> {
        Checkpoint {
            progress: self.progress.clone(),
            team: self.net_file(&self.learner.team, LAST),
            average: self.learner.average.as_ref().map(|team| self.net_file(team, AVERAGE)),
            best: self.best.clone(),
            incumbent: self.incumbent.clone(),
            net_learners: self.learner.net_learners_to_bytes(),
        }
    }

    fn net_file(&self, team: &Specialists, weights: &str) -> NetFile {
        NetFile {
            preset: self.plan.architecture().name.to_owned(),
            provenance: Provenance {
                command: self.plan.spec().to_command_line(),
                seed: self.plan.spec().seed,
                games: self.progress.games,
                weights: weights.to_owned(),
                examples: self
                    .progress
                    .examples()
                    .iter()
                    .map(|(class, n)| (class.slug().to_owned(), *n))
                    .collect(),
                parent: self.plan.spec().from.clone(),
                program: concat!("nonet ", env!("CARGO_PKG_VERSION")).to_owned(),
            },
            team: team.clone(),
        }
    }
}

const LAST: &str = "last";
const AVERAGE: &str = "average";
