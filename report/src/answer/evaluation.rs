//! The evaluation of a position.

use serde::Serialize;

use super::OutcomeChances;
use nonet_engine::backgammon::Position;
use nonet_engine::engine::Engine;
use nonet_engine::eval::Evaluation;

/// The cubeless evaluation of a position for the player on roll.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EvaluationAnswer {
    /// Position ID of the board.
    #[cfg_attr(feature = "openapi", schema(example = "4HPwATDgc/ABMA"))]
    pub id: String,
    /// Equity without the cube, in points, -3..3.
    pub equity: f32,
    /// Chances of the player on roll.
    pub outcomes: OutcomeChances,
    /// Class of the position, such as `prime`; pages call `default` other contact.
    #[cfg_attr(feature = "openapi", schema(example = "default"))]
    pub class: String,
    /// What evaluates it statically: the net of this class, `bearoff` or `the rules`.
    #[cfg_attr(feature = "openapi", schema(example = "default"))]
    pub source: String,
}

impl EvaluationAnswer {
    /// Evaluates positions at the engine's depth, in one batch; the answers have the order of the
    /// positions.
    ///
    /// ```
    /// use nonet_engine::backgammon::Position;
    /// use nonet_engine::{Engine, Plies};
    /// use nonet_report::answer::EvaluationAnswer;
    ///
    /// let engine = Engine::champion().with_plies(Plies::ONE);
    /// let answers = EvaluationAnswer::of_all(&engine, &[Position::START]);
    /// assert!(answers[0].outcomes.win > answers[0].outcomes.win_gammon);
    /// ```
    #[must_use]
    pub fn of_all(engine: &Engine, positions: &[Position]) -> Vec<EvaluationAnswer> {
        let values = engine.evaluate(positions);
        positions
            .iter()
            .zip(&values)
            .map(|(position, value)| Self::of(engine, position, value))
            .collect()
    }

    fn of(engine: &Engine, position: &Position, value: &Evaluation) -> EvaluationAnswer {
        let source = engine.source_of(position);
        EvaluationAnswer {
            id: position.id(),
            equity: value.equity(),
            outcomes: OutcomeChances::from(value),
            class: source.class().to_owned(),
            source: source.name().to_owned(),
        }
    }
}
