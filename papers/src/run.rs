//! Running an experiment: every simulation is an ordinary training run.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::cell_task::{Cell, CellsTask, cells_of};
use super::opening::Opener;
use super::plan::ExperimentSettings;
use super::simulation::{Keeps, Retest, Simulation};
use super::spec::{Experiment, ExperimentError, MatchSide, MatchSpec, RetestSpec, scaled_games};
use super::store::ExperimentStore;
use nonet_engine::game::{Player, Series, SeriesConfig, SeriesRules, play_series};
use nonet_engine::open::{self, PlayerSetup};
use nonet_engine::progress::Progress;
use nonet_engine::search::Plies;
use nonet_engine::store::StoreError;
use nonet_training::train::{GameSource, Participants, TestResult, TrainSpec};

/// The tests of one simulation of one variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// The options of the run; `None` in results of version 0.1, where the command tells them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<TrainSpec>,
    /// The command that repeats it, for people.
    pub command: String,
    /// The program that made it; empty in results of versions that did not say so.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub program: String,
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
    /// On a server: the rating before the first game learned from, and after each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<f64>,
    /// The weights at each test, if the experiment shows them.
    ///
    /// They are those of the net for contact, of a linear net on PubEval's inputs. They are for the
    /// player who has just moved, in points per game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<(u64, Vec<f64>)>,
    /// With such weights: in which share of the positions with contact each input is on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<f64>,
    /// If they are the experiment's metric: the size of the weights at each test.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<(u64, f64)>,
}

#[cfg(test)]
impl RunResult {
    /// The first simulation of the first variant, with these tests alone.
    pub(crate) const fn of_tests(tests: Vec<(u64, TestResult)>) -> RunResult {
        RunResult {
            options: None,
            command: String::new(),
            program: String::new(),
            variant: 0,
            repeat: 0,
            tests,
            examples: BTreeMap::new(),
            retest: Vec::new(),
            ratings: Vec::new(),
            weights: Vec::new(),
            shares: Vec::new(),
            sizes: Vec::new(),
        }
    }
}

/// A simulation with weights that became not finite. It has no results, and is not run again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DivergedRun {
    /// The options of the run.
    pub options: TrainSpec,
    /// The command that repeats it, for people.
    pub command: String,
    /// The program that made it.
    pub program: String,
    /// Place of the variant in its experiment.
    pub variant: usize,
    /// Which simulation of it.
    pub repeat: u64,
    /// The number of games within which the weights diverged.
    pub diverged: u64,
}

/// All simulations of an experiment.
#[derive(Clone, Debug, Default)]
pub struct Simulations {
    /// Those that ended.
    pub runs: Vec<RunResult>,
    /// Those with diverged weights.
    pub diverged: Vec<DivergedRun>,
}

impl Simulations {
    /// How many simulations of a variant diverged.
    pub(super) fn diverged_of(&self, variant: usize) -> usize {
        self.diverged.iter().filter(|run| run.variant == variant).count()
    }
}

/// The rating of a learner on a server, which grows by a figure with every game.
pub type RatingCurve = Arc<Mutex<Vec<f64>>>;

/// What a simulation needs.
pub struct Opened {
    /// Its players, nets and databases.
    pub participants: Participants,
    /// Its games.
    pub source: Box<dyn GameSource>,
    /// The learner's rating, if it plays on a server.
    pub ratings: Option<RatingCurve>,
}

/// The results of one planned match, one for each series that has been played: see
/// [`MatchSpec::series`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchResult {
    /// Place of the match in its experiment.
    #[serde(rename = "match")]
    pub place: usize,
    /// The match in words, with the nets that played.
    pub words: String,
    /// The results of the home side.
    pub results: Vec<TestResult>,
}

/// Watches an experiment and shows how far it is.
pub trait ExperimentObserver {
    /// Lets `play` play the series of a match and shows `progress`, which `play` is given.
    fn playing(
        &mut self,
        name: &str,
        games: u64,
        progress: Progress,
        play: &(dyn Fn(&Progress) -> Option<Vec<Series>> + Sync),
    ) -> Option<Vec<Series>>;

    /// Simulation `repeat` of the variant `name` has learned from `games` games.
    fn learned(&mut self, name: &str, repeat: u64, games: u64);

    /// The weights of simulation `repeat` of the variant `name` diverged within `games` games.
    fn diverged(&mut self, name: &str, repeat: u64, games: u64);

    /// Simulation `repeat` of the variant `name` is done since before, and is not run again.
    fn resumed(&mut self, name: &str, repeat: u64);
}

/// The games of a match between two savings; a series is not divided.
const SAVED_GAMES: u64 = 3_000;

