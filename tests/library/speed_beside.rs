//! The speeds beside gnubg-nn and beside an older program in `reports/speed.md` follow from the
//! figures of the sitting.

use std::collections::BTreeMap;

use crate::reports::read;

const MEASURES: [&str; 3] = ["static", "decision", "decision2"];

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[half] } else { f64::midpoint(sorted[half - 1], sorted[half]) }
}

/// A whole number with a comma between thousands.
fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[test]
fn speeds_beside_other_programs_follow_from_the_rounds() {
    // By program and measure, round by round.
    let mut values: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
    for line in read("speed/beside.csv").lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [_, program, measure, value] = cells[..] else { panic!("four cells: {line}") };
        let value = value.parse().expect("a number");
        values.entry((program.to_owned(), measure.to_owned())).or_default().push(value);
    }
    let of = |program: &str, measure: &str| &values[&(program.to_owned(), measure.to_owned())][..];
    let report = read("speed.md");
    let expect = |row: String| assert!(report.contains(&format!("\n{row}\n")), "expected {row}");
    for (program, name) in [
        ("nonet champion", "nonet, champion"),
        ("gnubg-nn", "gnubg-nn"),
        ("after", "nonet, fourth champion"),
        ("before", "nonet of commit 9d2ec3a2, fourth champion"),
    ] {
        let cells = MEASURES.map(|measure| grouped(median(of(program, measure))));
        expect(format!("| {name} | {} |", cells.join(" | ")));
    }
    for (one, other, name) in [
        ("nonet champion", "gnubg-nn", "nonet over gnubg-nn"),
        ("after", "before", "this program over the older one"),
    ] {
        let cells = MEASURES.map(|measure| {
            let pairs = of(one, measure).iter().zip(of(other, measure));
            let ratios: Vec<f64> = pairs.map(|(one, other)| one / other).collect();
            let lowest = ratios.iter().copied().fold(f64::INFINITY, f64::min);
            let highest = ratios.iter().copied().fold(0.0, f64::max);
            format!("{:.2} ({lowest:.2} to {highest:.2})", median(&ratios))
        });
        expect(format!("| {name} | {} |", cells.join(" | ")));
    }
}
