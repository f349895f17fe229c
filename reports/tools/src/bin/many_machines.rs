//! Simulates work on many machines from measured costs, and draws it: the curves of
//! `reports/distributed.md`.
//!
//! `cargo run --release -p nonet-measure --bin many_machines -- MEASURED.csv OUT [FASTER]` reads
//! the output of `reports/distributed/measure.py`. It writes `OUT/simulated.csv`,
//! `OUT/simulated.svg` and, of the speeds that were measured by the clock, `OUT/measured.svg`.
//! FASTER: how much faster than in the measured build the work is done, 1 unless a debug build was
//! measured. A part takes a thread its measured time, with scatter. A worker is idle for a round
//! trip between two parts. The coordinator takes results one after the other. Nets go through the
//! server's one line to every worker. The learner works alone.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use nonet::game::{StreamPurpose, nearly_normal};
use nonet::report::{Axis, Chart, LineChart, PlotSeries};

/// The measured costs by name: processor seconds, parts or bytes a game.
struct Costs {
    found: BTreeMap<String, f64>,
    /// How much faster the work is done than in the build that was measured; messages are left as
    /// they are.
    faster: f64,
    /// The champion's nets in bytes.
    net: f64,
}

/// How long a worker is idle between two parts: two round trips of half a millisecond (assumed, a
/// local network).
const GAP: f64 = 1e-3;

/// The server's line in bytes a second: a gigabit (assumed).
const LINE: f64 = 1e9 / 8.0;

/// The share of games, and not of targets, in what workers do for a training run.
///
/// It is that of a game at 1-ply against 2-ply values of its positions (assumed; it decides
/// little).
const SHARE_OF_GAMES: f64 = 0.1;

impl Costs {
    fn read(path: &Path, faster: f64) -> Costs {
        let text = fs::read_to_string(path).expect("a file of costs");
        let pair = |line: &str| {
            let mut fields = line.split(',');
            Some((fields.next()?.to_owned(), fields.next()?.parse().ok()?))
        };
        let net =
            fs::metadata("nets/champion.nonet").expect("a run in the repository's root").len();
        Costs { found: text.lines().filter_map(pair).collect(), faster, net: net as f64 }
    }

    fn of(&self, work: &str, what: &str) -> f64 {
        let name = format!("{work}: {what}");
        *self.found.get(&name).unwrap_or_else(|| panic!("the costs lack '{name}'"))
    }

    /// What a part costs the coordinator, which takes results one after the other, or the server,
    /// whichever is busier.
    fn of_a_part(&self) -> f64 {
        let work = "series 1-ply small net";
        self.of(work, "coordinator").max(self.of(work, "server")) / self.of(work, "parts")
    }
}

/// What one kind of part costs.
struct PartCost {
    /// Seconds of a thread.
    work: f64,
    /// Seconds of the coordinator, which takes results one after the other.
    coordinator: f64,
    /// Seconds in which a worker is idle between two parts.
    gap: f64,
}

/// Microseconds, for a heap.
fn micros(seconds: f64) -> u64 {
    (seconds * 1e6) as u64
}

/// The time until `parts` parts are done that are ready at `start`; worker `w` can begin at
/// `ready(w)`.
fn parts(
    parts: u64,
    workers: u64,
    cost: &PartCost,
    start: f64,
    ready: impl Fn(u64) -> f64,
    seed: u64,
) -> f64 {
    let mut free: BinaryHeap<Reverse<u64>> =
        (0..workers.min(parts)).map(|worker| Reverse(micros(start.max(ready(worker))))).collect();
    let mut ends: Vec<u64> = Vec::new();
    for number in 0..parts {
        let Reverse(at) = free.pop().expect("a worker");
        // The scatter of the parts that were measured is about a tenth of their time.
        let scatter = nearly_normal(seed, StreamPurpose::Choice, &number.to_le_bytes());
        let work = cost.work * (1.0 + 0.1 * f64::from(scatter)).max(0.3);
        let end = at + micros(work + cost.gap);
        free.push(Reverse(end));
        ends.push(end);
    }
    ends.sort_unstable();
    let coordinator = micros(cost.coordinator);
    ends.into_iter().fold(micros(start), |busy, end| busy.max(end) + coordinator) as f64 / 1e6
}

/// Games a second of a long series.
fn series(costs: &Costs, workers: u64) -> f64 {
    let work = "series 2-ply";
    let games = 1.0 / costs.of(work, "parts");
    let number = (workers * 40).max(200);
    let cost = PartCost {
        work: costs.of(work, "worker") * games / costs.faster,
        coordinator: costs.of_a_part(),
        gap: GAP,
    };
    number as f64 * games / parts(number, workers, &cost, 0.0, |_| 0.0, workers)
}

