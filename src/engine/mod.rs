//! The engine: a net, a search, bearoff databases and a match equity table behind one type that answers questions.
//!
//! [`Engine::builder`] assembles it; every front end (the commands, UBGI, gnubg's external player, the bot, match analysis)
//! holds an [`Engine`] and nothing below it.

mod bearoff_cache;
mod builder;
mod built_in;
mod engine;
mod error;
mod scored_move;

pub use bearoff_cache::{BearoffOrigin, CachedBearoff, bearoff_cache_path, cached_bearoff};
pub use builder::EngineBuilder;
pub use built_in::{BUILT_IN_NET, built_in_net};
pub use engine::{Engine, EvaluationSource};
pub use error::EngineError;
pub use scored_move::{CubeContext, ScoredMove};
