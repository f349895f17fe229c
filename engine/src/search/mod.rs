//! Expectimax search: evaluations and plays at 1 to 4 plies around an evaluator.
//!
//! The value of a position at n plies is the mean over the 21 rolls of the value at n - 1 plies of the best result of each;
//! at 1-ply it is the static evaluation. [`Search`] does that with move filters, [`FullWidth`] for one ply without any.

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
