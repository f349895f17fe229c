//! Running an experiment: its simulations, each an ordinary training run, and the matches between the trained teams.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::spec::{Experiment, ExperimentError, MatchSpec};
use crate::game::{Player, StreamPurpose};
use crate::game::{Series, SeriesConfig, play_series};
use crate::progress::Progress;
use crate::search::DoublingRule;
use crate::store::NetFile;
use crate::train::{
    GameSource, Observer, Participants, RunOutcome, RunProgress, TestResult, TrainCheckpoint,
    TrainError, TrainPlan, Trainer,
};

/// How an experiment is run.
#[derive(Clone, Copy, Debug)]
pub struct ExperimentSettings<'a> {
    /// Numbers of games relative to the paper's: 1 is full size.
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
    /// Index of the variant in its experiment.
    pub variant: usize,
    /// Number of the simulation, from 0.
    pub repeat: u64,
    /// The tests, each with the number of games learned from before it.
    pub tests: Vec<(u64, TestResult)>,
    /// Positions learned from, by class.
    #[serde(default)]
    pub examples: BTreeMap<String, u64>,
}

/// The results of one planned match, which is played once for each simulation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchResult {
    /// The match as text, with the commands that trained its teams: a stored result is valid only for this text.
    #[serde(rename = "words")]
    pub description: String,
    /// The results of the home side, by simulation.
    pub results: Vec<TestResult>,
}

/// Stores the results of simulations and matches, so that an experiment that was stopped can be continued. It also opens the
/// players and shows the progress.
pub trait ExperimentStore {
    /// Why something cannot be stored or opened.
    type Error;

    /// The stored result of a simulation, if it was made by this plan.
    fn stored_run(&mut self, plan: &TrainPlan, variant: usize, repeat: u64) -> Option<RunResult>;

    /// Stores a finished simulation, and its team if a match needs it.
    ///
    /// # Errors
    /// If it cannot be stored.
    fn store_run(&mut self, run: &RunResult, team: &NetFile) -> Result<(), Self::Error>;

    /// The stored result of match number `index`, if its description is this one.
    fn stored_match(&mut self, index: usize, description: &str) -> Option<MatchResult>;

    /// Stores the result of match number `index`.
    ///
    /// # Errors
    /// If it cannot be stored.
    fn store_match(&mut self, index: usize, result: &MatchResult) -> Result<(), Self::Error>;

    /// The team of a stored simulation (of the expert if `variant` is `None`) as a player that searches `plies` deep and, with
    /// `cube`, doubles by that rule.
    ///
    /// # Errors
    /// If the team cannot be opened.
    fn player(
        &mut self,
        variant: Option<usize>,
        repeat: u64,
        plies: u8,
        cube: Option<DoublingRule>,
    ) -> Result<Arc<dyn Player>, Self::Error>;

    /// Opens the players, nets, databases and games that a run of this configuration needs.
    ///
    /// # Errors
    /// If one of them cannot be opened.
    fn open_participants(
        &mut self,
        plan: &TrainPlan,
    ) -> Result<(Participants, Box<dyn GameSource>), Self::Error>;

    /// Calls `play` with `progress` and shows it.
    fn show_match(
        &mut self,
        name: &str,
        games: u64,
        progress: Progress,
        play: &(dyn Fn(&Progress) -> Option<Series> + Sync),
    ) -> Option<Series>;

    /// Shows that a simulation of the variant `name` has learned from `games` games.
    fn learned(&mut self, name: &str, repeat: u64, games: u64);
}

/// Reports the progress of one simulation to the store.
struct SimulationObserver<'a, 'k, K> {
    store: &'a Mutex<&'k mut K>,
    name: &'a str,
    repeat: u64,
}

