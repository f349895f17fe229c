//! Evaluators of positions.
//!
//! Everything that evaluates positions implements [`Evaluator`]: nets, bearoff databases, searches
//! and caches. [`Specialists`] is a team of nets, one for each class of positions.

mod architecture_shape;
mod batch;
mod description;
mod evaluation;
mod external;
mod feature_importance;
mod net_architecture;
mod pubeval;
mod puretd;
mod rules_first;
mod scripted;
mod specialists;

pub use architecture_shape::ArchitectureError;
pub use description::{EvaluatorDescription, PlayingTeam, TeamDescription};
pub use evaluation::{Cubeful, Evaluation, HEADS};
pub use external::{External, ExternalEngine, ExternalEvaluator, ExternalFailure};
pub use feature_importance::{
    FeatureImportance, FeatureUsage, feature_importance, linear_weights, rank_correlation,
};
pub use net_architecture::{Architecture, HiddenLayers, InputChoice, NetSharing};
pub use pubeval::{EqualWeights, Linear, PubEval};
pub use puretd::{PureTd, PureTdError};
pub(crate) use rules_first::RulesFirst;
pub use scripted::ScriptedEvaluator;
pub use specialists::{Net, QuantizedSpecialists, Specialists, TeamError};

use std::sync::Arc;

use crate::backgammon::Position;
use crate::progress::Attachments;

/// Evaluates positions, without a cube.
///
/// ```
/// use nonet_engine::{Evaluation, Evaluator, Position};
///
/// /// Counts pips.
/// struct Pips;
///
/// impl Evaluator for Pips {
///     fn evaluate(&self, position: &Position) -> Evaluation {
///         let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
///         Evaluation::of_win_chance(1.0 / (1.0 + (-lead / 20.0).exp()))
///     }
/// }
///
/// let mut values = [Evaluation::ZERO; 2];
/// Pips.evaluate_batch(&[Position::START; 2], &mut values);
/// assert_eq!(values[1].equity(), 0.0);
/// ```
pub trait Evaluator: Send + Sync {
    /// Evaluates a position for its player on roll. Evaluators of this crate give the exact value
    /// of a finished game.
    fn evaluate(&self, position: &Position) -> Evaluation;

    /// Evaluates many positions: `out[i]` receives the evaluation of `positions[i]`. The default
    /// asks [`Evaluator::evaluate`] for each. An evaluator that is faster with many overrides it,
    /// and must give the same values.
    ///
    /// # Panics
    /// Perhaps, if the lengths differ.
    fn evaluate_batch(&self, positions: &[Position], out: &mut [Evaluation]) {
        for (position, value) in positions.iter().zip(out) {
            *value = self.evaluate(position);
        }
    }

    /// Replaces the contents of `out` by one evaluation for each position, in order. Do not
    /// override it.
    fn evaluate_into(&self, positions: &[Position], out: &mut Vec<Evaluation>) {
        out.resize(positions.len(), Evaluation::ZERO);
        self.evaluate_batch(positions, out);
    }

    /// The exact money equities with a cube, if the evaluator knows them.
    fn cubeful(&self, _: &Position) -> Option<Cubeful> {
        None
    }

    /// The money equities with a cube: exact ones, or solved ones with a small error. Slower than
    /// [`Evaluator::cubeful`], for decisions with a cube.
    fn solved_cubeful(&self, position: &Position) -> Option<Cubeful> {
        self.cubeful(position)
    }

    /// The failure of an external engine behind this evaluator, if there was one; since then every
    /// answer is a placeholder.
    fn failure(&self) -> Option<&ExternalFailure> {
        None
    }

    /// Whether its answers may have outcomes that the rules exclude: see
    /// [`Specialists::with_all_outcomes`].
    fn all_outcomes(&self) -> bool {
        false
    }

    /// Whether the evaluator applies the rules itself.
    ///
    /// Then finished games have their exact value. Outcomes that the rules exclude have no chance
    /// unless [`Evaluator::all_outcomes`] is true. An engine applies the rules to the answers of
    /// other evaluators, which takes time.
    fn applies_rules(&self) -> bool {
        false
    }

    /// Describes the evaluator to another machine; nets are added to `attachments`. `None` if it
    /// cannot: an engine in another process, for example.
    fn describe(&self, _attachments: &mut Attachments) -> Option<EvaluatorDescription> {
        None
    }
}

impl<E: Evaluator + ?Sized> Evaluator for &E {
    fn evaluate(&self, position: &Position) -> Evaluation {
        (**self).evaluate(position)
    }

    fn evaluate_batch(&self, positions: &[Position], out: &mut [Evaluation]) {
        (**self).evaluate_batch(positions, out);
    }

    fn cubeful(&self, position: &Position) -> Option<Cubeful> {
        (**self).cubeful(position)
    }

    fn solved_cubeful(&self, position: &Position) -> Option<Cubeful> {
        (**self).solved_cubeful(position)
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        (**self).failure()
    }

    fn all_outcomes(&self) -> bool {
        (**self).all_outcomes()
    }

    fn applies_rules(&self) -> bool {
        (**self).applies_rules()
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<EvaluatorDescription> {
        (**self).describe(attachments)
    }
}

impl<E: Evaluator + ?Sized> Evaluator for Arc<E> {
    fn evaluate(&self, position: &Position) -> Evaluation {
        (**self).evaluate(position)
    }

    fn evaluate_batch(&self, positions: &[Position], out: &mut [Evaluation]) {
        (**self).evaluate_batch(positions, out);
    }

    fn cubeful(&self, position: &Position) -> Option<Cubeful> {
        (**self).cubeful(position)
    }

    fn solved_cubeful(&self, position: &Position) -> Option<Cubeful> {
        (**self).solved_cubeful(position)
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        (**self).failure()
    }

    fn all_outcomes(&self) -> bool {
        (**self).all_outcomes()
    }

    fn applies_rules(&self) -> bool {
        (**self).applies_rules()
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<EvaluatorDescription> {
        (**self).describe(attachments)
    }
}

/// Returns the index of the best of `results`.
///
/// The best is the first one with the lowest equity for the opponent, who is on roll in all of
/// them. `values` receives the evaluations of the results. Returns 0 if there are no results.
pub fn best_result(
    evaluator: &dyn Evaluator,
    results: &[Position],
    values: &mut Vec<Evaluation>,
) -> usize {
    evaluator.evaluate_into(results, values);
    let mut best = (0, f32::INFINITY);
    for (i, value) in values.iter().enumerate() {
        let equity = value.equity();
        if equity < best.1 {
            best = (i, equity);
        }
    }
    best.0
}
