//! The speeds of gnubg-nn and of an older program in `reports/speed.md` follow from the figures of
//! the sitting.

use std::collections::BTreeMap;

use crate::reports::{median, read};

const MEASURES: [&str; 3] = ["static", "decision", "decision2"];

#[test]
fn compared_speeds_follow_from_the_rounds() {
    // By program and measure, round by round.
    let mut values: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
    for line in read("speed/comparison.csv").lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [_, program, measure, value] = cells[..] else { panic!("four cells: {line}") };
        let value = value.parse().expect("a number");
        values.entry((program.to_owned(), measure.to_owned())).or_default().push(value);
    }
    let of = |program: &str, measure: &str| &values[&(program.to_owned(), measure.to_owned())][..];
    let report = read("speed.md");
    let expect = |row: String| assert!(report.contains(&format!("\n{row}\n")), "expected {row}");
    for (program, name) in [
        ("champion", "nonet, champion"),
        ("gnubg-nn", "gnubg-nn"),
        ("this program", "nonet, fourth champion"),
        ("older program", "nonet of commit 9d2ec3a2, fourth champion"),
    ] {
        let thousands = |measure| of(program, measure).iter().map(|value| value / 1000.0).collect();
        let cells = MEASURES.map(|measure| median(thousands(measure)));
        expect(format!("| {name} | {} |", cells.join(" | ")));
    }
    for (one, other, name) in [
        ("champion", "gnubg-nn", "nonet over gnubg-nn"),
        ("this program", "older program", "this program over the older one"),
    ] {
        let cells = MEASURES.map(|measure| {
            let pairs = of(one, measure).iter().zip(of(other, measure));
            let ratios: Vec<f64> = pairs.map(|(one, other)| one / other).collect();
            let lowest = ratios.iter().copied().fold(f64::INFINITY, f64::min);
            let highest = ratios.iter().copied().fold(0.0, f64::max);
            format!("{} ({lowest:.2} to {highest:.2})", median(ratios))
        });
        expect(format!("| {name} | {} |", cells.join(" | ")));
    }
}
