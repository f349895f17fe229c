//! Running an experiment: every simulation is an ordinary training run.

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

/// The matches of one bout, one for each simulation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchResult {
    /// What was played, and by which teams.
    pub words: String,
    /// The results of the home side.
    pub results: Vec<TestResult>,
}

/// Keeps finished simulations, so that an experiment that was stopped does not begin again.
pub trait ExperimentStore {
    /// What went wrong.
    type Error;

    /// A simulation that was kept before, if it was this run.
    fn known(&mut self, plan: &TrainPlan, variant: usize, repeat: u64) -> Option<RunResult>;

    /// Keeps a finished one, and its team if bouts need it.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn keep(&mut self, cell: &RunResult, team: &NetFile) -> Result<(), Self::Error>;

    /// The result of a bout that was kept before, if the words are still the same.
    fn known_bout(&mut self, place: usize, words: &str) -> Option<MatchResult>;

    /// Keeps a finished bout.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn keep_bout(&mut self, place: usize, result: &MatchResult) -> Result<(), Self::Error>;

    /// The team of a simulation that was kept (of the expert if `variant` is `None`), looking `plies` ahead
    /// and turning the cube by a rule.
    ///
    /// # Errors
    /// When it cannot be had.
    fn player(
        &mut self,
        variant: Option<usize>,
        repeat: u64,
        plies: u8,
        cube: Option<DoublingRule>,
    ) -> Result<Arc<dyn Player>, Self::Error>;

    /// Everybody who takes part in a run of this configuration.
    ///
    /// # Errors
    /// When somebody cannot be had.
    fn cast(
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

    /// Shows that a simulation has learned from `games` games.
    fn learned(&mut self, name: &str, repeat: u64, games: u64);
}

struct Quiet<'a, 'k, K> {
    keep: &'a Mutex<&'k mut K>,
    name: &'a str,
    repeat: u64,
}

/// A lock that a panic elsewhere has poisoned is taken all the same: the program is ending anyway.
fn locked<'a, T>(lock: &'a Mutex<T>) -> MutexGuard<'a, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<K: ExperimentStore> Observer for Quiet<'_, '_, K> {
    fn learned(&mut self, progress: &RunProgress) {
        locked(self.keep).learned(self.name, self.repeat, progress.games);
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
    /// Runs all simulations, side by side on the current thread pool; `None` if `progress` was stopped before the last one
    /// ended.
    ///
    /// # Errors
    /// Those of the configuration, of a run, or of `keep`.
    pub fn run<K: ExperimentStore + Send>(
        &self,
        settings: &ExperimentSettings,
        keep: &mut K,
        progress: &Progress,
    ) -> Result<Option<Vec<RunResult>>, K::Error>
    where
        K::Error: From<ExperimentError> + From<TrainError> + Send,
    {
        let keep = Mutex::new(keep);
        let all = (0..self.repeats)
            .flat_map(|repeat| (0..self.variants.len()).map(move |place| (place, repeat)));
        let all: Vec<(usize, u64)> = all.collect();
        let simulate = |&(place, repeat): &(usize, u64)| {
            self.simulate(place, repeat, settings, &keep, progress)
        };
        let cells: Result<Vec<Option<RunResult>>, K::Error> =
            all.par_iter().map(simulate).collect();
        Ok(cells?.into_iter().collect())
    }

    fn simulate<K: ExperimentStore + Send>(
        &self,
        place: usize,
        repeat: u64,
        settings: &ExperimentSettings,
        keep: &Mutex<&mut K>,
        progress: &Progress,
    ) -> Result<Option<RunResult>, K::Error>
    where
        K::Error: From<ExperimentError> + From<TrainError>,
    {
        let variant = &self.variants[place];
        let plan = self.plan(variant, repeat, settings.scale, settings.seed, settings.expert)?;
        if let Some(cell) = locked(keep).known(&plan, place, repeat) {
            return Ok(Some(cell));
        }
        let (cast, mut source) = locked(keep).cast(&plan)?;
        let mut trainer = Trainer::new(plan.clone(), cast);
        let mut observer = Quiet { keep, name: &variant.name, repeat };
        if trainer.run(source.as_mut(), &mut observer, &progress.part())? == RunOutcome::Stopped {
            return Ok(None);
        }
        let tests = trainer.progress().history.iter().map(|row| (row.games, row.last)).collect();
        let team = trainer.checkpoint().team;
        let examples = team.provenance.examples.clone();
        let cell = RunResult {
            command: plan.spec().to_command_line(),
            variant: place,
            repeat,
            tests,
            examples,
        };
        locked(keep).keep(&cell, &team)?;
        Ok(Some(cell))
    }

    /// Plays all bouts between the teams of finished simulations; `None` if `progress` was stopped before the last one
    /// ended.
    ///
    /// # Errors
    /// Those of `keep`.
    pub fn play_matches<K: ExperimentStore>(
        &self,
        settings: &ExperimentSettings,
        cells: &[RunResult],
        keep: &mut K,
        progress: &Progress,
    ) -> Result<Option<Vec<MatchResult>>, K::Error> {
        let mut all = Vec::new();
        for (place, planned) in self.matches(settings.scale).iter().enumerate() {
            let words = self.words(planned, settings, cells);
            let known = keep.known_bout(place, &words);
            let result = match known {
                Some(result) => result,
                None => {
                    let Some(results) = self.play(planned, settings, keep, progress)? else {
                        return Ok(None);
                    };
                    let result = MatchResult { words, results };
                    keep.keep_bout(place, &result)?;
                    result
                }
            };
            all.push(result);
        }
        Ok(Some(all))
    }

    /// What a bout is, with the commands that made its teams: when those change, it must be played again.
    fn words(
        &self,
        planned: &MatchSpec,
        settings: &ExperimentSettings,
        cells: &[RunResult],
    ) -> String {
        let [home, away] = [&planned.home, &planned.away].map(|side| {
            let mine = cells.iter().find(|cell| Some(cell.variant) == self.place(side));
            mine.map_or(settings.expert, |cell| cell.command.as_str())
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
        keep: &mut K,
        progress: &Progress,
    ) -> Result<Option<Vec<TestResult>>, K::Error> {
        let mut results = Vec::new();
        for repeat in 0..self.repeats {
            let rules = planned.cubes.map_or([None; 2], |rules| rules.map(Some));
            let home =
                keep.player(self.place(&planned.home), repeat, planned.plies[0], rules[0])?;
            let away =
                keep.player(self.place(&planned.away), repeat, planned.plies[1], rules[1])?;
            let config = SeriesConfig {
                games: planned.games,
                duplicate: true,
                cube: planned.cubes.is_some(),
                seed: settings.seed + repeat,
                purpose: StreamPurpose::Match,
            };
            let name = format!("{} v {}, {} plies", planned.home, planned.away, planned.plies[0]);
            let play = |part: &Progress| play_series(home.as_ref(), away.as_ref(), &config, part);
            let Some(series) = keep.playing(&name, planned.games, progress.part(), &play) else {
                return Ok(None);
            };
            results.push(TestResult::from(&series));
        }
        Ok(Some(results))
    }
}
