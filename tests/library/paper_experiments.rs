//! Tables about Wiering's experiments that no report of one experiment has.
//!
//! They are the effects of the factorial `papers/wiering-shape`, a lead in
//! `papers/wiering-extended`, and the experts of `reports/experts.md`. A test asks whether today's
//! program still learns as the oldest rows did.

use std::collections::BTreeMap;

use nonet::papers::{Experiment, ExperimentSettings};
use nonet::progress::Progress;
use nonet::stats::Estimate;
use nonet::train::{OpenedRun, TrainSpec, Trainer};
use serde_json::Value;

use crate::reports::read;

/// The simulations of a file of results.
fn runs(file: &str) -> Vec<Value> {
    read(file).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A number of games, and the share of points in the test after it.
type Point = (u64, f64);

/// The tests of a simulation.
fn curve(run: &Value) -> Vec<Point> {
    let tests = run["tests"].as_array().expect("tests").iter();
    let point = |test: &Value| (test[0].as_u64(), test[1]["points"].as_f64());
    tests
        .map(point)
        .map(|(games, share)| (games.expect("games"), share.expect("a share")))
        .collect()
}

fn share(curve: &[Point], games: u64) -> f64 {
    curve.iter().find(|(at, _)| *at == games).expect("this test").1
}

/// The mean of the tests after this number of games and of its neighbours.
fn level(curve: &[Point], games: u64) -> f64 {
    let place = curve.iter().position(|(at, _)| *at == games).expect("this test");
    let near = &curve[place.saturating_sub(1)..(place + 2).min(curve.len())];
    near.iter().map(|(_, share)| share).sum::<f64>() / near.len() as f64
}

/// The settings of the factorial in the order of its rows.
fn settings() -> Vec<[&'static str; 3]> {
    let mut all = Vec::new();
    for alpha in ["alpha 0.01", "alpha 0.03"] {
        for weights in ["weights 0.1", "weights 0.2", "weights 0.3"] {
            all.extend(["beta 1", "beta 3"].map(|beta| [alpha, weights, beta]));
        }
    }
    all
}

#[test]
fn the_effects_of_the_factorial_follow_from_its_simulations() {
    let discussion = read("../papers/wiering-shape/discussion.md");
    let definition = read("../papers/wiering-shape/definition.toml");
    let settings = settings();
    for setting in &settings {
        assert!(definition.contains(&format!("name = \"{}\"", setting.join(", "))));
    }
    let runs: Vec<(usize, Vec<Point>)> = runs("../papers/wiering-shape/runs.jsonl")
        .iter()
        .map(|run| (run["variant"].as_u64().expect("a row") as usize, curve(run)))
        .collect();
    assert_eq!(runs.len(), 2 * settings.len());
    let gain = |curve: &[Point]| level(curve, 175_000) - level(curve, 10_000);
    // Between the two simulations of a setting.
    let squares: f64 = (0..settings.len())
        .map(|place| {
            let of: Vec<f64> =
                runs.iter().filter(|run| run.0 == place).map(|run| gain(&run.1)).collect();
            (of[0] - of[1]).powi(2) / 2.0
        })
        .sum();
    let deviation = (squares / settings.len() as f64).sqrt();
    let mut missing = String::new();
    for factor in [
        "alpha 0.01",
        "alpha 0.03",
        "weights 0.1",
        "weights 0.2",
        "weights 0.3",
        "beta 1",
        "beta 3",
    ] {
        let mine: Vec<&Vec<Point>> =
            runs.iter().filter(|run| settings[run.0].contains(&factor)).map(|run| &run.1).collect();
        let mean = |of: &dyn Fn(&[Point]) -> f64| {
            mine.iter().map(|curve| of(curve)).sum::<f64>() / mine.len() as f64
        };
        let stderr = deviation / (mine.len() as f64).sqrt();
        let shares: Vec<String> = [100, 500, 1000, 5000]
            .iter()
            .map(|games| format!("{:.3}", mean(&|curve| share(curve, *games))))
            .collect();
        // 12 degrees of freedom.
        let half = Estimate { mean: 0.0, stderr, n: settings.len() as u64 + 1 }.student_half95();
        let row =
            format!("| {factor} | {} | {:+.3} ± {half:.3} |\n", shares.join(" | "), mean(&gain));
        if !discussion.contains(&row) {
            missing.push_str(&row);
        }
    }
    assert!(missing.is_empty(), "the discussion lacks:\n{missing}");
}

#[test]
fn the_lead_of_extended_backpropagation_follows_from_its_simulations() {
    let discussion = read("../papers/wiering-extended/discussion.md");
    let runs = runs("../papers/wiering-extended/runs.jsonl");
    let mut missing = String::new();
    for games in [500, 1000, 2000, 5000, 10_000, 15_000] {
        let of = |row: u64| {
            let mine = runs.iter().filter(|run| run["variant"] == row);
            Estimate::from_values(mine.map(|run| share(&curve(run), games)))
        };
        let (extended, plain) = (of(0), of(1));
        assert_eq!((extended.n, plain.n), (64, 64));
        let (lead, half) = extended.difference95(&plain);
        let row = format!("| {games} | {lead:+.3} ± {half:.3} |\n");
        if !discussion.contains(&row) {
            missing.push_str(&row);
        }
    }
    assert!(missing.is_empty(), "the discussion lacks:\n{missing}");
}

#[test]
fn the_leads_of_a_grid_of_rates_and_lambdas_are_those_of_its_verdict() {
    let [report, discussion] =
        ["report.md", "discussion.md"].map(|file| read(&format!("../papers/wiering-grid/{file}")));
    let lead = |rate: &str, lambda: &str| match (rate, lambda) {
        ("0.01", "0.6") => "the setting itself".to_owned(),
        _ => {
            let other = format!(" compared with \"alpha {rate}, lambda {lambda}\" (above in");
            let (before, _) = report.split_once(&other).expect("a comparison by points");
            before.rsplit(['|', ',', ':']).next().expect("its lead").trim().to_owned()
        }
    };
    for rate in ["0.003", "0.01", "0.03"] {
        let cells = ["0.3", "0.6", "0.9"].map(|lambda| lead(rate, lambda));
        let row = format!("| {rate} | {} |\n", cells.join(" | "));
        assert!(discussion.contains(&row), "the discussion lacks:\n{row}");
    }
}

#[test]
fn how_often_a_second_ply_changes_the_play_follows_from_the_choices() {
    let discussion = read("../papers/baxter-lookahead/discussion.md");
    let choices = read("second-ply/choices.csv");
    let mut lines = choices.lines();
    let names: Vec<&str> = lines.next().expect("a head").split(',').skip(1).collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').skip(1).collect()).collect();
    assert_eq!(rows.len(), 3000);
    let share = |net: usize| {
        let differ = rows.iter().filter(|row| row[net] == "1").count();
        100.0 * differ as f64 / rows.len() as f64
    };
    let shares = names.iter().enumerate().map(|(net, name)| (*name, share(net)));
    let (raw, others): (Vec<_>, Vec<_>) = shares.partition(|(name, _)| name.starts_with("raw-"));
    for (name, share) in others {
        let name = name.trim_end_matches(".nonet");
        let row = format!("\n| `{name}` | {share:.1} % |\n");
        assert!(discussion.contains(&row), "the discussion lacks{row}");
    }
    let least = raw.iter().map(|(_, share)| *share).fold(f64::INFINITY, f64::min);
    let most = raw.iter().map(|(_, share)| *share).fold(0.0, f64::max);
    let row = format!("| nine nets of raw inputs, five seeds | {least:.1} to {most:.1} % |");
    assert_eq!(raw.len(), 5);
    assert!(discussion.contains(&row), "the discussion lacks {row}");
}

/// The seeds of the experts in the report; the last one has a name of its own.
const EXPERTS: [&str; 6] = ["11", "12", "13", "14", "15", "paper"];

/// The authors' simulations behind a figure after this number of games: those of Table 3, or of
/// Table 2.
fn authors_simulations(games: u64) -> u32 {
    if games <= 10_000 { 5 } else { 2 }
}

/// The simulations against each expert.
struct Shares(Vec<Vec<Value>>);

impl Shares {
    fn read() -> Shares {
        Shares(EXPERTS.map(|expert| runs(&format!("experts/{expert}.jsonl"))).into())
    }

    /// What the two simulations of a row give against an expert.
    fn of(&self, expert: usize, row: usize, what: impl Fn(&[Point]) -> f64) -> Vec<f64> {
        let mine = self.0[expert].iter().filter(|run| run["variant"] == row);
        mine.map(|run| what(&curve(run))).collect()
    }

    /// The mean against each expert, and the standard deviation between simulations against one.
    fn means(&self, of: impl Fn(usize) -> Vec<f64>) -> (Vec<f64>, f64) {
        let runs: Vec<Vec<f64>> = (0..EXPERTS.len()).map(of).collect();
        let mean = |values: &Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        let means: Vec<f64> = runs.iter().map(mean).collect();
        let squares: f64 = runs
            .iter()
            .zip(&means)
            .map(|(values, mean)| values.iter().map(|value| (value - mean).powi(2)).sum::<f64>())
            .sum();
        let degrees: usize = runs.iter().map(|values| values.len() - 1).sum();
        (means, (squares / degrees as f64).sqrt())
    }
}

/// A figure over all experts.
struct Effect {
    mean: f64,
    /// The standard deviation between experts.
    between: f64,
    /// The standard deviation between simulations against one expert.
    within: f64,
    /// Half of the 95 % interval of the mean.
    half: f64,
    /// Half of the 95 % interval for the figure of a new expert.
    predicted: f64,
}

impl Effect {
    /// `simulations` are those behind the figure of a new expert.
    fn of((means, within): (Vec<f64>, f64), simulations: u32) -> Effect {
        let estimate = Estimate::from_values(means.iter().copied());
        let n = means.len() as f64;
        let spread = estimate.stderr.powi(2) * n;
        // Two simulations against each expert.
        let between = (spread - within.powi(2) / 2.0).max(0.0);
        let new = between + within.powi(2) / f64::from(simulations) + spread / n;
        Effect {
            mean: estimate.mean,
            between: between.sqrt(),
            within,
            half: estimate.student_half95(),
            predicted: Estimate { stderr: new.sqrt(), ..estimate }.student_half95(),
        }
    }
}

/// The mean of the last five tests.
fn late(curve: &[Point]) -> f64 {
    let last = &curve[curve.len() - 5..];
    assert_eq!((last[0].0, last[4].0), (80_000, 100_000));
    last.iter().map(|(_, share)| share).sum::<f64>() / 5.0
}

fn in_cells(values: &[f64]) -> String {
    let cells: Vec<String> = values.iter().map(|value| format!("{value:+.3}")).collect();
    cells.join(" | ")
}

#[test]
fn the_tables_of_experts_follow_from_their_simulations() {
    let (shares, report) = (Shares::read(), read("experts.md"));
    let rows = Experiment::read(&read("experts/definition.toml")).expect("a definition").variants;
    for expert in 0..EXPERTS.len() {
        for row in 0..rows.len() {
            assert_eq!(shares.of(expert, row, late).len(), 2, "two simulations of each row");
        }
    }
    let mut expected = Vec::new();
    let (mut outside, mut printed) = (0, 0);
    for (row, variant) in rows.iter().enumerate() {
        let name = &variant.name;
        for &(games, paper) in &variant.paper {
            // The authors' late figures are means of neighbouring tests.
            let at = if games > 10_000 { level } else { share };
            let means = shares.means(|expert| shares.of(expert, row, |curve| at(curve, games)));
            let Effect { mean, between, within, half, predicted } =
                Effect::of(means, authors_simulations(games));
            let far = (mean - paper).abs() > predicted;
            (outside, printed) = (outside + u32::from(far), printed + 1);
            let far = if far { "outside" } else { "within" };
            expected.push(format!(
                "| {name} | {games} | {mean:.3} ± {half:.3} | {between:.3} | {within:.3} | {paper} | ± {predicted:.3} | {far} |"
            ));
        }
        let Effect { mean, between, within, half, .. } =
            Effect::of(shares.means(|expert| shares.of(expert, row, late)), 2);
        expected.push(format!(
            "| {name} | 80000 to 100000 | {mean:.3} ± {half:.3} | {between:.3} | {within:.3} | | | |"
        ));
    }
    expected.push(format!("{outside} of {printed} figures"));
    for (row, variant) in rows.iter().enumerate() {
        let gain = |curve: &[Point]| level(curve, 100_000) - level(curve, 10_000);
        let gains = shares.means(|expert| shares.of(expert, row, gain));
        let printed_after = |games| {
            let figure = variant.paper.iter().find(|(at, _)| *at == games);
            figure.expect("a printed figure").1
        };
        let paper = printed_after(100_000) - printed_after(10_000);
        let (each, name) = (in_cells(&gains.0), &variant.name);
        let Effect { mean, half, .. } = Effect::of(gains, 2);
        expected.push(format!("| {name} | {each} | {mean:+.3} ± {half:.3} | {paper:+.3} |"));
    }
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let leads = shares.means(|expert| {
            let [a, b] = [a, b].map(|row| shares.of(expert, row, late));
            a.iter().zip(b).map(|(a, b)| a - b).collect()
        });
        let each = in_cells(&leads.0);
        let Effect { mean, half, between, .. } = Effect::of(leads, 2);
        let [a, b] = [a, b].map(|row| &rows[row].name);
        expected.push(format!("| {a} less {b} | {each} | {mean:+.3} ± {half:.3} | {between:.3} |"));
    }
    for line in read("experts/strength.csv").lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let counts: Vec<u32> =
            cells[1..].iter().map(|count| count.parse().expect("a count")).collect();
        let points = [1.0, 2.0, 3.0, -1.0, -2.0, -3.0];
        let games = counts.iter().zip(points).flat_map(|(count, points)| {
            std::iter::repeat_n(points, usize::try_from(*count).expect("few games"))
        });
        let result = Estimate::from_values(games);
        assert_eq!(result.n, 20_000, "{line}");
        expected.push(format!("| {} | {:+.3} ± {:.3} |", cells[0], result.mean, result.half95()));
    }
    let missing: Vec<&String> = expected.iter().filter(|row| !report.contains(*row)).collect();
    let rows: String = missing.iter().map(|row| format!("{row}\n")).collect();
    assert!(missing.is_empty(), "the report lacks:\n{rows}");
}

