//! Running an experiment: every simulation is an ordinary training run.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::spec::{Experiment, ExperimentError, MatchSpec};
use super::store::ExperimentStore;
use crate::game::{Series, SeriesConfig, SeriesRules, StreamPurpose, play_series};
use crate::progress::Progress;
use crate::train::{
    GameSource, Observer, Participants, RunOutcome, RunProgress, TestResult, TrainCheckpoint,
    TrainPlan, Trainer,
};

/// How an experiment is run.
#[derive(Clone, Copy, Debug)]
pub struct ExperimentSettings<'a> {
    /// Everything is this many times as large as in the paper.
    pub scale: f64,
    /// Simulation `r` has the seed `seed + r`.
    pub seed: u64,
    /// The expert's net file, as it is named in configurations.
    pub expert: &'a str,
}

/// The tests of one simulation of one variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// The command that repeats it.
    pub command: String,
    /// Place of the variant in its experiment.
    pub variant: usize,
    /// Which simulation of it.
    pub repeat: u64,
    /// Games learned from, and the test after them.
    pub tests: Vec<(u64, TestResult)>,
    /// Positions learned from, by class.
    #[serde(default)]
    pub examples: BTreeMap<String, u64>,
}

/// The results of one planned match, one for each simulation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchResult {
    /// What was played, and by which nets.
    pub words: String,
    /// The results of the home side.
    pub results: Vec<TestResult>,
}

/// The program that runs an experiment: it opens the players of a run and shows progress.
pub trait ExperimentHost {
    /// Why something cannot be opened; and errors of the experiment.
    type Error: From<ExperimentError>;

    /// Opens the players, nets and databases of a run, and its source of games.
    ///
    /// # Errors
    /// When one of them cannot be opened.
    fn participants(
        &mut self,
        plan: &TrainPlan,
    ) -> Result<(Participants, Box<dyn GameSource>), Self::Error>;

    /// Lets `play` play a match and shows `progress`, which `play` is given.
    fn playing(
        &mut self,
        name: &str,
        games: u64,
        progress: Progress,
        play: &(dyn Fn(&Progress) -> Option<Series> + Sync),
    ) -> Option<Series>;

    /// Simulation `repeat` of the variant `name` has learned from `games` games.
    fn learned(&mut self, name: &str, repeat: u64, games: u64);

    /// Simulation `repeat` of the variant `name` was finished before and is not run again.
    fn resumed(&mut self, name: &str, repeat: u64);
}

/// Tells the host of an experiment how far a simulation is.
struct SimulationObserver<'a, 'h, H> {
    host: &'a Mutex<&'h mut H>,
    name: &'a str,
    repeat: u64,
}

/// A lock that a panic elsewhere has poisoned is taken all the same: the program is ending anyway.
fn locked<'a, T>(lock: &'a Mutex<T>) -> MutexGuard<'a, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<H: ExperimentHost> Observer for SimulationObserver<'_, '_, H> {
    fn learned(&mut self, progress: &RunProgress) {
        locked(self.host).learned(self.name, self.repeat, progress.games);
    }

    fn testing(&mut self) {}

    fn tested(&mut self, _: &RunProgress) {}

    fn save(
        &mut self,
        _: &TrainCheckpoint,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        Ok(())
    }
}

impl Experiment {
    /// Runs all simulations that `store` does not hold, side by side on the current thread pool, and saves each; `None` if
    /// `progress` was stopped before the last one ended.
    ///
    /// # Errors
    /// Those of the configuration, of a run, of the host, and of files.
    pub fn run<H: ExperimentHost<Error: Send> + Send>(
        &self,
        settings: &ExperimentSettings,
        store: &ExperimentStore,
        host: &mut H,
        progress: &Progress,
    ) -> Result<Option<Vec<RunResult>>, H::Error> {
        let host = Mutex::new(host);
        let all = (0..self.repeats)
            .flat_map(|repeat| (0..self.variants.len()).map(move |place| (place, repeat)));
        let all: Vec<(usize, u64)> = all.collect();
        let simulate = |&(place, repeat): &(usize, u64)| {
            self.simulate(place, repeat, settings, store, &host, progress)
        };
        let runs: Result<Vec<Option<RunResult>>, H::Error> = all.par_iter().map(simulate).collect();
        Ok(runs?.into_iter().collect())
    }

