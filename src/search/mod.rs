//! Looking ahead over the dice: judgements and plays at 1 to 4 plies around an evaluator.
//!
//! A position at n plies is worth the mean over its player's 21 rolls of the best result of each at n - 1 plies; at
//! 1-ply it is worth its static evaluation. [`Search`] does that with filters, [`FullWidth`] without any.

mod cache;
mod cube_player;
mod expectimax;
mod full_width;
mod move_filter;
mod replies;

pub use cache::Cache;
pub use cube_player::{CubePlayer, DoublingRule};
pub use expectimax::{Ranked, Search};
pub use full_width::{FullWidth, Leaf, principal_leaves};
pub use move_filter::{MoveFilter, Plies, PliesError, SearchSettings};
pub(crate) use replies::{Replies, Reply};
