//! Scoring an evaluator on a set of decisions.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use super::{DecisionSet, mean, results};
use nonet_engine::backgammon::Outcome;
use nonet_engine::class::Class;
use nonet_engine::eval::{Evaluation, Evaluator};
use nonet_engine::stats::Estimate;

/// Which decisions are scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Split {
    /// Those that nets may be chosen by (not held out).
    Development,
    /// Those that no net is chosen by.
    HeldOut,
    /// All.
    All,
}

impl Split {
    /// The name in commands and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Split::Development => "development",
            Split::HeldOut => "held-out",
            Split::All => "all",
        }
    }

    /// Whether a decision belongs to this part.
    #[must_use]
    pub const fn includes(self, held_out: bool) -> bool {
        match self {
            Split::All => true,
            Split::HeldOut => held_out,
            Split::Development => !held_out,
        }
    }
}

/// The score of an evaluator on the decisions of one class, or on all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct BenchmarkScore {
    /// Number of decisions.
    pub decisions: u64,
    /// 1000 times the mean loss of a decision.
    pub er: f64,
    /// The standard error of `er`; infinite for a single decision.
    pub er_stderr: f64,
    /// Share of decisions without loss, 0..=1.
    pub agreed: f64,
    /// Mean absolute error of the equity of the best result, in points per game, if the references
    /// have evaluations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equity_error: Option<f64>,
    /// Mean absolute error of each of its outcome probabilities, in the order of [`Outcome::ALL`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome_errors: Option<[f64; 6]>,
    /// Share of decisions for a result without reference, 0..=1, if there may be such results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlisted: Option<f64>,
}

/// One decision scored.
struct ClassLoss {
    class: Class,
    loss: f64,
    equity_error: f64,
    outcome_errors: [f64; 6],
}

impl DecisionSet {
    /// Scores an evaluator on the current thread pool against one judge (by its index) or the mean
    /// of all.
    ///
    /// There is a score for each class, by its index, and one in total. The result does not depend
    /// on the number of threads.
    pub fn score(
        &self,
        evaluator: &dyn Evaluator,
        part: Split,
        judge: Option<usize>,
    ) -> (BTreeMap<usize, BenchmarkScore>, BenchmarkScore) {
        let losses: Vec<ClassLoss> = self
            .decisions
            .par_iter()
            .filter(|decision| part.includes(decision.held_out))
            .map(|decision| {
                let found = results(&decision.position, decision.dice);
                let mut values = Vec::new();
                evaluator.evaluate_into(&found, &mut values);
                let by = |worse: &[f32]| {
                    let place = (0..worse.len()).min_by(|&a, &b| worse[a].total_cmp(&worse[b]));
                    place.unwrap_or_default()
                };
                // Equities of the opponent.
                let own: Vec<f32> = values.iter().map(Evaluation::equity).collect();
                let truth: Vec<f32> =
                    decision.equities(judge).into_iter().map(|equity| -equity).collect();
                let (chosen, best) = (by(&own), by(&truth));
                let reference = mean(&decision.references[best], judge);
                let gap =
                    |i: usize| f64::from((values[best].outcomes[i] - reference.outcomes[i]).abs());
                ClassLoss {
                    class: Class::of(&decision.position),
                    loss: f64::from(truth[chosen] - truth[best]),
                    equity_error: f64::from((own[best] - truth[best]).abs()),
                    outcome_errors: std::array::from_fn(gap),
                }
            })
            .collect();
        let mut by_class = BTreeMap::new();
        for (place, class) in Class::all().enumerate() {
            let mine: Vec<&ClassLoss> = losses.iter().filter(|loss| loss.class == class).collect();
            if !mine.is_empty() {
                by_class.insert(place, BenchmarkScore::of(&mine));
            }
        }
        (by_class, BenchmarkScore::of(&losses.iter().collect::<Vec<_>>()))
    }
}

