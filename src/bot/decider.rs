//! Checker play by the same players that `nonet eval` uses, and the cube by the search that `nonet cube` asks.

use std::sync::Arc;

use rand_pcg::Pcg64;

use crate::backgammon::{Dice, Position, Results};
use crate::cube::{CubeDecision, CubeScoring, CubeState};
use crate::engine::{CubeContext, Engine};
use crate::eval::{Evaluation, Evaluator};
use crate::game::{MoveChoice, Player, StreamPurpose, stream};
use crate::search::{FullWidth, Plies};

/// Decides plays and cube actions with an engine.
pub struct Decider {
    evaluator: Arc<dyn Evaluator>,
    player: Arc<dyn Player>,
    cube: Engine,
    results: Results,
    values: Vec<Evaluation>,
    choices: Pcg64,
}

impl Decider {
    /// Plays with `engine` without the cube. Cube decisions, of which a game has few, are made at 2-ply at least.
    #[must_use]
    pub fn new(engine: &Engine) -> Decider {
        let cube = engine.with_plies(engine.plies().max(Plies::TWO));
        Decider {
            evaluator: Arc::clone(engine.static_evaluator()),
            player: engine.player(),
            cube,
            results: Results::default(),
            values: Vec::new(),
            choices: stream(1, StreamPurpose::Choice, 0),
        }
    }

    /// The board after the play, and its equity for whoever played, in points per game.
    pub fn play(&mut self, position: &Position, dice: Dice) -> (Position, f32) {
        let results = self.results.of(position, dice);
        let choice = if results.len() == 1 {
            0
        } else {
            let decision = MoveChoice { position, dice, results };
            self.player.choose(&decision, &mut self.values, &mut self.choices)
        };
        let after = results[choice];
        (after, -self.evaluator.evaluate(&after).equity())
    }

    /// The position before its roll, looked at one ply ahead: nets are least sure of what they see first.
    #[must_use]
    pub fn before_roll(&self, position: &Position) -> Evaluation {
        FullWidth(&self.evaluator).evaluate(position)
    }

    /// Whether the player on roll in `position` should double, and whether the other one should take.
    #[must_use]
    pub fn cube(&self, position: &Position, stakes: &CubeScoring, cube: CubeState) -> CubeDecision {
        self.cube.cube_decision(position, &CubeContext { scoring: stakes.clone(), cube })
    }
}
