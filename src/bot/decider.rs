//! Checker play by the same players that `nonet eval` uses, and the cube by the search that `nonet cube` asks.

use std::sync::Arc;

use rand_pcg::Pcg64;

use crate::backgammon::{Dice, Position, Results};
use crate::cube::{CubeDecision, CubeScoring, CubeState};
use crate::eval::Evaluation;
use crate::eval::Evaluator;
use crate::game::{Greedy, MoveChoice, Player, StreamPurpose, stream};
use crate::search::{FullWidth, Plies, Search, SearchSettings};

/// Who judges and who plays.
pub struct Decider {
    evaluator: Arc<dyn Evaluator>,
    player: Box<dyn Player>,
    cube: Search<Arc<dyn Evaluator>>,
    results: Results,
    values: Vec<Evaluation>,
    choices: Pcg64,
}

impl Decider {
    /// Plays at 1-ply (the static evaluation of every result) to 4-ply with this evaluator; other numbers are taken for 2.
    /// Cube decisions, of which a game has few, are made at 2-ply at least.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, plies: u8) -> Decider {
        let depth = Plies::new(plies).unwrap_or(Plies::TWO);
        let search = |depth| Search::new(Arc::clone(&evaluator), depth, SearchSettings::NORMAL);
        let player: Box<dyn Player> = if depth == Plies::ONE {
            Box::new(Greedy(Arc::clone(&evaluator)))
        } else {
            Box::new(search(depth))
        };
        let cube = search(depth.max(Plies::TWO));
        let choices = stream(1, StreamPurpose::Choice, 0);
        Decider {
            evaluator,
            player,
            cube,
            results: Results::default(),
            values: Vec::new(),
            choices,
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
        self.cube.cube(position, stakes, cube)
    }
}