/// A lock that a panic elsewhere has poisoned is taken all the same: the program is ending anyway.
fn locked<'a, T>(lock: &'a Mutex<T>) -> MutexGuard<'a, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Experiment {
    /// Runs all simulations that `store` does not hold, and saves each.
    ///
    /// The work is done by whoever does that of `progress`. A simulation that diverges is saved as
    /// such, and the others go on. `None` if it was stopped before the last one ended.
    ///
    /// # Errors
    /// Those of the configuration, of a run, of what it needs, and of files. It is an error, too,
    /// if a simulation diverges and a match or a later simulation needs its net.
    pub fn run<O: ExperimentObserver + Send>(
        &self,
        settings: &ExperimentSettings,
        store: &ExperimentStore,
        observer: &mut O,
        progress: &Progress,
    ) -> Result<Option<Simulations>, ExperimentError> {
        if self.make_records(settings, store, progress)?.is_none()
            || self.make_pool(settings, store, progress)?.is_none()
        {
            return Ok(None);
        }
        let opener = Opener::new(self, store, progress);
        let mut all = Simulations::default();
        let stages = self.variants.iter().map(|variant| self.stage(variant));
        // Simulations of a later stage begin with the nets of the earlier ones.
        for stage in 0..=stages.max().unwrap_or(0) {
            match self.run_stage(stage, settings, store, &opener, observer, progress)? {
                Some(Simulations { runs, diverged }) => {
                    all.runs.extend(runs);
                    all.diverged.extend(diverged);
                }
                None => return Ok(None),
            }
        }
        all.runs.sort_by_key(|run| (run.repeat, run.variant));
        Ok(Some(all))
    }

    /// Runs the simulations that `store` does not hold, of the variants of this stage
    /// (`Experiment::stage`).
    fn run_stage<O: ExperimentObserver + Send>(
        &self,
        stage: usize,
        settings: &ExperimentSettings,
        store: &ExperimentStore,
        opener: &Opener,
        observer: &mut O,
        progress: &Progress,
    ) -> Result<Option<Simulations>, ExperimentError> {
        let mut done = Simulations::default();
        let mut missing = Vec::new();
        let records = store.records().display().to_string();
        for repeat in 0..self.repeats {
            let all = self.variants.iter().enumerate();
            for (place, variant) in all.filter(|(_, variant)| self.stage(variant) == stage) {
                let plan = self.plan(variant, repeat, settings, &records)?;
                if let Some(run) = store.saved_run(&plan, place, repeat) {
                    observer.resumed(&variant.name, repeat);
                    done.runs.push(run);
                } else if let Some(run) = store.saved_diverged(&plan, place, repeat) {
                    observer.resumed(&variant.name, repeat);
                    done.diverged.push(run);
                } else {
                    self.forget_after(place, repeat, store)?;
                    let retest = self.retest.map(|RetestSpec { matches, games }| Retest {
                        matches,
                        games: scaled_games(games, settings.scale),
                    });
                    missing.push(Simulation {
                        plan,
                        variant: place,
                        repeat,
                        retest,
                        keeps: Keeps::of(self),
                        needs_net: self.needs_nets_of(variant),
                    });
                }
            }
        }
        // Another machine does a simulation only if its program is this one.
        let made_here = |run| RunResult { program: settings.program.clone(), ..run };
        let diverged_here = |run| DivergedRun { program: settings.program.clone(), ..run };
        let observer = Mutex::new(observer);
        let task = CellsTask {
            simulations: &missing,
            variants: &self.variants,
            open: &|simulation| opener.open(&simulation.plan),
            learned: &|Simulation { variant, repeat, .. }, games| {
                locked(&observer).learned(&self.variants[*variant].name, *repeat, games);
            },
            save: &|cell| {
                match cell {
                    Cell::Ended(run, net) => store.save_run(&made_here(run.clone()), net)?,
                    Cell::Diverged(run) => {
                        store.save_diverged(&diverged_here(run.clone()))?;
                        let name = &self.variants[run.variant].name;
                        locked(&observer).diverged(name, run.repeat, run.diverged);
                    }
                }
                Ok(())
            },
            error: Mutex::new(None),
        };
        for simulation in &missing {
            opener.prepare(&simulation.plan)?;
        }
        let parts = match missing.len() {
            0 => Some(Vec::new()),
            missing => progress.share(&task, 0..missing as u64),
        };
        if let Some(error) = task.error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let Some(parts) = parts else { return Ok(None) };
        for cell in cells_of(parts) {
            match cell {
                Cell::Ended(run, _) => done.runs.push(made_here(run)),
                Cell::Diverged(run) => done.diverged.push(diverged_here(run)),
            }
        }
        Ok(Some(done))
    }

    /// Removes the simulations that began with the net of this one, which is made again, and the
    /// matches of their nets.
    fn forget_after(
        &self,
        place: usize,
        repeat: u64,
        store: &ExperimentStore,
    ) -> Result<(), StoreError> {
        for (later, variant) in self.variants.iter().enumerate() {
            if variant.after.as_ref().and_then(|name| self.place(name)) != Some(place) {
                continue;
            }
            store.forget_run(later, repeat)?;
            for (number, planned) in self.matches(1.0).iter().enumerate() {
                if [&planned.home, &planned.away].contains(&&variant.name) {
                    store.forget_match(number)?;
                }
            }
            self.forget_after(later, repeat, store)?;
        }
        Ok(())
    }

    /// Plays all matches between the nets of finished simulations that `store` does not hold, and
    /// saves each; `None` if `progress` was stopped before the last one ended.
    ///
    /// # Errors
    /// Those of files, and of players in other processes.
    pub fn play_matches<O: ExperimentObserver>(
        &self,
        settings: &ExperimentSettings,
        runs: &[RunResult],
        store: &ExperimentStore,
        observer: &mut O,
        progress: &Progress,
    ) -> Result<Option<Vec<MatchResult>>, ExperimentError> {
        let mut all = Vec::new();
        for (place, planned) in self.matches(settings.scale).iter().enumerate() {
            let words = self.words(planned, settings, runs);
            let mut result = store.saved_match(place, &words).unwrap_or(MatchResult {
                place,
                words,
                results: Vec::new(),
            });
            let (series, games) = planned.series(self.repeats);
            // Saved from time to time, so that a long match that was stopped goes on where it was.
            while (result.results.len() as u64) < series {
                let done = result.results.len() as u64;
                let some = if planned.paper.is_some() { (SAVED_GAMES / games).max(1) } else { 1 };
                let next = done..(done + some).min(series);
                let Some(results) =
                    self.play(planned, next, settings, store, observer, progress)?
                else {
                    return Ok(None);
                };
                result.results.extend(results);
                store.save_match(&result)?;
            }
            all.push(result);
        }
        Ok(Some(all))
    }

    /// What a match is, with the commands that made its nets: when those change, it must be played
    /// again.
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
        let (plies, seed) = (planned.plies, settings.seed);
        let (repeats, games) = planned.series(self.repeats);
        let cubes =
            planned.cubes.map(|[a, b]| format!(", {a} v {b} for the cube")).unwrap_or_default();
        let dice = if planned.paper.is_some() { ", dice for every game" } else { "" };
        format!(
            "{home} at {}-ply v {away} at {}-ply{cubes}{dice}, {games} games, {repeats} times from seed {seed}",
            plies[0], plies[1]
        )
    }

    /// Plays these series of a match.
    fn play<O: ExperimentObserver>(
        &self,
        planned: &MatchSpec,
        numbers: Range<u64>,
        settings: &ExperimentSettings,
        store: &ExperimentStore,
        observer: &mut O,
        progress: &Progress,
    ) -> Result<Option<Vec<TestResult>>, ExperimentError> {
        let (_, games) = planned.series(self.repeats);
        let rules = planned.cubes.map_or([None; 2], |rules| rules.map(Some));
        let open = |seat: usize, repeat| -> Result<Arc<dyn Player>, ExperimentError> {
            let name = [&planned.home, &planned.away][seat];
            let side = self.side(name).expect("Experiment::read checks the sides");
            match side {
                MatchSide::Variant(_) | MatchSide::Expert => {
                    let place = self.place(name);
                    store.player(place, repeat, planned.plies[seat], rules[seat])
                }
                MatchSide::Outside(player) => {
                    let cube = planned.cubes.is_some();
                    let rules = if cube { SeriesRules::MONEY } else { SeriesRules::Cubeless };
                    let plies = Plies::new(planned.plies[seat])?;
                    let setup = PlayerSetup { rules, ..PlayerSetup::cubeless(plies) };
                    Ok(open::player(&player, &setup)?.player)
                }
            }
        };
        // The nets of a simulation play one series, the players of a paper's matches all of them.
        let [home, away] = [open(0, numbers.start)?, open(1, numbers.start)?];
        let MatchSpec { home: first, away: second, plies: [plies, _], .. } = planned;
        let (series, _) = planned.series(self.repeats);
        let [from, to, all] = [numbers.start, numbers.end, series].map(|number| number * games);
        let name = format!("{first} v {second}, {plies} plies, {from} to {to} of {all}");
        let play = |part: &Progress| {
            let one = |number| {
                let config = SeriesConfig {
                    duplicate: planned.paper.is_none(),
                    rules: planned.cubes.map_or(SeriesRules::Cubeless, |_| SeriesRules::MONEY),
                    ..SeriesConfig::new(games, settings.seed + number)
                };
                play_series(home.as_ref(), away.as_ref(), &config, part).ok()
            };
            let series = numbers.clone().into_par_iter().map(one);
            series.collect::<Option<Vec<Series>>>()
        };
        let series = observer.playing(&name, to - from, progress.part(), &play);
        if let Some(failure) = home.failure().or(away.failure()) {
            return Err(failure.clone().into());
        }
        Ok(series.map(|series| series.iter().map(TestResult::from).collect()))
    }
}
