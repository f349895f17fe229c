//! What is gained if nets learn how much better one result of a roll is than another.
//!
//! They also learn how good each result is.
//!
//! `cargo run --release -p nonet-measure --bin sibling_differences -- NET CLASS ROLLS FITS SEED`.
//! Rolls come from games of the net against itself at 1-ply, in which one play in ten is random. Of
//! the results that belong to the class, the four that the net likes best are the examples, with
//! their 2-ply equities. An error that all results of a roll share changes no play. So the loss has
//! two terms. One is the sum of the squared errors of a roll. The other is a weight times the sum
//! of the squares of the errors less their mean. Half as many rolls again, from other games,
//! measure the fits. One figure is what the play that they choose among the four loses by the 2-ply
//! equities, in 1e-3 points. The other is their squared error with and without what the results of
//! a roll share. Each number is a mean over the fits. The error is that of the measured rolls, at
//! each of which the fits are averaged first. Rolls of one game are taken as independent, so that
//! error is too small.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it prints the measurement")]

use nonet::backgammon::Results;
use nonet::class::Class;
use nonet::engine::Engine;
use nonet::features::Encoding;
use nonet::game::roll;
use nonet::nn::ForwardCache;
use nonet::search::{Plies, Search, SearchSettings};
use nonet_measure::frozen::{Example, UNITS, estimate, fit, value, visit_games};
use rayon::prelude::*;

/// Results of a roll that are learned.
const SIBLINGS: usize = 4;
/// The weights of the differences that are compared with 0.
const WEIGHTS: [f32; 4] = [0.0, 1.0, 4.0, 16.0];

/// The results of rolls with their 2-ply equities for the opponent, who is on roll there, from
/// games that `seed` numbers.
fn rolls(
    engine: &Engine,
    class: Class,
    encoding: Encoding,
    number: usize,
    seed: u64,
) -> Vec<Vec<Example>> {
    let evaluator = engine.static_evaluator();
    let (mut found, mut results, mut values) = (Vec::new(), Results::default(), Vec::new());
    visit_games(engine, seed, |position, rng| {
        let mut of_class = results.of(position, roll(rng)).to_vec();
        of_class.retain(|result| result.outcome().is_none() && Class::of(result) == class);
        evaluator.evaluate_into(&of_class, &mut values);
        let mut order: Vec<usize> = (0..of_class.len()).collect();
        order.sort_by(|&a, &b| values[a].equity().total_cmp(&values[b].equity()));
        order.truncate(SIBLINGS);
        if order.len() > 1 {
            found.push(order.into_iter().map(|place| of_class[place]).collect::<Vec<_>>());
        }
        found.len() < number
    });
    let search = Search::new(evaluator, Plies::TWO, SearchSettings::NORMAL);
    let judged = found.par_iter().map(|results| {
        let example = |position| {
            Example::new(encoding, position, search.judge(position, Plies::TWO).equity())
        };
        results.iter().map(example).collect()
    });
    judged.collect()
}

/// Adds `weight` times what each error has beyond their mean: the gradient of the loss.
fn add_differences(errors: &mut [f32], weight: f32) {
    let mean = errors.iter().sum::<f32>() / errors.len() as f32;
    errors.iter_mut().for_each(|error| *error += weight * (*error - mean));
}

/// What a net does at a measured roll: points lost, mean squared error, and the same of the errors
/// less their mean.
type AtRoll = [f64; 3];

fn measure(net: &nonet::nn::Mlp, roll: &[Example], cache: &mut ForwardCache) -> AtRoll {
    let found: Vec<f32> = roll.iter().map(|example| value(net, example, cache)).collect();
    // The equities are the opponent's: the least is best.
    let best = |of: &dyn Fn(usize) -> f32| {
        (0..roll.len()).min_by(|&a, &b| of(a).total_cmp(&of(b))).expect("results")
    };
    let (chosen, right) = (best(&|i| found[i]), best(&|i| roll[i].equity));
    let loss = f64::from(roll[chosen].equity - roll[right].equity);
    let errors: Vec<f64> =
        found.iter().zip(roll).map(|(found, wanted)| f64::from(found - wanted.equity)).collect();
    let n = errors.len() as f64;
    let mean = errors.iter().sum::<f64>() / n;
    let square = |of: &dyn Fn(f64) -> f64| errors.iter().map(|&e| of(e).powi(2)).sum::<f64>() / n;
    [loss, square(&|error| error), square(&|error| error - mean)]
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [net, class, number, fits, seed] = words.as_slice() else {
        panic!("expected NET CLASS ROLLS FITS SEED");
    };
    let parsed = |word: &str| word.parse::<u64>().expect("a whole number");
    let (number, fits, seed) = (parsed(number) as usize, parsed(fits), parsed(seed));
    let class = Class::all().find(|known| known.slug() == class).expect("a class");
    let engine = Engine::builder().net_file(net).build().expect("an engine");
    let encoding = Encoding::from_slug("contact393").expect("the inputs of positions with contact");
    let learned = rolls(&engine, class, encoding, number, seed);
    let measured = rolls(&engine, class, encoding, number / 2, seed + 1);
    eprintln!("{} rolls to learn, {} to measure", learned.len(), measured.len());
    let jobs: Vec<(f32, u64)> =
        (0..fits).flat_map(|fit| WEIGHTS.iter().map(move |&weight| (weight, fit))).collect();
    let fitted: Vec<Vec<AtRoll>> = jobs
        .par_iter()
        .map(|&(weight, number)| {
            let change = |errors: &mut [f32]| add_differences(errors, weight);
            let net = fit(encoding.layout().len(), UNITS, &learned, seed + number, change);
            let mut cache = ForwardCache::default();
            let found: Vec<AtRoll> =
                measured.iter().map(|roll| measure(&net, roll, &mut cache)).collect();
            let losses: Vec<f64> = found.iter().map(|[loss, ..]| 1e3 * loss).collect();
            eprintln!("weight {weight}, fit {number}: {:.3}", estimate(&losses).0);
            found
        })
        .collect();
    let mean_of = |weight: f32, figure: usize| -> Vec<f64> {
        let mine = || jobs.iter().zip(&fitted).filter(|((of, _), _)| *of == weight);
        let at = |i: usize| mine().map(|(_, found)| found[i][figure]).sum::<f64>() / fits as f64;
        (0..measured.len()).map(at).collect()
    };
    let plain = mean_of(0.0, 0);
    println!("class {}, up to {SIBLINGS} results of a roll", class.slug());
    println!(
        "| weight of differences | points lost, 1e-3 | more than at 0 | mean square, 1e-6 | of differences, 1e-6 |"
    );
    println!("|---|---|---|---|---|");
    for weight in WEIGHTS {
        let losses = mean_of(weight, 0);
        let more: Vec<f64> = losses.iter().zip(&plain).map(|(loss, plain)| loss - plain).collect();
        let ((loss, loss_error), (more, more_error)) = (estimate(&losses), estimate(&more));
        println!(
            "| {weight} | {:.3} ± {:.3} | {:+.3} ± {:.3} | {:.1} | {:.1} |",
            1e3 * loss,
            1e3 * loss_error,
            1e3 * more,
            1e3 * more_error,
            1e6 * estimate(&mean_of(weight, 1)).0,
            1e6 * estimate(&mean_of(weight, 2)).0,
        );
    }
}
