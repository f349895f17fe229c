//! Match series between players, and what their results prove.

mod series;
mod statistics;

pub use series::{Series, SeriesConfig, Watch, play_series};
pub use statistics::{Estimate, Tally};
