//! Expectimax search: evaluations and plays at 1 to 4 plies around an evaluator.
//!
//! At 1-ply the value of a position is its static evaluation. At n plies it is a mean over the 21
//! rolls: each counts the value of its best result at n - 1 plies. [`Search`] does that with move
//! filters, [`FullWidth`] for one ply without any.

mod cache;
mod cube_player;
mod expectimax;
mod move_filter;
mod opponent_replies;
mod principal_variation;
mod reply_order;
mod reply_ranking;
mod roll_luck;

pub use cache::{Cache, CacheUse};
pub use cube_player::{CubePlayer, DoublingRule};
pub use expectimax::{Ranked, Search};
pub use move_filter::{FilterError, MoveFilter, Plies, PliesError, SearchSettings};
pub(crate) use opponent_replies::{Replies, Reply};
pub use principal_variation::{FullWidth, Leaf, principal_leaves};
pub use reply_order::{
    REPLY_HIDDEN, REPLY_LARGEST, REPLY_WEIGHTS, ReplyNet, ReplyOrder, ReplyValues,
};
pub(crate) use reply_ranking::ReplyRanking;
pub use roll_luck::RollLuck;

#[cfg(test)]
mod tests;
