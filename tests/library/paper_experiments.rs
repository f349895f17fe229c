//! Tables about Wiering's experiments that no report of one experiment has: the effects of the
//! factorial `papers/wiering-shape`.

use nonet::stats::Estimate;
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
