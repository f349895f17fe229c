//! Learning: where games come from, what they teach, and the one loop that brings both together.

mod config;
mod history;
mod learner;
mod method;
mod online;
mod practice;
mod recipe;
mod recorded;
mod returns;
mod rule;
mod schedule;
mod source;
mod study;
mod trainer;

pub use config::{ConfigError, TrainConfig};
pub use history::{ClassCounts, Progress, Rung, TestResult, TestRow, csv};
pub use learner::{Learner, Lessons};
pub use method::{Method, UpdateAt};
pub use recipe::{Recipe, RecipeError, Stage};
pub use recorded::{Gleaning, Opener, Reading, Recorded, Unfinished};
pub use returns::lambda_returns;
pub use rule::{Optimizer, Recall, Rule, Squash, Surprises, When};
pub use schedule::{Schedule, ScheduleError};
pub use source::{Batch, GameSource, Played, Seats, SourceError};
pub use trainer::{Cast, Ended, Observer, TrainError, Trainer};
