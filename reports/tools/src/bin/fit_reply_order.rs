//! Fits the nets by which a search orders the replies to a roll, `nets/replies.bin`.
//!
//! It also measures what is lost if only the first replies are evaluated.
//!
//! `cargo run --release -p nonet-measure --bin fit_reply_order -- NET POSITIONS SEED FILE`.
//! Positions come from games of the net against itself at 1-ply, in which one play in ten is
//! random. The net evaluates all results of all 21 rolls. The output of the net is the logarithm of
//! the chance that a result is the best one, up to a constant. That is a multinomial logit. Half as
//! many positions again, from other games, compare it with PubEval.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it prints the measurement")]

use nonet::backgammon::{Dice, Position, Results};
use nonet::class::Class;
use nonet::engine::Engine;
use nonet::eval::PubEval;
use nonet::game::{StreamPurpose, below, stream};
use nonet::search::{REPLY_HIDDEN, REPLY_LARGEST, REPLY_WEIGHTS, ReplyNet, ReplyOrder};
use nonet_measure::frozen::visit_games;

/// Points that a result loses to be the best one with a chance e times smaller.
const TEMPERATURE: f32 = 0.03;
const EPOCHS: usize = 12;
/// The first rate of AdaGrad; it falls to 0.
const RATE: f32 = 0.03;
/// Chances that are this near to the wanted ones are not learned.
const NEAR: f32 = 1e-4;
const PLACES: usize = 26;
const LISTS: usize = REPLY_WEIGHTS / REPLY_HIDDEN;
/// The lists of the biases and of the weights to the output.
const BIAS: usize = LISTS - 2;
const OUT: usize = LISTS - 1;

/// The weights of a class by list: one for each count on each place, the biases, the weights to the
/// output.
type Weights = Vec<[f32; REPLY_HIDDEN]>;

/// The results of one roll.
struct Rolled {
    before: Position,
    results: Vec<Position>,
    /// For each result the lists that it reads.
    reads: Vec<[u16; PLACES]>,
    /// Its equity for the player who has moved.
    equities: Vec<f32>,
}

/// Rolls with three results or more at positions from games that `seed` numbers.
fn rolled(engine: &Engine, positions: usize, seed: u64) -> Vec<Rolled> {
    let evaluator = engine.static_evaluator();
    let (mut all, mut results, mut values) = (Vec::new(), Results::default(), Vec::new());
    let mut found = 0;
    visit_games(engine, seed, |position, rng| {
        if below(4, rng) > 0 {
            return true;
        }
        for dice in Dice::ALL {
            let results = results.of(position, dice);
            if results.len() > 2 {
                evaluator.evaluate_into(results, &mut values);
                all.push(Rolled {
                    before: *position,
                    results: results.to_vec(),
                    reads: results.iter().map(lists).collect(),
                    equities: values.iter().map(|value| -value.equity()).collect(),
                });
            }
        }
        found += 1;
        found < positions
    });
    all
}

fn lists(after: &Position) -> [u16; PLACES] {
    let list = |place| place * (BIAS / PLACES) + ReplyNet::count_at(after, place);
    std::array::from_fn(|place| list(place) as u16)
}

fn hidden(weights: &Weights, reads: &[u16; PLACES]) -> [f32; REPLY_HIDDEN] {
    let mut sums = weights[BIAS];
    for &list in reads {
        for (sum, weight) in sums.iter_mut().zip(&weights[usize::from(list)]) {
            *sum += weight;
        }
    }
    sums.map(|sum| sum.max(0.0))
}

/// The shares of a softmax.
fn softmax(mut values: Vec<f32>) -> Vec<f32> {
    let top = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    values.iter_mut().for_each(|value| *value = (*value - top).exp());
    let sum: f32 = values.iter().sum();
    values.iter_mut().for_each(|value| *value /= sum);
    values
}

/// Adds to `slopes` the gradient of the likelihood of a roll, and to `touched` the lists that have
/// one.
fn gradient(
    weights: &Weights,
    rolled: &Rolled,
    slopes: &mut [[f32; REPLY_HIDDEN]],
    touched: &mut Vec<usize>,
) {
    let wanted = softmax(rolled.equities.iter().map(|equity| equity / TEMPERATURE).collect());
    let units: Vec<_> = rolled.reads.iter().map(|reads| hidden(weights, reads)).collect();
    let output =
        |units: &[f32; REPLY_HIDDEN]| units.iter().zip(&weights[OUT]).map(|(h, w)| h * w).sum();
    let said = softmax(units.iter().map(output).collect());
    for (((reads, units), wanted), said) in rolled.reads.iter().zip(&units).zip(&wanted).zip(&said)
    {
        let slope = wanted - said;
        if slope.abs() < NEAR {
            continue;
        }
        let mut back = [0.0; REPLY_HIDDEN];
        for h in 0..REPLY_HIDDEN {
            slopes[OUT][h] += slope * units[h];
            back[h] = if units[h] > 0.0 { slope * weights[OUT][h] } else { 0.0 };
        }
        for list in reads.iter().map(|&list| usize::from(list)).chain([BIAS]) {
            slopes[list].iter_mut().zip(&back).for_each(|(slope, back)| *slope += back);
            touched.push(list);
        }
    }
    touched.push(OUT);
    touched.sort_unstable();
    touched.dedup();
}

