//! The folder of an experiment: its definition, its finished simulations and matches, its report.
//!
//! An experiment that was stopped continues with the simulations and matches that are missing. The
//! report can be made again from them.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::claims::{has_table_above, rows_of};
use super::opening::changed_part;
use super::plan::{ExperimentSettings, same_run};
use super::recorded_command::recorded_options;
use super::report::{ExperimentReport, PageParts};
use super::results::{ResultOf, Results};
use super::run::{DivergedRun, MatchResult, RunResult};
use super::simulation::Keeps;
use super::spec::{Experiment, ExperimentError};
use nonet_engine::engine::{Engine, built_in_net};
use nonet_engine::game::Player;
use nonet_engine::open::{self, OpenError};
use nonet_engine::search::{CubePlayer, DoublingRule, Plies, Search, SearchSettings};
use nonet_engine::store::{NetFile, StoreError, file_checksum, read_net, write_atomic, write_net};
use nonet_training::train::{PlayerSpec, TrainPlan, shell_word};

/// The folder of an experiment.
///
/// `definition.toml` is its definition and `settings.toml` says how it was run. `runs.jsonl` has a
/// line for each simulation that ended or diverged, and for each match, with the series played so
/// far. The net of a simulation is `runs/VARIANT-REPEAT.nonet` where matches or other simulations
/// need it. `table.csv`, the pictures and `report.md` are the report.
#[derive(Debug)]
pub struct ExperimentStore {
    folder: PathBuf,
    made: Made,
    results: Results,
    /// The number of results that were moved from the files of an earlier version.
    moved: usize,
    /// The variants with nets that matches or other simulations need. If there are any, all nets
    /// are kept.
    needed: Vec<usize>,
    /// What simulations keep of their weights, because the report shows it.
    keeps: Keeps,
    /// How many new matches the best net of each simulation plays.
    retests: u64,
}

/// How the results in a folder were made, as in `settings.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Made {
    experiment: String,
    pub(super) scale: f64,
    pub(super) seed: u64,
    pub(super) expert: PlayerSpec,
    /// The CRC-32 that ends the expert's net file, in hexadecimal digits; empty if it is no net.
    #[serde(default)]
    expert_crc32: String,
    /// The program that began it; empty in the oldest folders.
    #[serde(default)]
    pub(super) program: String,
    /// The CRC-32 that ends the built-in net of that program.
    #[serde(default)]
    built_in_crc32: String,
}

pub(super) const DEFINITION: &str = "definition.toml";
/// Its name in folders of earlier versions.
pub(super) const OLD_DEFINITION: &str = "experiment.toml";
pub(super) const SETTINGS: &str = "settings.toml";
const DISCUSSION: &str = "discussion.md";

impl ExperimentStore {
    /// Opens the folder of an experiment, or makes it. `text` is the definition.
    ///
    /// # Errors
    /// [`ExperimentError`] when the expert's net cannot be read or the folder cannot be made. The
    /// same holds for a folder with results that were made in another way. That is another expert,
    /// seed or scale, or a definition with other recorded games, another server or other retests.
    pub fn open(
        folder: &Path,
        experiment: &Experiment,
        text: &str,
        settings: &ExperimentSettings,
    ) -> Result<ExperimentStore, ExperimentError> {
        let mut made = Made {
            experiment: experiment.name.clone(),
            scale: settings.scale,
            seed: settings.seed,
            expert: settings.expert.clone(),
            expert_crc32: expert_bytes(&settings.expert)?.map_or_else(String::new, |b| crc32(&b)),
            program: settings.program.clone(),
            built_in_crc32: crc32(&built_in_net().to_bytes()),
        };
        let runs = folder.join("runs");
        fs::create_dir_all(&runs).map_err(StoreError::io("make", &runs))?;
        let file = folder.join(SETTINGS);
        if let Ok(found) = fs::read_to_string(&file) {
            let found: Made = toml::from_str(&found).map_err(|error| {
                let problem =
                    format!("no record of how an experiment was run: {}", error.message());
                ExperimentError::Cell { file: file.display().to_string(), problem }
            })?;
            (made.program, made.built_in_crc32) =
                (found.program.clone(), found.built_in_crc32.clone());
            if found != made {
                return Err(ExperimentError::OtherFolder {
                    folder: folder.display().to_string(),
                    found: found.in_words(),
                    wanted: made.in_words(),
                });
            }
        }
        let before = [DEFINITION, OLD_DEFINITION].map(|name| folder.join(name));
        let before = before.iter().find_map(|file| fs::read_to_string(file).ok());
        if let Some(part) = before.and_then(|text| changed_part(&text, experiment))
            && has_results(folder, &runs)?
        {
            return Err(ExperimentError::OtherFolder {
                folder: folder.display().to_string(),
                found: format!("results of a definition with another {part}"),
                wanted: "of this one (remove the folder to run all of it again)".to_owned(),
            });
        }
        let settings = toml::to_string(&made).expect("the settings are plain data");
        write_atomic(&file, settings.as_bytes())?;
        write_atomic(&folder.join(DEFINITION), text.as_bytes())?;
        remove(&folder.join(OLD_DEFINITION))?;
        let mut store = ExperimentStore::of(folder, experiment, made)?;
        store.moved = store.results.move_old()?;
        Ok(store)
    }

