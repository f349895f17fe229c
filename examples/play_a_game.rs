//! The engine plays a money game against itself, move by move, with the cube and the caller's dice.

#![allow(clippy::print_stdout, reason = "an example shows its results")]

use nonet::backgammon::{Dice, GameState, Next, Scoring, Seat};
use nonet::{Engine, Plies};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::champion().with_plies(Plies::ONE);
    let mut rng = Pcg64::seed_from_u64(1);
    let mut die = || rng.random_range(1..=6);
    let mut game = GameState::opening(Scoring::MONEY, Seat::X, "31".parse()?)?;
    loop {
        game = match game.next() {
            Next::Over(result) => {
                println!("{:?} wins {} points", result.winner, result.points);
                return Ok(());
            }
            Next::Answer(_) if engine.cube(&game)?.is_take() => game.take()?,
            Next::Answer(_) => game.pass()?,
            Next::Roll(_) if game.may_double() && engine.cube(&game)?.is_double() => {
                game.double()?
            }
            Next::Roll(_) => game.rolled(Dice::new(die(), die()).ok_or("no dice")?)?,
            Next::Play(seat, dice) => {
                let best = engine.best_move(&game)?;
                println!("{seat:?} {dice}: {best}");
                game.play(best.after())?
            }
            Next::OpeningRoll => unreachable!("the game has been opened"),
        };
        // Always drawn from X's side.
        println!("{}", game.board(Seat::X));
    }
}
