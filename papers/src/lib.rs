//! The papers' experiments, as data.
//!
//! The data are the methods, the findings of the authors, and our own figures to compare with
//! theirs.
//!
//! Each experiment is a folder of `papers/` with a `definition.toml`:
//!
//! - [`Experiment::run`] trains its variants with the one loop that everything else uses.
//! - [`ExperimentStore`] is the folder of its results.
//! - [`ExperimentReport`] makes the table, the pictures and the page.

mod cell_task;
mod claims;
mod definition;
mod duration;
mod figures;
mod finished;
mod input_shares;
mod opening;
mod plan;
mod recorded_command;
mod report;
mod results;
mod run;
mod server;
mod simulation;
mod spec;
mod statistics;
mod store;

pub use cell_task::{CELLS_TASK, open_cells_task};
pub use claims::Claims;
pub use duration::PlayingSpeed;
pub use figures::Figure;
pub use finished::FinishedExperiment;
pub use plan::ExperimentSettings;
pub use report::ExperimentReport;
pub use run::{
    DivergedRun, ExperimentObserver, MatchResult, Opened, RatingCurve, RunResult, Simulations,
};
pub use server::ServerSpec;
pub use spec::{
    EXPERT, Experiment, ExperimentError, MatchSide, MatchSpec, Metric, PanelSpec, PaperMatches,
    RecordSpec, RetestSpec, Size, Variant,
};
pub use store::ExperimentStore;
