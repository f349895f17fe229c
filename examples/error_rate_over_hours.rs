//! Draws `reports/champion/error-rate.svg` from the table beside it: the error rate of the champions over the hours that they learned.
//!
//! `cargo run --release --example error_rate_over_hours`

#![allow(clippy::expect_used, reason = "a drawing that cannot go on fails")]

use std::fs;
use std::path::Path;

use nonet::report::{Axis, Chart, LineChart, PlotSeries};

const COMMAND: &str = "cargo run --release --example error_rate_over_hours";
const GNUBG_STATIC: f64 = 4.35;
const GNUBG_ONE_PLY: f64 = 3.01;

/// A row of the table.
struct Row {
    champion: String,
    hours: f64,
    error_rate: f64,
    standard_error: f64,
}

impl Row {
    /// Reads `champion,stage,games,hours,er,error`.
    fn read(line: &str) -> Row {
        let fields: Vec<&str> = line.split(',').collect();
        let [champion, _, _, hours, error_rate, standard_error] = fields[..] else {
            panic!("expected six fields: {line}")
        };
        let number = |field: &str| field.parse().expect("a number");
        Row {
            champion: champion.to_owned(),
            hours: number(hours),
            error_rate: number(error_rate),
            standard_error: number(standard_error),
        }
    }
}

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/champion");
    let table = fs::read_to_string(folder.join("error-rate.csv")).expect("the table is there");
    let rows: Vec<Row> = table.lines().skip(1).map(Row::read).collect();
    let hours = Axis::new("computing time", "hours of one core");
    let error_rate = Axis::new("error rate at 1-ply", "1000 x points lost a decision");
    let mut chart = LineChart::new("What each champion learned, and when", hours, error_rate)
        .command(COMMAND)
        .logarithmic_x()
        .reference(GNUBG_STATIC, "GNU Backgammon, 0-ply")
        .reference(GNUBG_ONE_PLY, "GNU Backgammon, 1-ply");
    for same in rows.chunk_by(|a, b| a.champion == b.champion) {
        let points = same.iter().map(|row| (row.hours, row.error_rate));
        let line = PlotSeries::line(&same[0].champion, points).markers();
        let halves = same.iter().map(|row| 1.96 * row.standard_error);
        chart = chart.series(line.band("95 % interval", halves));
    }
    let svg = chart.render().expect("the table has rows");
    fs::write(folder.join("error-rate.svg"), svg).expect("written");
}