#[test]
fn todays_program_makes_the_first_result_of_the_oldest_rows_again() {
    let (experiment, _) = Experiment::open("wiering-minimax").expect("a known experiment");
    let expert = concat!(env!("CARGO_MANIFEST_DIR"), "/nets/paper-expert.nonet");
    let settings = ExperimentSettings {
        scale: 1.0,
        seed: 1,
        expert: expert.parse().expect("a net"),
        program: String::new(),
    };
    let plan = experiment.plan(&experiment.variants[0], 0, &settings, "").expect("a plan");
    let games = 100;
    let whole = plan.spec().clone();
    let begun = TrainSpec { games, eval_every: games, eval_at: Vec::new(), ..whole };
    let plan = begun.plan().expect("a plan");
    let OpenedRun { participants, mut source, .. } = plan.open().expect("opened");
    let mut trainer = Trainer::new(plan, participants);
    trainer.run(source.as_mut(), &mut (), &Progress::default()).expect("played");
    let test = trainer.progress().history.last().expect("a test");
    let kept = &runs("../papers/wiering-minimax/runs.jsonl")[0];
    assert_eq!((kept["variant"].as_u64(), kept["repeat"].as_u64()), (Some(0), Some(0)));
    assert_eq!((test.games, test.last.points), curve(kept)[0]);
}

