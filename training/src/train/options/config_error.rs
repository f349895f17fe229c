//! The error of an invalid training configuration.

/// An invalid option of a training run.
///
/// Both texts name other options by their keys in backticks. So a front end can print the keys in
/// its own spelling. The command line prints `--eval-every` for `eval_every`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`: {problem}")]
pub struct ConfigError {
    /// The key of the option.
    pub field: &'static str,
    /// The error and the expected value. The option is the subject of the sentence.
    pub problem: String,
}

impl ConfigError {
    pub(in crate::train) fn new(field: &'static str, problem: impl Into<String>) -> ConfigError {
        ConfigError { field, problem: problem.into() }
    }
}