    pub(super) fn of(
        folder: &Path,
        experiment: &Experiment,
        made: Made,
    ) -> Result<ExperimentStore, StoreError> {
        let variants = experiment.variants.iter().enumerate();
        let needed = variants.filter(|(_, variant)| experiment.needs_nets_of(variant));
        let needed = needed.map(|(place, _)| place).collect();
        let keeps = Keeps::of(experiment);
        let retests = experiment.retest.map_or(0, |retest| retest.matches);
        let (folder, results) = (folder.to_owned(), Results::read(folder)?);
        Ok(ExperimentStore { folder, made, results, moved: 0, needed, keeps, retests })
    }

    /// The number of results that were moved from the files of an earlier version to `runs.jsonl`.
    #[must_use]
    pub fn moved(&self) -> usize {
        self.moved
    }

    /// What the folder has results of.
    pub(super) fn all(&self) -> Vec<ResultOf> {
        self.results.all()
    }

    /// A saved simulation, of whatever run.
    pub(super) fn any_run(&self, variant: usize, repeat: u64) -> Option<RunResult> {
        self.results.run(variant, repeat)
    }

    /// The series of a match that are saved, whatever match it was.
    pub(super) fn saved_series(&self, place: usize) -> u64 {
        self.results.played(place).map_or(0, |played| played.results.len() as u64)
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.join("runs").join(name)
    }

    /// The file of the recorded games of an experiment that learns from such.
    #[must_use]
    pub fn records(&self) -> PathBuf {
        self.file("recorded.norec")
    }

    fn net_file(&self, variant: usize, repeat: u64) -> PathBuf {
        self.file(&net_name(variant, repeat))
    }

    /// A simulation that was saved before. `None` if there is none or if it was another run than
    /// `plan`. `None`, too, if matches or other simulations need its net, or the report its
    /// weights, and there are none, or if it has another number of new matches. Then it is run
    /// (again).
    #[must_use]
    pub fn saved_run(&self, plan: &TrainPlan, variant: usize, repeat: u64) -> Option<RunResult> {
        let run = self.results.run(variant, repeat)?;
        let whole = (self.needed.is_empty() || self.net_file(variant, repeat).is_file())
            && self.keeps.are_in(&run)
            && run.retest.len() as u64 == self.retests;
        (whole && belongs(&run, plan, variant, repeat)).then_some(run)
    }

    /// A simulation of this plan that diverged before; `None` if there is none. `None`, too, if
    /// matches or other simulations need its net. Then it is run again.
    #[must_use]
    pub fn saved_diverged(
        &self,
        plan: &TrainPlan,
        variant: usize,
        repeat: u64,
    ) -> Option<DivergedRun> {
        let run = self.results.diverged(variant, repeat)?;
        let is_this = same_run(&run.options, plan.spec());
        (is_this && !self.needed.contains(&variant)).then_some(run)
    }

