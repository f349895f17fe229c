//! Who answers all front ends: one search for the plays, one model for the cube.

use std::sync::Arc;

use crate::backgammon::{Candidate, Cube, Dice, Position, Results, Scoring, candidates};
use crate::cube::{CubeDecision, CubeScoring, CubeState};
use crate::cube::{MatchEquityTable, MetError};
use crate::eval::Evaluation;
use crate::eval::Evaluator;
use crate::search::{MoveFilter, Plies, Ranked, Search, SearchSettings, principal_leaves};

/// What a game is played for and where the cube lies, seen by the player on roll.
#[derive(Clone, Debug)]
pub struct CubeContext {
    /// Money, or the score of a match.
    pub stakes: CubeScoring,
    /// The cube; a double that waits for its answer has not turned it yet.
    pub cube: CubeState,
}

impl CubeContext {
    /// The same, seen by the other player.
    #[must_use]
    pub fn flipped(&self) -> CubeContext {
        CubeContext { stakes: self.stakes.flipped(), cube: self.cube.flipped() }
    }
}

/// Answers what a player can be asked, at a number of plies.
#[derive(Clone)]
pub struct Engine {
    search: Search<Arc<dyn Evaluator>>,
    table: Arc<MatchEquityTable>,
}

/// A legal play and what it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredMove {
    /// The play, and the board after it with the opponent on roll.
    pub candidate: Candidate,
    /// The depth of the judgement.
    pub plies: Plies,
    /// The cubeful equity for the player who makes the play, in points on a cube at 1.
    pub equity: f32,
    /// The judgement for the player who makes the play.
    pub value: Evaluation,
}

impl Engine {
    /// Asks `search`, and `table` for what points of a match are worth.
    #[must_use]
    pub const fn new(search: Search<Arc<dyn Evaluator>>, table: Arc<MatchEquityTable>) -> Engine {
        Engine { search, table }
    }

    /// What a game is played for, with this adviser's table.
    ///
    /// # Errors
    /// [`MetError::TooLong`] if that table does not reach the score.
    pub fn terms(&self, session: Scoring, cube: Cube) -> Result<CubeContext, MetError> {
        let stakes = CubeScoring::new(session, Arc::clone(&self.table))?;
        Ok(CubeContext { stakes, cube: cube.into() })
    }

    /// How many plies it looks ahead.
    #[must_use]
    pub const fn plies(&self) -> Plies {
        self.search.plies()
    }

    /// Every legal play of a roll by cubeful equity, the best first; a roll that cannot be played gives the one empty play.
    #[must_use]
    pub fn plays(&self, position: &Position, dice: Dice, terms: &CubeContext) -> Vec<ScoredMove> {
        let plays = candidates(position, dice);
        let results: Vec<Position> = plays.iter().map(|candidate| candidate.after).collect();
        let ranked = self.search.rank_with_cube(&results, &terms.stakes, terms.cube);
        let advice = ranked.into_iter().filter_map(|ranked| {
            let candidate = plays.get(ranked.index)?.clone();
            let Ranked { plies, equity, value, .. } = ranked;
            Some(ScoredMove { candidate, plies, equity, value })
        });
        advice.collect()
    }

    /// The best play of a roll.
    #[must_use]
    pub fn best(&self, position: &Position, dice: Dice, terms: &CubeContext) -> Option<ScoredMove> {
        self.plays(position, dice, terms).into_iter().next()
    }

    /// Judges two plays of one roll at the full depth, whatever a filter thinks of them.
    #[must_use]
    pub fn compare(&self, plays: [&Candidate; 2], terms: &CubeContext) -> [ScoredMove; 2] {
        let all = SearchSettings { filters: [MoveFilter::ALL; 3], ..SearchSettings::NORMAL };
        let search = Search::new(Arc::clone(self.search.evaluator()), self.plies(), all);
        let results = plays.map(|play| play.after);
        let ranked = search.rank_with_cube(&results, &terms.stakes, terms.cube);
        [0, 1].map(|index| {
            let of = ranked.iter().find(|ranked| ranked.index == index);
            let (plies, equity, value) = of.map_or((Plies::ONE, 0.0, Evaluation::ZERO), |ranked| {
                (ranked.plies, ranked.equity, ranked.value)
            });
            ScoredMove { candidate: plays[index].clone(), plies, equity, value }
        })
    }

    /// How much better a roll is than the average one, at 1-ply and without the cube, in points per game. The first roll of
    /// a game is no double.
    #[must_use]
    pub fn luck(&self, position: &Position, dice: Dice, first: bool) -> f32 {
        let (mut results, mut values) = (Results::default(), Vec::new());
        let (mut sum, mut weight, mut rolled) = (0.0, 0.0, 0.0);
        let mut rolls = Dice::ALL.into_iter();
        let judge = self.search.evaluator().as_ref();
        principal_leaves(judge, position, &mut results, &mut values, |leaf, value| {
            let Some(roll) = rolls.next() else { return };
            let equity = -value.equity();
            if !(first && roll.is_double()) {
                sum += leaf.weight * equity;
                weight += leaf.weight;
            }
            if roll == dice {
                rolled = equity;
            }
        });
        rolled - sum / weight
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

    /// Whether the player on roll should double before rolling, and how the other one should answer.
    #[must_use]
    pub fn cube(&self, position: &Position, terms: &CubeContext) -> CubeDecision {
        self.search.cube(position, &terms.stakes, terms.cube)
    }
}
