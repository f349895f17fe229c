//! From an experiment to the training runs of its variants.

use std::path::Path;

use super::server::{self_play_games, self_play_net};
use super::spec::{EXPERT, Experiment, ExperimentError, RECORDED, Variant, scaled_games};
use super::store::net_name;
use nonet_training::train::{PlayerSpec, Source, Targets, TestDice, TrainPlan, TrainSpec};

/// How an experiment is run.
#[derive(Clone, Debug, PartialEq)]
pub struct ExperimentSettings {
    /// Everything is this many times as large as the experiment says.
    pub scale: f64,
    /// Simulation `r` has the seed `seed + r`.
    pub seed: u64,
    /// The expert, as it is named in configurations: a net file, `champion`, or `gnubg:N`.
    pub expert: PlayerSpec,
    /// The program, as in `nonet 0.1.0 (commit)`: search and the built-in net are the program's.
    pub program: String,
}

impl Experiment {
    /// The number of games of each simulation of a variant, scaled by `scale`.
    #[must_use]
    pub fn games_of(&self, variant: &Variant, scale: f64) -> u64 {
        scaled(variant.games.unwrap_or(self.games), scale)
    }

    /// The numbers of games after which a test of a variant comes, scaled by `scale`.
    #[must_use]
    pub fn tests_of(&self, variant: &Variant, scale: f64) -> Vec<u64> {
        let games = self.games_of(variant, scale);
        let every = if self.eval_every == 0 { games } else { scaled(self.eval_every, scale) };
        let extra: Vec<u64> = self.eval_at.iter().map(|&at| scaled(at, scale)).collect();
        test_points(games, every, &extra)
    }

    /// The numbers of games after which a test of any variant comes, scaled by `scale`.
    #[must_use]
    pub fn tests_at(&self, scale: f64) -> Vec<u64> {
        let tests = self.variants.iter().flat_map(|variant| self.tests_of(variant, scale));
        let mut tests: Vec<u64> = tests.collect();
        tests.sort_unstable();
        tests.dedup();
        tests
    }

    /// The plan of one simulation of a variant.
    ///
    /// `records` is the path of the recorded games. The nets of the run of self-play lie in its
    /// folder.
    ///
    /// # Errors
    /// [`ExperimentError`] if its options are invalid.
    pub fn plan(
        &self,
        variant: &Variant,
        repeat: u64,
        settings: &ExperimentSettings,
        records: &str,
    ) -> Result<TrainPlan, ExperimentError> {
        let wrong = |reason: String| ExperimentError::Data { name: self.name.clone(), reason };
        let ExperimentSettings { scale, seed, ref expert, .. } = *settings;
        // The paper's nets, unless the experiment says otherwise.
        let mut table = toml::Table::from_iter([("preset".to_owned(), "large".into())]);
        table.extend(self.base.clone());
        table.extend(variant.set.clone());
        if table.get("from").and_then(toml::Value::as_str) == Some(EXPERT) {
            table.insert("from".to_owned(), expert.to_string().into());
        }
        let start = table.get("from").and_then(toml::Value::as_str).and_then(self_play_games);
        if let Some(games) = start {
            let path = Path::new(records).with_file_name(self_play_net(games));
            table.insert("from".to_owned(), path.display().to_string().into());
        }
        if let Some(place) = variant.after.as_ref().and_then(|name| self.place(name)) {
            let path = Path::new(records).with_file_name(net_name(place, repeat));
            table.insert("from".to_owned(), path.display().to_string().into());
        }
        let spec: TrainSpec =
            table.try_into().map_err(|error: toml::de::Error| wrong(error.message().to_owned()))?;
        let games = self.games_of(variant, scale);
        let needs_expert = (spec.source != Source::SelfPlay && spec.records.is_empty())
            || spec.targets == Targets::Expert;
        let path = |name: String| if name == RECORDED { records.to_owned() } else { name };
        let spec = TrainSpec {
            games,
            eval_every: if self.eval_every == 0 { games } else { scaled(self.eval_every, scale) },
            eval_at: self.eval_at.iter().map(|&at| scaled(at, scale)).collect(),
            eval_games: scaled_games(self.test_games, scale),
            test_dice: if self.fresh_dice { TestDice::Fresh } else { TestDice::Same },
            ema: 0,
            seed: seed + repeat,
            expert: needs_expert.then(|| expert.clone()),
            against: expert.clone().into(),
            records: spec.records.into_iter().map(path).collect(),
            ..spec
        };
        spec.plan().map_err(|cause| ExperimentError::Config {
            name: self.name.clone(),
            variant: variant.name.clone(),
            cause,
        })
    }
}

/// A scaled number of games to learn from, at least 1.
pub(super) fn scaled(games: u64, scale: f64) -> u64 {
    ((games as f64 * scale).round() as u64).max(1)
}

