//! The doubling cube: cubeful values of positions, and cube decisions.
//!
//! The model is Janowski's ("Take-Points in Money Games", 1993). The cubeful value lies between that of a *dead* cube, which
//! will not be turned again, and that of a fully *live* one, which is always turned exactly at the opponent's pass point.
//! Both are piecewise linear in the winning chance; the value is [`EFFICIENCY`] of the live one and the rest of the dead
//! one. In a match the same lines are drawn in match winning chances, with take and cash points for every value of the
//! cube, computed from the highest value that can still change the match.
//!
//! Values are *utilities*: points for money, match winning chances (0..=1) in a match.

mod context;
mod decision;
mod janowski;
mod match_equity;
mod scoring;

pub use context::CubeContext;
pub use decision::{Answer, CubeAction, CubeDecision, rounded_equity};
pub use janowski::EFFICIENCY;
pub use match_equity::{MatchEquityTable, MetError};
pub use scoring::CubeScoring;
