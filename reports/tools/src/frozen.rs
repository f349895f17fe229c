//! Positions from games, and nets that are fitted to values of them that stay as they are.
//!
//! The programs that measure inputs, losses and the small nets of the search share them.

use nonet::backgammon::{Position, Results};
use nonet::class::Class;
use nonet::engine::Engine;
use nonet::eval::best_result;
use nonet::features::{Encoding, SparseInputs};
use nonet::game::{StreamPurpose, below, roll, stream};
use nonet::nn::{
    Activation, Activations, Adam, ForwardCache, GradientSum, Mlp, Network, Outputs, Shape, Weights,
};
use nonet::search::{Plies, Search, SearchSettings};
use rand_pcg::Pcg64;
use rayon::prelude::*;

/// Units of both layers of a fitted net, where a measurement compares no sizes.
pub const UNITS: [usize; 2] = [128, 16];
/// How often each example is learned.
const EPOCHS: usize = 10;
/// Examples of a step of Adam.
const BATCH: u32 = 256;
/// The first rate of Adam; it falls to a hundredth by equal factors.
const RATE: f32 = 0.004;

/// Calls `visit` with one position after another, before the roll, until it returns false. They
/// come from games of the engine's net against itself at 1-ply in which one play in ten is random;
/// `visit` may draw from the stream of the game.
pub fn visit_games(
    engine: &Engine,
    seed: u64,
    mut visit: impl FnMut(&Position, &mut Pcg64) -> bool,
) {
    let evaluator = engine.static_evaluator();
    let (mut results, mut values) = (Results::default(), Vec::new());
    for game in 0.. {
        let mut rng = stream(seed, StreamPurpose::Choice, game);
        let mut position = Position::START;
        while position.outcome().is_none() {
            if !visit(&position, &mut rng) {
                return;
            }
            let results = results.of(&position, roll(&mut rng));
            let choice = if below(10, &mut rng) == 0 {
                below(results.len(), &mut rng)
            } else {
                best_result(evaluator, results, &mut values)
            };
            position = results[choice];
        }
    }
}

/// Results of a roll that measure a fit, at most.
const RESULTS: usize = 4;

/// A position with its 2-ply equity for the player on roll.
pub type Judged = (Position, f32);

fn judged(engine: &Engine, positions: &[Position]) -> Vec<Judged> {
    let search = Search::new(engine.static_evaluator(), Plies::TWO, SearchSettings::NORMAL);
    let judge = |position: &Position| (*position, search.judge(position, Plies::TWO).equity());
    positions.par_iter().map(judge).collect()
}

fn has_contact(position: &Position) -> bool {
    Class::of(position).spec().encoding.contact()
}

/// Positions with contact to learn: one in three of those in games.
pub fn learned(engine: &Engine, number: usize, seed: u64) -> Vec<Judged> {
    let mut found = Vec::new();
    visit_games(engine, seed, |position, rng| {
        if has_contact(position) && below(3, rng) == 0 {
            found.push(*position);
        }
        found.len() < number
    });
    judged(engine, &found)
}

/// Rolls that measure fits: the class before each, and the four results with contact that the
/// engine likes best at 1-ply.
pub fn measured(engine: &Engine, number: usize, seed: u64) -> Vec<(Class, Vec<Judged>)> {
    let evaluator = engine.static_evaluator();
    let (mut found, mut results, mut values) = (Vec::new(), Results::default(), Vec::new());
    visit_games(engine, seed, |position, rng| {
        let dice = roll(rng);
        if !has_contact(position) || below(3, rng) > 0 {
            return true;
        }
        let mut with_contact = results.of(position, dice).to_vec();
        with_contact.retain(|result| result.outcome().is_none() && has_contact(result));
        evaluator.evaluate_into(&with_contact, &mut values);
        let mut order: Vec<usize> = (0..with_contact.len()).collect();
        order.sort_by(|&a, &b| values[a].equity().total_cmp(&values[b].equity()));
        order.truncate(RESULTS);
        if order.len() > 1 {
            let kept: Vec<Position> = order.into_iter().map(|place| with_contact[place]).collect();
            found.push((Class::of(position), kept));
        }
        found.len() < number
    });
    found.into_iter().map(|(class, results)| (class, judged(engine, &results))).collect()
}

/// A position as a net sees it, and the equity that a net should find there, in points.
#[derive(Clone)]
pub struct Example {
    /// Places of its inputs that are not 0.
    pub indices: Vec<u16>,
    /// Their values.
    pub values: Vec<f32>,
    /// What is learned.
    pub equity: f32,
}

impl Example {
    /// An example with the inputs of an encoding.
    pub fn new(encoding: Encoding, position: &Position, equity: f32) -> Example {
        let mut inputs = SparseInputs::default();
        encoding.encode(position, &mut inputs);
        Example { indices: inputs.indices().to_vec(), values: inputs.values().to_vec(), equity }
    }
}

/// A net with one output, and these units in its layers, that is fitted to groups of examples.
///
/// `residuals` may change what is missing to the wanted equities of one group before it is learned.
/// That is half the negative gradient of the squared error. The same seed gives the same first
/// weights and the same order of groups.
pub fn fit(
    inputs: usize,
    [hidden, second]: [usize; 2],
    groups: &[Vec<Example>],
    seed: u64,
    residuals: impl Fn(&mut [f32]),
) -> Mlp {
    let shape = Shape { inputs, hidden, second, outputs: 1 };
    let activations = Activations { hidden: Activation::Silu, ..Activations::default() };
    let mut rng = stream(seed, StreamPurpose::Weights, 0);
    let mut net = Mlp::from_weights(&Weights::random(shape, activations, &mut rng));
    let (mut adam, mut gradients) = (Adam::new(shape), GradientSum::new(shape));
    let mut caches = Vec::new();
    let mut missing = Vec::new();
    let mut order: Vec<usize> = (0..groups.len()).collect();
    let all = EPOCHS * groups.iter().map(Vec::len).sum::<usize>();
    let mut done = 0;
    for epoch in 0..EPOCHS {
        let mut rng = stream(seed, StreamPurpose::Choice, u64::MAX - 1 - epoch as u64);
        (1..order.len()).rev().for_each(|i| order.swap(i, below(i + 1, &mut rng)));
        for group in order.iter().map(|&place| &groups[place]) {
            caches.resize_with(group.len().max(caches.len()), ForwardCache::default);
            missing.clear();
            for (Example { indices, values, equity }, cache) in group.iter().zip(&mut caches) {
                missing.push(equity - net.forward(indices, values, cache)[0]);
            }
            residuals(&mut missing);
            for ((example, cache), missing) in group.iter().zip(&caches).zip(&missing) {
                let mut delta = Outputs::default();
                delta[0] = *missing;
                gradients.add_example(&net, &example.indices, &example.values, cache, &delta);
            }
            done += group.len();
            if gradients.examples() >= BATCH {
                let rate = RATE * 0.01_f32.powf(done as f32 / all as f32);
                adam.step(&mut net, &mut gradients, rate);
            }
        }
    }
    net
}

/// The equity that a net finds.
pub fn value(net: &Mlp, example: &Example, cache: &mut ForwardCache) -> f32 {
    net.forward(&example.indices, &example.values, cache)[0]
}

/// The mean, and its standard error.
pub fn estimate(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let square = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    (mean, (square / (n - 1.0) / n).sqrt())
}
