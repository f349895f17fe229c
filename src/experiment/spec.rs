//! The TOML format of an experiment: its variants, tests and matches, and the training run of each variant.

use serde::Deserialize;

use crate::engine::EngineError;
use crate::report::ReportError;
use crate::search::{DoublingRule, PliesError};
use crate::store::StoreError;
use crate::train::{ConfigError, PlayerSpec, Source, Targets, TrainError, TrainPlan, TrainSpec};

/// An experiment of a paper.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// The name in commands and of its folder.
    pub name: String,
    /// The question, as the title of the report.
    pub title: String,
    /// The paper, with the table or section.
    pub paper: String,
    /// The authors' conclusion.
    pub claim: String,
    /// Numbers of games after which the learner is tested against the expert.
    #[serde(default)]
    pub eval_at: Vec<u64>,
    /// Whether tests come after every `eval_at[0]` games up to the last of `eval_at`, instead of after each of `eval_at`.
    #[serde(default)]
    pub every: bool,
    /// Games of each test.
    #[serde(default)]
    pub test_games: u64,
    /// Simulations of each variant.
    pub repeats: u64,
    /// The figure of the tests that is shown.
    #[serde(default)]
    pub metric: Metric,
    /// Whether the report compares the shares of classes among the positions learned from with the paper's.
    #[serde(default)]
    pub classes: bool,
    /// Whether the report says after how many games each variant reached its plateau.
    #[serde(default)]
    pub plateau: bool,
    /// The options that all variants have in common, as in a run's `config.toml`; `from = "expert"` is the expert's net.
    #[serde(default)]
    base: toml::Table,
    /// The variants that are compared; none if the experiment consists of matches alone.
    #[serde(default, rename = "variant")]
    pub variants: Vec<Variant>,
    /// Matches between variants at the end.
    #[serde(default, rename = "match")]
    matches: Vec<MatchSpec>,
    /// Matches of every variant against every other one at the end.
    #[serde(default)]
    round_robin: Option<RoundRobinSpec>,
}

/// The figure of a test that an experiment shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// The share of all points won, 0..1: the paper's "equity", 0.5 is parity.
    #[default]
    Share,
    /// Points per game, -3..3, 0 is parity.
    Ppg,
}

/// A match between two fully trained teams.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchSpec {
    /// The variant whose result is shown, or `expert`.
    pub home: String,
    /// The opponent, likewise.
    pub away: String,
    /// Search depth of each side in plies, 1 to 4.
    pub plies: [u8; 2],
    /// Games for each simulation, at full scale.
    pub games: u64,
    /// The doubling rule of each side; without it there is no cube.
    #[serde(default)]
    pub cubes: Option<[DoublingRule; 2]>,
}

/// The players of a round robin.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct RoundRobinSpec {
    /// Games of each match for each simulation, at full scale.
    games: u64,
    /// Search depths in plies: at each of them all variants play all others.
    plies: Vec<u8>,
}

/// The name of the expert among the sides of a match.
pub const EXPERT: &str = "expert";

/// One of the configurations that an experiment compares.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Its name in tables.
    pub name: String,
    /// The paper's figures, in the experiment's metric, by number of games.
    #[serde(default)]
    pub paper: Vec<(u64, f64)>,
    /// The options that differ from the base.
    #[serde(default)]
    set: toml::Table,
}

