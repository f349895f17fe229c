//! A recorded match with its errors and its luck.
//!
//! `cargo run --release --example read_a_match -- MATCH.mat` reads any format that nonet knows.

#![allow(clippy::print_stdout, reason = "an example shows its results")]

use std::fs::File;
use std::io::BufReader;

use nonet::analysis::summaries;
use nonet::backgammon::record::read_record;
use nonet::{Engine, Plies};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "tests/records/crawford.mat".to_owned());
    let record = read_record(BufReader::new(File::open(&path)?), &path)?;
    // 1-ply is quick; leave both out for the usual depths.
    let engine = Engine::champion().with_plies(Plies::ONE).with_cube_plies(Plies::ONE);
    let games = engine.analyse(&record.games)?;
    for (number, game) in games.iter().enumerate() {
        for decision in game.decisions.iter().filter(|decision| decision.loss() > 0.05) {
            println!("game {}, {decision}", number + 1);
        }
    }
    for (name, summary) in games[0].game.header().names.iter().zip(summaries(&games)) {
        println!("{name}: PR {:.1}", summary.pr().unwrap_or_default());
    }
    Ok(())
}
