//! The cube: what a position is worth with it, and whether to turn it.
//!
//! The model is Janowski's ("Take-Points in Money Games", 1993): the truth lies between a *dead* cube, which nobody will
//! turn again, and a fully *live* one, which is always turned exactly at the point where the other side may as well pass.
//! Between its points a live cube's worth is a straight line of the winning chance; a position is worth so much of the
//! live line, and the rest of the dead one. In a match the same lines are drawn in match winning chances, with points for
//! every height of the cube, worked out from the highest one that still means anything.

mod decision;
mod match_equity;
mod model;
mod stakes;

pub use decision::{Answer, CubeAction, CubeDecision};
pub use match_equity::{MatchEquityTable, MetError};
pub use model::EFFICIENCY;
pub use stakes::CubeScoring;
