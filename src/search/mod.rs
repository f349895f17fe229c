//! Looking ahead over the dice: evaluators and players around an evaluator.

mod lookahead;
mod player;

pub use lookahead::{Leaf, Lookahead, leaves};
pub use player::Searcher;