/// Games a second of a RootStrap run with batches of this many games.
fn run(costs: &Costs, workers: u64, batch: f64) -> f64 {
    let work = "training run";
    let net = costs.net / LINE;
    let (batches, mut now) = (5_u32, 0.0);
    for number in 0..batches {
        // Four parts a thread, but neither below half of the usual size nor above four times it.
        let fair = (batch / (4.0 * workers as f64)).ceil();
        let put = now + net;
        let mut at = put;
        for (usual, share) in [(64.0, SHARE_OF_GAMES), (8.0, 1.0 - SHARE_OF_GAMES)] {
            let size = fair.clamp(usual / 2.0, 4.0 * usual).min(batch);
            let cost = PartCost {
                work: size * share * costs.of(work, "worker") / costs.faster,
                coordinator: costs.of_a_part() + 0.5 * size * costs.of(work, "bytes") / LINE,
                gap: GAP,
            };
            // Each worker fetches the net once, one after the other on the server's line.
            let ready = |worker: u64| put + net * (worker + 1) as f64;
            at = parts((batch / size).ceil() as u64, workers, &cost, at, ready, number.into());
        }
        now = at + batch * costs.of(work, "coordinator") / costs.faster;
    }
    f64::from(batches) * batch / now
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (costs, out, faster) = match words.as_slice() {
        [costs, out] => (costs, out, 1.0),
        [costs, out, faster] => (costs, out, faster.parse().expect("a number")),
        _ => panic!("usage: many_machines MEASURED.csv OUT [FASTER]"),
    };
    let (costs, out) = (Costs::read(Path::new(costs), faster), Path::new(out));
    let counts: Vec<u64> =
        vec![1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 100, 150, 200, 300, 500, 700, 1000];
    type Work<'a> = (&'a str, Box<dyn Fn(u64) -> f64 + 'a>);
    let all: [Work; 3] = [
        ("series, 2-ply", Box::new(|workers| series(&costs, workers))),
        ("training run, batches of 200 games", Box::new(|workers| run(&costs, workers, 200.0))),
        ("training run, batches of 2,000 games", Box::new(|workers| run(&costs, workers, 2000.0))),
    ];
    let mut table = "work,threads,games_per_second,times_one_thread\n".to_owned();
    let mut chart = LineChart::new(
        "Work on many machines, simulated from measured costs",
        Axis::new("threads of workers", "threads"),
        Axis::new("speed over that of one thread", "times"),
    )
    .logarithmic_x()
    .logarithmic_y()
    .command(format!(
        "cargo run --release -p nonet-measure --bin many_machines -- {}",
        words.join(" ")
    ));
    let line = counts.iter().map(|&n| (n as f64, n as f64));
    chart = chart.series(PlotSeries::line("ideal", line));
    for (name, speed) in &all {
        let one = speed(1);
        let points: Vec<(f64, f64)> = counts
            .iter()
            .map(|&workers| {
                let rate = speed(workers);
                let _ = writeln!(table, "\"{name}\",{workers},{rate:.2},{:.2}", rate / one);
                (workers as f64, rate / one)
            })
            .collect();
        chart = chart.series(PlotSeries::line(*name, points));
    }
    draw_measured(&costs, out);
    fs::write(out.join("simulated.csv"), table).expect("written");
    fs::write(out.join("simulated.svg"), chart.render().expect("drawn")).expect("written");
}

/// The speed of a series with 1 to 8 workers on one machine, as far as it was measured.
fn draw_measured(costs: &Costs, out: &Path) {
    let speed = |workers: u32| {
        let rate = costs.found.get(&format!("series 2-ply: {workers} workers"))?;
        Some((f64::from(workers), *rate))
    };
    let points: Vec<(f64, f64)> = (1..=8).filter_map(speed).collect();
    let Some(one) = costs.found.get("series 2-ply: one thread without NATS") else { return };
    if points.is_empty() {
        return;
    }
    let alone = [1.0, 8.0].map(|workers| (workers, *one));
    let chart = LineChart::new(
        "A series at 2-ply by workers on one machine, measured",
        Axis::new("workers of one thread", "workers"),
        Axis::new("games of the champion against PubEval", "games a second"),
    )
    .command("python3 reports/distributed/measure.py target/release/nonet FOLDER reports/distributed/measured.csv")
    .series(PlotSeries::line("one thread without NATS", alone))
    .series(PlotSeries::line("over NATS, the coordinator does no part", points));
    fs::write(out.join("measured.svg"), chart.render().expect("drawn")).expect("written");
}
