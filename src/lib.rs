#![doc = include_str!("../README.md")]
//! # Modules
//!
//! The engine is the crate `nonet-core` (folder `core/`), which has the glossary; this crate re-exports its modules, so that one
//! dependency is enough: [`backgammon`], [`nn`], [`features`], [`class`], [`eval`], [`bearoff`], [`cube`], [`game`], [`search`], [`rollout`],
//! [`benchmark`], [`store`], [`engine`], [`train`], [`analysis`], [`protocol`], [`progress`], [`stats`], [`speed_workload`].
//!
//! Modules of this crate are what people and programs see:
//!
//! - [`answer`]: the engine's answers as data. [`person_match`]: a person against a net.
//! - `report`, `experiment` (feature `report`): plots, pages, the papers' experiments. `bot` (feature `bot`): FIBS.
//! - [`distributed`]: work on several machines (with the feature `nats`, over NATS JetStream). `serve` (feature `serve`): pages and an HTTP API.

#[doc(inline)]
pub use nonet_core::{
    analysis, backgammon, bearoff, benchmark, calibration, class, cube, engine, eval, features,
    game, nn, progress, protocol, rollout, search, speed_workload, stats, store, train,
};

pub mod answer;
#[cfg(feature = "bot")]
pub mod bot;
pub mod distributed;
#[cfg(feature = "report")]
pub mod experiment;
pub mod person_match;
#[cfg(feature = "report")]
pub mod report;
#[cfg(feature = "serve")]
pub mod serve;

#[doc(inline)]
pub use nonet_core::{
    CubeDecision, Dice, Engine, EngineBuilder, EngineError, Evaluation, Evaluator, GameState,
    MatchState, Play, Plies, Position, ScoredMove,
};
