//! Endings from databases: databases of positions in which both sides only bear off.
//!
//! The *one-sided* database knows, for each way up to 15 checkers can stand in a home board, in how many rolls they come
//! off; two of these give winning and gammon chances, on the customary assumption that both sides play to be off soon,
//! whatever the other one does. The *two-sided* one knows the exact equity of every position of up to six checkers a
//! side, without a cube and with one.
//!
//! Both are computed in seconds, by retrograde analysis from the last checker.
//! [`BearoffEvaluator`] puts them around an evaluator. [`gnubg`] makes the same databases in GNU Backgammon's arithmetic and format.

mod evaluator;
pub mod gnubg;
mod home;
mod one_sided;
mod two_sided;

pub use evaluator::{BearoffDatabases, BearoffEvaluator};
pub use one_sided::{HOMES, OneSided, ROLLS};
pub use two_sided::TwoSided;

/// The two-sided database of three checkers with the whole one-sided one: made once for all tests that need some.
#[cfg(test)]
pub(crate) static SMALL: std::sync::LazyLock<std::sync::Arc<BearoffDatabases>> =
    std::sync::LazyLock::new(|| {
        let (one_sided, two_sided) = (OneSided::generate(), TwoSided::generate(3));
        std::sync::Arc::new(BearoffDatabases { one_sided, two_sided })
    });
