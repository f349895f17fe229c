//! The tables of `reports/distributed.md` follow from the measurements next to it.

use std::collections::BTreeMap;

use crate::reports::read;

/// The works of the report, by their names in the file of measurements.
const WORKS: [[&str; 2]; 5] = [
    ["series 2-ply", "series, champion at 2-ply"],
    ["series 1-ply small net", "series, `small.nonet` at 1-ply"],
    ["rollout", "rollout of three plays"],
    ["stage selfplay", "stage selfplay, batches of 32: not sent"],
    ["stage lookahead", "stage lookahead, batches of 200"],
];
/// The works with costs of one game.
const COSTS: [[&str; 2]; 4] =
    [WORKS[0], WORKS[1], WORKS[2], ["training run", "training run, stage lookahead"]];

/// The measured values by name, and the words that tell how.
fn measured() -> BTreeMap<String, Vec<(f64, String)>> {
    let mut found: BTreeMap<String, Vec<(f64, String)>> = BTreeMap::new();
    for line in read("distributed/measured.csv").lines().skip(1) {
        // A name or the last cell can hold commas; it then has quotation marks.
        let (name, rest) = match line.strip_prefix('"') {
            Some(rest) => rest.split_once("\",").expect("an end"),
            None => line.split_once(',').expect("a cell"),
        };
        let mut cells = rest.splitn(3, ',');
        let value = cells.next().and_then(|cell| cell.parse().ok()).expect("a number");
        let how = cells.nth(1).expect("how").trim_matches('"').to_owned();
        found.entry(name.to_owned()).or_default().push((value, how));
    }
    found
}

#[test]
fn costs_of_work_on_many_machines_follow_from_the_measurements() {
    let (report, measured) = (read("distributed.md"), measured());
    let of = |name: &str| &measured.get(name).unwrap_or_else(|| panic!("no '{name}'"))[..];
    let value = |name: &str| of(name)[0].0;
    let mut rows = Vec::new();
    for [name, work] in WORKS {
        let pairs = of(&format!("{name}, overhead: overhead"));
        let games = pairs[0].1.split(' ').next().expect("a number of games");
        let median = value(&format!("{name}, overhead: median"));
        let mut sorted: Vec<f64> = pairs.iter().map(|pair| pair.0).collect();
        sorted.sort_by(f64::total_cmp);
        assert_eq!(median, sorted[sorted.len() / 2], "{name}");
        let each: Vec<String> = pairs.iter().map(|pair| format!("{:+.1} %", pair.0)).collect();
        let clock = value(&format!("{name}, overhead: median by the clock"));
        rows.push(format!(
            "| {work} | {games} | {} | {median:+.1} % | {clock:.2} |",
            each.join(", ")
        ));
    }
    for [name, work] in COSTS {
        let cells: Vec<String> = ["threads", "worker", "coordinator", "server"]
            .iter()
            .map(|part| format!("{:.3} ms", 1000.0 * value(&format!("{name}: {part}"))))
            .collect();
        let parts = value(&format!("{name}: parts"));
        rows.push(format!("| {work} | {} | {parts:.4} |", cells.join(" | ")));
    }
    let series = "series 2-ply";
    rows.push(format!("| none | {:.1} |", value(&format!("{series}: one thread without NATS"))));
    for workers in [1, 2, 3, 4, 6, 8] {
        rows.push(format!("| {workers} | {:.1} |", value(&format!("{series}: {workers} workers"))));
    }
    for (delay, rate) in [(0, 1000), (5, 1000), (20, 100), (20, 10), (100, 100)] {
        let speed = value(&format!("{series}: one worker, {delay} ms, {rate} Mbit/s"));
        rows.push(format!("| {delay} ms | {rate} Mbit | {speed:.1} |"));
    }
    for row in rows {
        assert!(report.contains(&format!("\n{row}\n")), "expected {row}");
    }
}
