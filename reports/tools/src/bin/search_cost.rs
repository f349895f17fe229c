//! What decisions at 3- and 4-ply cost.
//!
//! The program measures time with and without the cache, on one thread and on several. It also
//! counts how often the cache has a value.
//!
//! `cargo run --release -p nonet-measure --bin search_cost -- NET DECISIONS THREADS SEED`. Rolls
//! come from games of the net against itself at 1-ply, in which one play in ten is random. They
//! have the order of the games. Those of one game follow one another, as in the analysis of a
//! match. Each row is one sitting over the same rolls, and all rows must choose the same plays.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]
#![allow(clippy::print_stdout, reason = "it prints the measurement")]

use std::time::Instant;

use nonet::backgammon::{Dice, Position, Results};
use nonet::engine::Engine;
use nonet::game::roll;
use nonet::search::Plies;
use nonet_measure::frozen::visit_games;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [net, decisions, threads, seed] = words.as_slice() else {
        panic!("expected NET DECISIONS THREADS SEED");
    };
    let parsed = |word: &str| word.parse::<u64>().expect("a whole number");
    let (decisions, threads) = (parsed(decisions) as usize, parsed(threads) as usize);
    let engine = Engine::builder().net_file(net).build().expect("an engine");
    let mut rolls: Vec<(Position, Dice)> = Vec::new();
    let mut results = Results::default();
    visit_games(&engine, parsed(seed), |position, rng| {
        let dice = roll(rng);
        if results.of(position, dice).len() > 1 {
            rolls.push((*position, dice));
        }
        rolls.len() < decisions
    });
    println!(
        "| plies | threads | cache | ms a decision | times one thread with the cache | values found |"
    );
    println!("|---|---|---|---|---|---|");
    for plies in [Plies::THREE, Plies::FOUR] {
        let mut first: Option<(f64, Vec<Position>)> = None;
        for (threads, entries) in
            [(1, Engine::CACHE_ENTRIES), (1, 0), (threads, Engine::CACHE_ENTRIES), (threads, 0)]
        {
            let engine = Engine::builder()
                .net_file(net)
                .plies(plies)
                .cache(entries)
                .threads(threads)
                .build()
                .expect("an engine");
            let started = Instant::now();
            let chosen: Vec<Position> = rolls
                .iter()
                .map(|(position, dice)| *engine.rank_cubeless(position, *dice)[0].after())
                .collect();
            let each = started.elapsed().as_secs_f64() / rolls.len() as f64;
            let (one, plays) = first.get_or_insert_with(|| (each, chosen.clone()));
            assert_eq!(*plays, chosen, "threads and cache change no play");
            let used = engine.cache_use();
            let found = match used.asked {
                0 => String::from("-"),
                asked => format!(
                    "{:.1} % of {:.0} a decision",
                    100.0 * used.found as f64 / asked as f64,
                    asked as f64 / rolls.len() as f64
                ),
            };
            let cache = if entries > 0 { "yes" } else { "no" };
            println!(
                "| {} | {threads} | {cache} | {:.2} | {:.2} | {found} |",
                plies.get(),
                1e3 * each,
                *one / each
            );
        }
    }
}
