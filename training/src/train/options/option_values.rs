//! The enums of training options that are chosen from a list, such as `source` or `targets`;
//! [`TrainSpec`](crate::train::TrainSpec) holds one value of each.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use nonet_engine::eval::{Architecture, ArchitectureError};

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
    /// The same dice in every test; in a gated run, between two gates.
    Same,
    /// Other dice in every test.
    Fresh,
}

/// The evaluator that makes the targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Targets {
    /// The learner.
    Own,
    /// The expert.
    Expert,
}

/// Which parameters of hidden units are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Backprop {
    /// Weights and biases.
    Plain,
    /// Also the sensitivity of each unit of the first hidden layer.
    ///
    /// See section 3.2 of Wiering, Patist & Mannen.
    Extended,
}

/// Whether temporal differences are learned that an unforeseen move of the opponent caused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Unforeseen {
    /// Learn them: the opponent may know better.
    Keep,
    /// Drop gains: the opponent may have blundered (KnightCap's rule).
    Drop,
}

/// Which positions of a game TD(lambda) learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Sides {
    /// The positions of both sides.
    Both,
    /// The positions after plays of the learner, and the start where the expert begins.
    Own,
}

/// Which outputs of the nets learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum LearnedOutputs {
    /// The average result and the six outcomes.
    All,
    /// The average result alone; the outcomes stay 0.
    Average,
}

/// The architecture of a run, written as its name or shape.
///
/// ```
/// use nonet_training::train::Preset;
///
/// let preset: Preset = "128-16/128-16/512-32".parse()?;
/// assert_eq!(preset.file_name(), "128-16_128-16_512-32");
/// # Ok::<(), nonet_engine::eval::ArchitectureError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Preset(Architecture);

impl Preset {
    /// The preset of an architecture.
    #[must_use]
    pub const fn of(architecture: Architecture) -> Preset {
        Preset(architecture)
    }

    /// The name or shape as a part of a file's name.
    #[must_use]
    pub fn file_name(self) -> String {
        self.to_string().replace('/', "_")
    }

    /// The architecture.
    #[must_use]
    pub const fn architecture(self) -> Architecture {
        self.0
    }
}

impl FromStr for Preset {
    type Err = ArchitectureError;

    fn from_str(text: &str) -> Result<Preset, ArchitectureError> {
        text.parse().map(Preset)
    }
}

impl TryFrom<String> for Preset {
    type Error = ArchitectureError;

    fn try_from(name: String) -> Result<Preset, ArchitectureError> {
        name.parse()
    }
}

impl From<Preset> for String {
    fn from(preset: Preset) -> String {
        preset.to_string()
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(feature = "clap")]
impl clap::builder::ValueParserFactory for Preset {
    type Parser = PresetParser;

    fn value_parser() -> PresetParser {
        PresetParser
    }
}

/// Reads a preset, and lists the names in help and errors.
#[cfg(feature = "clap")]
#[derive(Clone, Copy, Debug)]
pub struct PresetParser;

#[cfg(feature = "clap")]
impl clap::builder::TypedValueParser for PresetParser {
    type Value = Preset;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Preset, clap::Error> {
        let preset = value.to_str().and_then(|text| text.parse().ok());
        preset.map_or_else(
            || {
                let names = clap::builder::PossibleValuesParser::new(possible_values());
                names.parse_ref(command, argument, value)?;
                Err(command.clone().error(clap::error::ErrorKind::InvalidValue, "a former name"))
            },
            Ok,
        )
    }

    fn possible_values(
        &self,
    ) -> Option<Box<dyn Iterator<Item = clap::builder::PossibleValue> + '_>> {
        Some(Box::new(possible_values()))
    }
}

#[cfg(feature = "clap")]
fn possible_values() -> impl Iterator<Item = clap::builder::PossibleValue> {
    let rows = Architecture::ALL.iter();
    rows.map(|row| clap::builder::PossibleValue::new(row.name()).help(row.meaning()))
}