    /// How many simulations are saved that another program than `program` made, and the programs
    /// that say their name.
    #[must_use]
    pub fn made_by_others(&self, program: &str) -> (usize, BTreeSet<String>) {
        let all = self.results.all().into_iter().filter_map(|what| self.results.program(what));
        let others: Vec<String> = all.filter(|name| name != program).collect();
        (others.len(), others.into_iter().filter(|name| !name.is_empty()).collect())
    }

    /// Saves a finished simulation, and its net if matches or other simulations need it.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
    pub fn save_run(&self, run: &RunResult, net: &NetFile) -> Result<(), StoreError> {
        if !self.needed.is_empty() {
            write_net(&self.net_file(run.variant, run.repeat), net)?;
        }
        self.results.save_run(run)
    }

    /// Saves that a simulation diverged.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be written.
    pub fn save_diverged(&self, run: &DivergedRun) -> Result<(), StoreError> {
        self.results.save_diverged(run)
    }

    /// Removes the saved result and net of a simulation, if there are any: the net that it began
    /// with is made again.
    ///
    /// # Errors
    /// [`StoreError`] when a file cannot be removed.
    pub fn forget_run(&self, variant: usize, repeat: u64) -> Result<(), StoreError> {
        self.results.forget(ResultOf::Simulation { variant, repeat })?;
        remove(&self.net_file(variant, repeat))
    }

    /// Removes the saved match at this place, if there is one.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be written.
    pub fn forget_match(&self, place: usize) -> Result<(), StoreError> {
        self.results.forget(ResultOf::Match { place })
    }

    /// A match that was saved before. `None` if there is none, or if it was not the match that
    /// `description` describes.
    #[must_use]
    pub fn saved_match(&self, place: usize, description: &str) -> Option<MatchResult> {
        let saved = self.results.played(place)?;
        (saved.words == description).then_some(saved)
    }

    /// Saves the series of a match that have been played.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
    pub fn save_match(&self, result: &MatchResult) -> Result<(), StoreError> {
        self.results.save_match(result)
    }

    /// A player with the net of a saved simulation (of the expert if `variant` is `None`) that
    /// searches `plies` deep and doubles by `cube`.
    ///
    /// # Errors
    /// [`ExperimentError`] when the net cannot be read or the depth is not 1 to 4.
    pub fn player(
        &self,
        variant: Option<usize>,
        repeat: u64,
        plies: u8,
        cube: Option<DoublingRule>,
    ) -> Result<Arc<dyn Player>, ExperimentError> {
        let net = match (variant, &self.made.expert) {
            (Some(variant), _) => read_net(&self.net_file(variant, repeat))?,
            (None, PlayerSpec::BuiltIn(_)) => built_in_net(),
            (None, PlayerSpec::Net { path, .. }) => open::net(path)?,
            (None, other) => {
                let why = "it plays in the matches at the end";
                return Err(ExperimentError::NotANet { expert: other.to_string(), why });
            }
        };
        let (team, plies) = (Arc::new(net.team), Plies::new(plies)?);
        Ok(match cube {
            None => Engine::builder()
                .evaluator(team)
                .plies(plies)
                .search_settings(SearchSettings::NORMAL)
                .build()?
                .player(),
            Some(rule) => {
                Arc::new(CubePlayer::new(Search::new(team, plies, SearchSettings::NORMAL), rule))
            }
        })
    }