/// Fits the weights of all classes by AdaGrad, a step a roll.
fn fit(all: &[Rolled], seed: u64) -> Vec<Weights> {
    let mut rng = stream(seed, StreamPurpose::Choice, u64::MAX);
    let mut uniform = |scale: f32| scale * (below(2001, &mut rng) as f32 / 1000.0 - 1.0);
    let mut random = |_| {
        let scale = |list| if list == OUT { 0.5 } else { 0.2 };
        (0..LISTS).map(|list| std::array::from_fn(|_| uniform(scale(list)))).collect::<Weights>()
    };
    let mut weights: Vec<Weights> = Class::all().map(&mut random).collect();
    let mut squares: Vec<Weights> =
        Class::all().map(|_| vec![[1e-3; REPLY_HIDDEN]; LISTS]).collect();
    let mut order: Vec<usize> = (0..all.len()).collect();
    let (mut slopes, mut touched) = (vec![[0.0; REPLY_HIDDEN]; LISTS], Vec::new());
    for epoch in 0..EPOCHS {
        let mut rng = stream(seed, StreamPurpose::Choice, u64::MAX - 1 - epoch as u64);
        (1..order.len()).rev().for_each(|i| order.swap(i, below(i + 1, &mut rng)));
        let rate = RATE * (1.0 - epoch as f32 / EPOCHS as f32);
        for rolled in order.iter().map(|&place| &all[place]) {
            let class = Class::of(&rolled.before) as usize;
            gradient(&weights[class], rolled, &mut slopes, &mut touched);
            for list in touched.drain(..) {
                for h in 0..REPLY_HIDDEN {
                    let slope = std::mem::take(&mut slopes[list][h]);
                    squares[class][list][h] += slope * slope;
                    let step = rate * slope / squares[class][list][h].sqrt();
                    let largest = if list == OUT { REPLY_LARGEST.1 } else { REPLY_LARGEST.0 };
                    let weight = &mut weights[class][list][h];
                    *weight = (*weight + step).clamp(-largest, largest);
                }
            }
        }
        eprintln!("epoch {} of {EPOCHS}", epoch + 1);
    }
    weights
}

/// The mean of what is lost, in points, if only the `kept` results with the highest values are
/// evaluated.
fn loss<V: PartialOrd>(
    all: &[Rolled],
    kept: usize,
    value: impl Fn(&Position, &Position) -> V,
) -> f64 {
    let mut sum = 0.0;
    for Rolled { before, results, equities, .. } in all {
        let mut values: Vec<(V, f32)> = results
            .iter()
            .map(|after| value(before, after))
            .zip(equities.iter().copied())
            .collect();
        values.sort_by(|a, b| b.0.partial_cmp(&a.0).expect("numbers"));
        let best = |some: &[(V, f32)]| some.iter().map(|one| one.1).fold(f32::MIN, f32::max);
        sum += f64::from(best(&values) - best(&values[..kept.min(values.len())]));
    }
    sum / all.len() as f64
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [net, positions, seed, file] = words.as_slice() else {
        panic!("expected NET POSITIONS SEED FILE");
    };
    let number = |word: &str| word.parse::<u64>().expect("a whole number");
    let (positions, seed) = (number(positions) as usize, number(seed));
    let engine = Engine::builder().net_file(net).build().expect("an engine");
    let learned = rolled(&engine, positions, seed);
    let weights: Vec<Vec<f32>> =
        fit(&learned, seed).into_iter().map(|lists| lists.concat()).collect();
    let bytes = ReplyOrder::to_bytes(&weights);
    let order = ReplyOrder::from_bytes(&bytes).expect("weights that fit into 16 bits");
    std::fs::write(file, bytes).expect("written");
    let tested = rolled(&engine, positions / 2, seed + 1);
    println!(
        "{} rolls learned, {} others measured; 1000 x points lost a roll",
        learned.len(),
        tested.len()
    );
    println!("evaluated  PubEval  fitted");
    for kept in [1, 2, 3, 4, 5, 6, 8, 10] {
        let pubeval = loss(&tested, kept, |before, after| PubEval.linear(before).value(after));
        let fitted = loss(&tested, kept, |before, after| order.at(before).of(after));
        println!("{kept:9} {:8.3} {:7.3}", 1000.0 * pubeval, 1000.0 * fitted);
    }
}
