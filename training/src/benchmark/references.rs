//! Making reference evaluations: the plays that may be best are evaluated by every judge, the
//! others by a cheaper evaluator.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::generate::TAKEN;
use super::references_task::ReferencesTask;
use super::{BenchmarkDecision, DecisionSet, SamplingConfig};
use nonet_engine::backgammon::{Dice, Position};
use nonet_engine::eval::{Evaluation, Evaluator};
use nonet_engine::progress::Progress;

/// Which results of a decision are evaluated by every judge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReferenceConfig {
    /// At most this many of the best.
    pub plays: usize,
    /// Only those that lose less than this, in points per game.
    pub max_loss: f32,
}

impl Default for ReferenceConfig {
    /// The six best, as far as they lose less than 0.3 points.
    fn default() -> ReferenceConfig {
        ReferenceConfig { plays: 6, max_loss: 0.3 }
    }
}

/// Reference evaluations of the results of sampled decisions, made on the current thread pool:
/// `first` evaluates all results, `judges` evaluate those again that may be best by the first.
/// Every second decision is held out. `progress` counts decisions; `None` if it was stopped before
/// the last one.
pub fn with_references(
    sampled: &[(Position, Dice)],
    first: &dyn Evaluator,
    judges: &[Arc<dyn Evaluator>],
    config: &ReferenceConfig,
    progress: &Progress,
) -> Option<Vec<BenchmarkDecision>> {
    let task = ReferencesTask { sampled, first, judges, config };
    let all = progress.share(&task, 0..sampled.len() as u64)?.into_iter().flatten();
    let decision = |(i, (&(position, dice), references))| {
        let held_out = i % 2 == 1;
        BenchmarkDecision { position, dice, held_out, references }
    };
    Some(sampled.iter().zip(all).enumerate().map(decision).collect())
}

pub(super) fn references(
    found: &[Position],
    first: &dyn Evaluator,
    judges: &[Arc<dyn Evaluator>],
    config: &ReferenceConfig,
) -> Vec<Vec<Evaluation>> {
    let mut values = Vec::new();
    first.evaluate_into(found, &mut values);
    // The values are the opponent's: the least is best.
    let equity = |i: usize| values[i].equity();
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by(|&a, &b| equity(a).total_cmp(&equity(b)));
    let best = equity(order[0]);
    let close: Vec<usize> = order
        .into_iter()
        .take(config.plays)
        .filter(|&i| equity(i) - best < config.max_loss)
        .collect();
    let boards: Vec<Position> = close.iter().map(|&i| found[i]).collect();
    let mut references: Vec<Vec<Evaluation>> =
        values.iter().map(|value| vec![*value; judges.len()]).collect();
    let mut judged = Vec::new();
    for (judge, evaluator) in judges.iter().enumerate() {
        evaluator.evaluate_into(&boards, &mut judged);
        for (&i, value) in close.iter().zip(&judged) {
            references[i][judge] = *value;
        }
    }
    references
}

impl DecisionSet {
    /// A set of decisions with the facts of its origin. `command` makes it again; `judges` are the
    /// names of those who made the references.
    #[must_use]
    pub fn new(
        command: String,
        sampling: &SamplingConfig,
        config: &ReferenceConfig,
        judges: Vec<String>,
        decisions: Vec<BenchmarkDecision>,
    ) -> DecisionSet {
        let SamplingConfig { epsilon, close, by_class, drawn, .. } = sampling;
        let begun = if *drawn { " from drawn positions" } else { "" };
        let ReferenceConfig { plays, max_loss } = config;
        let facts = [
            ("command", command),
            (
                "decisions",
                match by_class {
                    true => format!(
                        "from games of the first player against itself{begun} that stray with chance {epsilon}, one of each game, \
                         where the second best play loses less than {close}"
                    ),
                    false => {
                        format!(
                            "from games of the first player against itself{begun}, as they occur, each with chance {TAKEN}"
                        )
                    }
                },
            ),
            (
                "judged",
                format!(
                    "up to {plays} plays that lose less than {max_loss} by every judge, the others by the first player at 2-ply"
                ),
            ),
        ];
        let facts = facts.map(|(key, value)| (key.to_owned(), value)).to_vec();
        DecisionSet { facts, judges, decisions }
    }

    /// The index of the first judge with a name that begins with `name`.
    #[must_use]
    pub fn judge(&self, name: &str) -> Option<usize> {
        self.judges.iter().position(|judge| judge.starts_with(name))
    }
}

#[cfg(test)]
mod tests {
    use super::super::results;
    use super::*;
    use nonet_engine::eval::ScriptedEvaluator;

    fn worth(equity: f32) -> Evaluation {
        let win = (1.0 + equity) / 2.0;
        Evaluation { average: equity, outcomes: [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0] }
    }

    /// A judge that gives every result the same equity.
    fn constant(equity: f32) -> Arc<dyn Evaluator> {
        Arc::new(ScriptedEvaluator(move |_: &Position| worth(equity)))
    }

    #[test]
    fn judges_evaluate_the_close_plays_and_the_first_evaluator_the_others() {
        let dice = Dice::new(6, 1).expect("dice");
        let found = results(&Position::START, dice);
        // The result with index i loses i / 64 (exact in binary).
        let first = ScriptedEvaluator(move |position: &Position| {
            let place = found.iter().position(|result| result == position).expect("a result");
            worth(place as f32 / 64.0)
        });
        let judges = [constant(0.5), constant(0.7)];
        let sampled = [(Position::START, dice); 2];
        let made = |plays, max_loss| {
            let config = ReferenceConfig { plays, max_loss };
            with_references(&sampled, &first, &judges, &config, &Progress::default()).expect("made")
        };
        let values = |decision: &BenchmarkDecision| -> Vec<[f32; 2]> {
            decision.references.iter().map(|r| [r[0].average, r[1].average]).collect()
        };
        let by_loss = made(9, 0.02);
        assert_eq!(values(&by_loss[0])[..3], [[0.5, 0.7], [0.5, 0.7], [0.03125, 0.03125]]);
        assert_eq!(values(&made(1, 9.0)[0])[..2], [[0.5, 0.7], [0.015625, 0.015625]]);
        assert_eq!([by_loss[0].held_out, by_loss[1].held_out], [false, true]);
    }

    #[test]
    fn nothing_is_made_once_the_work_is_stopped() {
        let progress = Progress::default();
        progress.stop();
        let sampled = [(Position::START, Dice::new(6, 1).expect("dice"))];
        let config = ReferenceConfig::default();
        let made = with_references(&sampled, constant(0.0).as_ref(), &[], &config, &progress);
        assert_eq!(made, None);
    }

    #[test]
    fn a_judge_is_found_by_the_beginning_of_its_name() {
        let judges = vec!["gnubg:3".to_owned(), "net.nonet:3".to_owned()];
        let set = DecisionSet { judges, ..DecisionSet::default() };
        assert_eq!(
            [set.judge("gnubg"), set.judge("net"), set.judge("x")],
            [Some(0), Some(1), None]
        );
    }
}
