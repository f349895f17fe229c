//! The trainer: the loop of a training run, with games, updates, tests and checkpoints.

use crate::train::game_source::{GameSource, SourceError};
use crate::train::learning::learner::Learner;
use crate::train::learning::net_learner::{NetLearner, Optimizer};
use crate::train::learning::rule::UpdateTiming;
use crate::train::learning::update_rule::{ReplayConfig, UpdateRule};
use crate::train::learning_curve::RunProgress;
use crate::train::options::option_values::LearnedOutputs;
use crate::train::options::plan::{Start, TrainPlan};
use crate::train::options::spec::TrainSpec;
use crate::train::run_interface::{
    Observer, Participants, ResumeError, RunOutcome, TrainCheckpoint, TrainError,
};
use nonet_engine::eval::{Architecture, ExternalFailure, Specialists};
use nonet_engine::features::ByEncoding;
use nonet_engine::game::{StreamPurpose, stream};
use nonet_engine::nn::INITIAL;
use nonet_engine::progress::Progress;
use nonet_engine::store::{Checkpoint, NetFile, Provenance};

/// A training run.
///
/// ```no_run
/// use nonet_engine::progress::Progress;
/// use nonet_training::train::{OpenedRun, RunProgress, TrainSpec, Trainer};
///
/// let plan = TrainSpec { games: 20_000, ..TrainSpec::default() }.usual_plan()?;
/// let OpenedRun { participants, mut source, .. } = plan.open()?;
/// let mut trainer = Trainer::new(plan, participants);
/// let mut show = |progress: &RunProgress| println!("{} games", progress.games);
/// trainer.run(&mut *source, &mut show, &Progress::default())?;
/// println!("{:?}", trainer.best().map(|net| &net.provenance));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Trainer {
    pub(super) plan: TrainPlan,
    pub(super) learner: Learner,
    pub(super) best: Option<NetFile>,
    /// In a gated run, the opponent of the tests and of the next gate.
    pub(super) incumbent: Option<NetFile>,
    pub(super) progress: RunProgress,
    pub(super) participants: Participants,
    /// The name of its architecture.
    preset: String,
    /// The command that makes this run.
    command: String,
}

/// The team that a run starts with: that of the participants, specialized and widened as the plan
/// says, or a random one.
///
/// # Panics
/// If the plan starts with a net file and `participants.start` is `None`.
#[must_use]
pub fn starting_team(plan: &TrainPlan, participants: &Participants) -> Specialists {
    let team = team_before_rules(plan, participants);
    let team = match plan.spec().outputs {
        LearnedOutputs::All => team,
        LearnedOutputs::Average => team.without_outcomes(),
    };
    if plan.spec().all_outcomes { team.with_all_outcomes() } else { team }
}

fn team_before_rules(plan: &TrainPlan, participants: &Participants) -> Specialists {
    let rng = |number| stream(plan.spec().seed, StreamPurpose::Weights, number);
    match (plan.start(), &participants.start) {
        (Start::Random, Some(start)) => Specialists::clone(start),
        (Start::Random, None) => {
            let team = Specialists::random(&plan.architecture(), &mut rng(0));
            let initial = plan.spec().initial;
            let team = if initial == INITIAL { team } else { team.scaled(initial / INITIAL) };
            match plan.spec().beta_initial {
                Some(beta) => team.with_sensitivities(beta),
                None => team,
            }
        }
        (Start::Net { widen, specialize, .. }, start) => {
            let start =
                start.as_deref().expect("the caller opened the net that the plan starts with");
            let start = if *specialize { start.specialized() } else { start.clone() };
            let [races, contact] = *widen;
            let widths =
                ByEncoding::new(|encoding| if encoding.contact() { contact } else { races });
            start.widened(&widths, &mut rng(1))
        }
    }
}

/// What nets and reports say of how a run is made: the name of its architecture, and its command.
fn origin(plan: &TrainPlan, participants: &Participants) -> (String, String) {
    let command = plan.spec().to_command_line();
    match (plan.start(), &participants.start) {
        (Start::Random, Some(_)) => {
            (OWN.to_owned(), format!("{command} # with a program's own start net"))
        }
        _ => (plan.architecture().to_string(), command),
    }
}

