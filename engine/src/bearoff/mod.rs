//! Bearoff databases: values of positions in which both sides have all checkers in their home
//! boards.
//!
//! The *one-sided* database holds, for each home board of up to 15 checkers, the distribution of
//! the number of rolls until all are off. Two such distributions give winning and gammon chances,
//! on the customary assumption that each side minimizes its own number of rolls. The *two-sided*
//! database holds the exact equity of every position with up to six checkers a side, with and
//! without a cube.
//!
//! For up to eight checkers a side the equities with a cube are computed when they are asked for.
//! They are within 0.02 of the exact ones (`race_solver.rs`).
//!
//! Both databases are computed in seconds, by retrograde analysis from the last checker.
//! [`BearoffEvaluator`] adds them to an evaluator. [`gnubg`] makes the same databases in GNU
//! Backgammon's arithmetic and format. A two-sided database for more checkers, up to 11 a side, is
//! looked up where it is stored ([`StoredTwoSided`]).

mod evaluator;
pub mod gnubg;
mod home_board_index;
mod one_sided;
mod race_solver;
mod stored;
mod two_sided;

pub use evaluator::{BearoffDatabases, BearoffEvaluator};
pub use home_board_index::both_home;
pub use one_sided::{HOMES, OneSided, ROLLS};
pub use stored::StoredTwoSided;
pub(crate) use two_sided::Equity;
pub use two_sided::TwoSided;

/// The two-sided database for three checkers a side and the complete one-sided one: computed once
/// for all tests.
#[cfg(test)]
pub(crate) static SMALL: std::sync::LazyLock<std::sync::Arc<BearoffDatabases>> =
    std::sync::LazyLock::new(|| {
        let (one_sided, two_sided) = (OneSided::generate(), TwoSided::generate(3));
        std::sync::Arc::new(BearoffDatabases::new(one_sided, two_sided))
    });
