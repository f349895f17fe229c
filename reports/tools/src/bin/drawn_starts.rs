//! Errors of static evaluations at positions that games hardly reach, by rollouts to the end.
//! `tests/library/reports.rs` derives the tables of `reports/drawn-starts.md` from what this
//! writes.
//!
//! `cargo run --release -p nonet-measure --bin drawn_starts -- COUNT GAMES SEED NET... > FILE.csv`
//! draws COUNT positions of each kind. Each net evaluates each position, and rolls it out by its
//! own plays at 1-ply: GAMES games to the end without a cube, with variance reduction. A row has
//! the kind, the position, and for each net its value, its rollout and the standard error of that.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it prints the measurement")]

use nonet::drawn_position::DrawnPosition;
use nonet::engine::Engine;
use nonet::eval::Evaluator;
use nonet::game::{StreamPurpose, stream};
use nonet::open;
use nonet::progress::Progress;
use nonet::rollout::{RolloutConfig, RolloutSums};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [count, games, seed] = [0, 1, 2].map(|at| -> u64 {
        words.get(at).and_then(|word| word.parse().ok()).expect("COUNT GAMES SEED NET...")
    });
    let engines: Vec<Engine> = words[3..]
        .iter()
        .map(|net| {
            Engine::builder().net(open::net(net).expect("a net").team).build().expect("a net")
        })
        .collect();
    let headings = words[3..].iter().map(|net| format!("{net} value,{net} rollout,{net} error"));
    println!("kind,position,{}", headings.collect::<Vec<_>>().join(","));
    for (place, kind) in (0..).zip(DrawnPosition::ALL) {
        for number in 0..count {
            let draw = place * count + number;
            let position = kind.draw(&mut stream(seed, StreamPurpose::Choice, draw));
            let config = RolloutConfig { games, seed: seed + draw, ..RolloutConfig::default() };
            let cells = engines.iter().map(|engine| {
                let value = engine.static_evaluator().evaluate(&position).equity();
                let mut sums = [RolloutSums::default()];
                let line = [Engine::rollout_line(&position, None)];
                engine.rollout_together(
                    &line,
                    &config,
                    &mut sums,
                    &mut |_| false,
                    &Progress::default(),
                );
                let equity = sums[0].result().equity;
                format!("{value:.4},{:.4},{:.4}", equity.mean, equity.stderr)
            });
            println!("{},{},{}", kind.slug(), position.id(), cells.collect::<Vec<_>>().join(","));
            if number % 20 == 19 {
                eprintln!("{}: {} of {count}", kind.slug(), number + 1);
            }
        }
    }
}
