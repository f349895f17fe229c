//! The error rate of an evaluator on a set of decisions. Every legal result has reference
//! evaluations.
//!
//! ER is 1000 times the mean loss of a decision, in points per game.

mod error_rate;
mod exact;
mod file;
mod generate;
mod gnubg_file;
mod play_score;
mod references;
mod references_task;

pub use error_rate::{BenchmarkScore, Split};
pub use exact::{
    ExactCubeErrors, ExactErrors, ExactPhase, ExactSample, exact_cube_errors, exact_errors,
};
pub use file::FileError;
pub use generate::{SamplingConfig, sampled};
pub use gnubg_file::{GnubgDecision, GnubgDecisions};
pub use play_score::PlayScore;
pub use references::{ReferenceConfig, with_references};
pub use references_task::{REFERENCES_TASK, open_references_task};

use nonet_engine::backgammon::{Dice, Position};
use nonet_engine::eval::Evaluation;

/// A decision with reference evaluations of its results.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchmarkDecision {
    /// The board before the roll.
    pub position: Position,
    /// The roll.
    pub dice: Dice,
    /// Whether it is held out: not used for training or for choosing nets.
    pub held_out: bool,
    /// `references[result][judge]`: the evaluation of each of the [`results`] by each judge, for
    /// the opponent, who is on roll there.
    pub references: Vec<Vec<Evaluation>>,
}

/// Decisions with their references.
///
/// ```no_run
/// use nonet_training::benchmark::{DecisionSet, Split};
///
/// let text = std::fs::read_to_string("decisions.txt")?;
/// let set = DecisionSet::from_text(&text, "decisions.txt")?;
/// let (_, all) = set.score(&nonet_engine::open::net("small")?.team, Split::HeldOut, None);
/// println!("error rate {:.1}", all.er);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DecisionSet {
    /// The origin of the decisions, as (key, value).
    pub facts: Vec<(String, String)>,
    /// The names of the judges, in the order of the references.
    pub judges: Vec<String>,
    /// The decisions.
    pub decisions: Vec<BenchmarkDecision>,
}

/// The distinct results of a roll, sorted: the order of references.
#[must_use]
pub fn results(position: &Position, dice: Dice) -> Vec<Position> {
    let mut results = nonet_engine::backgammon::Results::default().of(position, dice).to_vec();
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
