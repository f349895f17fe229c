//! Prints the tables of `reports/exact.md` and draws its pictures, from the runs in
//! `reports/exact`.
//!
//! `cargo run --release -p nonet-measure --bin exact_ladder`

#![allow(clippy::expect_used, reason = "a drawing that cannot go on fails")]
#![allow(clippy::print_stdout, reason = "it prints the tables")]

use std::fs;
use std::path::Path;

use nonet_measure::exact_ladder::{CubeLadder, Ladder};

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../exact");
    let read = |file| fs::read_to_string(folder.join(file)).expect("the runs are there");
    let ladder = Ladder::read(&read("runs.csv")).expect("runs");
    for table in ladder.tables() {
        println!("{table}");
    }
    println!("{}", CubeLadder::read(&read("cube.csv")).expect("runs").table());
    for (file, svg) in ladder.pictures().expect("the table has runs") {
        fs::write(folder.join(file), svg).expect("written");
    }
}