impl Trainer {
    /// A new run.
    ///
    /// # Panics
    /// If the plan starts with a net file and `participants.start` is `None`, or if the
    /// participants are those of another plan.
    #[must_use]
    pub fn new(plan: TrainPlan, participants: Participants) -> Trainer {
        assert_eq!(participants.names, plan.spec().against, "the participants of another plan");
        let team = starting_team(&plan, &participants);
        let ema = (plan.spec().ema > 0).then(|| team.clone());
        let learner = Learner::new(team, ema);
        let progress = RunProgress::default();
        let (preset, command) = origin(&plan, &participants);
        let (best, incumbent) = (None, None);
        let mut trainer =
            Trainer { participants, plan, learner, best, incumbent, progress, preset, command };
        if trainer.plan.spec().gate_every > 0 {
            trainer.set_incumbent(trainer.net_file(&trainer.learner.team, LAST));
        }
        trainer
    }

    /// Resumes a run from a checkpoint of the same configuration.
    ///
    /// # Errors
    /// [`ResumeError`] if the checkpoint belongs to another configuration, or has learned from more
    /// games.
    ///
    /// The configuration is another one if nets, or optimizer or replay state, differ or are
    /// missing.
    ///
    /// # Panics
    /// As [`Trainer::new`].
    pub fn resume(
        plan: TrainPlan,
        participants: Participants,
        checkpoint: TrainCheckpoint,
    ) -> Result<Trainer, ResumeError> {
        assert_eq!(participants.names, plan.spec().against, "the participants of another plan");
        let Checkpoint { progress, team, ema, best, incumbent, net_learners } = checkpoint;
        let expected = starting_team(&plan, &participants);
        let (preset, command) = origin(&plan, &participants);
        let known = |name: &str| match Architecture::named(name) {
            Some(architecture) if preset != OWN => architecture == plan.architecture(),
            _ => name == preset,
        };
        let files = [
            ("team", Some(&team)),
            ("averaged team", ema.as_ref()),
            ("best team", best.as_ref()),
            ("incumbent", incumbent.as_ref()),
        ];
        for (which, file) in files {
            let Some(file) = file else { continue };
            if !known(&file.preset) {
                let difference = format!("architecture '{}', expected '{preset}'", file.preset);
                return Err(ResumeError::Team { which, difference });
            }
            if let Some(difference) = file.team.difference_in_layout(&expected) {
                return Err(ResumeError::Team { which, difference });
            }
        }
        for (which, found, expected) in [
            ("averaged team", ema.is_some(), plan.spec().ema > 0),
            ("incumbent", incumbent.is_some(), plan.spec().gate_every > 0),
        ] {
            if found != expected {
                let [found, expected] =
                    [found, expected].map(|some| if some { "an" } else { "no" });
                return Err(ResumeError::Presence { which, found, expected });
            }
        }
        let (found, asked) = (progress.games, plan.spec().games);
        if found > asked {
            return Err(ResumeError::Games { found, asked });
        }
        let mut net_learners = net_learners;
        if plan.spec().fine_tune > 0 && plan.fine_tuning_at(progress.games.max(1) - 1).is_none() {
            // A run that was extended after its fine-tuning: TD(lambda), which keeps no state, goes
            // on.
            net_learners.fill(NetLearner::default());
        }
        let (found, expected) = (net_learners.len(), team.team.nets().len());
        let learner = Learner::resume(team.team, ema.map(|file| file.team), net_learners)
            .ok_or(ResumeError::NetLearners { found, expected })?;
        let mut trainer =
            Trainer { participants, plan, learner, best, incumbent, progress, preset, command };
        trainer.check_net_learners()?;
        if trainer.progress.games < trainer.end() {
            // The run has been extended after its end: it will have another one.
            (trainer.progress.play_off, trainer.progress.last_match) = (None, None);
            if let Some(best) = &mut trainer.best {
                best.provenance.result = None;
            }
        }
        Ok(trainer)
    }

