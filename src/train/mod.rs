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
pub use history::{ClassCounts, Progress, Rung, TestResult, TestRow, csv};
pub use learner::{Learner, Lessons};
pub use method::{Method, UpdateAt};
pub use recipe::{Recipe, RecipeError, Stage};
pub use returns::lambda_returns;
pub use schedule::{Schedule, ScheduleError};
pub use source::{
    Batch, GameSource, Gleaning, Opener, Played, Reading, Recorded, Seats, SourceError, Unfinished,
};
pub use trainer::{Cast, Ended, Observer, TrainError, Trainer};
pub use update_rule::{Optimizer, Recall, Rule, Squash, Surprises, When};
