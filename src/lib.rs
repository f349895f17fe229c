//! nonet plays backgammon with nine small neural nets, one for each kind of position, and trains
//! them from their own games. This crate is the front door of the library: it re-exports what a
//! program needs, so that one dependency is enough.
//!
//! ```toml
//! [dependencies]
//! nonet = { path = "../nonet", default-features = false }
//! ```
//!
//! # Ask the engine
//!
//! An [`Engine`] answers questions about a [`GameState`]: the best plays of a roll, and the cube. A
//! state is read from an XGID, a GNU ID or a Position ID.
//!
//! ```
//! use nonet::cube::{Answer, CubeAction};
//! use nonet::{Engine, GameState, Plies};
//!
//! let engine = Engine::builder().plies(Plies::ONE).build()?;
//!
//! let roll: GameState = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".parse()?;
//! let best = &engine.moves(&roll)?[0];
//! assert_eq!(best.play().to_string(), "8/5 6/5");
//! assert!((0.1..0.3).contains(&best.equity));
//!
//! let double: GameState = "XGID=-a-aBbD-C-B-bCA---ab--bbb-:0:0:1:00:2:3:0:5:10".parse()?;
//! let cube = engine.cube(&double)?;
//! assert_eq!((cube.action, cube.answer), (CubeAction::Double, Answer::Pass));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Train a net
//!
//! A run goes through three forms. A [`TrainSpec`](train::TrainSpec) holds the options as a user
//! writes them, a [`TrainPlan`](train::TrainPlan) the checked options, and a
//! [`Trainer`](train::Trainer) runs them.
//!
//! ```no_run
//! use nonet::progress::Progress;
//! use nonet::store::write_net;
//! use nonet::train::{RunProgress, TrainSpec, Trainer};
//!
//! let spec = TrainSpec {
//!     preset: "small".parse()?,
//!     games: 5_000,
//!     eval_at: vec![],
//!     eval_every: 1_000,
//!     ..TrainSpec::default()
//! };
//! let plan = spec.plan()?;
//! let mut run = plan.open()?; // the opponent of the tests, and the games
//! let mut trainer = Trainer::new(plan, run.participants);
//! let mut show = |progress: &RunProgress| {
//!     if let Some(test) = progress.history.last() {
//!         println!("{:6} games: {} points a game", test.games, test.last);
//!     }
//! };
//! trainer.run(&mut *run.source, &mut show, &Progress::default())?;
//! write_net("small.nonet".as_ref(), trainer.best().ok_or("no test was played")?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Let two players play
//!
//! A series plays every sequence of dice twice, the second time with the seats exchanged. Its
//! result has a standard error.
//!
//! ```no_run
//! use nonet::game::{Baseline, SeriesConfig};
//! use nonet::{Engine, Plies};
//!
//! let champion = Engine::champion().with_plies(Plies::ONE).player();
//! let series = SeriesConfig::new(200, 1).play(&*champion, &*Baseline::PubEval.player())?;
//! println!("{} points a game", series.ppg);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rules that hold everywhere
//!
//! - The same seed gives the same bytes, with any number of threads.
//! - Random numbers and the time are arguments; nothing in the library draws its own.
//! - A [`Position`] is always seen by the player on roll.
//! - 1-ply is the static evaluation of every legal play, GNU Backgammon's 0-ply.
//! - Equities are points a game on a cube at 1; chances are 0 to 1.
//!
//! The examples of the items below are those of the crates that they come from. Read `nonet::` for
//! `nonet_engine::` and `nonet_training::`, and `nonet::backgammon::` for `backgammon::`.
//!
//! # Crates
//!
//! | crate | what |
//! |---|---|
//! | `backgammon` (package `nonet-backgammon`) | rules, move generator, notation, position IDs, records |
//! | `nonet-engine` | nets, features, evaluation, cube, search, rollouts, analysis, protocols, files |
//! | `nonet-training` | games to learn from, learning rules, the training loop, benchmark, calibration |
//! | `nonet-report` | answers as data, charts, pages, a person's match |
//! | `nonet-practice` | practice on one's own mistakes |
//! | `nonet-papers` | the papers' experiments |
//! | `fibs` | the FIBS protocol: client, practice server |
//! | `bgammon` | the protocol of bgammon.org: session, practice server |
//! | `nonet-bot` | nonet on FIBS and bgammon.org |
//! | `nonet-serve` | pages and the HTTP API |
//! | `nonet-distributed` | work on several machines |
//! | `nonet-nets` | the trained nets, as bytes |
//!
//! # Features
//!
//! Without default features this is the engine and the trainer.
//!
//! | feature | adds |
//! |---|---|
//! | `report` | plots, pages, `answer`, `person_match` |
//! | `practice` | practice on one's own mistakes |
//! | `bot` | FIBS, bgammon.org |
//! | `papers` | the papers' experiments |
//! | `serve` | the browser and the HTTP API |
//! | `nats` | work on many machines |
//! | `cli` | the program |
//!
//! # Glossary
//!
//! Each word means one thing everywhere. The glossary is at the head of the crate `nonet-engine`.

#[cfg(feature = "bot")]
pub use nonet_bot as bot;
#[cfg(any(feature = "cli", feature = "nats"))]
pub use nonet_distributed as distributed;
#[doc(inline)]
pub use nonet_engine::{
    analysis, backgammon, bearoff, class, cube, engine, eval, explain, features, game, hypergammon,
    nn, open, progress, protocol, rollout, search, stats, store, strength, vectors,
};
#[cfg(feature = "papers")]
pub use nonet_papers as papers;
#[cfg(feature = "practice")]
pub use nonet_practice as practice;
#[cfg(feature = "report")]
pub use nonet_report::{self as report, answer, person_match};
#[cfg(feature = "serve")]
pub use nonet_serve as serve;
#[doc(inline)]
pub use nonet_training::{benchmark, calibration, drawn_position, speed_workload, train};

#[doc(inline)]
pub use nonet_engine::{
    CubeDecision, Dice, Engine, EngineBuilder, EngineError, Evaluation, Evaluator, GameState,
    MatchState, Play, Plies, Position, ScoredMove,
};

/// The examples of the README and of the book, compiled as tests of the documentation.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../docs/src/library.md")]
    struct Library;
}
