//! Training: sources of games, targets, update rules, and the training loop.
//!
//! A run goes through three forms: [`TrainSpec`], the options as the user writes them; [`TrainPlan`], the checked options;
//! and [`UpdateRule`], the rule of one batch with its current learning rates. A [`Recipe`] is a sequence of runs.

mod command_line;
mod config_error;
mod eligibility_traces;
mod gate;
mod history;
mod lambda_returns;
mod learner;
mod method;
mod net_learner;
mod options;
mod plan;
mod player_spec;
mod recipe;
mod replay;
mod schedule;
mod source;
mod spec;
mod targets;
#[cfg(test)]
mod tests;
mod trainer;
mod update_rule;
mod validation;

pub use config_error::ConfigError;
pub use gate::GateResult;
pub use history::{BatchStats, RunProgress, TestResult, TestRow, csv};
pub use lambda_returns::lambda_returns;
pub use learner::Learner;
pub use method::{Method, UpdateAt};
pub use net_learner::{NetLearner, NetLearnerError, OptimizerState};
pub use options::{Backprop, Preset, PresetError, Source, Targets, Unforeseen};
pub use plan::{Games, OfflineSteps, RecordPaths, Start, StepRule, TdTiming, TrainPlan, Update};
pub use player_spec::PlayerSpec;
pub use recipe::{Recipe, RecipeError, Stage};
pub use replay::Replay;
pub use schedule::{Schedule, ScheduleError};
pub use source::{
    GameBatch, GameSource, GameStream, GeneratedGames, OpenRecords, RecordStats, RecordedGames,
    Seats, SourceError, Unfinished,
};
pub use spec::TrainSpec;
pub use trainer::{
    Observer, Participants, ResumeError, RunOutcome, TrainCheckpoint, TrainError, Trainer,
};
pub use update_rule::{Optimizer, ReplayConfig, Squash, UnforeseenGains, UpdateRule, UpdateTiming};