impl BenchmarkScore {
    fn of(losses: &[&ClassLoss]) -> BenchmarkScore {
        let n = losses.len().max(1) as f64;
        let sum = |of: &dyn Fn(&ClassLoss) -> f64| losses.iter().map(|loss| of(loss)).sum::<f64>();
        let outcome_errors = std::array::from_fn(|i| sum(&|loss| loss.outcome_errors[i]) / n);
        BenchmarkScore {
            equity_error: Some(sum(&|loss| loss.equity_error) / n),
            outcome_errors: Some(outcome_errors),
            ..BenchmarkScore::of_losses(losses.iter().map(|loss| loss.loss))
        }
    }

    /// The score of decisions that lose so much; whether each was for a result without reference.
    pub(super) fn of_listed(losses: &[f64], unlisted: &[bool]) -> BenchmarkScore {
        let number = unlisted.iter().filter(|unlisted| **unlisted).count();
        let share = number as f64 / unlisted.len().max(1) as f64;
        BenchmarkScore {
            unlisted: Some(share),
            ..BenchmarkScore::of_losses(losses.iter().copied())
        }
    }

    fn of_losses(losses: impl ExactSizeIterator<Item = f64> + Clone) -> BenchmarkScore {
        let decisions = losses.len();
        if decisions == 0 {
            return BenchmarkScore::default();
        }
        let right = losses.clone().filter(|loss| *loss == 0.0).count();
        let loss = Estimate::from_values(losses).scaled(1000.0);
        BenchmarkScore {
            decisions: decisions as u64,
            er: loss.mean,
            er_stderr: loss.stderr,
            agreed: right as f64 / decisions as f64,
            ..BenchmarkScore::default()
        }
    }
}

const _: () = assert!(Outcome::ALL.len() == 6);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::BenchmarkDecision;
    use nonet_engine::backgammon::{Dice, Position};
    use nonet_engine::eval::ScriptedEvaluator;

    /// Judges by pips alone; `sign` -1 turns it around.
    fn pips(sign: f32) -> ScriptedEvaluator<impl Fn(&Position) -> Evaluation + Send + Sync> {
        ScriptedEvaluator(move |position: &Position| {
            let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
            let win = (0.5 + sign * lead / 400.0).clamp(0.0, 1.0);
            Evaluation { average: 2.0 * win - 1.0, outcomes: [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0] }
        })
    }

    fn set() -> DecisionSet {
        let dice = Dice::new(6, 1).expect("dice");
        let found = results(&Position::START, dice);
        // One result is better by 0.1 than all others.
        let reference = |i: usize| {
            let win = if i == 3 { 0.45 } else { 0.5 };
            Evaluation { average: 2.0 * win - 1.0, outcomes: [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0] }
        };
        let references = (0..found.len()).map(|i| vec![reference(i)]).collect();
        let decision =
            BenchmarkDecision { position: Position::START, dice, held_out: true, references };
        DecisionSet {
            judges: vec!["nobody".into()],
            decisions: vec![decision],
            ..DecisionSet::default()
        }
    }

    #[test]
    fn the_loss_is_what_the_best_result_is_better_by() {
        let (set, found) = (set(), results(&Position::START, Dice::new(6, 1).expect("dice")));
        let right = ScriptedEvaluator(move |position: &Position| {
            let best = *position == found[3];
            Evaluation { average: if best { -1.0 } else { 0.0 }, ..Evaluation::ZERO }
        });
        let (by_class, all) = set.score(&right, Split::All, None);
        assert_eq!((all.decisions, all.er, all.agreed), (1, 0.0, 1.0));
        assert_eq!(by_class.len(), 1);
        // By pips all results are equal, so the first one is chosen.
        let (_, wrong) = set.score(&pips(1.0), Split::HeldOut, Some(0));
        assert!((wrong.er - 100.0).abs() < 1e-3, "{wrong:?}");
        assert_eq!(set.score(&pips(1.0), Split::Development, None).1.decisions, 0);
    }
}
