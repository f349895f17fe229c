#![doc = include_str!("../README.md")]
//! # The modules, from the ground up
//!
//! - [`backgammon`]: the rules. [`value`]: what a judgement is. [`cube`]: doubling. [`net`]: the mathematics of small nets.
//! - [`features`]: inputs. [`class`]: the table of the nine classes. [`eval`]: who judges positions.
//! - [`bearoff`]: endings known by heart. [`play`]: players and the referee. [`search`]: looking ahead.
//!   [`rollout`]: playing out. [`record`]: games in writing. [`arena`]: match series. [`benchmark`]: decisions with known
//!   answers. [`store`]: files.
//! - [`engine`]: what front ends ask, and the protocols they ask in.
//! - [`train`]: learning. [`report`]: plots and pages. [`experiment`]: the papers' experiments. [`workload`]: what the benches time.
//! - [`bot`]: playing on a server.
//!
//! # Glossary
//!
//! The words are those of the field; each means one thing everywhere.
//!
//! - **Position**: the board, always seen by the *player on roll*; his checkers are positive, his home board is 1 to 6.
//! - **Play**: what a player does with a roll; it consists of up to four **checker moves**.
//! - **Result**: the board after a play, the opponent on roll.
//! - **Ply**: **1-ply is the static evaluation of every legal result** (gnubg calls that 0-ply).
//! - **Worth**: what the cube model counts in: points for money, match winning chances in a match.
//! - **Equity**: points per game on a 1-cube, -3..3; cubeless unless said otherwise. **ppg** is its mean over games.
//! - **Gammon**, **backgammon**: wins of two and three points. **Outcome**: one of the six natural ends.
//! - **Contact**: some checker can still be hit; without it there is a **race**.
//! - **Pip count**: pips that all checkers of a side are from off. Pips are distances only.
//! - **Class**: the strategic kind of a position; **specialist**: the net that judges it.
//! - **Head**: one of the seven outputs of a net: the average result and the six outcomes.
//! - **Duplicate dice**: every sequence of dice is played twice, the second time with the seats exchanged.
//! - **Yardstick**: a fixed opponent (PubEval, random) to measure against.

pub use backgammon;

pub mod analysis;
pub mod bearoff;
pub mod benchmark;
#[cfg(feature = "bot")]
pub mod bot;
pub mod class;
pub mod cube;
pub mod engine;
pub mod eval;
#[cfg(feature = "report")]
pub mod experiment;
pub mod features;
pub mod game;
pub mod nn;
pub mod progress;
pub mod protocol;
#[cfg(feature = "report")]
pub mod report;
pub mod rollout;
pub mod search;
pub mod store;
pub mod train;
pub mod workload;
