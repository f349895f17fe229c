#![doc = include_str!("../README.md")]
//! # Modules
//!
//! This crate re-exports the library crates, so that one dependency is enough.
//!
//! | module | crate | purpose |
//! |---|---|---|
//! | [`backgammon`] | `nonet-backgammon` | rules, notation, records |
//! | [`nn`], [`features`], [`class`], [`eval`], [`bearoff`], [`cube`], [`game`], [`search`], [`rollout`], [`store`], [`engine`], [`analysis`], [`protocol`], [`open`], [`progress`], [`stats`] | `nonet-engine` | nets, evaluation, search, analysis |
//! | [`train`], [`benchmark`], [`calibration`], [`speed_workload`] | `nonet-training` | learning and its measurement |
//! | `report`, `answer`, `person_match` (feature `report`) | `nonet-report` | charts, pages, answers as data |
//! | `papers` (feature `papers`) | `nonet-papers` | the papers' experiments |
//! | `bot` (feature `bot`) | `nonet-bot` | a player on FIBS |
//! | `serve` (feature `serve`) | `nonet-serve` | pages and an HTTP API |
//! | `distributed` (feature `nats`) | `nonet-distributed` | work on several machines |

#[cfg(feature = "bot")]
pub use nonet_bot as bot;
#[cfg(any(feature = "cli", feature = "nats"))]
pub use nonet_distributed as distributed;
#[doc(inline)]
pub use nonet_engine::{
    analysis, backgammon, bearoff, class, cube, engine, eval, features, game, nn, open, progress,
    protocol, rollout, search, stats, store,
};
#[cfg(feature = "papers")]
pub use nonet_papers as papers;
#[cfg(feature = "report")]
pub use nonet_report::{self as report, answer, person_match};
#[cfg(feature = "serve")]
pub use nonet_serve as serve;
#[doc(inline)]
pub use nonet_training::{benchmark, calibration, speed_workload, train};

#[doc(inline)]
pub use nonet_engine::{
    CubeDecision, Dice, Engine, EngineBuilder, EngineError, Evaluation, Evaluator, GameState,
    MatchState, Play, Plies, Position, ScoredMove,
};