    /// Checks that the optimizer and replay state is the one that the configuration produces.
    fn check_net_learners(&self) -> Result<(), ResumeError> {
        // What the last batch has left.
        let games = self.progress.games;
        let rule = self.plan.update_rule(games.saturating_sub(1)).rule;
        // The first batch creates the state, and a promotion resets it.
        let learned = games > self.progress.last_promotion();
        let (optimizer, capacity) = match rule.timing() {
            UpdateTiming::Offline if learned => {
                (rule.steps.optimizer, self.plan.replay(games.saturating_sub(1)))
            }
            UpdateTiming::Offline | UpdateTiming::Online => (Optimizer::Sgd, None),
        };
        for (net, state) in self.learner.team.nets().iter().zip(self.learner.net_learners()) {
            state
                .check(net, optimizer, capacity)
                .map_err(|cause| ResumeError::NetLearner { net: net.name.clone(), cause })?;
        }
        Ok(())
    }

    /// The counts and results so far.
    #[must_use]
    pub fn progress(&self) -> &RunProgress {
        &self.progress
    }

    /// The command that makes this run, as nets and reports name it.
    #[must_use]
    pub fn command(&self) -> &str {
        &self.command
    }

    /// Names the commands that make this run, if it takes more than one: a run that was extended.
    pub fn set_command(&mut self, command: String) {
        self.command = command;
    }

