//! Match analysis: the loss of every play and cube action of recorded games, and the luck of every
//! roll.
//!
//! Losses are equities in points on a cube at 1. In a match they follow from match winning chances.
//! [`AnalysedDecision::unit`] tells what such a point is worth at a decision: points for money,
//! match winning chances in a match.
//!
//! A play counts as a decision if it was not forced. Not doubling counts if it lost equity, or if
//! doubling was nearly as good ([`CLOSE`]). Without this rule players could lower their average by
//! owning the cube.
//!
//! PR is 500 times the mean loss of the decisions that count, the error rate 1000 times.
//! [`PlayerRating`] puts a word to a PR.
//!
//! [`roll_out`] replaces the verdict of the search on a decision by that of rollouts.

mod analyse;
mod decision;
mod matches;
mod performance_rating;
mod questions;
mod rating_words;
mod rolled_out;
mod severity;
mod summary;
mod task;

pub use analyse::{Analysis, analyse, analyse_decision, decisions_in};
pub use decision::{
    AnalysedCubeCall, AnalysedDecision, AnalysedPlay, CLOSE, CubeCall, DecisionKind,
};
pub use matches::{FinalScore, final_score, luck_adjusted, matches_in};
pub use performance_rating::{DecisionGroup, Tally, by_class, by_group};
pub use rating_words::PlayerRating;
pub use rolled_out::{RolledChoice, RolledOut, RolledRow, roll_out};
pub use severity::Severity;
pub use summary::{Summary, summaries};
pub use task::{ANALYSIS_TASK, open_analysis_task};

#[cfg(test)]
mod tests;
