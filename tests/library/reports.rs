//! Tables of reports follow from the raw data next to them.

use std::fs;
use std::path::Path;

use nonet::backgammon::Position;
use nonet::class::Class;
use nonet::stats::Estimate;

/// A file of the reports.
pub(crate) fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

const PLAYERS: usize = 6;

/// A decision in a recorded match: its kind, and what each player loses by each judge, in
/// thousandths of a point.
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

pub(crate) fn in_words(values: impl Iterator<Item = f64> + Clone, sign: bool) -> String {
    let Estimate { mean, stderr, .. } = Estimate::from_values(values);
    if sign { format!("{mean:+.2} ± {stderr:.2}") } else { format!("{mean:.2} ± {stderr:.2}") }
}

/// The part of the report from this line to the next table's introduction.
pub(crate) fn below<'a>(report: &'a str, line: &str) -> &'a str {
    let (_, rest) =
        report.split_once(&format!("\n{line}\n\n|")).unwrap_or_else(|| panic!("no '{line}'"));
    rest.split_once("\n\n").map_or(rest, |(table, _)| table)
}

#[test]
fn the_book_has_the_classes_with_their_rules_and_their_names_on_pages() {
    let words = read("../serve/src/assets/words/en/common.js");
    let rows: String = Class::all()
        .map(|class| {
            let (slug, rule) = (class.slug(), class.spec().meaning);
            let on_pages = words.split_once(&format!("\"class.{slug}\": \"")).expect("a name").1;
            let on_pages = on_pages.split('"').next().expect("its end");
            format!("| `{slug}` | {on_pages} | {rule} |\n")
        })
        .collect();
    let table = format!("| class | on pages | rule |\n|---|---|---|\n{rows}");
    assert!(read("../docs/src/introduction.md").contains(&table), "expected:\n{table}");
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
        // nonet at 1, 2 and 3 plies against gnubg at as many, and nonet at 2 against gnubg at 3
        // (its 2-ply).
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

/// Cube decisions by all players of a file of `reports/cube`.
///
/// It gives the names of the players, and for each position the equities of the judge and of the
/// players. Each of them has two equities: no double, and a double that is taken.
pub(crate) fn cube_decisions(file: &str) -> (Vec<String>, Vec<Vec<[f64; 2]>>) {
    let text = read(file);
    let (head, rows) = text.split_once('\n').expect("a head");
    let name = |column: &str| {
        column.strip_suffix("_no_double").expect("a player's first column").replace('_', " ")
    };
    let names = head.split(',').skip(3).step_by(2).map(name).collect();
    let equities = |row: &str| {
        let values: Vec<f64> =
            row.split(',').skip(1).map(|cell| cell.parse().expect("an equity")).collect();
        values.chunks(2).map(|pair| [pair[0], pair[1]]).collect()
    };
    (names, rows.lines().map(equities).collect())
}

/// What a player's double or none, and its answer, lose by the judge, in thousandths of a point.
pub(crate) fn cube_losses([judge_no, judge_take]: [f64; 2], [no, take]: [f64; 2]) -> [f64; 2] {
    let worth = |doubles| if doubles { judge_take.min(1.0) } else { judge_no };
    let double = worth(judge_take.min(1.0) > judge_no) - worth(take.min(1.0) > no);
    let answered = |takes| if takes { judge_take } else { 1.0 };
    [double, answered(take <= 1.0) - answered(judge_take <= 1.0)].map(|lost| 1000.0 * lost)
}

#[test]
fn losses_of_cube_decisions_follow_from_the_equities() {
    let report = read("cube.md");
    let files = [
        ("cube/money.csv", "For money:"),
        ("cube/match.csv", "At random scores of 7-point matches:"),
    ];
    let mut differences: Vec<Vec<String>> = Vec::new();
    for (file, heading) in files {
        let (names, rows) = cube_decisions(file);
        let table = below(&report, heading);
        let lost: Vec<Vec<[f64; 2]>> = (1..=names.len())
            .map(|player| rows.iter().map(|row| cube_losses(row[0], row[player])).collect())
            .collect();
        for (player, name) in names.iter().enumerate() {
            let lost = &lost[player];
            assert!(lost.iter().flatten().all(|lost| *lost >= 0.0), "{name} gains by an error");
            let bias = |part: usize| {
                let apart = rows.iter().map(|row| row[player + 1][part] - row[0][part]);
                let Estimate { mean, stderr, .. } = Estimate::from_values(apart);
                format!("{mean:+.3} ± {stderr:.3}")
            };
            let row = format!(
                "\n| {name} | {} | {} | {} | {} | {} | {} |",
                in_words(lost.iter().map(|lost| lost[0]), false),
                in_words(lost.iter().map(|lost| lost[1]), false),
                in_words(lost.iter().map(|lost| lost[0] + lost[1]), false),
                lost.iter().flatten().filter(|lost| **lost > 0.0).count(),
                bias(0),
                bias(1),
            );
            assert!(table.contains(&row), "reports/cube.md lacks, {heading}{row}");
        }
        let place = |name: &str| names.iter().position(|other| other == name).expect("a player");
        let apart = |[one, other]: [&str; 2]| {
            let [one, other] = [one, other].map(|name| &lost[place(name)]);
            let pairs = one.iter().zip(other);
            in_words(pairs.map(|(one, other)| one[0] + one[1] - other[0] - other[1]), true)
        };
        differences.push(CUBE_PAIRS.map(apart).to_vec());
    }
    let table = below(
        &report,
        "Differences over the same positions, both kinds of errors, the first less the second:",
    );
    for (place, [one, other]) in CUBE_PAIRS.iter().enumerate() {
        let row =
            format!("\n| {one}, {other} | {} | {} |", differences[0][place], differences[1][place]);
        assert!(table.contains(&row), "reports/cube.md lacks{row}");
    }
}

const CUBE_PAIRS: [[&str; 2]; 7] = [
    ["nonet 1-ply", "gnubg 0-ply"],
    ["nonet 2-ply", "gnubg 1-ply"],
    ["nonet 3-ply", "gnubg 1-ply"],
    ["nonet 3-ply", "gnubg 2-ply"],
    ["nonet 3-ply", "nonet 2-ply"],
    ["nonet 4-ply", "nonet 3-ply"],
    ["nonet roller", "nonet 3-ply"],
];

/// The equities of a rollout: with the cube, and without.
fn rolled(row: &serde_json::Value, plies: &str) -> [f64; 2] {
    ["equity", "cubeless"].map(|name| row[plies][name].as_f64().expect("an equity"))
}

#[test]
fn the_bias_of_truncated_rollouts_follows_from_the_rollouts() {
    let (report, data) = (read("truncation.md"), read("truncation/rollouts.jsonl"));
    let rows: Vec<serde_json::Value> =
        data.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for (plies, key) in [(7, "truncate_7"), (11, "truncate_11")] {
        for (cube, words) in ["with the cube", "without"].into_iter().enumerate() {
            let errors =
                rows.iter().map(|row| rolled(row, key)[cube] - rolled(row, "truncate_0")[cube]);
            let Estimate { mean, stderr, .. } = Estimate::from_values(errors.clone());
            let absolute = errors.clone().map(f64::abs).sum::<f64>() / rows.len() as f64;
            let largest = errors.map(f64::abs).fold(0.0, f64::max);
            let half = 1.96 * stderr;
            let line = format!(
                "| {plies} | {words} | {mean:+.4} ± {half:.4} | {absolute:.4} | {largest:.3} |"
            );
            assert!(report.contains(&line), "expected {line}");
        }
    }
    assert!(report.contains(&format!("{} positions", rows.len())));
    let equity = |row: &serde_json::Value, plies| rolled(row, plies)[0];
    let error =
        |row: &serde_json::Value| (equity(row, "truncate_7") - equity(row, "truncate_0")).abs();
    let worst = rows.iter().max_by(|a, b| error(a).total_cmp(&error(b))).expect("rows");
    let [seven, eleven, full] =
        ["truncate_7", "truncate_11", "truncate_0"].map(|key| format!("{:.3}", equity(worst, key)));
    let id = worst["id"].as_str().expect("an ID");
    for figure in [id, &seven, &eleven, &full] {
        assert!(report.contains(figure), "expected {figure}");
    }
    for class in Class::all().map(Class::slug) {
        let own: Vec<_> = rows.iter().filter(|row| row["class"] == class).collect();
        let [seven, eleven] = ["truncate_7", "truncate_11"].map(|key| {
            let errors = own.iter().map(|row| rolled(row, key)[0] - rolled(row, "truncate_0")[0]);
            errors.map(f64::abs).sum::<f64>() / own.len() as f64
        });
        let line = format!("| {class} | {} | {seven:.4} | {eleven:.4} |", own.len());
        assert!(report.contains(&line), "expected {line}");
    }
}

#[test]
fn errors_at_drawn_positions_follow_from_the_rollouts() {
    let (report, data) = (read("drawn-starts.md"), read("drawn-starts/positions.csv"));
    // Kind and position, then the value, the rollout and its error of each net.
    let rows: Vec<(&str, [f64; 6])> = data
        .lines()
        .skip(1)
        .map(|line| {
            let (kind, rest) = line.split_once(',').expect("a kind");
            let cells = rest.split(',').skip(1).map(|cell| cell.parse().expect("a number"));
            (kind, cells.collect::<Vec<f64>>().try_into().expect("two nets"))
        })
        .collect();
    let half = |of: Estimate| 1.96 * of.stderr;
    let kinds = ["bearoff-contact", "several-caught", "closed-board", "deep-backgame", "all"];
    for kind in kinds {
        let own = || rows.iter().filter(|row| kind == "all" || row.0 == kind).map(|row| row.1);
        let error = |row: [f64; 6], net: usize| (row[3 * net] - (row[1] + row[4]) / 2.0).abs();
        let [one, other] =
            [0, 1].map(|net| Estimate::from_values(own().map(|row| error(row, net))));
        let difference = Estimate::from_values(own().map(|row| error(row, 1) - error(row, 0)));
        let line = format!(
            "| {kind} | {} | {:.4} ± {:.4} | {:.4} ± {:.4} | {:+.4} ± {:.4} |",
            own().count(),
            one.mean,
            half(one),
            other.mean,
            half(other),
            difference.mean,
            half(difference),
        );
        assert!(report.contains(&line), "expected {line}");
    }
    let mean = |of: fn(&[f64; 6]) -> f64| {
        let sum: f64 = rows.iter().map(|row| of(&row.1)).sum();
        format!("{:.4}", sum / rows.len() as f64)
    };
    for figure in [mean(|row| (row[1] - row[4]).abs()), mean(|row| row[2]), mean(|row| row[5])] {
        assert!(report.contains(&figure), "expected {figure}");
    }
}

/// The static values of the players, and the three rollouts.
pub(crate) type BackGame = (Vec<f64>, [f64; 3]);

/// The names of the players, and the back games; all values are those of the player who has moved.
pub(crate) fn back_games() -> (Vec<String>, Vec<BackGame>) {
    let (data, third) = (read("back-games/positions.csv"), read("back-games/open-sage.csv"));
    let mut lines = data.lines();
    let names = |head: &str| head.split(',').map(str::to_owned).collect::<Vec<_>>();
    let [_, _, _, _, _, players @ .., _, _, _] = &names(lines.next().expect("a head"))[..] else {
        panic!("no players")
    };
    let number = |cell: &str| cell.parse::<f64>().expect("a number");
    let mut rows = Vec::new();
    for (line, other) in lines.zip(third.lines().skip(1)) {
        let cells: Vec<&str> = line.split(',').collect();
        let [place, position, dice, play, after, values @ .., nonet, _, gnubg] = &cells[..] else {
            panic!("{line}")
        };
        let position = Position::from_id(position).expect("an ID");
        let read = position.read_play(play, dice.parse().expect("a roll")).expect("a legal play");
        assert_eq!(read.after.id(), *after, "{line}");
        let other: Vec<&str> = other.split(',').collect();
        let [same_place, same_after, open_sage, by_open_sage] = other[..] else { panic!("{line}") };
        assert_eq!([*place, *after], [same_place, same_after]);
        let values = values.iter().copied().chain([open_sage]).map(number).collect();
        rows.push((values, [nonet, gnubg, by_open_sage].map(number)));
    }
    assert_eq!(rows.len(), data.lines().count() - 1);
    (players.iter().cloned().chain(["Open Sage".to_owned()]).collect(), rows)
}

#[test]
fn errors_in_back_games_follow_from_the_rollouts() {
    let report = read("back-games.md");
    let (players, rows) = back_games();
    let truth = |rollouts: &[f64; 3]| rollouts.iter().sum::<f64>() / 3.0;
    let bands =
        [("below -0.6", -9.0, -0.6), ("-0.6 to -0.2", -0.6, -0.2), ("-0.2 to +0.2", -0.2, 0.2)];
    let bands = bands.into_iter().chain([("above +0.2", 0.2, 9.0), ("all", -9.0, 9.0)]);
    let told = |values: Vec<f64>| {
        let Estimate { mean, stderr, .. } = Estimate::from_values(values.into_iter());
        (mean, 1.96 * stderr)
    };
    let expect = |line: String| assert!(report.contains(&line), "expected {line}");
    expect(format!("| rollouts say | positions | {} |", players.join(" | ")));
    for (name, from, to) in bands {
        let own: Vec<_> = rows.iter().filter(|row| (from..to).contains(&truth(&row.1))).collect();
        let of = |error: fn(f64) -> f64, sign: bool| {
            let cells = (0..players.len()).map(|player| {
                let errors = own.iter().map(|row| error(row.0[player] - truth(&row.1)));
                let (mean, half) = told(errors.collect());
                if sign {
                    format!("{mean:+.3} ± {half:.3}")
                } else {
                    format!("{mean:.3} ± {half:.3}")
                }
            });
            format!("| {name} | {} | {} |", own.len(), cells.collect::<Vec<_>>().join(" | "))
        };
        expect(of(|error| error, true));
        expect(of(f64::abs, false));
    }
    for (name, judge) in [("nonet", 0), ("gnubg", 1), ("Open Sage", 2)] {
        let others = |all: &[f64; 3]| (all.iter().sum::<f64>() - all[judge]) / 2.0;
        let (mean, half) = told(rows.iter().map(|row| row.1[judge] - others(&row.1)).collect());
        expect(format!("| {name} | {mean:+.3} ± {half:.3} |"));
    }
}

/// The middle of some parts.
pub(crate) fn median(mut parts: Vec<f64>) -> String {
    parts.sort_by(f64::total_cmp);
    match parts.len() {
        0 => "–".to_owned(),
        n => format!("{:.2}", (parts[(n - 1) / 2] + parts[n / 2]) / 2.0),
    }
}

#[test]
fn what_explanations_name_follows_from_the_decisions() {
    let (report, data) = (read("why.md"), read("why/explanations.jsonl"));
    let rows: Vec<serde_json::Value> =
        data.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let names = |row: &serde_json::Value, key: &str| {
        row[key].as_array().is_some_and(|names| !names.is_empty())
    };
    for class in Class::all().map(Class::slug).chain(["all"]) {
        let own = || rows.iter().filter(|row| class == "all" || row["class"] == class);
        let named = own().filter(|row| names(row, "named")).count();
        let rolls: Vec<f64> = own()
            .filter(|row| names(row, "named"))
            .filter_map(|row| row["part_deeper"].as_f64())
            .collect();
        let themes: Vec<f64> = own()
            .filter(|row| names(row, "decisive"))
            .filter_map(|row| row["decisive_part"].as_f64())
            .collect();
        let line = format!(
            "| {class} | {} | {named} | {} of {} | {} | {} | {} |",
            own().count(),
            rolls.iter().filter(|part| **part >= 0.6).count(),
            rolls.len(),
            median(rolls.clone()),
            themes.len(),
            median(themes.clone()),
        );
        assert!(themes.iter().all(|part| *part >= 0.5), "{class}");
        assert!(report.contains(&line), "expected {line}");
    }
}

#[test]
fn sizes_and_times_of_release_files_follow_from_what_was_measured() {
    let (report, data) = (read("release.md"), read("release/measured.csv"));
    /// The column of a cell, and its figures.
    type Cell<'a> = (&'a str, Vec<f64>);
    // The rows of all tables, in the file's order.
    let mut rows: Vec<(&str, Vec<Cell>)> = Vec::new();
    for line in data.lines().skip(1) {
        let [_, row, column, value] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("expected four cells: {line}");
        };
        let value: f64 = value.parse().expect("a number");
        if rows.last().is_none_or(|last| last.0 != row) {
            rows.push((row, Vec::new()));
        }
        let cells = &mut rows.last_mut().expect("a row").1;
        match cells.iter_mut().find(|cell| cell.0 == column) {
            Some((_, values)) => values.push(value),
            None => cells.push((column, vec![value])),
        }
    }
    for (row, cells) in rows {
        let cells: Vec<String> = cells.into_iter().map(|(_, values)| median(values)).collect();
        let line = format!("| {row} | {} |", cells.join(" | "));
        assert!(report.contains(&line), "expected {line}");
    }
}

#[test]
fn the_gains_of_attempts_are_those_of_the_ledger() {
    let ledger = read("../nets/LEDGER.md");
    let table = below(
        &ledger,
        "the luck of the rolls, ± one standard error; each has a row in the [ledger](#ledger):",
    );
    for row in read("champion/tried.csv").lines().skip(1) {
        let cells: Vec<&str> = row.rsplitn(4, ',').collect();
        let number = |cell: usize| cells[cell].parse::<f64>().expect("a number");
        let gain = format!("{:+.4} ± {:.4}", number(1), number(0));
        let line = table.lines().find(|line| line.contains(&gain));
        assert!(line.is_some_and(|line| line.contains(cells[2])), "the ledger lacks {row}");
    }
}
