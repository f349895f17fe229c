//! Training: sources of games, targets, update rules, and the training loop.
//!
//! A run goes through three forms: [`TrainSpec`], the options as the user writes them;
//! [`TrainPlan`], the checked options with the learning [`Rule`]; and [`UpdateRule`], that rule for
//! one batch with its current learning rates. A [`Recipe`] is a sequence of runs.

mod fine_tuning;
mod game_source;
mod gate;
mod knowledge;
mod learning;
mod learning_curve;
mod open;
mod options;
mod play_off;
mod records;
mod run_comparison;
mod run_interface;
mod test_match;
#[cfg(test)]
mod tests;
mod trainer;

pub use game_source::{GAMES_TASK, open_games_task};
pub use game_source::{
    GameBatch, GameSource, GameStream, GeneratedGames, OpenRecords, RecordStats, RecordedGames,
    Seats, SourceError, StartKind, StartKindError, Starts, Unfinished,
};
pub use gate::GateResult;
pub use knowledge::{
    FIXED_POSITIONS, FixedPosition, Knowledge, OpeningPlay, SampleGame, established_openings,
    established_plays, knowledge_json, read_knowledge,
};
pub use learning::experience_replay::Replay;
pub use learning::history_table::{HistoryTable, csv};
pub use learning::learner::Learner;
pub use learning::net_learner::{
    NetLearner, NetLearnerError, OfflineSteps, Optimizer, OptimizerState,
};
pub use learning::rule::{Rule, Squash, TargetRule, UnforeseenGains, UpdateTiming};
pub use learning::targets::{
    RolloutTargets, RootStrap, Successor, TARGETS_TASK, Td, lambda_returns, open_targets_task,
};
pub use learning::update_rule::{ReplayConfig, UpdateRule};
pub use learning_curve::{BatchStats, RunProgress, TestResult, TestRow};
pub use nonet_engine::open::PlayerSpec;
pub use open::{OpenRunError, OpenedRun};
pub use options::config_error::ConfigError;
pub use options::method::Method;
pub use options::opponents::{Opponents, OpponentsError};
pub use options::option_values::{
    Backprop, LearnedOutputs, Preset, Sides, Source, Targets, TestDice, Unforeseen,
};
pub use options::plan::{Games, RecordPaths, Start, TrainPlan};
pub use options::recipe::{Recipe, RecipeError, Stage};
pub use options::run_config::{OnExtension, RunConfig};
pub use options::schedule::{Schedule, ScheduleError};
pub use options::shell_word::shell_word;
pub use options::spec::TrainSpec;
pub use play_off::{
    LAST_MATCH_GAMES, LastMatch, PLAY_OFF_GAMES, PlayOff, PlayOffMatch, PlayOffTeam,
};
pub use records::RecordsError;
pub use run_comparison::{
    GroupResult, NoCommonTest, RunCurve, RunCurveError, RunGroup, TestedWeights, run_groups,
};
pub use run_interface::{
    Observer, Participants, ResumeError, RunOutcome, TrainCheckpoint, TrainError,
};
pub use trainer::{Trainer, starting_team};
