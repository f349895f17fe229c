//! What nets think of the back games that `back_games` rolled out.
//!
//! A net that learned since then is judged by the rollouts that are there.
//! `tests/library/rollout_targets.rs` derives the tables of `reports/rollout-targets.md` from the
//! file that this writes.
//!
//! ```text
//! cargo run --release -p nonet-measure --bin back_game_values -- POSITIONS.csv OUT.csv PLAYER...
//! ```
//!
//! POSITIONS.csv is the file of `back_games`. A row of OUT.csv has the number of a position and the
//! static value of each PLAYER. Values are points a game for the player who has moved.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]

use std::fs;

use nonet::backgammon::Position;
use nonet::eval::Evaluator as _;
use nonet_measure::players::{name_of, static_evaluator};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [positions, out, players @ ..] = words.as_slice() else {
        panic!("expected POSITIONS.csv OUT.csv PLAYER...");
    };
    let evaluators: Vec<_> = players.iter().map(|word| static_evaluator(word)).collect();
    let text = fs::read_to_string(positions).expect("readable");
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    let column = |name: &str| head.iter().position(|&own| own == name).expect("a column");
    let [number, after] = ["number", "afters"].map(column);
    let names: Vec<&str> = players.iter().map(|word| name_of(word)).collect();
    let mut rows = format!("number,{}\n", names.join(","));
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let after = Position::from_id(cells[after]).expect("a position");
        rows += cells[number];
        for evaluator in &evaluators {
            rows += &format!(",{:.4}", -evaluator.evaluate(&after).equity());
        }
        rows.push('\n');
    }
    fs::write(out, rows).expect("written");
}
