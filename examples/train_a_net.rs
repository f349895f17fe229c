//! A small team learns by playing itself; its learning curve, its file, and the engine with it.
//!
//! `cargo run --release --example train_a_net -- 5000` learns from 5,000 games.

#![allow(clippy::print_stdout, reason = "an example shows its results")]

use std::env::{args, temp_dir};

use nonet::progress::Progress;
use nonet::store::write_net;
use nonet::train::{RunProgress, TrainSpec, Trainer};
use nonet::{Engine, Position};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let games: u64 = args().nth(1).map_or(Ok(400), |number| number.parse())?;
    let (eval_every, eval_games, preset) = (games.div_ceil(4), 200, "small".parse()?);
    let spec = TrainSpec { preset, games, eval_every, eval_games, ..TrainSpec::default() };
    // The plan opens the opponent of the tests (PubEval) and the games (self-play).
    let plan = spec.plan()?;
    let mut run = plan.open()?;
    let mut trainer = Trainer::new(plan, run.participants);
    let mut show = |progress: &RunProgress| {
        if let Some(test) = progress.history.last() {
            println!("after {} games {} points a game", test.games, test.last);
        }
    };
    trainer.run(&mut *run.source, &mut show, &Progress::default())?;
    let path = temp_dir().join("a_small_team.nonet");
    write_net(&path, trainer.best().ok_or("no test was played")?)?;
    let engine = Engine::builder().net_file(&path).build()?;
    println!("{}\nthe start: {}", path.display(), engine.evaluate(&[Position::START])[0]);
    Ok(())
}
