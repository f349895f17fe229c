//! Evaluators of positions.
//!
//! Everything that evaluates positions implements [`Evaluator`]: nets, bearoff databases, searches and caches.
//! [`Specialists`] is a team of nets, one for each class of positions.

mod architecture_shape;
mod batch;
mod description;
mod evaluation;
mod external;
mod feature_importance;
mod net_architecture;
mod pubeval;
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
pub use scripted::ScriptedEvaluator;
pub use specialists::{Net, QuantizedSpecialists, Specialists, TeamError};

use std::sync::Arc;

use crate::backgammon::Position;
use crate::progress::Attachments;

/// Evaluates positions, without a cube.
pub trait Evaluator: Send + Sync {
    /// Evaluates each position for its player on roll. Replaces the contents of `out` by one evaluation for each position, in
    /// order. Finished games are exact.
    fn evaluate_batch(&self, positions: &[Position], out: &mut Vec<Evaluation>);

    /// The exact money equities with a cube, if the evaluator knows them.
    fn cubeful(&self, _: &Position) -> Option<Cubeful> {
        None
    }

    /// The failure of an external engine behind this evaluator, if there was one; since then every answer is a placeholder.
    fn failure(&self) -> Option<&ExternalFailure> {
        None
    }

    /// What another machine needs to make the same evaluator; nets are added to `attachments`. `None` if it cannot: an engine
    /// in another process, for example.
    fn describe(&self, _attachments: &mut Attachments) -> Option<EvaluatorDescription> {
        None
    }

    /// Evaluates one position.
    fn evaluate(&self, position: &Position) -> Evaluation {
        let mut out = Vec::with_capacity(1);
        self.evaluate_batch(std::slice::from_ref(position), &mut out);
        out.pop().expect("evaluate_batch gives one evaluation for each position")
    }
}

impl<E: Evaluator + ?Sized> Evaluator for &E {
    fn evaluate_batch(&self, positions: &[Position], out: &mut Vec<Evaluation>) {
        (**self).evaluate_batch(positions, out);
    }

    fn cubeful(&self, position: &Position) -> Option<Cubeful> {
        (**self).cubeful(position)
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        (**self).failure()
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<EvaluatorDescription> {
        (**self).describe(attachments)
    }
}

impl<E: Evaluator + ?Sized> Evaluator for Arc<E> {
    fn evaluate_batch(&self, positions: &[Position], out: &mut Vec<Evaluation>) {
        (**self).evaluate_batch(positions, out);
    }

    fn cubeful(&self, position: &Position) -> Option<Cubeful> {
        (**self).cubeful(position)
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        (**self).failure()
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<EvaluatorDescription> {
        (**self).describe(attachments)
    }
}

/// Returns the index of the best of `results`: the first one with the lowest equity for the opponent, who is on roll in all
/// of them. `values` receives their evaluations. Returns 0 if there are no results.
pub fn best_result(
    evaluator: &dyn Evaluator,
    results: &[Position],
    values: &mut Vec<Evaluation>,
) -> usize {
    evaluator.evaluate_batch(results, values);
    let mut best = (0, f32::INFINITY);
    for (i, value) in values.iter().enumerate() {
        let equity = value.equity();
        if equity < best.1 {
            best = (i, equity);
        }
    }
    best.0
}
