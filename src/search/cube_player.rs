//! Players that use the cube.

use rand_pcg::Pcg64;
use serde::Deserialize;

use super::Search;
use crate::backgammon::{Cube, Position};
use crate::cube::CubeScoring;
use crate::eval::{Evaluation, Evaluator, ExternalFailure};
use crate::game::{MoveChoice, Player};

/// The rule for cube decisions in money games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DoublingRule {
    /// "Our player doubled if the evaluation was between 0.5 and 1.0", and takes above -0.5 (Wiering, Patist & Mannen,
    /// section 4.1).
    Simple,
    /// By the cube model, without the Jacoby rule and beavers.
    Model,
}

impl std::fmt::Display for DoublingRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            DoublingRule::Simple => "simple rule",
            DoublingRule::Model => "cube model",
        })
    }
}

/// Chooses plays by cubeless search and decides about the cube by a rule.
pub struct CubePlayer<E> {
    search: Search<E>,
    rule: DoublingRule,
    scoring: CubeScoring,
}

impl<E: Evaluator> CubePlayer<E> {
    /// A player for money games.
    pub fn new(search: Search<E>, rule: DoublingRule) -> CubePlayer<E> {
        CubePlayer { search, rule, scoring: CubeScoring::money() }
    }

    fn equity(&self, position: &Position) -> f32 {
        self.search.judge(position, self.search.plies()).equity()
    }
}

impl<E: Evaluator> Player for CubePlayer<E> {
    fn choose(
        &self,
        decision: &MoveChoice,
        values: &mut Vec<Evaluation>,
        rng: &mut Pcg64,
    ) -> usize {
        self.search.choose(decision, values, rng)
    }

    fn doubles(&self, position: &Position, cube: Cube) -> bool {
        match self.rule {
            DoublingRule::Simple => (0.5..=1.0).contains(&self.equity(position)),
            DoublingRule::Model => self.search.cube(position, &self.scoring, cube).is_double(),
        }
    }

    fn takes(&self, position: &Position, cube: Cube) -> bool {
        match self.rule {
            DoublingRule::Simple => -self.equity(position) > -0.5,
            DoublingRule::Model => self.search.cube(position, &self.scoring, cube).is_take(),
        }
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        self.search.evaluator().failure()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::Outcome;
    use crate::eval::ScriptedEvaluator;
    use crate::search::{Plies, SearchSettings};

    /// A player whose evaluator gives every position this winning chance, without gammons.
    fn player(win: f32, rule: DoublingRule) -> impl Player {
        let evaluator = ScriptedEvaluator(move |_: &Position| Evaluation {
            average: 2.0 * win - 1.0,
            outcomes: [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0],
        });
        CubePlayer::new(Search::new(evaluator, Plies::ONE, SearchSettings::NORMAL), rule)
    }

    #[test]
    fn the_simple_rule_doubles_from_a_half_to_one_and_takes_above_minus_a_half() {
        let at = |win| player(win, DoublingRule::Simple);
        let doubles = |win| at(win).doubles(&Position::START, Cube::CENTRED);
        assert_eq!([0.74, 0.76, 0.99].map(doubles), [false, true, true]);
        let takes = |win| at(win).takes(&Position::START, Cube::CENTRED);
        assert_eq!([0.74, 0.76].map(takes), [true, false], "the chance is the doubler's");
        assert_eq!(Evaluation::of_outcome(Outcome::Win).equity(), 1.0);
    }

    #[test]
    fn the_model_takes_what_the_simple_rule_passes() {
        let model = player(0.76, DoublingRule::Model);
        assert!(model.takes(&Position::START, Cube::CENTRED));
        assert!(!player(0.9, DoublingRule::Model).takes(&Position::START, Cube::CENTRED));
    }
}
