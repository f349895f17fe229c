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
mod invitation_policy;
mod learner_thread;
mod log_event;
mod match_log;
mod match_record;
mod online_learner;
mod practice_opponent;
mod resignation;
mod statistics;
mod unused_file_name;
mod watched_matches;
mod watcher;

pub use bot::{Bot, Clock, MakeDecider};
pub use config::BotConfig;
pub use connection::{
    BotAccount, Ended, ListenError, NetError, Notice, RegisterError, Served, ServerAddr, Welcome,
    play, register, serve, watch, whoami,
};
pub use decider::Decider;
pub use invitation_policy::InvitationPolicy;
pub use learner_thread::{LearnerEvent, LearnerThread};
pub use log_event::LogEvent;
pub use match_log::{MatchLog, MatchLogError, match_records};
pub use match_record::MatchRecord;
pub use online_learner::{LearnOutcome, OnlineLearner, OnlineLearningConfig};
pub use practice_opponent::DemoOpponent;
pub use resignation::{cube_scoring, offer_to_resign, should_accept};
pub use statistics::{MatchCounts, MatchResults, rating_chart, rating_curve};
pub use watched_matches::WatchedMatches;
pub use watcher::Watcher;

pub use fibs::session::Pace;
pub use fibs::{Password, PasswordError};
