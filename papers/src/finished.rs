//! A whole folder of an experiment, read back: its report follows from the results in it.

use std::fs;
use std::path::Path;

use super::plan::ExperimentSettings;
use super::report::ExperimentReport;
use super::results::{RESULTS, ResultOf};
use super::run::{MatchResult, Simulations};
use super::simulation::Keeps;
use super::spec::{Experiment, ExperimentError};
use super::store::{DEFINITION, ExperimentStore, Made, OLD_DEFINITION, SETTINGS, belongs};
use nonet_engine::store::StoreError;

/// A folder with all results of its report.
#[derive(Debug)]
pub struct FinishedExperiment {
    /// The definition that it was run by.
    pub experiment: Experiment,
    /// How it was run.
    pub settings: ExperimentSettings,
    /// All simulations.
    pub simulations: Simulations,
    /// All matches.
    pub matches: Vec<MatchResult>,
    store: ExperimentStore,
}

impl FinishedExperiment {
    /// Reads a folder with all simulations and matches of its definition. Nets and the expert's
    /// file are not needed.
    ///
    /// # Errors
    /// [`ExperimentError`] if something is missing or belongs to another experiment.
    pub fn read(folder: &Path) -> Result<FinishedExperiment, ExperimentError> {
        let file = |name: &str| -> Result<String, ExperimentError> {
            let path = folder.join(name);
            Ok(fs::read_to_string(&path).map_err(StoreError::io("read", &path))?)
        };
        let there = |name: &&str| folder.join(name).is_file();
        let definition = [DEFINITION, OLD_DEFINITION].into_iter().find(there);
        let experiment = Experiment::read(&file(definition.unwrap_or(DEFINITION))?)?;
        let made: Made =
            toml::from_str(&file(SETTINGS)?).map_err(|error| ExperimentError::Cell {
                file: folder.join(SETTINGS).display().to_string(),
                problem: error.message().to_owned(),
            })?;
        let settings = ExperimentSettings {
            scale: made.scale,
            seed: made.seed,
            expert: made.expert.clone(),
            program: made.program.clone(),
        };
        let store = ExperimentStore::of(folder, &experiment, made)?;
        let wrong = |what: ResultOf, problem: &str| ExperimentError::Cell {
            file: format!("{what} in {}", folder.join(RESULTS).display()),
            problem: problem.to_owned(),
        };
        let mut simulations = Simulations::default();
        let mut known = Vec::new();
        let records = store.records().display().to_string();
        for repeat in 0..experiment.repeats {
            for (place, variant) in experiment.variants.iter().enumerate() {
                let plan = experiment.plan(variant, repeat, &settings, &records)?;
                let what = ResultOf::Simulation { variant: place, repeat };
                if let Some(run) = store.saved_diverged(&plan, place, repeat) {
                    simulations.diverged.push(run);
                    known.push(what);
                    continue;
                }
                let run = store.any_run(place, repeat).ok_or_else(|| wrong(what, "missing"))?;
                if !belongs(&run, &plan, place, repeat) {
                    return Err(wrong(what, "a simulation of another experiment or variant"));
                }
                let tests = run.tests.iter().map(|(games, _)| *games);
                if tests.ne(experiment.tests_of(variant, settings.scale)) {
                    return Err(wrong(what, "a simulation without all tests of the experiment"));
                }
                if !Keeps::of(&experiment).are_in(&run) {
                    return Err(wrong(what, "a simulation without the weights at all tests"));
                }
                let retests = experiment.retest.map_or(0, |retest| retest.matches);
                if run.retest.len() as u64 != retests {
                    let lack = "a simulation without all new matches of its best net";
                    return Err(wrong(what, lack));
                }
                simulations.runs.push(run);
                known.push(what);
            }
        }
        let mut matches = Vec::new();
        for (place, planned) in experiment.matches(settings.scale).iter().enumerate() {
            let what = ResultOf::Match { place };
            let result = store
                .saved_match(place, &experiment.words(planned, &settings, &simulations.runs))
                .ok_or_else(|| wrong(what, "missing, or a match between other nets"))?;
            if result.results.len() as u64 != planned.series(experiment.repeats).0 {
                return Err(wrong(what, "a match that has not ended"));
            }
            matches.push(result);
            known.push(what);
        }
        if let Some(what) = store.all().into_iter().find(|what| !known.contains(what)) {
            return Err(wrong(what, "no result of this experiment"));
        }
        Ok(FinishedExperiment { experiment, settings, simulations, matches, store })
    }

    /// The report, made again from the results.
    #[must_use]
    pub fn report(&self) -> ExperimentReport<'_> {
        ExperimentReport::new(&self.experiment, &self.settings, &self.simulations, &self.matches)
    }

    /// Writes the report again and returns its text.
    ///
    /// # Errors
    /// [`ExperimentError`] when a file cannot be drawn or written.
    pub fn write_report(&self) -> Result<String, ExperimentError> {
        self.store.write_report(&self.report(), &self.simulations.runs)
    }

    /// The files of the report, by name, made again from the results.
    ///
    /// # Errors
    /// [`ExperimentError`] when a picture cannot be drawn.
    pub fn files(&self) -> Result<Vec<(String, String)>, ExperimentError> {
        Ok(self.store.report_files(&self.report(), &self.simulations.runs)?.0)
    }
}
