//! What an architecture is worth on frozen data: the tables of `reports/architectures.md`.
//!
//! `cargo run --release -p nonet-measure --bin architectures -- POSITIONS ROLLS FITS SEED FILE`.
//!
//! Positions with contact come from games of the champion against itself at 1-ply, in which one
//! play in ten is random. One position in three counts. Nets of each architecture are fitted to
//! their 2-ply equities. Rolls of other games measure the fits: of each roll the four results that
//! the champion likes best, with their 2-ply equities. A fit's play is the one that it likes best
//! of the four. FILE gets one row for each architecture and class: means over the fits, summed over
//! the rolls from positions of the class. "more" is what is lost beyond the first architecture.
//! Standard errors take rolls as independent.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]
#![allow(clippy::print_stderr, reason = "it tells its progress")]

use std::fmt::Write as _;
use std::time::Instant;

use nonet::backgammon::Position;
use nonet::class::Class;
use nonet::engine::Engine;
use nonet::features::Encoding;
use nonet::nn::{ForwardCache, Mlp};
use nonet_measure::frozen::{Example, Judged, fit, learned, measured, value};
use rayon::prelude::*;

/// Which positions share a net.
#[derive(Clone, Copy, PartialEq)]
enum Nets {
    /// One for each class with contact.
    ByClass,
    /// One for all of them.
    One,
}

/// An architecture: its name, the inputs, and the units of both layers.
type Architecture = (&'static str, Nets, &'static str, [usize; 2]);

const ARCHITECTURES: &[Architecture] = &[
    ("by class, 128-16", Nets::ByClass, "contact393", [128, 16]),
    ("one, 128-16", Nets::One, "contact393", [128, 16]),
    ("one, 256-32", Nets::One, "contact393", [256, 32]),
    ("one, 512-32", Nets::One, "contact393", [512, 32]),
    ("by class, 128", Nets::ByClass, "contact393", [128, 0]),
    ("by class, 128-64", Nets::ByClass, "contact393", [128, 64]),
    ("by class, 256-16", Nets::ByClass, "contact393", [256, 16]),
    ("by class, raw, 128-16", Nets::ByClass, "raw248", [128, 16]),
    ("by class, raw, 384-16", Nets::ByClass, "raw248", [384, 16]),
    ("one, raw, 128-16", Nets::One, "raw248", [128, 16]),
    ("one, raw, 512-64", Nets::One, "raw248", [512, 64]),
];

/// The nets of an architecture: one for each class, or one in the first place.
fn fitted(architecture: &Architecture, learned: &[Judged], seed: u64) -> Vec<Option<Mlp>> {
    let &(_, nets, slug, units) = architecture;
    let encoding = Encoding::from_slug(slug).expect("inputs");
    let examples = |class: Option<Class>| -> Vec<Vec<Example>> {
        (learned.iter().filter(|(position, _)| class.is_none_or(|of| Class::of(position) == of)))
            .map(|(position, equity)| vec![Example::new(encoding, position, *equity)])
            .collect()
    };
    let net = |class: Option<Class>| {
        let examples = examples(class);
        let inputs = encoding.layout().len();
        (!examples.is_empty()).then(|| fit(inputs, units, &examples, seed, |_| ()))
    };
    match nets {
        Nets::ByClass => Class::all().map(|class| net(Some(class))).collect(),
        Nets::One => vec![net(None)],
    }
}

/// What a fit does at a measured roll: points lost, and the mean squared error of the results.
type AtRoll = [f64; 2];

