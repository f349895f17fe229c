//! The error of an invalid training configuration.

/// An invalid option of a training run.
///
/// Both texts name other options by their keys in backticks, so that a front end can print them in its own spelling; the
/// command line prints `--eval-every` for `eval_every`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`: {problem}")]
pub struct ConfigError {
    /// The key of the option.
    pub field: &'static str,
    /// What is wrong with its value and what is expected, as a sentence whose subject is the option.
    pub problem: String,
}

impl ConfigError {
    pub(super) fn new(field: &'static str, problem: impl Into<String>) -> ConfigError {
        ConfigError { field, problem: problem.into() }
    }
}
