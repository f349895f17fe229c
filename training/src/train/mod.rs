//! Training: sources of games, targets, update rules, and the training loop.
//!
//! A run goes through three forms: [`TrainSpec`], the options as the user writes them;
//! [`TrainPlan`], the checked options with the learning [`Rule`]; and [`UpdateRule`], that rule for
//! one batch with its current learning rates. A [`Recipe`] is a sequence of runs.

mod command_line;
mod config_error;
mod eligibility_traces;
mod experience_replay;
mod fine_tuning;
mod game_source;
mod gate;
mod history_table;
mod knowledge;
mod learner;
mod learning_curve;
mod method;
mod net_learner;
mod open;
mod opponents;
mod option_checks;
mod option_values;
mod plan;
mod play_off;
mod recipe;
mod records;
mod rule;
mod run_comparison;
mod run_interface;
mod schedule;
mod spec;
mod targets;
mod test_match;
#[cfg(test)]
mod tests;
mod trainer;
mod update_rule;
mod usual_settings;

pub use config_error::ConfigError;
pub use experience_replay::Replay;
pub use game_source::{GAMES_TASK, open_games_task};
pub use game_source::{
    GameBatch, GameSource, GameStream, GeneratedGames, OpenRecords, RecordStats, RecordedGames,
    Seats, SourceError, Starts, Unfinished,
};
pub use gate::GateResult;
pub use history_table::{HistoryTable, csv};
pub use knowledge::{
    FIXED_POSITIONS, FixedPosition, Knowledge, OpeningPlay, SampleGame, established_openings,
    established_plays, knowledge_json, read_knowledge,
};
pub use learner::Learner;
pub use learning_curve::{BatchStats, RunProgress, TestResult, TestRow};
pub use method::Method;
pub use net_learner::{NetLearner, NetLearnerError, OfflineSteps, Optimizer, OptimizerState};
pub use nonet_engine::open::PlayerSpec;
pub use open::{OpenRunError, OpenedRun};
pub use opponents::{Opponents, OpponentsError};
pub use option_values::{Backprop, Preset, Sides, Source, Targets, TestDice, Unforeseen};
pub use plan::{Games, RecordPaths, Start, TrainPlan};
pub use play_off::{LastMatch, PlayOff, PlayOffMatch, PlayOffTeam};
pub use recipe::{Recipe, RecipeError, Stage};
pub use records::RecordsError;
pub use rule::{Rule, Squash, TargetRule, UnforeseenGains, UpdateTiming};
pub use run_comparison::{
    GroupResult, NoCommonTest, RunCurve, RunCurveError, RunGroup, TestedWeights, run_groups,
};
pub use run_interface::{
    Observer, Participants, ResumeError, RunOutcome, TrainCheckpoint, TrainError,
};
pub use schedule::{Schedule, ScheduleError};
pub use spec::TrainSpec;
pub use targets::{RootStrap, Successor, TARGETS_TASK, Td, lambda_returns, open_targets_task};
pub use trainer::{Trainer, starting_team};
pub use update_rule::{ReplayConfig, UpdateRule};