    fn simulate<H: ExperimentHost + Send>(
        &self,
        place: usize,
        repeat: u64,
        settings: &ExperimentSettings,
        store: &ExperimentStore,
        host: &Mutex<&mut H>,
        progress: &Progress,
    ) -> Result<Option<RunResult>, H::Error> {
        let variant = &self.variants[place];
        let plan = self.plan(variant, repeat, settings.scale, settings.seed, settings.expert)?;
        if let Some(run) = store.saved_run(&plan, place, repeat) {
            locked(host).resumed(&variant.name, repeat);
            return Ok(Some(run));
        }
        let (participants, mut source) = locked(host).participants(&plan)?;
        let mut trainer = Trainer::new(plan.clone(), participants);
        let mut observer = SimulationObserver { host, name: &variant.name, repeat };
        let ended = trainer.run(source.as_mut(), &mut observer, &progress.part());
        if ended.map_err(ExperimentError::from)? == RunOutcome::Stopped {
            return Ok(None);
        }
        let tests = trainer.progress().history.iter().map(|row| (row.games, row.last)).collect();
        let team = trainer.checkpoint().team;
        let examples = team.provenance.examples.clone();
        let run = RunResult {
            command: plan.spec().to_command_line(),
            variant: place,
            repeat,
            tests,
            examples,
        };
        store.save_run(&run, &team).map_err(ExperimentError::from)?;
        Ok(Some(run))
    }

    /// Plays all matches between the nets of finished simulations that `store` does not hold, and saves each; `None` if
    /// `progress` was stopped before the last one ended.
    ///
    /// # Errors
    /// Those of files.
    pub fn play_matches<H: ExperimentHost>(
        &self,
        settings: &ExperimentSettings,
        runs: &[RunResult],
        store: &ExperimentStore,
        host: &mut H,
        progress: &Progress,
    ) -> Result<Option<Vec<MatchResult>>, ExperimentError> {
        let mut all = Vec::new();
        for (place, planned) in self.matches(settings.scale).iter().enumerate() {
            let words = self.words(planned, settings, runs);
            let result = match store.saved_match(place, &words) {
                Some(result) => result,
                None => {
                    let Some(results) = self.play(planned, settings, store, host, progress)? else {
                        return Ok(None);
                    };
                    let result = MatchResult { words, results };
                    store.save_match(place, &result)?;
                    result
                }
            };
            all.push(result);
        }
        Ok(Some(all))
    }

    /// What a match is, with the commands that made its nets: when those change, it must be played again.
    fn words(
        &self,
        planned: &MatchSpec,
        settings: &ExperimentSettings,
        runs: &[RunResult],
    ) -> String {
        let [home, away] = [&planned.home, &planned.away].map(|side| {
            let mine = runs.iter().find(|run| Some(run.variant) == self.place(side));
            mine.map_or(settings.expert, |run| run.command.as_str())
        });
        let MatchSpec { plies, games, .. } = planned;
        let (repeats, seed) = (self.repeats, settings.seed);
        let cubes =
            planned.cubes.map(|[a, b]| format!(", {a} v {b} for the cube")).unwrap_or_default();
        format!(
            "{home} at {}-ply v {away} at {}-ply{cubes}, {games} games, {repeats} times from seed {seed}",
            plies[0], plies[1]
        )
    }

    fn play<H: ExperimentHost>(
        &self,
        planned: &MatchSpec,
        settings: &ExperimentSettings,
        store: &ExperimentStore,
        host: &mut H,
        progress: &Progress,
    ) -> Result<Option<Vec<TestResult>>, ExperimentError> {
        let mut results = Vec::new();
        for repeat in 0..self.repeats {
            let rules = planned.cubes.map_or([None; 2], |rules| rules.map(Some));
            let home =
                store.player(self.place(&planned.home), repeat, planned.plies[0], rules[0])?;
            let away =
                store.player(self.place(&planned.away), repeat, planned.plies[1], rules[1])?;
            let config = SeriesConfig {
                games: planned.games,
                duplicate: true,
                rules: planned.cubes.map_or(SeriesRules::Cubeless, |_| SeriesRules::MONEY),
                seed: settings.seed + repeat,
                purpose: StreamPurpose::Match,
            };
            let name = format!("{} v {}, {} plies", planned.home, planned.away, planned.plies[0]);
            let play = |part: &Progress| play_series(home.as_ref(), away.as_ref(), &config, part);
            let Some(series) = host.playing(&name, planned.games, progress.part(), &play) else {
                return Ok(None);
            };
            results.push(TestResult::from(&series));
        }
        Ok(Some(results))
    }
}
