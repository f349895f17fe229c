//! Backgammon with one to three checkers a side, solved: the exact value of every position, without
//! and with a cube, contact included. With three checkers it is hypergammon.
//!
//! [`Solver`] computes the values by modified policy iteration. [`Exact`] is one of them.
//!
//! ```
//! use nonet_engine::Position;
//! use nonet_engine::hypergammon::Solver;
//!
//! let mut solver = Solver::new(1);
//! while solver.round() > 1e-6 {}
//! // One checker each, on the ace points: every roll wins, and a gammon at that.
//! let race = Position::from_sides(&[(1, 1)], &[(1, 1)])?;
//! let exact = solver.get(&race).expect("one checker a side");
//! assert_eq!((exact.outcomes[1], exact.cubeful.cubeless), (1.0, 2.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod exact;
mod policy;
mod side_number;
mod solver;

pub use exact::{ENTRY, Exact, HEADER};
pub(crate) use exact::{checkers_of, file_len};
pub(crate) use side_number::SideNumbers;
pub use solver::{Solver, SolverState};

/// The most checkers a side that can be solved: 10.7 million positions.
pub const MOST_CHECKERS: u8 = 3;
