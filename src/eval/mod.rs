//! Who judges positions.
//!
//! [`Evaluator`] is the seam: nets, and later databases, searches and caches around them, are evaluators.
//! [`Specialists`] is the team of nets that this project is about.

mod architecture;
mod batch;
mod evaluation;
mod external;
mod feature_importance;
mod pubeval;
mod scripted;
mod specialists;

pub use architecture::{Architecture, NetSharing};
pub use evaluation::{Cubeful, Evaluation, HEADS};
pub use external::{External, ExternalEngine, ExternalFailure};
pub use feature_importance::{
    FeatureImportance, FeatureUsage, feature_importance, rank_correlation,
};
pub use pubeval::{Linear, PubEval};
pub use scripted::ScriptedEvaluator;
pub use specialists::{Net, QuantizedSpecialists, Specialists, TeamError};

use std::sync::Arc;

use crate::backgammon::Position;

/// Who judges positions, without a cube.
pub trait Evaluator: Send + Sync {
    /// Judges each position for its player on roll: `out[i]` belongs to `positions[i]`, whatever `out` held before is
    /// gone. Finished games are exact.
    fn evaluate_batch(&self, positions: &[Position], out: &mut Vec<Evaluation>);

    /// The exact equities with a cube for money, where they are known.
    fn cubeful(&self, _: &Position) -> Option<Cubeful> {
        None
    }

    /// Why every answer since is a placeholder, if an external engine behind this evaluator has failed.
    fn failure(&self) -> Option<&ExternalFailure> {
        None
    }

    /// Judges one position.
    fn evaluate(&self, position: &Position) -> Evaluation {
        let mut out = Vec::with_capacity(1);
        self.evaluate_batch(std::slice::from_ref(position), &mut out);
        out.pop().unwrap_or(Evaluation::ZERO)
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
}

/// The result that is worst for the opponent, who is on roll in all of them; the first of equals. `values` is a buffer.
///
/// # Panics
/// Never: no results at all give 0.
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
