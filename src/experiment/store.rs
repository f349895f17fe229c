//! The folder of an experiment: finished simulations and matches, so that an experiment that was stopped continues with those
//! that are missing, and its report.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::report::ExperimentReport;
use super::run::{ExperimentSettings, MatchResult, RunResult};
use super::spec::{Experiment, ExperimentError};
use crate::engine::Engine;
use crate::game::Player;
use crate::search::{CubePlayer, DoublingRule, Plies, Search, SearchSettings};
use crate::store::{NetFile, StoreError, read_net, write_atomic, write_net};
use crate::train::{TrainPlan, TrainSpec};

/// The folder of an experiment.
///
/// `runs/VARIANT-REPEAT.json` is a finished simulation, `runs/VARIANT-REPEAT.nonet` its net, where matches need it, and
/// `runs/bout-PLACE.json` a finished match; `table.csv`, `plot.svg` and `report.md` are the report.
#[derive(Debug)]
pub struct ExperimentStore {
    folder: PathBuf,
    /// The expert's net file.
    expert: PathBuf,
    /// The CRC-32 of that file.
    expert_checksum: u32,
    /// Whether the nets of simulations are kept, because matches need them.
    keeps_nets: bool,
}

impl ExperimentStore {
    /// Opens the folder of an experiment, or makes it.
    ///
    /// # Errors
    /// [`StoreError`] when the expert's net file cannot be read or the folder cannot be made.
    pub fn open(
        folder: &Path,
        experiment: &Experiment,
        settings: &ExperimentSettings,
    ) -> Result<ExperimentStore, StoreError> {
        let expert = PathBuf::from(settings.expert);
        let bytes = fs::read(&expert).map_err(StoreError::io("read", &expert))?;
        let runs = folder.join("runs");
        fs::create_dir_all(&runs).map_err(StoreError::io("make", &runs))?;
        Ok(ExperimentStore {
            folder: folder.to_owned(),
            expert,
            expert_checksum: crc32fast::hash(&bytes),
            keeps_nets: !experiment.matches(settings.scale).is_empty(),
        })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join("runs").join(name)
    }

    fn run_file(&self, variant: usize, repeat: u64) -> PathBuf {
        self.file(&format!("{variant}-{repeat}.json"))
    }

    fn net_file(&self, variant: usize, repeat: u64) -> PathBuf {
        self.file(&format!("{variant}-{repeat}.nonet"))
    }

    fn match_file(&self, place: usize) -> PathBuf {
        self.file(&format!("bout-{place}.json"))
    }

    /// A simulation that was saved before. `None` if there is none that can be read, if it was another run than `plan`, or
    /// if matches need its net and there is none: then it is run (again).
    #[must_use]
    pub fn saved_run(&self, plan: &TrainPlan, variant: usize, repeat: u64) -> Option<RunResult> {
        let run: RunResult = read(&self.run_file(variant, repeat))?;
        let same = TrainSpec::from_command_line(&run.command).as_ref() == Some(plan.spec());
        let whole = !self.keeps_nets || self.net_file(variant, repeat).is_file();
        (same && whole).then_some(run)
    }

    /// Saves a finished simulation, and its net if matches need it.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
    pub fn save_run(&self, run: &RunResult, net: &NetFile) -> Result<(), StoreError> {
        if self.keeps_nets {
            write_net(&self.net_file(run.variant, run.repeat), net)?;
        }
        write(&self.run_file(run.variant, run.repeat), run)
    }

    /// A match that was saved before. `None` if there is none that can be read, or if it was not the match that
    /// `description` describes.
    #[must_use]
    pub fn saved_match(&self, place: usize, description: &str) -> Option<MatchResult> {
        read(&self.match_file(place)).filter(|saved: &MatchResult| saved.words == description)
    }

    /// Saves a finished match.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
    pub fn save_match(&self, place: usize, result: &MatchResult) -> Result<(), StoreError> {
        write(&self.match_file(place), result)
    }

