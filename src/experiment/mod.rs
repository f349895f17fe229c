//! The papers' experiments as data, and their reproduction: nonet's figures beside the authors'.
//!
//! Each experiment is a TOML file in this folder. [`Experiment::run`] trains its variants with the ordinary training loop,
//! and [`ExperimentReport`] makes the table, the plot and the report.

mod report;
mod run;
mod spec;

pub use report::ExperimentReport;
pub use run::{ExperimentSettings, ExperimentStore, MatchResult, RunResult};
pub use spec::{EXPERT, Experiment, ExperimentError, MatchSpec, Metric, Variant};
