//! An evaluator of one's own under a 2-ply search, without any net.

#![allow(clippy::print_stdout, reason = "an example shows its results")]

use nonet::{Engine, Evaluation, Evaluator, GameState, Plies, Position};

/// Judges by the pip count alone. It is never asked for a finished game.
struct Pips;

impl Evaluator for Pips {
    fn evaluate(&self, position: &Position) -> Evaluation {
        let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
        Evaluation::of_win_chance(1.0 / (1.0 + (-lead / 20.0).exp()))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::builder().evaluator(Pips).plies(Plies::TWO).build()?;
    let state: GameState = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".parse()?;
    for play in engine.moves(&state)?.iter().take(5) {
        println!("{play} at {}", play.plies);
    }
    Ok(())
}
