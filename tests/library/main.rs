//! The library: learning, databases, records and series; and the committed reports against the data
//! that they came from.

mod architecture;
mod architectures;
mod bearoff;
#[cfg(feature = "report")]
mod boards;
#[cfg(feature = "report")]
mod calibration;
mod cube_efficiency;
mod disputed_plays;
mod distributed_costs;
#[cfg(feature = "report")]
mod exact_ladder;
#[cfg(feature = "report")]
mod explanations;
#[cfg(feature = "report")]
mod human_levels;
mod learning;
mod match_rollouts;
#[cfg(feature = "papers")]
mod paper_experiments;
#[path = "../common/positions.rs"]
mod positions;
mod possible_outcomes;
mod records;
mod reports;
mod rollout_targets;
mod series;
mod speed_comparison;