/// Locks, even if a panic in another thread has poisoned the lock: that panic ends the program anyway.
fn locked<'a, T>(lock: &'a Mutex<T>) -> MutexGuard<'a, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<K: ExperimentStore> Observer for SimulationObserver<'_, '_, K> {
    fn learned(&mut self, progress: &RunProgress) {
        locked(self.store).learned(self.name, self.repeat, progress.games);
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
    /// Runs all simulations in parallel on the current thread pool; `None` if `progress` was stopped before the last one
    /// ended.
    ///
    /// # Errors
    /// Those of the configuration, of a run, or of `store`.
    pub fn run<K: ExperimentStore + Send>(
        &self,
        settings: &ExperimentSettings,
        store: &mut K,
        progress: &Progress,
    ) -> Result<Option<Vec<RunResult>>, K::Error>
    where
        K::Error: From<ExperimentError> + From<TrainError> + Send,
    {
        let store = Mutex::new(store);
        let all = (0..self.repeats)
            .flat_map(|repeat| (0..self.variants.len()).map(move |place| (place, repeat)));
        let all: Vec<(usize, u64)> = all.collect();
        let simulate = |&(place, repeat): &(usize, u64)| {
            self.simulate(place, repeat, settings, &store, progress)
        };
        let runs: Result<Vec<Option<RunResult>>, K::Error> = all.par_iter().map(simulate).collect();
        Ok(runs?.into_iter().collect())
    }

    fn simulate<K: ExperimentStore + Send>(
        &self,
        place: usize,
        repeat: u64,
        settings: &ExperimentSettings,
        store: &Mutex<&mut K>,
        progress: &Progress,
    ) -> Result<Option<RunResult>, K::Error>
    where
        K::Error: From<ExperimentError> + From<TrainError>,
    {
        let variant = &self.variants[place];
        let plan = self.plan(variant, repeat, settings.scale, settings.seed, settings.expert)?;
        if let Some(run) = locked(store).stored_run(&plan, place, repeat) {
            return Ok(Some(run));
        }
        let (participants, mut source) = locked(store).open_participants(&plan)?;
        let mut trainer = Trainer::new(plan.clone(), participants);
        let mut observer = SimulationObserver { store, name: &variant.name, repeat };
        if trainer.run(source.as_mut(), &mut observer, &progress.part())? == RunOutcome::Stopped {
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
        locked(store).store_run(&run, &team)?;
        Ok(Some(run))
    }

    /// Plays all matches between the teams of finished simulations; `None` if `progress` was stopped before the last one
    /// ended.
    ///
    /// # Errors
    /// Those of `store`.
    pub fn play_matches<K: ExperimentStore>(
        &self,
        settings: &ExperimentSettings,
        runs: &[RunResult],
        store: &mut K,
        progress: &Progress,
    ) -> Result<Option<Vec<MatchResult>>, K::Error> {
        let mut all = Vec::new();
        for (index, planned) in self.matches(settings.scale).iter().enumerate() {
            let description = self.describe_match(planned, settings, runs);
            let stored = store.stored_match(index, &description);
            let result = match stored {
                Some(result) => result,
                None => {
                    let Some(results) = self.play(planned, settings, store, progress)? else {
                        return Ok(None);
                    };
                    let result = MatchResult { description, results };
                    store.store_match(index, &result)?;
                    result
                }
            };
            all.push(result);
        }
        Ok(Some(all))
    }

    /// A match as text, with the commands that trained its teams: when the text changes, the match must be played again.
    fn describe_match(
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

    fn play<K: ExperimentStore>(
        &self,
        planned: &MatchSpec,
        settings: &ExperimentSettings,
        store: &mut K,
        progress: &Progress,
    ) -> Result<Option<Vec<TestResult>>, K::Error> {
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
                cube: planned.cubes.is_some(),
                seed: settings.seed + repeat,
                purpose: StreamPurpose::Match,
            };
            let name = format!("{} v {}, {} plies", planned.home, planned.away, planned.plies[0]);
            let play = |part: &Progress| play_series(home.as_ref(), away.as_ref(), &config, part);
            let Some(series) = store.show_match(&name, planned.games, progress.part(), &play)
            else {
                return Ok(None);
            };
            results.push(TestResult::from(&series));
        }
        Ok(Some(results))
    }
}
