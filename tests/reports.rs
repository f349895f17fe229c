//! Tables of reports follow from the raw data beside them.

use std::fs;
use std::path::Path;

use nonet::stats::Estimate;

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

const PLAYERS: usize = 6;

/// A decision in a recorded match: its kind, and what each player loses by each judge, in thousandths of a point.
struct Decision {
    kind: String,
    disputed: bool,
    lost: [[f64; PLAYERS]; 2],
}

fn decisions() -> Vec<Decision> {
    let text = read("matches/decisions.csv");
    let mut lines = text.lines();
    assert_eq!(lines.next().expect("a head").split(',').count(), 2 + 2 * PLAYERS);
    let decision = |line: &str| {
        let mut cells = line.split(',');
        let kind = cells.next().expect("a kind").to_owned();
        let xgid = cells.next().expect("a position");
        assert!(xgid.parse::<nonet::backgammon::GameState>().is_ok(), "{xgid}");
        let losses: Vec<f64> = cells.map(|cell| cell.parse().expect("a loss")).collect();
        let disputed = !losses.is_empty();
        assert!(!disputed || losses.len() == 2 * PLAYERS, "{line}");
        let of = |judge: usize, player: usize| {
            losses.get(judge * PLAYERS + player).map_or(0.0, |loss| 1000.0 * loss)
        };
        let lost = [0, 1].map(|judge| std::array::from_fn(|player| of(judge, player)));
        Decision { kind, disputed, lost }
    };
    lines.map(decision).collect()
}

fn in_words(values: impl Iterator<Item = f64> + Clone, sign: bool) -> String {
    let Estimate { mean, stderr, .. } = Estimate::from_values(values);
    if sign { format!("{mean:+.2} ± {stderr:.2}") } else { format!("{mean:.2} ± {stderr:.2}") }
}

/// The part of the report from this line to the next table's introduction.
fn below<'a>(report: &'a str, line: &str) -> &'a str {
    let (_, rest) =
        report.split_once(&format!("\n{line}\n\n|")).unwrap_or_else(|| panic!("no '{line}'"));
    rest.split_once("\n\n").map_or(rest, |(table, _)| table)
}

#[test]
fn losses_in_recorded_matches_are_those_of_the_decisions() {
    let (all, report) = (decisions(), read("matches.md"));
    type Judged = fn(&Decision, usize) -> f64;
    let judges: [(&str, Judged); 3] = [
        ("Judged by GNU Backgammon:", |decision, player| decision.lost[0][player]),
        ("Judged by nonet:", |decision, player| decision.lost[1][player]),
        ("By the mean of both:", |decision, player| {
            f64::midpoint(decision.lost[0][player], decision.lost[1][player])
        }),
    ];
    let head = " decisions | number | disputed | nonet 1-ply | nonet 2-ply | nonet 3-ply | `gnubg:1` | `gnubg:2` | `gnubg:3` |";
    let differences = below(
        &report,
        "Differences over the same decisions, nonet less GNU Backgammon (negative: nonet loses less):",
    );
    assert!(
        differences
            .starts_with(" decisions | players | by GNU Backgammon | by nonet | by the mean |\n")
    );
    for (label, kinds) in [
        ("plays", &["play"][..]),
        ("doubles", &["double"]),
        ("answers", &["answer"]),
        ("doubles and answers", &["double", "answer"]),
    ] {
        let of_kind = || all.iter().filter(|decision| kinds.contains(&decision.kind.as_str()));
        let disputed = of_kind().filter(|decision| decision.disputed).count();
        let start = format!("| {label} | {} | {disputed} |", of_kind().count());
        for (line, lost) in judges {
            let cells = (0..PLAYERS)
                .map(|player| in_words(of_kind().map(|decision| lost(decision, player)), false));
            let row = format!("\n{start} {} |", cells.collect::<Vec<_>>().join(" | "));
            let table = below(&report, line);
            assert!(table.starts_with(head), "{line} {table}");
            assert!(table.contains(&row), "reports/matches.md lacks, {line}{row}");
        }
        // nonet at 1, 2 and 3 plies against gnubg at as many, and nonet at 2 against gnubg at 3 (its 2-ply).
        for (own, other, pair) in [
            (0, 3, "1-ply, `gnubg:1`"),
            (1, 4, "2-ply, `gnubg:2`"),
            (2, 5, "3-ply, `gnubg:3`"),
            (1, 5, "2-ply, `gnubg:3`"),
        ] {
            let cells = judges
                .map(|(_, lost)| in_words(of_kind().map(|d| lost(d, own) - lost(d, other)), true));
            let row = format!("\n| {label} | {pair} | {} |", cells.join(" | "));
            assert!(differences.contains(&row), "reports/matches.md lacks{row}");
        }
    }
}
