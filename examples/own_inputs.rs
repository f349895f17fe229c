//! A net with inputs of one's own learns with the usual trainer, and is saved and read as any
//! other.

#![allow(clippy::print_stdout, reason = "an example shows its results")]

use std::env::{args, temp_dir};
use std::sync::Arc;

use nonet::Position;
use nonet::eval::Specialists;
use nonet::features::{Feature, Inputs, SparseInputs};
use nonet::progress::Progress;
use nonet::store::{read_net_with, write_net};
use nonet::train::{RunProgress, TrainSpec, Trainer};

/// Pips and checkers of both sides on each point: 52 inputs.
struct Counts;

impl Inputs for Counts {
    fn slug(&self) -> &str {
        "counts52"
    }

    fn inputs(&self) -> usize {
        52
    }

    fn layout(&self) -> Vec<Feature> {
        let side = |side| (0..26).map(move |point| Feature::named(format!("{side} {point}")));
        side("own").chain(side("opponent")).collect()
    }

    fn encode(&self, position: &Position, inputs: &mut SparseInputs) {
        for (place, seen) in [*position, position.flipped()].iter().enumerate() {
            // Place 0 of each side has its pips, place 25 the checkers on its bar.
            inputs.push(26 * place, f32::from(seen.pips()) / 100.0);
            for point in 1..=25 {
                inputs.push(26 * place + point, f32::from(seen.own(point)) / 3.0);
            }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let games = args().nth(1).map_or(Ok(400), |number| number.parse())?;
    let spec = TrainSpec { games, eval_every: games, eval_games: 200, ..TrainSpec::default() };
    let plan = spec.plan()?;
    let mut run = plan.open()?;
    run.participants.start = Some(Arc::new(Specialists::single(&Counts, 40, 1)?));
    let mut trainer = Trainer::new(plan, run.participants);
    let mut show = |run: &RunProgress| {
        run.history.last().iter().for_each(|test| println!("{} games: {}", test.games, test.last));
    };
    trainer.run(&mut *run.source, &mut show, &Progress::default())?;
    let path = temp_dir().join("counts.nonet");
    write_net(&path, trainer.best().ok_or("no test was played")?)?;
    let read = read_net_with(&path, &[&Counts])?;
    println!("a net that reads {:?}, from {}", read.team.nets()[0].encoding, path.display());
    Ok(())
}
