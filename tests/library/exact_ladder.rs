//! `reports/exact.md` against the runs of the ladder.

#[path = "../../reports/tools/src/exact_ladder.rs"]
#[allow(unreachable_pub, reason = "public in the crate of the measuring programs")]
mod ladder;

use std::fs;
use std::path::Path;

#[test]
fn tables_and_pictures_of_the_exact_ladder_are_those_of_its_runs() {
    let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports");
    let read = |file: &str| fs::read_to_string(reports.join(file)).expect("readable");
    let ladder = ladder::Ladder::read(&read("exact/runs.csv")).expect("runs");
    let report = read("exact.md");
    let cube = ladder::CubeLadder::read(&read("exact/cube.csv")).expect("runs").table();
    for table in ladder.tables().into_iter().chain([cube]) {
        assert!(report.contains(&table), "reports/exact.md lacks\n{table}");
    }
    for (file, svg) in ladder.pictures().expect("pictures") {
        assert!(read(&format!("exact/{file}")) == svg, "reports/exact/{file} is another");
        assert!(report.contains(&format!("(exact/{file})")), "reports/exact.md shows no {file}");
    }
}