    /// Why the run has ended and cannot go on, whatever the number of games of its configuration.
    #[must_use]
    pub fn ended_early(&self) -> Option<&'static str> {
        if self.progress.is_topped() {
            Some("its last gate was lost")
        } else {
            self.progress.exhausted.then_some("its records have ended")
        }
    }

    /// The plan of the run.
    #[must_use]
    pub fn plan(&self) -> &TrainPlan {
        &self.plan
    }

    /// The best team so far, once a test has been played.
    #[must_use]
    pub fn best(&self) -> Option<&NetFile> {
        self.best.as_ref()
    }

    /// Trains on the current thread pool until all games are done or `progress` is stopped; in both
    /// cases the run is saved first. `progress` counts games learned from.
    ///
    /// A test comes after every `eval_every` games, after each number of games in `eval_at`, and at
    /// the end. Batches end at tests and at the end of the run. So the same configuration always
    /// makes the same batches, however often the run is stopped and resumed.
    ///
    /// # Errors
    /// [`TrainError`] if the source, an external engine or the saving of the run fails, or if the
    /// weights diverge. The run is not saved again then.
    pub fn run(
        &mut self,
        source: &mut dyn GameSource,
        observer: &mut dyn Observer,
        progress: &Progress,
    ) -> Result<RunOutcome, TrainError> {
        loop {
            if progress.is_stopped() {
                observer.save(&self.checkpoint()).map_err(TrainError::Save)?;
                return Ok(RunOutcome::Stopped);
            }
            if self.test_is_due() {
                // A test that is stopped is played again from its first game when the run is
                // resumed.
                if self.test(observer, progress) {
                    observer.tested(&self.progress);
                    observer.save(&self.checkpoint()).map_err(TrainError::Save)?;
                } else if let Some(failure) = self.opponent_failure() {
                    return Err(failure.clone().into());
                }
            } else if self.progress.games == self.end() {
                return Ok(RunOutcome::Finished);
            } else {
                self.batch(source, observer, progress)?;
                progress.set(self.progress.games);
                observer.learned(&self.progress);
                if self.progress.exhausted && !self.test_is_due() {
                    // The records have ended exactly at the last test.
                    observer.save(&self.checkpoint()).map_err(TrainError::Save)?;
                }
            }
        }
    }

    fn test_is_due(&self) -> bool {
        let games = self.progress.games;
        let at_test = games > 0 && self.next_test(games - 1) == games;
        at_test && self.progress.history.last().is_none_or(|row| row.games < games)
    }

    fn batch(
        &mut self,
        source: &mut dyn GameSource,
        observer: &mut dyn Observer,
        progress: &Progress,
    ) -> Result<(), TrainError> {
        let seed = self.plan.spec().seed;
        let done = self.progress.games;
        let wanted = self.plan.end_of_batch(done).min(self.next_test(done));
        let games = match source.shared_games(done..wanted, &self.learner.team, progress) {
            // The run is saved as it is, and plays these games again when it is resumed.
            Err(SourceError::Stopped) => return Ok(()),
            games => games?,
        };
        if !games.reasons.is_empty() {
            let kept = games.reasons.len() as u64;
            observer.unusable(&games.reasons, games.record_stats.unusable.saturating_sub(kept));
        }
        let end = done + games.games.len() as u64 + games.endless;
        if end == done {
            self.progress.record_stats.add(&games.record_stats);
            self.progress.exhausted = end < wanted;
            return Ok(());
        }
        let teacher = self.participants.teacher.as_deref();
        let number = done;
        let update = UpdateRule {
            teacher,
            bearoff: self.participants.bearoff.as_ref(),
            replay: (self.plan.replay(done)).map(|capacity| ReplayConfig {
                capacity,
                seed,
                number,
            }),
            ema_step: self.plan.ema_step(done, end),
            ..self.plan.update_rule(done)
        };
        // Stopped before anything has changed: as above.
        let Some(stats) = self.learner.learn_shared(&games.games, &update, progress) else {
            return Ok(());
        };
        self.progress.record_stats.add(&games.record_stats);
        self.progress.exhausted = end < wanted;
        if let Some(failure) = teacher.and_then(|teacher| teacher.failure()) {
            return Err(failure.clone().into());
        }
        if stats.squared_error.values().any(|error| !error.is_finite()) {
            return Err(TrainError::Diverged { games: end, alpha: update.rates.alpha });
        }
        self.progress.learning.add(&stats);
        self.progress.positions += stats.examples.values().sum::<u64>();
        self.progress.endless += games.endless;
        self.progress.games = end;
        Ok(())
    }

    /// The failure of the opponent of the tests, if it is an external engine that has failed.
    #[must_use]
    pub fn opponent_failure(&self) -> Option<&ExternalFailure> {
        let Participants { against, others, .. } = &self.participants;
        others.iter().chain([against]).find_map(|player| player.failure())
    }

    /// The number of games after which the run ends.
    ///
    /// It is that of the configuration, or less if the source has no more games or a gate was lost.
    pub(super) fn end(&self) -> u64 {
        let early = self.progress.exhausted || self.progress.is_topped();
        if early { self.progress.games } else { self.plan.spec().games }
    }

    /// The number of games after which the next test comes, above `done`.
    fn next_test(&self, done: u64) -> u64 {
        let TrainSpec { eval_every, eval_at, .. } = self.plan.spec();
        let regular = (done / eval_every + 1) * eval_every;
        // What the fine-tuning begins with is known, too.
        let extra = eval_at.iter().copied().chain([self.plan.games_before_fine_tuning()]);
        let extra = extra.filter(|&games| games > done).min();
        regular.min(extra.unwrap_or(u64::MAX)).min(self.end())
    }

    /// The current state of the run, from which [`Trainer::resume`] continues.
    #[must_use]
    pub fn checkpoint(&self) -> TrainCheckpoint {
        Checkpoint {
            progress: self.progress.clone(),
            team: self.net_file(&self.learner.team, LAST),
            ema: self.learner.ema.as_ref().map(|team| self.net_file(team, AVERAGE)),
            best: self.best.clone(),
            incumbent: self.incumbent.clone(),
            net_learners: self.learner.net_learners().to_vec(),
        }
    }

    pub(super) fn net_file(&self, team: &Specialists, weights: &str) -> NetFile {
        NetFile {
            preset: self.preset.clone(),
            provenance: Provenance {
                command: self.command.clone(),
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
                result: None,
            },
            team: team.clone(),
        }
    }
}

/// The architecture of a team that a program gave, as files name it.
const OWN: &str = "own";
pub(super) const LAST: &str = "last";
pub(super) const AVERAGE: &str = "average";
