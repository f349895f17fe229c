//! A linear net with PubEval's weights, on the scale of points: a start for learning, as in
//! `papers/baxter-start`.
//!
//! ```text
//! cargo run --release -p nonet-measure --bin pubeval_start -- GAMES SEED NET OUT.nonet
//! ```
//!
//! PubEval's weights rank the results of a roll; their scale means nothing. So PubEval plays GAMES
//! against itself, and each position of them gets a new roll. All its results are valued by PubEval
//! and by NET, in points. Of both values the mean of the roll is taken away, because PubEval's
//! values of different rolls cannot be compared. What is left has a line of least squares: its
//! slope is the scale. The height makes the means of all values equal. There are two lines, one for
//! contact and one for races. The net's average is the line. Its chances of a single win and a
//! single loss are those of a game without gammons with this average. The program prints both
//! lines.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]
#![allow(clippy::print_stdout, reason = "it prints the measurement")]

use std::path::Path;

use nonet::backgammon::{BoardView, Position, Results};
use nonet::eval::{Architecture, Evaluator, Net, PubEval, Specialists};
use nonet::game::{GameRunner, StreamPurpose, roll, stream};
use nonet::nn::{Mlp, Network, Weights};
use nonet::open;
use nonet::store::{NetFile, Provenance, write_net};

/// The architecture of the net.
const PRESET: &str = "pubeval-linear";

/// Sums over the results of rolls. Values are those of the player who has just moved.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Of PubEval's values, and of the net's in points.
    values: [f64; 2],
    results: f64,
    /// Of the squares of PubEval's values less their mean in the roll, and of their products with
    /// the net's less theirs.
    squares: f64,
    products: f64,
}

impl Sums {
    /// Adds the results of a roll: PubEval's value of each, and the net's.
    fn add(&mut self, results: &[[f64; 2]]) {
        let n = results.len() as f64;
        let [x, y] = [0, 1].map(|i| results.iter().map(|values| values[i]).sum::<f64>());
        self.values = [self.values[0] + x, self.values[1] + y];
        self.results += n;
        for values in results {
            let [dx, dy] = [values[0] - x / n, values[1] - y / n];
            self.squares += dx * dx;
            self.products += dx * dy;
        }
    }

    /// The line's slope, and its height where PubEval's value is 0.
    fn line(&self) -> (f64, f64) {
        let slope = self.products / self.squares;
        (slope, (self.values[1] - slope * self.values[0]) / self.results)
    }
}

fn contact(position: &Position) -> bool {
    BoardView::of(position).contact()
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [games, seed, judge, out] = words.as_slice() else {
        panic!("expected GAMES SEED NET OUT.nonet");
    };
    let command = format!("pubeval_start {games} {seed} {judge} {out}");
    let games: u64 = games.parse().expect("a whole number");
    let seed: u64 = seed.parse().expect("a whole number");
    let judge = open::net(judge).expect("a net").team;
    let (mut table, mut sums) = (GameRunner::default(), [Sums::default(); 2]);
    let (mut results, mut values) = (Results::default(), Vec::new());
    for number in 0..games {
        let mut dice = stream(seed, StreamPurpose::Record, number);
        let mut others = stream(seed, StreamPurpose::Choice, number);
        let game = table.play([&PubEval, &PubEval], &mut dice, &mut others).expect("it ends");
        for before in &game.positions {
            let mut found = results.of(before, roll(&mut others)).to_vec();
            // The net evaluates each result by its own class, PubEval by that of the position
            // before.
            found.retain(|after| after.outcome().is_none() && contact(after) == contact(before));
            judge.evaluate_into(&found, &mut values);
            let linear = PubEval.linear(before);
            let pairs = found.iter().zip(&values);
            let pairs: Vec<[f64; 2]> = pairs
                .map(|(after, value)| [linear.value(after), -value.equity()].map(f64::from))
                .collect();
            if !pairs.is_empty() {
                sums[usize::from(contact(before))].add(&pairs);
            }
        }
    }
    let lines = sums.map(|sums| sums.line());
    for (name, ((slope, height), sums)) in ["race", "contact"].iter().zip(lines.iter().zip(&sums)) {
        let n = sums.results;
        println!("{name}: {slope:.4} times PubEval's value, {height:+.4} points, {n} results");
    }
    let architecture = Architecture::named(PRESET).expect("a name");
    let mut rng = stream(seed, StreamPurpose::Weights, 0);
    let mut team = Specialists::random(&architecture, &mut rng);
    for net in team.nets_mut() {
        let contact = net.name != "race";
        let own = if contact { PubEval.contact_weights() } else { PubEval.race_weights() };
        net.mlp = Mlp::from_weights(&weights(net, &own, lines[usize::from(contact)]));
    }
    let program = concat!("nonet-measure ", env!("CARGO_PKG_VERSION")).to_owned();
    let provenance = Provenance { command, seed, program, ..Provenance::default() };
    let file = NetFile { preset: PRESET.to_owned(), provenance, team };
    write_net(Path::new(out), &file).expect("written");
}

/// The weights of a net with the line as its average, seen by the player on roll.
///
/// The inputs of the player who has just moved come second, and count against the one on roll.
fn weights(net: &Net, own: &[f32], (slope, height): (f64, f64)) -> Weights {
    let mut weights = Weights::zeros(net.mlp.shape(), net.mlp.activations());
    // The heads: the average, then a single win and a single loss. Their chances are
    // (1 + average) / 2 and (1 - average) / 2.
    for (head, share, base) in [(0, 1.0, 0.0), (1, 0.5, 0.5), (4, -0.5, 0.5)] {
        for (input, weight) in own.iter().enumerate() {
            weights.w1[[own.len() + input, head]] = (-slope * share * f64::from(*weight)) as f32;
        }
        weights.b2[head] = (base - share * height) as f32;
    }
    weights
}
