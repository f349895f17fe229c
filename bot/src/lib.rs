//! A bot for FIBS and bgammon.org: the only crate that uses both the engine and the protocols.
//!
//! [`Bot`] implements `fibs::agent::Agent`. A [`Decider`] chooses plays and cube actions with a
//! net, a [`MatchLog`] records every match, and [`BotConfig`] says which opponents the bot plays.
//! An optional [`OnlineLearner`] learns from finished matches on a [`LearnerThread`]. [`fn@play`]
//! runs the bot over a connection, and [`serve`] opens a practice server.
//!
//! [`BgammonBot`] is the same bot for `bgammon::agent::Agent`. [`play_bgammon`] and
//! [`serve_bgammon`] are its counterparts.

mod agent;
mod bot;
mod chat;
mod config;
mod connection;
mod decider;
mod decisions;
mod invitation_policy;
mod learning;
mod on_bgammon;
mod practice_opponent;
mod records;
mod resignation;
mod server_games;
mod session_observer;
mod site;
mod table_event;
#[cfg(test)]
mod tests_support;
mod to_engine;
mod watcher;

pub use bot::{Bot, Clock, MakeDecider};
pub use config::BotConfig;
pub use connection::{
    BotAccount, Direction, Ended, ListenError, NetError, Notice, RegisterError, Served, ServerAddr,
    Welcome, play, register, serve, watch, whoami,
};
pub use decider::Decider;
pub use invitation_policy::InvitationPolicy;
pub use learning::learner_thread::{LEARNER_THREAD, LearnerEvent, LearnerThread};
pub use learning::online_learner::{LearnOutcome, OnlineLearner, OnlineLearningConfig};
pub use learning::promotion::{PROMOTION_MARGIN, PromotionTest};
pub use learning::rated_pool::{POOL_MEAN, PoolMember, RatedPool};
pub use on_bgammon::{
    BgammonAccount, BgammonAddr, BgammonAddrError, BgammonBot, BgammonOpponent, BgammonServed,
    NewMatches, play_bgammon, serve_bgammon,
};
pub use practice_opponent::DemoOpponent;
pub use records::incidents::{IncidentTally, Incidents};
pub use records::log_event::LogEvent;
pub use records::match_log::{MatchLog, MatchLogError, match_records};
pub use records::match_record::{Departure, MatchRecord};
pub use records::metrics::{BotFigures, METRICS_EVERY, ReadFigure, SharedFigures, read_figures};
pub use records::statistics::{
    Departures, MatchCounts, MatchResults, rating_chart, rating_curve, rating_over_time,
};
pub use records::transcript::{Transcript, TranscriptLimits, timestamp};
pub use records::watched_matches::WatchedMatches;
pub use resignation::{cube_scoring, offer_to_resign, should_accept};
pub use server_games::{Ratings, ServerGames};
pub use session_observer::SessionObserver;
pub use site::Site;
pub use watcher::Watcher;

pub use fibs::session::Pace;
pub use fibs::{Password, PasswordError};