    /// The files of the report, by name, and its text. A file `discussion.md` in the folder is part
    /// of the text: what people make of it survives a new run. Its first paragraph, the finding,
    /// begins the page. If the folder above has a table of claims, so are their verdicts.
    ///
    /// # Errors
    /// [`ExperimentError`] when a picture cannot be drawn, or a claim cannot be judged.
    pub fn report_files(
        &self,
        report: &ExperimentReport,
        runs: &[RunResult],
    ) -> Result<(Vec<(String, String)>, String), ExperimentError> {
        let command = self.made.command();
        let made = match Experiment::text(&self.made.experiment).map(Experiment::read) {
            Some(Ok(now)) if !now.runs_like(report.experiment) => format!(
                "made with `{command}` from the definition beside this report (`{DEFINITION}`); this command now runs another one"
            ),
            _ => format!("made with `{command}`"),
        };
        let mut facts = vec![made, self.made.expert_in_words()];
        facts.extend(self.made.program_in_words());
        let discussion = fs::read_to_string(self.folder.join(DISCUSSION)).unwrap_or_default();
        let rows = rows_of(&self.folder)?;
        let first_run = runs.first().map(|run| match run.options {
            // Version 0.1 had no such option, and learned as if it were there.
            None => format!("{} --all-outcomes", run.command),
            Some(_) => run.command.clone(),
        });
        let has_page_above = has_table_above(&self.folder);
        let parts = PageParts { discussion, rows, facts, first_run, has_page_above };
        let text = report.page(&parts);
        let mut files = vec![("table.csv".to_owned(), report.csv())];
        let plots = report.plots(&command)?.into_iter();
        files.extend(plots.map(|(name, svg)| (format!("{name}.svg"), svg)));
        files.push(("report.md".to_owned(), text.clone()));
        Ok((files, text))
    }

    /// Writes the report and returns its text.
    ///
    /// # Errors
    /// [`ExperimentError`] when a file cannot be drawn or written.
    pub fn write_report(
        &self,
        report: &ExperimentReport,
        runs: &[RunResult],
    ) -> Result<String, ExperimentError> {
        let (files, text) = self.report_files(report, runs)?;
        for (name, content) in files {
            write_atomic(&self.folder.join(name), content.as_bytes())?;
        }
        Ok(text)
    }
}

impl Made {
    /// The command that repeats it. One of a user's own definition repeats that in the folder.
    fn command(&self) -> String {
        let Made { experiment, scale, seed, .. } = self;
        let built_in = Experiment::text(experiment).is_some();
        let definition = if built_in { experiment.as_str() } else { DEFINITION };
        let expert = shell_word(&self.expert.to_string());
        format!("nonet reproduce {definition} --scale {scale} --seed {seed} --expert {expert}")
    }

    fn expert_in_words(&self) -> String {
        match self.expert_crc32.as_str() {
            "" => format!("the expert: {}", self.expert),
            crc => format!("the expert's file ends with the CRC-32 {crc}"),
        }
    }

    fn program_in_words(&self) -> Option<String> {
        let Made { program, built_in_crc32, .. } = self;
        let net = || match built_in_crc32.as_str() {
            "" => String::new(),
            crc => format!(", whose built-in net ends with the CRC-32 {crc}"),
        };
        (!program.is_empty()).then(|| format!("begun by {program}{}", net()))
    }

    fn in_words(&self) -> String {
        format!("the results of `{}` ({})", self.command(), self.expert_in_words())
    }
}

/// What tells a net file from others, in hexadecimal digits.
fn crc32(bytes: &[u8]) -> String {
    format!("{:08x}", file_checksum(bytes))
}

/// The bytes of the expert's net file; `None` if it is a program.
fn expert_bytes(expert: &PlayerSpec) -> Result<Option<Cow<'static, [u8]>>, OpenError> {
    match expert {
        PlayerSpec::BuiltIn(_) => Ok(Some(open::net_bytes(open::CHAMPION)?)),
        PlayerSpec::Net { path, .. } => Ok(Some(open::net_bytes(path)?)),
        PlayerSpec::Baseline(_)
        | PlayerSpec::Gnubg(_)
        | PlayerSpec::Ubgi(_)
        | PlayerSpec::Exact(_)
        | PlayerSpec::PureTd { .. } => Ok(None),
    }
}

/// Whether a folder holds anything that simulations left or need. Its nets and recorded games are
/// in `runs`.
fn has_results(folder: &Path, runs: &Path) -> Result<bool, StoreError> {
    let mut files = fs::read_dir(runs).map_err(StoreError::io("read", runs))?;
    Ok(files.next().is_some() || !Results::read(folder)?.all().is_empty())
}

