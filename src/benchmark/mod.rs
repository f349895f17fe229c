//! How well an evaluator decides: a set of decisions, every legal result of each with reference evaluations, and what an
//! evaluator's choices among them lose.
//!
//! ER is 1000 times the mean loss of a decision, in points per game.

mod file;
mod generate;
mod score;

pub use file::FileError;
pub use generate::{SamplingConfig, sampled};
pub use score::{BenchmarkScore, Split};

use crate::backgammon::{Dice, Position};
use crate::eval::Evaluation;

/// A decision, and what references think of each of its results.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchmarkDecision {
    /// The board before the roll.
    pub position: Position,
    /// The roll.
    pub dice: Dice,
    /// Whether it belongs to the half that nobody may learn from or choose nets by.
    pub held_out: bool,
    /// What each judge says of each result that [`Results::of`](crate::backgammon::Results::of) gives, sorted as positions;
    /// for the opponent, who is on roll there: `references[result][judge]`.
    pub references: Vec<Vec<Evaluation>>,
}

/// Decisions with their references.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DecisionSet {
    /// What is known of where they come from, as (what, value).
    pub facts: Vec<(String, String)>,
    /// The judges in order.
    pub judges: Vec<String>,
    /// The decisions.
    pub decisions: Vec<BenchmarkDecision>,
}

/// The results of a roll in the order of references.
#[must_use]
pub fn results(position: &Position, dice: Dice) -> Vec<Position> {
    let mut results = crate::backgammon::Results::default().of(position, dice).to_vec();
    results.sort_unstable_by(|a, b| a.points().cmp(b.points()));
    results
}

impl BenchmarkDecision {
    /// The equity of each result for the player who decides, by one judge or by the mean of all.
    #[must_use]
    pub fn equities(&self, judge: Option<usize>) -> Vec<f32> {
        self.references.iter().map(|result| -mean(result, judge).outcome_equity()).collect()
    }
}

fn mean(result: &[Evaluation], judge: Option<usize>) -> Evaluation {
    match judge.and_then(|judge| result.get(judge)) {
        Some(one) => *one,
        None => {
            let share = 1.0 / result.len().max(1) as f32;
            result.iter().fold(Evaluation::ZERO, |sum, one| sum.plus(one, share))
        }
    }
}
