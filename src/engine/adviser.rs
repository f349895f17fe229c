//! Who answers all front ends: one search for the plays, one rule for the cube.

use std::sync::Arc;

use super::cube_rule::{CubeAdvice, cube_advice};
use crate::backgammon::{Candidate, Cube, Dice, Position, Session, candidates};
use crate::eval::Evaluator;
use crate::search::{Cache, Effort, Plies, Search};
use crate::value::Evaluation;

/// Judgements that an adviser at 3 plies or more remembers: some 6 MB.
const REMEMBERED: usize = 1 << 16;

/// What a game is played for and where the cube lies, seen by the player on roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Money, or the score of a match.
    pub session: Session,
    /// The cube; a double that waits for its answer has not turned it yet.
    pub cube: Cube,
}

impl Terms {
    /// The same, seen by the other player.
    #[must_use]
    pub const fn flipped(self) -> Terms {
        Terms { session: self.session.flipped(), cube: self.cube.flipped() }
    }
}

/// Answers what a player can be asked, at a number of plies.
#[derive(Clone)]
pub struct Adviser {
    search: Search<Arc<dyn Evaluator>>,
}

/// A legal play and what it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The play, and the board after it with the opponent on roll.
    pub candidate: Candidate,
    /// The depth of the judgement.
    pub plies: Plies,
    /// The judgement for the player who makes the play.
    pub value: Evaluation,
}

impl Advice {
    /// The cubeless equity for the player who makes the play, in points per game, -3..3.
    #[must_use]
    pub fn equity(&self) -> f32 {
        self.value.equity()
    }
}

impl Adviser {
    /// Looks `plies` ahead with the customary filters, `evaluator` judging the leaves.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, plies: Plies) -> Adviser {
        let search = Search::new(evaluator, plies, Effort::NORMAL);
        let deep = plies > Plies::TWO;
        let search = if deep { search.cached(Arc::new(Cache::new(REMEMBERED))) } else { search };
        Adviser { search }
    }

    /// How many plies it looks ahead.
    #[must_use]
    pub fn plies(&self) -> Plies {
        self.search.plies()
    }

    /// Every legal play of a roll, the best first; a roll that cannot be played gives the one empty play.
    #[must_use]
    pub fn plays(&self, position: &Position, dice: Dice, _: Terms) -> Vec<Advice> {
        let plays = candidates(position, dice);
        let results: Vec<Position> = plays.iter().map(|candidate| candidate.after).collect();
        let ranked = self.search.rank(&results);
        let advice = ranked.into_iter().filter_map(|ranked| {
            let candidate = plays.get(ranked.index)?.clone();
            Some(Advice { candidate, plies: ranked.plies, value: ranked.value })
        });
        advice.collect()
    }

    /// The best play of a roll.
    #[must_use]
    pub fn best(&self, position: &Position, dice: Dice, terms: Terms) -> Option<Advice> {
        self.plays(position, dice, terms).into_iter().next()
    }

    /// Judges positions for their players on roll, who have not rolled yet: `out[i]` belongs to `positions[i]`.
    pub fn judge_all(&self, positions: &[Position], out: &mut Vec<Evaluation>) {
        self.search.evaluate_batch(positions, out);
    }

    /// Judges one position for its player on roll.
    #[must_use]
    pub fn judge(&self, position: &Position) -> Evaluation {
        self.search.evaluate(position)
    }

    /// What to do about the cube before the roll: for the player on roll, and for the other one if he is doubled.
    #[must_use]
    pub fn cube(&self, position: &Position, terms: Terms) -> CubeAdvice {
        cube_advice(&self.judge(position), terms)
    }
}
