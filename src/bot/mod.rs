//! A bot for FIBS, the First Internet Backgammon Server: the only module that uses both the engine and the protocol.
//!
//! [`Bot`] implements `fibs::agent::Agent`: a [`Decider`] chooses plays and cube actions with a net, a [`MatchLog`] records
//! every match, and [`BotConfig`] says which opponents it plays. An optional [`OnlineLearner`] learns from finished matches on a
//! [`LearnerThread`]. [`fn@play`] runs the bot over a connection, and [`serve`] opens a practice server.

mod agent;
mod bot;
mod chat;
mod config;
mod connection;
mod decider;
mod fibs_to_engine;
mod incidents;
mod invitation_policy;
mod learner_thread;
mod log_event;
mod match_log;
mod match_record;
mod metrics;
mod online_learner;
mod practice_opponent;
mod promotion;
mod rated_pool;
mod resignation;
mod server_games;
mod session_observer;
mod statistics;
#[cfg(test)]
mod tests_support;
mod transcript;
mod unused_file_name;
mod watched_matches;
mod watcher;

pub use bot::{Bot, Clock, MakeDecider};
pub use config::BotConfig;
pub use connection::{
    BotAccount, Direction, Ended, ListenError, NetError, Notice, RegisterError, Served, ServerAddr,
    Welcome, play, register, serve, watch, whoami,
};
pub use decider::Decider;
pub use incidents::{Incidents, Tally};
pub use invitation_policy::InvitationPolicy;
pub use learner_thread::{LearnerEvent, LearnerThread};
pub use log_event::LogEvent;
pub use match_log::{MatchLog, MatchLogError, match_records};
pub use match_record::{Departure, MatchRecord};
pub use metrics::{BotFigures, ReadFigure, SharedFigures, read_figures};
pub use online_learner::{LearnOutcome, OnlineLearner, OnlineLearningConfig};
pub use practice_opponent::DemoOpponent;
pub use promotion::{PROMOTION_MARGIN, PromotionTest};
pub use rated_pool::{POOL_MEAN, PoolMember, RatedPool};
pub use resignation::{cube_scoring, offer_to_resign, should_accept};
pub use server_games::{Ratings, ServerGames};
pub use session_observer::SessionObserver;
pub use statistics::{Departures, MatchCounts, MatchResults, rating_chart, rating_curve};
pub use transcript::{Transcript, TranscriptLimits, timestamp};
pub use watched_matches::WatchedMatches;
pub use watcher::Watcher;

pub use fibs::session::Pace;
pub use fibs::{Password, PasswordError};
