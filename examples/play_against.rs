//! A player of one's own against the built-in net: 200 games with duplicate dice.

#![allow(clippy::print_stdout, reason = "an example shows its results")]

use nonet::eval::Evaluation;
use nonet::game::{MoveChoice, Pcg64, Player, SeriesConfig};
use nonet::{Engine, Plies, Position};

/// Leaves as few blots as possible; of plays with as many, the one that has run the farthest.
struct Careful;

impl Player for Careful {
    fn choose(&self, choice: &MoveChoice, _: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
        choice.best_by(|after| -(1000.0 * blots(after) + f32::from(after.pips())))
    }
}

fn blots(position: &Position) -> f32 {
    (1..=24).filter(|&point| position.own(point) == 1).count() as f32
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let champion = Engine::champion().with_plies(Plies::ONE).player();
    let series = SeriesConfig::new(200, 1).play(champion.as_ref(), &Careful)?;
    println!("{} points a game in {} games", series.ppg, series.games);
    Ok(())
}