/// Why an experiment cannot be run.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ExperimentError {
    #[error("invalid experiment '{name}': {reason}")]
    Data { name: String, reason: String },
    #[error("invalid variant '{variant}' of the experiment '{name}'")]
    Config {
        name: String,
        variant: String,
        #[source]
        cause: ConfigError,
    },
    #[error(transparent)]
    Train(#[from] TrainError),
    #[error(transparent)]
    File(#[from] StoreError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Plies(#[from] PliesError),
    #[error(transparent)]
    Report(#[from] ReportError),
}

const SOURCES: &[&str] = &[
    include_str!("wiering-table2.toml"),
    include_str!("wiering-table3.toml"),
    include_str!("wiering-figure3.toml"),
    include_str!("wiering-table4.toml"),
    include_str!("wiering-classes.toml"),
    include_str!("baxter-lgammon.toml"),
    include_str!("chinook-depth.toml"),
    include_str!("chinook-teacher.toml"),
    include_str!("wiering-cube.toml"),
    include_str!("mannen-separate.toml"),
];

impl Experiment {
    /// All known experiments.
    ///
    /// # Errors
    /// [`ExperimentError::Data`] if one of the files is invalid, which a test rules out.
    pub fn all() -> Result<Vec<Experiment>, ExperimentError> {
        let read = |text: &&str| {
            toml::from_str(text).map_err(|error: toml::de::Error| ExperimentError::Data {
                name: text.lines().next().unwrap_or_default().to_owned(),
                reason: error.message().to_owned(),
            })
        };
        SOURCES.iter().map(read).collect()
    }

    /// The numbers of games after which a test comes, scaled by `scale`.
    #[must_use]
    pub fn eval_at(&self, scale: f64) -> Vec<u64> {
        let scaled = |games: u64| ((games as f64 * scale).round() as u64).max(1);
        let last = self.eval_at.last().copied().unwrap_or(1);
        let step = self.eval_at.first().copied().unwrap_or(1).max(1);
        let mut eval_at: Vec<u64> = match self.every {
            true => (1..=last / step).map(|i| scaled(i * step)).collect(),
            false => self.eval_at.iter().map(|&games| scaled(games)).collect(),
        };
        eval_at.dedup();
        eval_at
    }

    /// All matches between trained teams, with their numbers of games scaled by `scale`.
    #[must_use]
    pub fn matches(&self, scale: f64) -> Vec<MatchSpec> {
        let mut matches = self.matches.clone();
        for &ply in self.round_robin.iter().flat_map(|all| &all.plies) {
            for (i, home) in self.variants.iter().enumerate() {
                let planned = |away: &Variant| MatchSpec {
                    home: home.name.clone(),
                    away: away.name.clone(),
                    plies: [ply; 2],
                    games: self.round_robin.as_ref().map_or(0, |all| all.games),
                    cubes: None,
                };
                matches.extend(self.variants[i + 1..].iter().map(planned));
            }
        }
        for planned in &mut matches {
            planned.games = test_games(planned.games, scale);
        }
        matches
    }

    /// The index of a side of a match among the variants; `None` for the expert.
    #[must_use]
    pub fn place(&self, side: &str) -> Option<usize> {
        self.variants.iter().position(|variant| variant.name == side)
    }

    /// The plan of one simulation of a variant, with the expert's net file at `expert`.
    ///
    /// # Errors
    /// [`ExperimentError`] if its options are invalid.
    pub fn plan(
        &self,
        variant: &Variant,
        repeat: u64,
        scale: f64,
        seed: u64,
        expert: &str,
    ) -> Result<TrainPlan, ExperimentError> {
        let wrong = |reason: String| ExperimentError::Data { name: self.name.clone(), reason };
        let mut table = self.base.clone();
        table.extend(variant.set.clone());
        let begins = table.get("from").and_then(toml::Value::as_str) == Some(EXPERT);
        if begins {
            table.insert("from".to_owned(), expert.into());
        }
        let spec: TrainSpec =
            table.try_into().map_err(|error: toml::de::Error| wrong(error.message().to_owned()))?;
        let player: PlayerSpec = expert.parse().map_err(|error| wrong(format!("{error}")))?;
        let eval_at = self.eval_at(scale);
        let games = eval_at.last().copied().unwrap_or(1);
        let needs_expert = spec.source != Source::SelfPlay || spec.targets == Targets::Expert;
        let spec = TrainSpec {
            games,
            eval_every: games,
            eval_at,
            eval_games: test_games(self.test_games, scale),
            ema: 0,
            seed: seed + repeat,
            expert: needs_expert.then(|| player.clone()),
            against: player.into(),
            ..spec
        };
        spec.plan().map_err(|cause| ExperimentError::Config {
            name: self.name.clone(),
            variant: variant.name.clone(),
            cause,
        })
    }
}

/// The scaled number of test games: tests are shortened to a tenth at most, because shorter ones would be too noisy.
fn test_games(games: u64, scale: f64) -> u64 {
    ((games as f64 * scale.max(0.1)).round() as u64).next_multiple_of(2).max(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_can_be_read_and_every_variant_run() {
        let all = Experiment::all().expect("readable");
        assert!(all.len() >= 10);
        for experiment in all {
            for planned in experiment.matches(1.0) {
                for side in [&planned.home, &planned.away] {
                    let known = side == EXPERT || experiment.place(side).is_some();
                    assert!(known, "{}: unknown side {side}", experiment.name);
                }
                assert!(planned.plies.iter().all(|n| (1..=4).contains(n)));
            }
            for variant in &experiment.variants {
                let plan = experiment.plan(variant, 0, 1.0, 1, "x.nonet").expect("runnable");
                assert_eq!(
                    Some(&plan.spec().games),
                    experiment.eval_at.last(),
                    "{}",
                    experiment.name
                );
                let eval_at = experiment.eval_at(1.0);
                let known = |games: &u64| eval_at.contains(games);
                assert!(
                    variant.paper.iter().all(|(games, _)| known(games)),
                    "{}: {}",
                    experiment.name,
                    variant.name
                );
            }
        }
    }

    #[test]
    fn scaling_scales_the_numbers_of_games_before_tests() {
        let all = Experiment::all().expect("readable");
        let table4 =
            all.iter().find(|experiment| experiment.name == "wiering-table4").expect("known");
        assert_eq!(table4.eval_at(0.05), [5, 25, 50, 250, 500]);
        let table2 =
            all.iter().find(|experiment| experiment.name == "wiering-table2").expect("known");
        assert_eq!(table2.eval_at(1.0).len(), 40);
        assert_eq!(table2.eval_at(0.1)[..2], [500, 1000]);
    }
}
