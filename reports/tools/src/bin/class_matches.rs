//! How two nets play games that begin in one class.
//!
//! That is the strength of a specialist. Whole games hide it, since few of them come there.
//!
//! ```text
//! cargo run --release -p nonet-measure --bin class_matches -- NET OTHER CLASS PAIRS SEED THREADS
//! ```
//!
//! A game begins at the first position of the class in another game. That is one of OTHER against
//! itself at 1-ply, in which one play in ten is random. The game is played twice with the same
//! dice, by each net from each seat, without a cube and at 1-ply. Printed: points a game of NET
//! against OTHER, as played and without the luck of the rolls. OTHER's static values estimate the
//! luck. ± is one standard error over pairs.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it prints the measurement")]

use nonet::backgammon::{Position, Results};
use nonet::class::Class;
use nonet::engine::Engine;
use nonet::eval::{Evaluation, best_result};
use nonet::game::{SeenRoll, StreamPurpose, roll, stream};
use nonet_measure::frozen::{estimate, visit_games};
use rayon::prelude::*;

/// Pairs between two lines of progress.
const CHUNK: usize = 1000;

/// Turns after which a game counts as drawn.
const LONGEST: usize = 1000;

/// The first position of the class in each game that has one.
fn starts(engine: &Engine, class: Class, number: usize, seed: u64) -> Vec<Position> {
    let (mut found, mut is_sought) = (Vec::with_capacity(number), true);
    visit_games(engine, seed, |position, _| {
        is_sought |= *position == Position::START;
        if is_sought && Class::of(position) == class {
            found.push(*position);
            is_sought = false;
            if found.len().is_multiple_of(CHUNK) {
                eprintln!("{} of {number} positions to start from", found.len());
            }
        }
        found.len() < number
    });
    found
}

/// One game: the points of the player who is on roll at `start`, and those less the luck of the
/// rolls.
fn play(players: [&Engine; 2], judge: &Engine, start: &Position, seed: u64, game: u64) -> [f64; 2] {
    let mut rng = stream(seed, StreamPurpose::Match, game);
    let (mut results, mut values) = (Results::default(), Vec::<Evaluation>::new());
    let (mut position, mut luck) = (*start, 0.0);
    for turn in 0..LONGEST {
        let sign = if turn % 2 == 0 { 1.0 } else { -1.0 };
        if let Some(outcome) = position.outcome() {
            let points = sign * f64::from(Evaluation::of_outcome(outcome).equity());
            return [points, points - luck];
        }
        let dice = roll(&mut rng);
        let seen = SeenRoll { position: &position, dice, opening: false, context: None };
        luck += sign * judge.luck(&seen);
        let found = results.of(&position, dice);
        let best = best_result(players[turn % 2].static_evaluator(), found, &mut values);
        position = found[best];
    }
    [0.0, -luck]
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [net, other, class, pairs, seed, threads] = words.as_slice() else {
        panic!("expected NET OTHER CLASS PAIRS SEED THREADS");
    };
    let parsed = |word: &str| word.parse::<u64>().expect("a whole number");
    let (pairs, seed, threads) = (parsed(pairs) as usize, parsed(seed), parsed(threads) as usize);
    let class = Class::all().find(|known| known.slug() == class).expect("a class");
    let opened =
        |net: &str| Engine::builder().net_file(net).threads(threads).build().expect("an engine");
    let [net, other] = [net, other].map(|path| opened(path));
    let starts = starts(&other, class, pairs, seed);
    let judge = other.on_the_callers_thread();
    let pair = |(game, start): (usize, &Position)| {
        let from = |players| play(players, &judge, start, seed, game as u64);
        let [first, second] = [from([&net, &other]), from([&other, &net])];
        [0, 1].map(|kind| (first[kind] - second[kind]) / 2.0)
    };
    let mut played: Vec<[f64; 2]> = Vec::with_capacity(starts.len());
    for chunk in starts.chunks(CHUNK) {
        let done = played.len();
        let numbered = chunk.par_iter().enumerate().map(|(i, start)| (done + i, start));
        other.install(|| played.par_extend(numbered.map(pair)));
        eprintln!("{} of {} pairs of games", played.len(), starts.len());
    }
    for (kind, name) in ["as played", "without the luck of the rolls"].into_iter().enumerate() {
        let (mean, error) = estimate(&played.iter().map(|pair| pair[kind]).collect::<Vec<_>>());
        println!("{mean:+.4} ± {error:.4} points a game, {name} ({} games)", 2 * pairs);
    }
}
