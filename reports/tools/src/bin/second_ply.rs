//! How often a second ply changes the play: the choices of nets at 1-ply and at 2-ply in the same
//! decisions. `tests/library/paper_experiments.rs` derives a table of
//! `papers/baxter-lookahead/discussion.md` from the file that this writes.
//!
//! ```text
//! cargo run --release -p nonet-measure --bin second_ply -- DECISIONS.csv COUNT OUT.csv NET...
//! ```
//!
//! DECISIONS.csv is a file of `disputed_plays`; its first COUNT decisions are asked. A row of
//! OUT.csv has the number of a decision and, for each NET, 1 if its plays at both depths differ,
//! else 0. Plays are chosen by cubeless equity with the usual filters, without bearoff databases.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]

use std::fs;

use nonet::backgammon::{Dice, Position};
use nonet::benchmark::results;
use nonet::search::{Plies, Search, SearchSettings};
use nonet_measure::players::{name_of, static_evaluator};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [decisions, count, out, nets @ ..] = words.as_slice() else {
        panic!("expected DECISIONS.csv COUNT OUT.csv NET...");
    };
    let count: usize = count.parse().expect("a whole number");
    let evaluators: Vec<_> = nets.iter().map(|word| static_evaluator(word)).collect();
    let names: Vec<&str> = nets.iter().map(|word| name_of(word)).collect();
    let mut rows = format!("number,{}\n", names.join(","));
    let text = fs::read_to_string(decisions).expect("readable");
    for line in text.lines().skip(1).take(count) {
        let cells: Vec<&str> = line.split(',').collect();
        let position = Position::from_id(cells[1]).expect("a position");
        let dice: Dice = cells[2].parse().expect("a roll");
        let found = results(&position, dice);
        rows += cells[0];
        for evaluator in &evaluators {
            let chosen = [Plies::ONE, Plies::TWO].map(|plies| {
                let search = Search::new(&**evaluator, plies, SearchSettings::NORMAL);
                search.rank(&found).first().expect("a result").index
            });
            rows += &format!(",{}", u8::from(chosen[0] != chosen[1]));
        }
        rows.push('\n');
    }
    fs::write(out, rows).expect("written");
}