/// Each roll, and the microseconds of an evaluation with its inputs.
fn measure(
    architecture: &Architecture,
    nets: &[Option<Mlp>],
    measured: &[(Class, Vec<Judged>)],
) -> (Vec<AtRoll>, f64) {
    let &(_, sharing, slug, _) = architecture;
    let encoding = Encoding::from_slug(slug).expect("inputs");
    let mut cache = ForwardCache::default();
    let (mut seconds, mut evaluations) = (0.0, 0.0);
    let mut at_roll = |results: &Vec<Judged>| {
        let started = Instant::now();
        let mut value_of = |position: &Position| {
            let place = if sharing == Nets::One { 0 } else { Class::of(position) as usize };
            let net = nets[place].as_ref().expect("a net for each class that occurs");
            value(net, &Example::new(encoding, position, 0.0), &mut cache)
        };
        let found: Vec<f32> = results.iter().map(|(position, _)| value_of(position)).collect();
        seconds += started.elapsed().as_secs_f64();
        evaluations += results.len() as f64;
        // The equities are the opponent's: the least is best.
        let best = |of: &dyn Fn(usize) -> f32| {
            (0..results.len()).min_by(|&a, &b| of(a).total_cmp(&of(b))).expect("results")
        };
        let (chosen, right) = (best(&|i| found[i]), best(&|i| results[i].1));
        let squares = found.iter().zip(results).map(|(f, (_, e))| f64::from(f - e).powi(2));
        let square = squares.sum::<f64>() / results.len() as f64;
        [f64::from(results[chosen].1 - results[right].1), square]
    };
    let rolls = measured.iter().map(|(_, results)| at_roll(results)).collect();
    (rolls, 1e6 * seconds / evaluations)
}

/// The mean over fits of each roll, and of the time.
fn mean_of(fits: &[&(Vec<AtRoll>, f64)]) -> (Vec<AtRoll>, f64) {
    let n = fits.len() as f64;
    let roll = |i: usize| [0, 1].map(|part| fits.iter().map(|fit| fit.0[i][part]).sum::<f64>() / n);
    ((0..fits[0].0.len()).map(roll).collect(), fits.iter().map(|fit| fit.1).sum::<f64>() / n)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [positions, rolls, fits, seed, path] = words.as_slice() else {
        panic!("expected POSITIONS ROLLS FITS SEED FILE.csv");
    };
    let number = |word: &str| word.parse::<u64>().expect("a whole number");
    let (fits, seed) = (number(fits), number(seed));
    let engine = Engine::champion();
    let learned = learned(&engine, number(positions) as usize, seed);
    eprintln!("{} positions to learn", learned.len());
    let measured = measured(&engine, number(rolls) as usize, seed + 1);
    eprintln!("{} rolls to measure", measured.len());
    let jobs: Vec<(&Architecture, u64)> = ARCHITECTURES
        .iter()
        .flat_map(|architecture| (0..fits).map(move |fit| (architecture, fit)))
        .collect();
    let done: Vec<(Vec<AtRoll>, f64)> = jobs
        .par_iter()
        .map(|&(architecture, number)| {
            let started = Instant::now();
            let nets = fitted(architecture, &learned, seed + number);
            let learning = started.elapsed().as_secs_f64();
            let found = measure(architecture, &nets, &measured);
            let lost: f64 = found.0.iter().map(|[lost, _]| lost).sum();
            let name = architecture.0;
            eprintln!("{name}, fit {number}: {lost:.2} points lost, {learning:.0} s");
            found
        })
        .collect();
    let means: Vec<(Vec<AtRoll>, f64)> =
        done.chunks(fits as usize).map(|fits| mean_of(&fits.iter().collect::<Vec<_>>())).collect();
    let mut csv =
        "architecture,microseconds,class,rolls,lost,lost_squared,more,more_squared,error_squared\n"
            .to_owned();
    for (&(name, ..), (at_rolls, microseconds)) in ARCHITECTURES.iter().zip(&means) {
        for class in Class::all() {
            let (mut rolls, mut sums) = (0, [0.0; 5]);
            for (i, [lost, square]) in at_rolls.iter().enumerate() {
                if measured[i].0 == class {
                    let more = lost - means[0].0[i][0];
                    rolls += 1;
                    for (sum, add) in
                        sums.iter_mut().zip([*lost, lost * lost, more, more * more, *square])
                    {
                        *sum += add;
                    }
                }
            }
            if rolls > 0 {
                let sums = sums.map(|sum| format!("{sum:.6}")).join(",");
                let _ =
                    writeln!(csv, "\"{name}\",{microseconds:.2},{},{rolls},{sums}", class.slug());
            }
        }
    }
    std::fs::write(path, csv).expect("written");
}
