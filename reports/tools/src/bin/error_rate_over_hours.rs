//! Draws two pictures from the tables in their folder.
//!
//! `reports/champion/error-rate.svg` has the error rate of the champions over the hours that they
//! learned. `reports/champion/tried.svg` has the gains of attempts over their minutes.
//!
//! `cargo run --release -p nonet-measure --bin error_rate_over_hours`

#![allow(clippy::expect_used, reason = "a drawing that cannot go on fails")]

use std::fs;
use std::path::Path;

use nonet::report::{Axis, Chart, LineChart, PlotSeries};

const COMMAND: &str = "cargo run --release -p nonet-measure --bin error_rate_over_hours";

/// A row of the table.
struct Row {
    player: String,
    /// `None` for a player that is only compared with them.
    hours: Option<f64>,
    error_rate: f64,
    standard_error: f64,
}

impl Row {
    /// Reads `player,stage,games,hours,er,stderr`.
    fn read(line: &str) -> Row {
        let fields: Vec<&str> = line.split(',').collect();
        let [player, _, _, hours, error_rate, standard_error] = fields[..] else {
            panic!("expected six fields: {line}")
        };
        let number = |field: &str| field.parse().expect("a number");
        Row {
            player: player.to_owned(),
            hours: (!hours.is_empty()).then(|| number(hours)),
            error_rate: number(error_rate),
            standard_error: number(standard_error),
        }
    }
}

/// Draws the attempts: a dot each.
fn draw_tried(folder: &Path) {
    let table = fs::read_to_string(folder.join("tried.csv")).expect("the table is there");
    let minutes = Axis::new("learning", "minutes of two threads");
    let gain = Axis::new("gain over the champion of the time", "points per game");
    let mut chart = LineChart::new("What was tried, and what it gained", minutes, gain)
        .command(COMMAND)
        .logarithmic_x()
        .reference(0.0, "no gain");
    for line in table.lines().skip(1) {
        // A name can hold commas; it then has quotation marks.
        let fields: Vec<&str> = line.rsplitn(4, ',').collect();
        let [stderr, gain, minutes, name] = fields[..] else { panic!("expected four: {line}") };
        let number = |field: &str| field.parse::<f64>().expect("a number");
        let dot = PlotSeries::dots(name.trim_matches('"'), [(number(minutes), number(gain))]);
        chart = chart.series(dot.band("95 % interval", [1.96 * number(stderr)]));
    }
    let svg = chart.render().expect("the table has rows");
    fs::write(folder.join("tried.svg"), svg).expect("written");
}

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../champion");
    draw_tried(&folder);
    let table = fs::read_to_string(folder.join("error-rate.csv")).expect("the table is there");
    let rows: Vec<Row> = table.lines().skip(1).map(Row::read).collect();
    let hours = Axis::new("computing time", "hours of one core");
    let error_rate = Axis::new("error rate at 1-ply", "1000 x points lost a decision");
    let title = "Error rates of the champions over the hours that they learned";
    let mut chart =
        LineChart::new(title, hours, error_rate).command(COMMAND).logarithmic_x().logarithmic_y();
    for same in rows.chunk_by(|a, b| a.player == b.player) {
        let timed = || same.iter().filter_map(|row| Some((row.hours?, row)));
        if timed().next().is_none() {
            chart = chart.reference(same[0].error_rate, &same[0].player);
            continue;
        }
        let points = timed().map(|(hours, row)| (hours, row.error_rate));
        let halves = timed().map(|(_, row)| 1.96 * row.standard_error);
        let line = PlotSeries::line(&same[0].player, points).markers();
        chart = chart.series(line.band("95 % interval", halves));
    }
    let svg = chart.render().expect("the table has rows");
    fs::write(folder.join("error-rate.svg"), svg).expect("written");
}
