//! How often people make each of the two plays.

use nonet_engine::backgammon::{Candidate, Dice, Position};
use nonet_engine::engine::{LEVELS, ScoredMove};
use nonet_engine::strength::{ComparedPlay, HumanChoice};
use serde::Serialize;

/// How often people of a strength make each of the two plays: a model that was fitted to recorded
/// matches.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WhyPeople {
    /// The PR of their plays.
    #[cfg_attr(feature = "openapi", schema(example = 8.0))]
    pub pr: f32,
    /// The chance that they make the better play.
    pub better: f32,
    /// The chance that they make the other.
    pub worse: f32,
}

impl WhyPeople {
    /// Of the levels that play like people, the strongest first; `plays` are all legal ones.
    pub(super) fn of(
        position: &Position,
        dice: Dice,
        plays: &[ScoredMove],
        two: [&Candidate; 2],
    ) -> Vec<WhyPeople> {
        let compared: Vec<ComparedPlay> = plays.iter().map(ComparedPlay::from).collect();
        let at = two.map(|one| plays.iter().position(|play| *play.after() == one.after));
        let of = |pr: f32| {
            let chances = HumanChoice::of_pr(pr).chances(position, dice, &compared);
            let [better, worse] = at.map(|at| at.map_or(0.0, |at| chances[at] as f32));
            WhyPeople { pr, better, worse }
        };
        LEVELS.iter().rev().filter_map(|level| level.strength.people).map(of).collect()
    }
}
