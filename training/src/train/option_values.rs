//! The enums of training options that are chosen from a list, such as `source` or `targets`; [`TrainSpec`](super::TrainSpec)
//! holds one value of each.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use nonet_engine::eval::Architecture;

/// Where games come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The learner plays itself.
    #[cfg_attr(feature = "clap", value(name = "selfplay"))]
    SelfPlay,
    /// The learner plays the expert, with the seats exchanged after every game.
    Expert,
    /// The expert plays itself, or games are read from records.
    Observe,
}

/// The dice of the tests of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum TestDice {
    /// The same in every test (of a gated run: between two gates).
    Same,
    /// Fresh ones in every test.
    Fresh,
}

/// Whose evaluations make the targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Targets {
    /// The learner's.
    Own,
    /// The expert's.
    Expert,
}

/// Which parameters of hidden units are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Backprop {
    /// Weights and biases.
    Plain,
    /// The sensitivity of each unit of the first hidden layer too (Wiering, Patist & Mannen, section 3.2).
    Extended,
}

/// Whether temporal differences are learned that an unforeseen move of the opponent caused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Unforeseen {
    /// They are learned: the opponent may know better.
    Keep,
    /// Gains are not learned: the opponent may have blundered (KnightCap's rule).
    Drop,
}

/// Which positions of a game TD(lambda) learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Sides {
    /// Those of both sides.
    Both,
    /// Those that the learner has played to.
    Own,
}

/// One of [`Architecture::ALL`], written as its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Preset(&'static Architecture);

impl Preset {
    /// The preset of an architecture.
    #[must_use]
    pub const fn of(architecture: &'static Architecture) -> Preset {
        Preset(architecture)
    }

    /// The architecture.
    #[must_use]
    pub const fn architecture(self) -> &'static Architecture {
        self.0
    }
}

/// The name of an unknown architecture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown architecture '{name}': expected one of {}", known())]
pub struct PresetError {
    name: String,
}

fn known() -> String {
    Architecture::ALL.iter().map(|architecture| architecture.name).collect::<Vec<_>>().join(", ")
}

impl FromStr for Preset {
    type Err = PresetError;

    fn from_str(name: &str) -> Result<Preset, PresetError> {
        Architecture::named(name).map(Preset).ok_or_else(|| PresetError { name: name.to_owned() })
    }
}

impl TryFrom<String> for Preset {
    type Error = PresetError;

    fn try_from(name: String) -> Result<Preset, PresetError> {
        name.parse()
    }
}

impl From<Preset> for String {
    fn from(preset: Preset) -> String {
        preset.0.name.to_owned()
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.name)
    }
}

#[cfg(feature = "clap")]
impl clap::ValueEnum for Preset {
    fn value_variants<'a>() -> &'a [Preset] {
        static ALL: std::sync::LazyLock<Vec<Preset>> =
            std::sync::LazyLock::new(|| Architecture::ALL.iter().map(Preset).collect());
        &ALL
    }

    fn from_str(name: &str, _: bool) -> Result<Preset, String> {
        name.parse().map_err(|error: PresetError| error.to_string())
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.0.name).help(self.0.meaning))
    }
}
