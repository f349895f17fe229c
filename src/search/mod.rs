//! Looking ahead over the dice: judgements and plays at 1 to 4 plies around an evaluator.
//!
//! A position at n plies is worth the mean over its player's 21 rolls of the best result of each at n - 1 plies; at
//! 1-ply it is worth its static evaluation. [`Search`] does that with filters, [`Lookahead`] without any.

mod cache;
mod doubling;
mod engine;
mod filter;
mod lookahead;
mod replies;

pub use cache::Cache;
pub use doubling::{Doubler, DoublingRule};
pub use engine::{Ranked, Search};
pub use filter::{Effort, Filter, Plies, PliesError};
pub use lookahead::{Leaf, Lookahead, leaves};
pub(crate) use replies::{Replies, Reply};
