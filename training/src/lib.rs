//! Training of backgammon nets: game sources, learning rules, recipes and measurements.
//!
//! - [`train`]: training runs, from options to nets.
//! - [`benchmark`]: reference decisions and error rates.
//! - [`calibration`]: predicted chances against observed frequencies.
//! - [`drawn_position`]: positions that games hardly reach, drawn at random.
//! - [`speed_workload`]: fixed pieces of work for the benches.

pub mod benchmark;
pub mod calibration;
pub mod drawn_position;
pub mod speed_workload;
pub mod train;

/// The two-sided database for three checkers a side and the complete one-sided one: computed once
/// for all tests.
#[cfg(test)]
static SMALL_BEAROFF: std::sync::LazyLock<std::sync::Arc<nonet_engine::bearoff::BearoffDatabases>> =
    std::sync::LazyLock::new(|| {
        use nonet_engine::bearoff::{BearoffDatabases, OneSided, TwoSided};
        std::sync::Arc::new(BearoffDatabases::new(OneSided::generate(), TwoSided::generate(3)))
    });
