//! Running an experiment: every simulation is an ordinary training run.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::plan::ExperimentSettings;
use super::spec::{EXPERT, Experiment, ExperimentError, MatchSide, MatchSpec, scaled_games};
use super::store::ExperimentStore;
use crate::eval::Specialists;
use crate::game::{Greedy, Player, Series, SeriesConfig, SeriesRules, StreamPurpose, play_series};
use crate::progress::Progress;
use crate::train::{
    GameSource, Observer, Participants, PlayerSpec, RunOutcome, RunProgress, TestResult,
    TrainCheckpoint, TrainPlan, Trainer,
};

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
    /// New matches of the net of the best test, if the experiment asks for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retest: Vec<TestResult>,
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

    /// Plays `games` games of `player` against itself and records them in the file `path`; `None` if it was stopped.
    ///
    /// # Errors
    /// When the player cannot be opened or the file cannot be written.
    fn record(
        &mut self,
        player: &PlayerSpec,
        games: u64,
        seed: u64,
        path: &Path,
        progress: &Progress,
    ) -> Result<Option<()>, Self::Error>;

    /// Opens a player outside the experiment, which plays at this depth (1 to 4 plies) unless its name sets one; for money games with
    /// the cube if `cube`, else without it.
    ///
    /// # Errors
    /// When it cannot be opened.
    fn player(
        &mut self,
        player: &PlayerSpec,
        plies: u8,
        cube: bool,
    ) -> Result<Arc<dyn Player>, Self::Error>;

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
    /// Whether the net of the best test is kept.
    keep: bool,
    /// Its share of points, and the net.
    best: Option<(f64, Specialists)>,
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
        checkpoint: &TrainCheckpoint,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        if let Some(test) = checkpoint.progress.history.last().filter(|_| self.keep) {
            let share = test.last.points;
            if self.best.as_ref().is_none_or(|(best, _)| share > *best) {
                self.best = Some((share, checkpoint.team.team.clone()));
            }
        }
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
        if let Some(record) = self.record.as_ref().filter(|_| !store.records().is_file()) {
            let player = match record.player.as_str() {
                EXPERT => settings.expert.clone(),
                player => player.parse().map_err(ExperimentError::from)?,
            };
            let games = scaled_games(record.games, settings.scale);
            if host.record(&player, games, settings.seed, &store.records(), progress)?.is_none() {
                return Ok(None);
            }
        }
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
        let records = store.records().display().to_string();
        let plan = self.plan(variant, repeat, settings, &records)?;
        if let Some(run) = store.saved_run(&plan, place, repeat) {
            locked(host).resumed(&variant.name, repeat);
            return Ok(Some(run));
        }
        let (participants, mut source) = locked(host).participants(&plan)?;
        let against = Arc::clone(&participants.against);
        let mut trainer = Trainer::new(plan.clone(), participants);
        let (name, keep) = (variant.name.as_str(), self.retest.is_some());
        let mut observer = SimulationObserver { host, name, repeat, keep, best: None };
        let ended = trainer.run(source.as_mut(), &mut observer, &progress.part());
        if ended.map_err(ExperimentError::from)? == RunOutcome::Stopped {
            return Ok(None);
        }
        let best = observer.best.take();
        let Some(retest) = self.play_again(best, &plan, settings.scale, against.as_ref(), progress)
        else {
            return Ok(None);
        };
        let tests = trainer.progress().history.iter().map(|row| (row.games, row.last)).collect();
        let team = trainer.checkpoint().team;
        let examples = team.provenance.examples.clone();
        let run = RunResult {
            command: plan.spec().to_command_line(),
            variant: place,
            repeat,
            tests,
            examples,
            retest,
        };
        store.save_run(&run, &team).map_err(ExperimentError::from)?;
        Ok(Some(run))
    }

    /// Lets the net of the best test play new matches against the expert, on dice that had no part in choosing it; `None` if
    /// it was stopped.
    fn play_again(
        &self,
        best: Option<(f64, Specialists)>,
        plan: &TrainPlan,
        scale: f64,
        against: &dyn Player,
        progress: &Progress,
    ) -> Option<Vec<TestResult>> {
        let Some(((_, team), retest)) = best.zip(self.retest) else { return Some(Vec::new()) };
        let again = |number: u64| {
            let config = SeriesConfig {
                games: scaled_games(retest.games, scale),
                duplicate: true,
                rules: SeriesRules::Cubeless,
                // In the upper half of the seed, as the dice of tests.
                seed: plan.spec().seed.wrapping_add(number << 32),
                purpose: StreamPurpose::Final,
            };
            let series = play_series(&Greedy(&team), against, &config, &progress.part())?;
            Some(TestResult::from(&series))
        };
        (0..retest.matches).map(again).collect()
    }

    /// Plays all matches between the nets of finished simulations that `store` does not hold, and saves each; `None` if
    /// `progress` was stopped before the last one ended.
    ///
    /// # Errors
    /// Those of files, of the host, and of players in other processes.
    pub fn play_matches<H: ExperimentHost>(
        &self,
        settings: &ExperimentSettings,
        runs: &[RunResult],
        store: &ExperimentStore,
        host: &mut H,
        progress: &Progress,
    ) -> Result<Option<Vec<MatchResult>>, H::Error> {
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
                    store.save_match(place, &result).map_err(ExperimentError::from)?;
                    result
                }
            };
            all.push(result);
        }
        Ok(Some(all))
    }

    /// What a match is, with the commands that made its nets: when those change, it must be played again.
    pub(super) fn words(
        &self,
        planned: &MatchSpec,
        settings: &ExperimentSettings,
        runs: &[RunResult],
    ) -> String {
        let [home, away] = [&planned.home, &planned.away].map(|name| match self.side(name) {
            Some(MatchSide::Variant(place)) => {
                let mine = runs.iter().find(|run| run.variant == place);
                mine.map_or_else(|| name.clone(), |run| run.command.clone())
            }
            Some(MatchSide::Outside(_)) => name.clone(),
            Some(MatchSide::Expert) | None => settings.expert.to_string(),
        });
        let MatchSpec { plies, games, .. } = planned;
        let (repeats, seed) = (self.repeats, settings.seed);
        let cubes =
            planned.cubes.map(|[a, b]| format!(", {a} v {b} for the cube")).unwrap_or_default();
        let dice = if planned.paper.is_some() { ", dice for every game" } else { "" };
        format!(
            "{home} at {}-ply v {away} at {}-ply{cubes}{dice}, {games} games, {repeats} times from seed {seed}",
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
    ) -> Result<Option<Vec<TestResult>>, H::Error> {
        let mut results = Vec::new();
        let rules = planned.cubes.map_or([None; 2], |rules| rules.map(Some));
        let open = |host: &mut H, seat: usize, repeat| {
            let name = [&planned.home, &planned.away][seat];
            let side = self.side(name).expect("Experiment::read checks the sides");
            match side {
                MatchSide::Variant(_) | MatchSide::Expert => {
                    let place = self.place(name);
                    Ok(store.player(place, repeat, planned.plies[seat], rules[seat])?)
                }
                MatchSide::Outside(player) => {
                    host.player(&player, planned.plies[seat], planned.cubes.is_some())
                }
            }
        };
        for repeat in 0..self.repeats {
            let [home, away] = [open(host, 0, repeat)?, open(host, 1, repeat)?];
            let config = SeriesConfig {
                games: planned.games,
                duplicate: planned.paper.is_none(),
                rules: planned.cubes.map_or(SeriesRules::Cubeless, |_| SeriesRules::MONEY),
                seed: settings.seed + repeat,
                purpose: StreamPurpose::Match,
            };
            let name = format!("{} v {}, {} plies", planned.home, planned.away, planned.plies[0]);
            let play = |part: &Progress| play_series(home.as_ref(), away.as_ref(), &config, part);
            let Some(series) = host.playing(&name, planned.games, progress.part(), &play) else {
                return Ok(None);
            };
            if let Some(failure) = home.failure().or(away.failure()) {
                return Err(ExperimentError::from(failure.clone()).into());
            }
            results.push(TestResult::from(&series));
        }
        Ok(Some(results))
    }
}
