//! The committed calibrations follow from the sums next to them.

use std::fs;
use std::path::Path;

use nonet::calibration::KeptCalibration;
use nonet::report::{calibration_charts, calibration_text};

/// The words of a text, without what makes tables and blocks of Markdown: the page has as tables
/// what the command prints in columns.
fn words(text: &str) -> String {
    let is_mark = |word: &&str| word.chars().all(|c| "|-:`".contains(c)) || *word == "```sh";
    text.split_whitespace().filter(|word| !is_mark(word)).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_committed_tables_and_plots_follow_from_their_sums() {
    let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports");
    let page = words(&fs::read_to_string(reports.join("calibration.md")).expect("the page"));
    let folder = reports.join("calibration");
    for name in ["champion", "champion-by-gnubg", "paper-expert"] {
        let text = fs::read_to_string(folder.join(format!("{name}.json"))).expect(name);
        let kept: KeptCalibration = serde_json::from_str(&text).expect(name);
        let table = calibration_text(&kept);
        assert!(
            page.contains(&words(&table)),
            "calibration.md does not have what `nonet calibrate --read` says of {name}:\n{table}"
        );
        if name == "champion" {
            for (file, chart) in calibration_charts(&kept) {
                let drawn = chart.render().expect("drawn");
                assert!(
                    fs::read_to_string(folder.join(file)).is_ok_and(|svg| svg == drawn),
                    "{file}"
                );
            }
        }
    }
}