/// The correlation of the late levels of two rows, over their simulations of the same number.
fn correlation(one: &BTreeMap<u64, f64>, other: &BTreeMap<u64, f64>) -> f64 {
    let pairs: Vec<(f64, f64)> =
        one.iter().filter_map(|(repeat, x)| Some((*x, *other.get(repeat)?))).collect();
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum =
        |of: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|p| of(p.0 - x, p.1 - y)).sum::<f64>();
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}

#[test]
fn simulations_of_one_seed_correlate_by_as_much_as_the_rule_says() {
    let means: Vec<f64> =
        ["table2", "table3", "table4", "figure3", "calibration", "variants", "minimax", "extended"]
            .iter()
            .map(|name| {
                let mut rows: BTreeMap<u64, BTreeMap<u64, f64>> = BTreeMap::new();
                for run in runs(&format!("../papers/wiering-{name}/runs.jsonl")) {
                    let curve = curve(&run);
                    let last = curve.last().expect("tests").0 as f64;
                    let late: Vec<f64> = curve
                        .iter()
                        .filter(|(games, _)| *games as f64 >= 0.75 * last)
                        .map(|(_, share)| *share)
                        .collect();
                    let level = late.iter().sum::<f64>() / late.len() as f64;
                    let [row, repeat] =
                        ["variant", "repeat"].map(|key| run[key].as_u64().expect("it"));
                    rows.entry(row).or_default().insert(repeat, level);
                }
                let rows: Vec<_> = rows.into_values().collect();
                let pairs = (0..rows.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
                let all: Vec<f64> = pairs.map(|(a, b)| correlation(&rows[a], &rows[b])).collect();
                all.iter().sum::<f64>() / all.len() as f64
            })
            .collect();
    let least = means.iter().copied().fold(f64::INFINITY, f64::min);
    let most = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let says = format!("correlate by {least:.2} to {most:.2}");
    assert!(read("../papers/README.md").contains(&says), "expected {says}");
}
