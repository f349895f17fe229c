//! The engine: a net, a search, bearoff databases and a match equity table behind one type that answers questions.

mod engine;

pub use engine::{CubeContext, Engine, ScoredMove};
