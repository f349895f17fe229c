//! Levels that play like people: the report's tables against the data next to it, and the chances
//! against the program that fitted them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use nonet::Engine;
use nonet::answer::WhyAnswer;
use nonet::backgammon::GameState;
use nonet::search::Plies;
use nonet::strength::{ComparedPlay, HumanChoice};

/// The rows of a table, cell by cell, without its head.
fn table(file: &str) -> Vec<Vec<String>> {
    let text = read(file);
    let cells = |line: &str| line.split(',').map(str::to_owned).collect();
    text.lines().skip(1).map(cells).collect()
}

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn number(cell: &str) -> f64 {
    cell.parse().unwrap_or_else(|_| panic!("not a number: {cell}"))
}

/// The mean of values by match, and its error over matches: that of a ratio of sums.
fn by_match(values: &[(u32, f64)]) -> (f64, f64) {
    let mean = values.iter().map(|(_, value)| value).sum::<f64>() / values.len() as f64;
    let mut sums = BTreeMap::<u32, f64>::new();
    for (game, value) in values {
        *sums.entry(*game).or_default() += value - mean;
    }
    let n = sums.len() as f64;
    let squares: f64 = sums.values().map(|sum| sum * sum).sum();
    (mean, (squares * n / (n - 1.0)).sqrt() / values.len() as f64)
}

fn check_row(report: &str, row: &str) {
    assert!(report.lines().any(|line| line == row), "the report lacks this row:\n{row}");
}

const MODELS: [&str; 6] = [
    "best play",
    "noise of the levels",
    "noise, fitted",
    "softmax of the loss",
    "loss, curved",
    "people",
];

#[test]
fn plays_of_people_are_legal_and_the_declared_matches_are_held_out() {
    let plays = table("human-levels/plays.csv");
    for row in &plays {
        let [.., id, play] = &row[..] else { panic!("{row:?}") };
        let state: GameState = id.parse().unwrap_or_else(|error| panic!("{id}: {error}"));
        let dice = state.dice().expect("a roll");
        assert!(state.position.read_play(play, dice).is_ok(), "{id} {play}");
    }
    let of = |held: &dyn Fn(u32) -> bool| {
        plays.iter().filter(|row| held(row[0].parse().expect("a match"))).count()
    };
    let held_out = table("human-levels/held_out.csv").len();
    assert_eq!(of(&|number| number.is_multiple_of(3)), held_out);
    let report = read("human-levels.md");
    assert!(report.contains(&format!("{} plays of people", plays.len())));
    assert!(report.contains(&format!("{held_out} held-out plays")));
}

#[test]
fn the_table_of_held_out_matches_follows_from_the_plays() {
    let (rows, report) = (table("human-levels/held_out.csv"), read("human-levels.md"));
    let values = |of: &dyn Fn(&[String]) -> f64| -> Vec<(u32, f64)> {
        rows.iter().map(|row| (row[0].parse().expect("a match"), of(row))).collect()
    };
    let people = 2 + 3 * (MODELS.len() - 1);
    for (index, model) in MODELS.iter().enumerate() {
        let at = 2 + 3 * index;
        let (likelihood, error) = by_match(&values(&|row| number(&row[at])));
        let (gain, gain_error) = by_match(&values(&|row| number(&row[people]) - number(&row[at])));
        let (first, _) = by_match(&values(&|row| number(&row[at + 1])));
        let (loss, _) = by_match(&values(&|row| number(&row[at + 2])));
        let gain = match *model {
            "people" => String::new(),
            _ => format!("{gain:+.3} ± {gain_error:.3}"),
        };
        check_row(
            &report,
            &format!(
                "| {model} | {likelihood:.3} ± {error:.3} | {gain} | {:.1} % | {:.1} |",
                100.0 * first,
                500.0 * loss
            ),
        );
    }
    let (lost, _) = by_match(&values(&|row| number(&row[1])));
    assert!(report.contains(&format!("PR of their plays was {:.1}", 500.0 * lost)));
}

#[test]
fn the_table_of_missed_plays_follows_from_the_plays() {
    let (rows, report) = (table("human-levels/held_out.csv"), read("human-levels.md"));
    let last = rows[0].len();
    for (column, least) in [(last - 2, 0.02), (last - 1, 0.08)] {
        for (low, high) in [(0.0, 0.05), (0.05, 0.15), (0.15, 0.3), (0.3, 0.5), (0.5, 1.01)] {
            let of: Vec<_> =
                rows.iter().filter(|row| (low..high).contains(&number(&row[column]))).collect();
            let n = of.len() as f64;
            let said = of.iter().map(|row| number(&row[column])).sum::<f64>() / n;
            let happened = of.iter().filter(|row| number(&row[1]) >= least).count() as f64 / n;
            let error = (happened * (1.0 - happened) / n).sqrt();
            check_row(
                &report,
                &format!(
                    "| {least} | {low:.2} to {:.2} | {n} | {:.1} % | {:.1} ± {:.1} % |",
                    f64::min(high, 1.0),
                    100.0 * said,
                    100.0 * happened,
                    100.0 * error
                ),
            );
        }
    }
}