    /// A player with the net of a saved simulation (of the expert if `variant` is `None`) that searches `plies` deep and
    /// doubles by `cube`.
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
        let path =
            variant.map_or_else(|| self.expert.clone(), |variant| self.net_file(variant, repeat));
        let (team, plies) = (Arc::new(read_net(&path)?.team), Plies::new(plies)?);
        Ok(match cube {
            None => Engine::builder().evaluator(team).plies(plies).build()?.player(),
            Some(rule) => {
                Arc::new(CubePlayer::new(Search::new(team, plies, SearchSettings::NORMAL), rule))
            }
        })
    }

    /// Writes the table, the plot and the report, and returns the report. `command` repeats the experiment, `runs` are its
    /// simulations. A file `discussion.md` in the folder is appended to the report: what people make of it survives a new run.
    ///
    /// # Errors
    /// [`ExperimentError`] when a file cannot be drawn or written.
    pub fn write_report(
        &self,
        report: &ExperimentReport,
        command: &str,
        runs: &[RunResult],
    ) -> Result<String, ExperimentError> {
        let mut facts = vec![
            format!("made with `{command}`"),
            format!("the expert's file has the CRC-32 {:08x}", self.expert_checksum),
        ];
        facts.extend(runs.first().map(|run| format!("the first simulation: `{}`", run.command)));
        let mut text = report.report(&facts);
        if let Ok(discussion) = fs::read_to_string(self.folder.join("discussion.md")) {
            text = format!("{text}\n## Discussion\n\n{discussion}");
        }
        write_atomic(&self.folder.join("table.csv"), report.csv().as_bytes())?;
        write_atomic(&self.folder.join("plot.svg"), report.plot(command)?.as_bytes())?;
        write_atomic(&self.folder.join("report.md"), text.as_bytes())?;
        Ok(text)
    }
}

/// The content of a file of results, if there is one that can be read.
fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

fn write(path: &Path, result: &impl Serialize) -> Result<(), StoreError> {
    let text = serde_json::to_vec_pretty(result).expect("results are plain data with text keys");
    write_atomic(path, &text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::built_in_net;

    fn settings(expert: &str) -> ExperimentSettings<'_> {
        ExperimentSettings { scale: 0.05, seed: 1, expert }
    }

    /// A store in a new folder, for an experiment with or without matches.
    fn store(matches: bool) -> (tempfile::TempDir, Experiment, ExperimentStore) {
        let folder = tempfile::tempdir().expect("a folder");
        let expert = folder.path().join("expert.nonet");
        fs::write(&expert, b"any bytes").expect("written");
        let all = Experiment::all().expect("readable");
        let with = |e: &Experiment| !e.variants.is_empty() && e.matches(1.0).is_empty() != matches;
        let experiment = all.into_iter().find(with).expect("one of either kind");
        let expert = expert.to_str().expect("text");
        let store = ExperimentStore::open(folder.path(), &experiment, &settings(expert));
        (folder, experiment, store.expect("opened"))
    }

    fn run_of(plan: &TrainPlan) -> RunResult {
        RunResult {
            command: plan.spec().to_command_line(),
            variant: 0,
            repeat: 0,
            tests: Vec::new(),
            examples: std::collections::BTreeMap::new(),
        }
    }

    #[test]
    fn a_simulation_is_found_again_only_as_the_same_run() {
        let (_folder, experiment, store) = store(false);
        let plan = |seed| {
            experiment.plan(&experiment.variants[0], 0, 0.05, seed, "x.nonet").expect("a plan")
        };
        assert_eq!(store.saved_run(&plan(1), 0, 0), None);
        store.save_run(&run_of(&plan(1)), &built_in_net()).expect("saved");
        assert_eq!(store.saved_run(&plan(1), 0, 0), Some(run_of(&plan(1))));
        assert_eq!(store.saved_run(&plan(2), 0, 0), None, "another seed");
        assert_eq!(store.saved_run(&plan(1), 0, 1), None, "another simulation");
        assert!(!store.net_file(0, 0).exists(), "no match needs the net");
    }

    #[test]
    fn where_matches_need_the_nets_a_simulation_without_one_is_not_finished() {
        let (_folder, experiment, store) = store(true);
        let plan = experiment.plan(&experiment.variants[0], 0, 0.05, 1, "x.nonet").expect("a plan");
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
        let result = MatchResult { words: "a v b".to_owned(), results: Vec::new() };
        store.save_match(3, &result).expect("saved");
        assert_eq!(store.saved_match(3, "a v b"), Some(result));
        assert_eq!(store.saved_match(3, "a v c"), None);
        assert_eq!(store.saved_match(4, "a v b"), None);
    }
}
