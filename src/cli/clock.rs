//! The clock of the program.

use jiff::Timestamp;

/// The time in Unix seconds.
pub(crate) fn now() -> f64 {
    Timestamp::now().as_nanosecond() as f64 / 1e9
}
