//! What an experiment consists of.

use serde::Deserialize;

use crate::train::{ConfigError, TrainConfig};

/// An experiment of a paper.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// The name in commands and of its folder.
    pub name: String,
    /// What it asks.
    pub title: String,
    /// Where it stands in which paper.
    pub paper: String,
    /// What the authors say of their results.
    pub claim: String,
    /// Numbers of games after which the learner is tested against the expert.
    pub marks: Vec<u64>,
    /// Whether every `marks[0]` games are meant, up to the last mark, instead of the marks themselves.
    #[serde(default)]
    pub every: bool,
    /// Games of each test.
    pub test_games: u64,
    /// Simulations of each variant.
    pub repeats: u64,
    /// What all variants have in common, as in a run's `config.toml`.
    base: toml::Table,
    /// What is compared.
    #[serde(rename = "variant")]
    pub variants: Vec<Variant>,
}

/// One of the things that an experiment compares.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Its name in tables.
    pub name: String,
    /// The paper's figures (share of points against the expert, 0..1) by number of games.
    #[serde(default)]
    pub paper: Vec<(u64, f64)>,
    /// How it differs from the base.
    #[serde(default)]
    set: toml::Table,
}

/// Why an experiment cannot be run.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ExperimentError {
    #[error("the experiment '{name}' cannot be read: {reason}")]
    Data { name: String, reason: String },
    #[error("the variant '{variant}' of '{name}' cannot be run")]
    Config {
        name: String,
        variant: String,
        #[source]
        cause: ConfigError,
    },
}

const SOURCES: &[&str] = &[
    include_str!("wiering-table2.toml"),
    include_str!("wiering-table3.toml"),
    include_str!("wiering-figure3.toml"),
    include_str!("wiering-table4.toml"),
];

impl Experiment {
    /// All known experiments.
    ///
    /// # Errors
    /// [`ExperimentError::Data`] if one of the files is wrong; a test reads them all.
    pub fn all() -> Result<Vec<Experiment>, ExperimentError> {
        let read = |text: &&str| {
            toml::from_str(text).map_err(|error| ExperimentError::Data {
                name: text.lines().next().unwrap_or_default().to_owned(),
                reason: error.message().to_owned(),
            })
        };
        SOURCES.iter().map(read).collect()
    }

    /// The numbers of games to test after, when everything is scaled by `scale`.
    #[must_use]
    pub fn marks(&self, scale: f64) -> Vec<u64> {
        let scaled = |games: u64| ((games as f64 * scale).round() as u64).max(1);
        let last = self.marks.last().copied().unwrap_or(1);
        let step = self.marks.first().copied().unwrap_or(1).max(1);
        let mut marks: Vec<u64> = match self.every {
            true => (1..=last / step).map(|i| scaled(i * step)).collect(),
            false => self.marks.iter().map(|&games| scaled(games)).collect(),
        };
        marks.dedup();
        marks
    }

    /// The configuration of one simulation of a variant.
    ///
    /// # Errors
    /// [`ExperimentError`] when its data make no runnable configuration.
    pub fn config(
        &self,
        variant: &Variant,
        repeat: u64,
        scale: f64,
        seed: u64,
        expert: &str,
    ) -> Result<TrainConfig, ExperimentError> {
        let mut table = self.base.clone();
        table.extend(variant.set.clone());
        let mut config: TrainConfig = table.try_into().map_err(|error: toml::de::Error| {
            ExperimentError::Data { name: self.name.clone(), reason: error.message().to_owned() }
        })?;
        let marks = self.marks(scale);
        config.games = marks.last().copied().unwrap_or(1);
        config.eval_every = config.games;
        config.eval_at = marks;
        config.eval_games = ((self.test_games as f64 * scale.max(0.1)).round() as u64).max(4);
        config.average = 0;
        config.seed = seed + repeat;
        config.against = expert.to_owned();
        config.expert =
            (config.source != "selfplay" || config.learns_targets()).then(|| expert.to_owned());
        config.check().map_err(|cause| ExperimentError::Config {
            name: self.name.clone(),
            variant: variant.name.clone(),
            cause,
        })?;
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_can_be_read_and_every_variant_run() {
        let all = Experiment::all().expect("readable");
        assert!(all.len() >= 4);
        for experiment in all {
            for variant in &experiment.variants {
                let config = experiment.config(variant, 0, 1.0, 1, "x.nonet").expect("runnable");
                assert_eq!(Some(&config.games), experiment.marks.last(), "{}", experiment.name);
                let marks = experiment.marks(1.0);
                let known = |games: &u64| marks.contains(games);
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
    fn a_scaled_experiment_keeps_its_shape() {
        let all = Experiment::all().expect("readable");
        let table4 =
            all.iter().find(|experiment| experiment.name == "wiering-table4").expect("known");
        assert_eq!(table4.marks(0.05), [5, 25, 50, 250, 500]);
        let table2 =
            all.iter().find(|experiment| experiment.name == "wiering-table2").expect("known");
        assert_eq!(table2.marks(1.0).len(), 40);
        assert_eq!(table2.marks(0.1)[..2], [500, 1000]);
    }
}
