//! The doubling cube: cubeful values of positions, and cube decisions.
//!
//! The model is Janowski's ("Take-Points in Money Games", 1993). A *dead* cube is not turned again.
//! A fully *live* cube is always turned exactly at the opponent's pass point. The values of both
//! are piecewise linear in the winning chance. The cubeful value is their weighted mean. The weight
//! of the live one is the *efficiency* ([`CubeEfficiency`]). A cube decision has that of the class
//! of its position, or that of a free double; plays always have [`EFFICIENCY`]. In a match the same
//! lines are drawn in match winning chances. Take and cash points are computed for every value of
//! the cube, from the highest value that can still change the match down.
//!
//! Values are *utilities*: points for money, match winning chances (0..=1) in a match.

mod beaver;
mod context;
mod decision;
mod janowski;
mod match_equity;
mod scoring;

pub use beaver::BeaverDecision;
pub use context::CubeContext;
pub use decision::{Answer, CubeAction, CubeDecision, rounded_equity};
pub use janowski::{CubeEfficiency, EFFICIENCY, FACING_FREE, OWN_FREE};
pub use match_equity::{MatchEquityTable, MetError};
pub use scoring::CubeScoring;
