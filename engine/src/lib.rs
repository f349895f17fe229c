//! The engine of nonet: nine specialist nets for backgammon, their evaluation, search and files.
//! The crate `nonet` re-exports it.
//!
//! # Modules, from the ground up
//!
//! - [`backgammon`]: the rules (a crate of its own). [`nn`]: small neural nets. [`features`]:
//!   inputs of the nets. [`vectors`]: the instructions of the processor.
//! - [`class`]: the table of the nine classes. [`eval`]: evaluators. [`bearoff`]: databases.
//!   [`cube`]: the doubling cube.
//! - [`hypergammon`]: backgammon with few checkers, solved.
//! - [`game`]: players, games, match series. [`search`]: 1 to 4 plies. [`strength`]: players who
//!   err. [`rollout`]: rollouts.
//! - [`store`]: files. [`engine`]: the facade. [`analysis`]: recorded matches. [`explain`]: why a
//!   play is better. [`protocol`]: UBGI and gnubg.
//! - [`open`]: nets and players by name.
//! - [`progress`], [`stats`]: long work, and means with their errors.
//!
//! # Glossary
//!
//! Each word means one thing everywhere.
//!
//! | word | meaning |
//! |---|---|
//! | position | the board, always seen by the *player on roll*: their checkers are positive, their home board is points 1 to 6 |
//! | play | what a player does with a roll; up to four *checker moves* |
//! | result | the board after a play, the opponent on roll |
//! | side | relative: the player on roll (own) or the opponent |
//! | seat | absolute: one of the two players of a game or match |
//! | ply | depth of search; **1-ply is the static evaluation of every legal result** (gnubg's 0-ply) |
//! | evaluation | seven numbers for a position: the average result and the six outcome probabilities |
//! | head | one of a net's seven outputs |
//! | outcome | one of the six ends of a game: win or loss, single, gammon or backgammon |
//! | equity | points a game on a 1-cube, -3..3; cubeless unless said otherwise |
//! | ppg | mean points a game over a series of games |
//! | MWC | match winning chances, 0..1 |
//! | utility | what the cube model maximizes: points for money, MWC in a match |
//! | contact | some checker can still be hit; without it there is a *race* |
//! | pip count | the distance of all checkers of a side from off |
//! | class | the strategic kind of a position, one of nine |
//! | specialist | the net that evaluates the positions of a class |
//! | encoding | which inputs a net reads |
//! | architecture, preset | which classes share a net and how wide nets are; a preset is an architecture by name or by shape |
//! | recipe | a list of training runs, each starting with the net of an earlier one |
//! | target | what a net's output is moved towards |
//! | fine-tuning | the last games of a run, learned towards the net's own 2-ply values |
//! | replay | stored examples that a net learns again |
//! | EMA | moving average of weights |
//! | quantized | the first layer in 16-bit integers, for play only |
//! | bearoff | both sides have only checkers in their home boards; the databases know such positions exactly |
//! | duplicate dice | every sequence of dice is played twice, the second time with the seats exchanged |
//! | baseline | a fixed opponent to measure against: PubEval, random play |
//! | ER | error rate: 1,000 times the points lost per decision |

pub use backgammon;
pub use backgammon::{Dice, GameState, MatchState, Play, Position};

pub mod analysis;
pub mod bearoff;
pub mod class;
pub mod cube;
pub mod engine;
pub mod eval;
pub mod explain;
pub mod features;
pub mod game;
pub mod hypergammon;
pub mod nn;
pub mod open;
pub mod progress;
pub mod protocol;
pub mod rollout;
pub mod search;
pub mod stats;
pub mod store;
pub mod strength;
pub mod vectors;

pub use cube::CubeDecision;
pub use engine::{Engine, EngineBuilder, EngineError, ScoredMove};
pub use eval::{Evaluation, Evaluator};
pub use search::Plies;