/// Removes a file that may be missing.
fn remove(file: &Path) -> Result<(), StoreError> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(StoreError::io("remove", file)(error))
        }
        _ => Ok(()),
    }
}

pub(super) fn net_name(variant: usize, repeat: u64) -> String {
    format!("{variant}-{repeat}.nonet")
}

/// Whether a result is that of this simulation of this plan.
pub(super) fn belongs(run: &RunResult, plan: &TrainPlan, variant: usize, repeat: u64) -> bool {
    let options = run.options.clone().or_else(|| recorded_options(&run.command));
    let same = options.is_some_and(|options| same_run(&options, plan.spec()));
    same && (run.variant, run.repeat) == (variant, repeat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Variant;
    use nonet_engine::engine::built_in_net;

    fn settings(expert: &str) -> ExperimentSettings {
        let expert = expert.parse().expect("a player");
        ExperimentSettings { scale: 0.05, seed: 1, expert, program: "nonet".into() }
    }

    /// A store in a new folder, for an experiment with or without matches.
    fn store(matches: bool) -> (tempfile::TempDir, Experiment, ExperimentStore) {
        let folder = tempfile::tempdir().expect("a folder");
        let expert = folder.path().join("expert.nonet");
        fs::write(&expert, b"any bytes").expect("written");
        let all = Experiment::all().expect("readable");
        let with = |e: &Experiment| {
            let of_variants = e.matches(1.0).iter().any(|planned| e.place(&planned.home).is_some());
            !e.variants.is_empty() && e.record.is_none() && of_variants == matches
        };
        let experiment = all.into_iter().find(with).expect("one of either kind");
        let expert = expert.to_str().expect("text");
        let text = Experiment::text(&experiment.name).expect("known");
        let store = ExperimentStore::open(folder.path(), &experiment, text, &settings(expert));
        (folder, experiment, store.expect("opened"))
    }

    fn run_of(plan: &TrainPlan) -> RunResult {
        RunResult {
            options: Some(plan.spec().clone()),
            command: plan.spec().to_command_line(),
            ..RunResult::of_tests(Vec::new())
        }
    }

    #[test]
    fn a_simulation_is_found_again_only_as_the_same_run() {
        let (_folder, experiment, store) = store(false);
        let plan = |seed| {
            let settings = ExperimentSettings { seed, ..settings("x.nonet") };
            experiment.plan(&experiment.variants[0], 0, &settings, "r").expect("a plan")
        };
        assert_eq!(store.saved_run(&plan(1), 0, 0), None);
        store.save_run(&run_of(&plan(1)), &built_in_net()).expect("saved");
        assert_eq!(store.saved_run(&plan(1), 0, 0), Some(run_of(&plan(1))));
        assert_eq!(store.saved_run(&plan(2), 0, 0), None, "another seed");
        assert_eq!(store.saved_run(&plan(1), 0, 1), None, "another simulation");
        // As version 0.1 saved it.
        let old = RunResult { options: None, ..run_of(&plan(1)) };
        store.save_run(&old, &built_in_net()).expect("saved");
        assert_eq!(store.saved_run(&plan(1), 0, 0), Some(old));
        assert_eq!(store.saved_run(&plan(2), 0, 0), None, "another seed");
        assert!(!store.net_file(0, 0).exists(), "no match needs the net");
    }

    #[test]
    fn a_simulation_that_diverged_is_found_again_where_nothing_needs_its_net() {
        for needed in [false, true] {
            let (_folder, experiment, store) = store(needed);
            let needs_net = |variant: &&Variant| experiment.needs_nets_of(variant) == needed;
            let variant = experiment.variants.iter().find(needs_net).expect("one of either kind");
            let place = experiment.place(&variant.name).expect("a variant");
            let plan = |seed| {
                let settings = ExperimentSettings { seed, ..settings("x.nonet") };
                experiment.plan(variant, 0, &settings, "r").expect("a plan")
            };
            let run = DivergedRun {
                options: plan(1).spec().clone(),
                command: plan(1).spec().to_command_line(),
                program: String::new(),
                variant: place,
                repeat: 0,
                diverged: 391,
            };
            store.save_diverged(&run).expect("saved");
            assert_eq!(store.saved_run(&plan(1), place, 0), None);
            assert_eq!(store.saved_diverged(&plan(1), place, 0), (!needed).then_some(run));
            assert_eq!(store.saved_diverged(&plan(2), place, 0), None, "another seed");
        }
    }

    #[test]
    fn where_matches_need_the_nets_a_simulation_without_one_is_not_finished() {
        let (_folder, experiment, store) = store(true);
        let plan = experiment.plan(&experiment.variants[0], 0, &settings("x.nonet"), "r");
        let plan = plan.expect("a plan");
        store.save_run(&run_of(&plan), &built_in_net()).expect("saved");
        assert!(store.saved_run(&plan, 0, 0).is_some());
        assert!(store.player(Some(0), 0, 1, None).is_ok());
        fs::remove_file(store.net_file(0, 0)).expect("removed");
        assert_eq!(store.saved_run(&plan, 0, 0), None);
        assert!(store.player(Some(0), 0, 1, None).is_err());
    }

    #[test]
    fn a_match_is_found_again_only_by_the_same_description() {
        let (_folder, _, store) = store(true);
        let result = MatchResult { place: 3, words: "a v b".to_owned(), results: Vec::new() };
        store.save_match(&result).expect("saved");
        assert_eq!(store.saved_match(3, "a v b"), Some(result));
        assert_eq!(store.saved_match(3, "a v c"), None);
        assert_eq!(store.saved_match(4, "a v b"), None);
    }

    #[test]
    fn a_folder_with_results_against_another_expert_is_refused_and_left_alone() {
        let (folder, experiment, _store) = store(false);
        let text = Experiment::text(&experiment.name).expect("known");
        let expert = folder.path().join("expert.nonet");
        fs::write(&expert, b"other bytes, longer").expect("written");
        let settings = settings(expert.to_str().expect("text"));
        let error = ExperimentStore::open(folder.path(), &experiment, text, &settings);
        let error = error.expect_err("another expert").to_string();
        assert!(error.contains("choose another one with --out"), "{error}");
    }

    #[test]
    fn the_command_of_a_report_can_be_copied_into_a_shell() {
        let (_folder, _, mut store) = store(false);
        store.made.expert = "my nets/a.nonet".parse().expect("a player");
        let word = shell_word("my nets/a.nonet");
        assert!(store.made.command().ends_with(&format!(" --expert {word}")) && word.len() > 15);
        let name = store.made.experiment.clone();
        assert!(store.made.command().starts_with(&format!("nonet reproduce {name} --scale")));
        store.made.experiment = "my-own".to_owned();
        assert!(store.made.command().starts_with("nonet reproduce definition.toml --scale"));
    }

    #[test]
    fn two_nets_have_different_checksums() {
        let crc = |net: &str| {
            let (_folder, experiment, _store) = store(false);
            let text = Experiment::text(&experiment.name).expect("known");
            let folder = tempfile::tempdir().expect("a folder");
            let opened = ExperimentStore::open(folder.path(), &experiment, text, &settings(net));
            opened.expect("opened").made.expert_crc32
        };
        let nets = concat!(env!("CARGO_MANIFEST_DIR"), "/../nets/");
        assert_ne!(crc(&format!("{nets}small.nonet")), crc(&format!("{nets}expert.nonet")));
    }

    #[test]
    fn the_built_in_net_can_be_the_expert() {
        let (_folder, experiment, _store) = store(false);
        let text = Experiment::text(&experiment.name).expect("known");
        let folder = tempfile::tempdir().expect("a folder");
        let opened = ExperimentStore::open(folder.path(), &experiment, text, &settings("champion"));
        assert!(opened.expect("opened").player(None, 0, 1, None).is_ok());
    }
}
