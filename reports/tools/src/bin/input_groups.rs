//! What each group of inputs is worth: nets are fitted to the 2-ply values of the same positions
//! without one group after another.
//!
//! `cargo run --release -p nonet-measure --bin input_groups -- NET CLASS POSITIONS FITS SEED`.
//! Positions of the class come from games of the net against itself at 1-ply, in which one play in
//! ten is random. Their 2-ply equities are the targets. Half as many positions again, from other
//! games, measure the fits: mean squared error, next to that of the fits with all inputs. Both have
//! the same random weights and order of examples. Each number is a mean over the fits. The error is
//! that of the measured positions, at each of which the fits are averaged first. Positions of one
//! game are taken as independent, so that error is too small.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it prints the measurement")]

use nonet::class::Class;
use nonet::engine::Engine;
use nonet::features::Encoding;
use nonet::nn::ForwardCache;
use nonet::search::{Plies, Search, SearchSettings};
use nonet_measure::frozen::{Example, UNITS, estimate, fit, value, visit_games};
use rayon::prelude::*;

/// The groups, and how the names of their inputs begin, without the side.
const GROUPS: &[(&str, &[&str])] = &[
    ("checkers on points", &["point "]),
    ("bar and off", &["bar:", "off:"]),
    (
        "shots",
        &["blot hit", "some blot", "choice of hits", "hit in", "pips at risk", "under direct fire"],
    ),
    ("the race", &["pips", "lead", "crossovers"]),
    ("blots by quarter", &["blots in"]),
    ("points by quarter, anchors, key points", &["made", "anchors", "key points"]),
    ("checkers by zone", &["checkers", "builders"]),
    (
        "blocks and primes",
        &["block of", "five of six", "four of six", "trapped", "at the edge", "wall"],
    ),
    ("escapes", &["rearmost mobility", "rearmost leap", "back mobility", "back leap"]),
    ("entering", &["enters", "on the bar against"]),
    ("timing, spares, stacks", &["timing", "spares", "stacked", "buried"]),
    (
        "rearmost checkers, contact",
        &["rearmost", "second rearmost", "passed", "stragglers", "contact"],
    ),
];

/// The group of an input: the one with the longest prefix of its name.
fn group_of(name: &str) -> usize {
    let name = name.trim_start_matches("own ").trim_start_matches("opponent ");
    let fits = |starts: &[&str]| {
        starts.iter().filter(|start| name.starts_with(**start)).map(|start| start.len()).max()
    };
    (0..GROUPS.len())
        .max_by_key(|&group| fits(GROUPS[group].1))
        .filter(|&group| fits(GROUPS[group].1).is_some())
        .unwrap_or_else(|| panic!("no group has the input '{name}'"))
}

/// Examples of a class with their 2-ply equities, from games that `seed` numbers.
fn examples(
    engine: &Engine,
    class: Class,
    encoding: Encoding,
    number: usize,
    seed: u64,
) -> Vec<Example> {
    let mut found = Vec::new();
    visit_games(engine, seed, |position, _| {
        if Class::of(position) == class {
            found.push(*position);
        }
        found.len() < number
    });
    let search = Search::new(engine.static_evaluator(), Plies::TWO, SearchSettings::NORMAL);
    let judged = found.par_iter().map(|position| {
        Example::new(encoding, position, search.judge(position, Plies::TWO).equity())
    });
    judged.collect()
}

/// The squared error at each measured position of a net that is fitted without the inputs of
/// `group`.
fn errors_without(
    group: Option<usize>,
    groups: &[usize],
    learned: &[Example],
    measured: &[Example],
    seed: u64,
) -> Vec<f64> {
    let without = |example: &Example| -> Example {
        let pairs = example.indices.iter().zip(&example.values);
        let kept = pairs.filter(|(input, _)| Some(groups[usize::from(**input)]) != group);
        let (indices, values) = kept.map(|(input, value)| (*input, *value)).unzip();
        Example { indices, values, equity: example.equity }
    };
    let learned: Vec<Vec<Example>> = learned.iter().map(|example| vec![without(example)]).collect();
    let net = fit(groups.len(), UNITS, &learned, seed, |_| ());
    let mut cache = ForwardCache::default();
    let error = |example: &Example| {
        f64::from(example.equity - value(&net, &without(example), &mut cache)).powi(2)
    };
    measured.iter().map(error).collect()
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [net, class, positions, fits, seed] = words.as_slice() else {
        panic!("expected NET CLASS POSITIONS FITS SEED");
    };
    let number = |word: &str| word.parse::<u64>().expect("a whole number");
    let (positions, fits, seed) = (number(positions) as usize, number(fits), number(seed));
    let class = Class::all().find(|known| known.slug() == class).expect("a class");
    let engine = Engine::builder().net_file(net).build().expect("an engine");
    let encoding = Encoding::from_slug("contact393").expect("the inputs of positions with contact");
    let groups: Vec<usize> = encoding.layout().iter().map(|input| group_of(&input.name)).collect();
    let learned = examples(&engine, class, encoding, positions, seed);
    let measured = examples(&engine, class, encoding, positions / 2, seed + 1);
    eprintln!("{} positions to learn, {} to measure", learned.len(), measured.len());
    let jobs: Vec<(Option<usize>, u64)> = (0..fits)
        .flat_map(|fit| {
            [None].into_iter().chain((0..GROUPS.len()).map(Some)).map(move |g| (g, fit))
        })
        .collect();
    let errors: Vec<Vec<f64>> = jobs
        .par_iter()
        .map(|&(group, number)| {
            let errors = errors_without(group, &groups, &learned, &measured, seed + number);
            eprintln!("{group:?} {number}: {:.6}", estimate(&errors).0);
            errors
        })
        .collect();
    let mean_of = |group: Option<usize>| -> Vec<f64> {
        let mine = || jobs.iter().zip(&errors).filter(|((of, _), _)| *of == group);
        let at = |i: usize| mine().map(|(_, errors)| errors[i]).sum::<f64>() / fits as f64;
        (0..measured.len()).map(at).collect()
    };
    let all = mean_of(None);
    let (square, stderr) = estimate(&all);
    println!(
        "class {}: root mean square {:.4} points with all inputs",
        class.slug(),
        square.sqrt()
    );
    println!("mean square, 1e-6 points^2: {:.1} +- {:.1}", 1e6 * square, 1e6 * stderr);
    println!("| without | inputs | mean square, 1e-6 | more than with all |\n|---|---|---|---|");
    for (group, (name, _)) in GROUPS.iter().enumerate() {
        let inputs = groups.iter().filter(|of| **of == group).count();
        let without = mean_of(Some(group));
        let more: Vec<f64> = without.iter().zip(&all).map(|(less, all)| less - all).collect();
        let (mean, stderr) = estimate(&more);
        println!(
            "| {name} | {inputs} | {:.1} | {:+.1} ± {:.1} |",
            1e6 * estimate(&without).0,
            1e6 * mean,
            1e6 * stderr
        );
    }
}
