//! The equities that a card keeps: its answers are judged by them, so that a question has one
//! answer wherever it is asked.

use nonet_engine::analysis::{AnalysedDecision, DecisionKind};
use nonet_engine::cube::CubeDecision;
use nonet_engine::engine::ScoredMove;
use nonet_engine::search::Plies;
use nonet_report::play_of;
use serde::{Deserialize, Serialize};

/// Plays that a new position keeps.
const KEPT: usize = 5;

/// The equity of a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The play, or the cube action.
    pub decision: String,
    /// Its equity for the player on roll, in points on a cube at 1.
    pub equity: f32,
    /// The depth of the search.
    pub plies: Plies,
}

impl Figure {
    pub(crate) fn of(play: &ScoredMove) -> Figure {
        Figure { decision: play_of(play), equity: play.equity, plies: play.plies }
    }
}

/// The equities of the analysis, or of the search that chose a new position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CardFigures {
    /// The best plays, the best first, and the one that was made.
    Plays(Vec<Figure>),
    /// A cube decision.
    Cube {
        /// Its equities and the best actions.
        decision: CubeDecision,
        /// The depth of the search.
        plies: Plies,
    },
}

impl CardFigures {
    /// The equities.
    pub(crate) fn equities(&self) -> Vec<f32> {
        match self {
            CardFigures::Plays(plays) => plays.iter().map(|figure| figure.equity).collect(),
            CardFigures::Cube { decision, .. } => {
                vec![decision.no_double, decision.double_take, decision.double_pass]
            }
        }
    }

    /// Those of the best plays of a roll.
    pub(crate) fn of_best(plays: &[ScoredMove]) -> CardFigures {
        CardFigures::Plays(plays.iter().take(KEPT).map(Figure::of).collect())
    }

    /// Those of an analysed decision; the analysis has searched cube decisions to `cube_plies`.
    #[must_use]
    pub fn of(analysed: &AnalysedDecision, cube_plies: Plies) -> CardFigures {
        match &analysed.what {
            DecisionKind::Play(play) => {
                CardFigures::Plays(play.plays.iter().map(Figure::of).collect())
            }
            DecisionKind::CubeCall(call) => {
                CardFigures::Cube { decision: call.decision, plies: cube_plies }
            }
        }
    }

    /// Whether every number is one.
    pub(crate) fn is_sound(&self) -> bool {
        self.equities().iter().all(|equity| equity.is_finite())
    }
}
