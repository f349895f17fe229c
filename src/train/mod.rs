//! Learning: where games come from, what they teach, and the one loop that brings both together.

mod config;
mod history;
mod learner;
mod method;
mod net_learner;
mod online;
mod recipe;
mod returns;
mod schedule;
mod source;
mod targets;
mod trainer;
mod update_rule;

pub use config::{ConfigError, TrainConfig};
pub use history::{ClassCounts, GateResult, RunProgress, TestResult, TestRow, csv};
pub use learner::{BatchStats, Learner};
pub use method::{Method, UpdateAt};
pub use recipe::{Recipe, RecipeError, Stage};
pub use returns::lambda_returns;
pub use schedule::{Schedule, ScheduleError};
pub use source::{
    GameBatch, GameSource, GameStream, GeneratedGames, OpenRecords, RecordStats, RecordedGames,
    Seats, SourceError, Unfinished,
};
pub use trainer::{Observer, Participants, RunOutcome, TrainError, Trainer};
pub use update_rule::{Optimizer, ReplayConfig, Squash, UnforeseenGains, UpdateRule, UpdateTiming};
