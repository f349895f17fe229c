//! Match series between players, and what their results prove.

mod round_robin;
mod series;
mod statistics;

pub use round_robin::RoundRobin;
pub use series::{Series, SeriesConfig, Watch, play_series};
pub use statistics::{Estimate, Tally};
