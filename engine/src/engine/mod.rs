//! The engine: a net, a search, bearoff databases and a match equity table behind one type that
//! answers questions.
//!
//! [`Engine::builder`] assembles it; every front end (the commands, UBGI, gnubg's external player,
//! the bot, match analysis) holds an [`Engine`] and nothing below it.
//!
//! ```
//! use nonet_engine::{Engine, GameState};
//!
//! let engine = Engine::champion();
//! let state: GameState = "4HPwATDgc/ABMA".parse()?;
//! let best = engine.best_move(&state.clone().with_dice("31".parse()?))?;
//! assert_eq!(best.play().to_string(), "8/5 6/5");
//! assert!(!engine.cube(&state)?.is_double());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bearoff_cache;
mod builder;
mod built_in_nets;
mod default_depth;
mod depth;
mod engine;
mod error;
mod evaluation_source;
mod level;
mod player;
mod questions;
mod roll_out;
mod scored_move;

pub use bearoff_cache::{
    BearoffOrigin, CachedBearoff, bearoff_cache_path, bearoff_for_play, cached_bearoff,
    hypergammon_path, two_sided_file,
};
pub use builder::EngineBuilder;
pub use built_in_nets::{BUILT_IN_NET, built_in_net};
pub use depth::{Depth, DepthError};
pub use engine::Engine;
pub use error::EngineError;
pub use evaluation_source::EvaluationSource;
pub use level::{LEVELS, Level, LevelAction, LevelPlayer};
pub use scored_move::{RolloutPrecision, ScoredMove};

pub use crate::cube::CubeContext;
/// The pools of threads that work runs on: [`EngineBuilder::thread_pool`].
pub use rayon::{ThreadPool, ThreadPoolBuilder};