#[test]
fn the_table_by_match_follows_from_the_fits_that_left_it_out() {
    let report = read("human-levels.md");
    let mut gains = Vec::new();
    for row in table("human-levels/leave_one_out.csv") {
        let [game, plays, pr, people, noise] = &row[..] else { panic!("{row:?}") };
        let gain = number(people) - number(noise);
        let count: usize = plays.parse().expect("a count");
        gains.extend(vec![(game.parse().expect("a match"), gain); count]);
        check_row(
            &report,
            &format!(
                "| {game} | {plays} | {pr} | {:.3} | {:.3} | {gain:+.3} |",
                number(people),
                number(noise)
            ),
        );
    }
    let (mean, error) = by_match(&gains);
    assert!(report.contains(&format!("{mean:+.3} ± {error:.3} a play over all matches")));
}

#[test]
fn the_table_of_strengths_is_that_of_its_rollouts() {
    let (text, report) = (read("human-levels/strengths.json"), read("human-levels.md"));
    let table: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let rows = table["rows"].as_array().expect("rows");
    for (level, row) in table["levels"].as_array().expect("levels").iter().zip(rows) {
        let cells = row.as_array().expect("cells").iter().map(|cell| {
            let number = |name| cell["equities"][0][name].as_f64().expect("a number");
            format!("{:+.2} ± {:.2}", number("equity"), 1.96 * number("stderr"))
        });
        let cells: Vec<String> = cells.collect();
        let line =
            format!("| {} | {} |", level["name"].as_str().expect("a name"), cells.join(" | "));
        assert!(report.contains(&line), "{line}");
    }
    assert!(rows.len() == 4 && table["games"] == 432);
}

#[test]
fn chances_are_those_of_the_program_that_fitted_the_weights() {
    // The plays lose 0.01 more each, in the order of the IDs of the boards after them.
    let expected = [
        (
            "XGID=----aaEBB---cDb--c-cB---b-:0:0:1:53:6:3:0:11:10",
            [("13/5*", 0.7984), ("13/8 13/10", 0.06696), ("6/1 6/3", 0.0417)],
        ),
        (
            "XGID=---ACbCCBC-----a-a-bcbbb--:1:-1:1:65:0:0:0:5:10",
            [("7/1 6/1", 0.58101), ("9/3 6/1", 0.11643), ("9/3 7/2", 0.09603)],
        ),
        (
            "XGID=-ABAbBB-B---bCB----bbdab--:1:1:1:21:12:7:0:13:10",
            [("3/1 2/1", 0.32557), ("13/11 3/2", 0.14977), ("14/13 3/1", 0.09163)],
        ),
        (
            "XGID=-CBCABAA-b---B-a--acbbca--:0:0:1:52:16:16:0:17:10",
            [("6/1 3/1", 0.20491), ("6/1 4/2", 0.18744), ("7/2 6/4", 0.17204)],
        ),
    ];
    let engine = Engine::champion().with_plies(Plies::ONE);
    for (id, chosen) in expected {
        let state: GameState = id.parse().expect("an ID");
        let mut plays = engine.moves(&state).expect("plays");
        plays.sort_by_key(|play| play.after().id());
        for (index, play) in plays.iter_mut().enumerate() {
            play.equity = -0.01 * index as f32;
        }
        let dice = state.dice().expect("a roll");
        let compared: Vec<ComparedPlay> = plays.iter().map(ComparedPlay::from).collect();
        let chances = HumanChoice::of_pr(8.0).chances(&state.position, dice, &compared);
        for (name, chance) in chosen {
            let at = plays.iter().position(|play| play.play().to_string() == name);
            let found = chances[at.expect("a legal play")];
            assert!((found - chance).abs() < 2e-5, "{id} {name}: {found}, not {chance}");
        }
    }
}

#[test]
fn explanations_say_that_stronger_people_make_the_better_play_more_often() {
    let engine = Engine::champion().with_plies(Plies::ONE);
    let state: GameState =
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".parse().expect("an ID");
    let people = WhyAnswer::of(&engine, &state, None).expect("two plays").people;
    assert_eq!(people.len(), 4);
    assert!(people.windows(2).all(|two| two[0].pr < two[1].pr));
    assert!(people.windows(2).all(|two| two[0].better > two[1].better));
    assert!(people.iter().all(|each| each.worse > 0.0 && each.better + each.worse < 1.0));
}