/// After how many games the tests of a run come.
fn test_points(games: u64, every: u64, extra: &[u64]) -> Vec<u64> {
    let mut at: Vec<u64> = (1..=games / every.max(1)).map(|i| i * every).collect();
    at.extend(extra.iter().filter(|&&at| at > 0 && at <= games));
    at.push(games);
    at.sort_unstable();
    at.dedup();
    at
}

/// Whether two runs are the same.
///
/// Such runs learn from the same games in the same way. They are tested on the same dice after the
/// same numbers of games. How their tests are written, and where their records and the net of their
/// start lie, makes no difference.
pub(super) fn same_run(one: &TrainSpec, other: &TrainSpec) -> bool {
    let canonical = |spec: &TrainSpec| {
        let name = |path: &String| path.rsplit('/').next().unwrap_or_default().to_owned();
        TrainSpec {
            eval_at: test_points(spec.games, spec.eval_every, &spec.eval_at),
            eval_every: spec.games,
            records: spec.records.iter().map(name).collect(),
            from: spec.from.as_ref().map(name),
            // That of its net: a command names one or the other.
            preset: if spec.from.is_some() { TrainSpec::default().preset } else { spec.preset },
            ..spec.clone()
        }
    };
    canonical(one) == canonical(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Metric;
    use crate::recorded_command::recorded_options;

    fn settings(scale: f64) -> ExperimentSettings {
        ExperimentSettings {
            scale,
            seed: 1,
            expert: "x.nonet".parse().expect("a player"),
            program: String::new(),
        }
    }

    fn named(name: &str) -> Experiment {
        let all = Experiment::all().expect("readable");
        all.into_iter().find(|experiment| experiment.name == name).expect("known")
    }

    #[test]
    fn every_experiment_can_be_read_and_every_variant_run() {
        let all = Experiment::all().expect("readable");
        assert!(all.len() >= 10);
        for experiment in all {
            let name = &experiment.name;
            assert!(Experiment::text(name).is_some(), "{name} is not the name of its file");
            for planned in experiment.matches(1.0) {
                assert!(planned.plies.iter().all(|n| (1..=4).contains(n)));
            }
            let tests = experiment.tests_at(1.0);
            for variant in &experiment.variants {
                let plan = experiment.plan(variant, 0, &settings(1.0), "r").expect("runnable");
                assert_eq!(plan.spec().games, variant.games.unwrap_or(experiment.games), "{name}");
                let known = variant.paper.iter().all(|(games, _)| tests.contains(games));
                assert!(known, "{name}: {}", variant.name);
                let shares = experiment.metric != Metric::Ppg;
                let printed = variant.paper.iter().map(|(_, figure)| *figure);
                assert!(!shares || printed.into_iter().all(|x| (0.0..=1.0).contains(&x)), "{name}");
            }
        }
    }

    #[test]
    fn tests_come_regularly_after_the_additional_numbers_of_games_and_at_the_end() {
        assert_eq!(test_points(1200, 500, &[100, 700, 5000]), [100, 500, 700, 1000, 1200]);
        assert_eq!(named("wiering-table4").tests_at(1.0).len(), 31);
        assert_eq!(named("wiering-table4").tests_at(0.1)[..3], [10, 50, 100]);
        assert_eq!(named("wiering-table2").tests_at(1.0).len(), 41);
    }

    #[test]
    fn runs_that_are_tested_at_the_same_places_are_the_same_however_they_are_written() {
        let every =
            TrainSpec { games: 1000, eval_every: 500, eval_at: vec![100], ..TrainSpec::default() };
        let listed = TrainSpec { eval_every: 1000, eval_at: vec![100, 500, 1000], ..every.clone() };
        assert!(same_run(&every, &listed));
        let small = "small".parse().expect("a preset");
        let from = |folder: &str| TrainSpec {
            from: Some(format!("{folder}/start.nonet")),
            preset: small,
            ..every.clone()
        };
        let read = recorded_options(&from("a").to_command_line()).expect("a command");
        let b = TrainSpec { all_outcomes: true, ..from("b") };
        assert!(same_run(&b, &read), "a command with a net names no preset");
        assert!(!same_run(
            &every,
            &TrainSpec { lambda: nonet_training::train::Schedule::Constant(0.5), ..listed }
        ));
    }

    #[test]
    fn the_rows_of_table_4_learn_by_extended_backpropagation_as_those_of_table_3() {
        let [three, four] = ["wiering-table3", "wiering-table4"].map(named);
        let plan = |experiment: &Experiment, name: &str| {
            let variant = &experiment.variants[experiment.place(name).expect("a variant")];
            experiment.plan(variant, 0, &settings(1.0), "r").expect("a plan").spec().clone()
        };
        assert_eq!(plan(&three, "against expert, own"), plan(&four, "lambda 0.6"));
    }
}
