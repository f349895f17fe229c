//! Players that use the cube.

use rand_pcg::Pcg64;
use serde::Deserialize;

use super::Search;
use crate::backgammon::Position;
use crate::cube::{Answer, CubeDecision};
use crate::eval::{Evaluation, Evaluator, ExternalFailure};
use crate::game::{CubeChoice, MoveChoice, Player};

/// The rule for cube decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DoublingRule {
    /// "Our player doubled if the evaluation was between 0.5 and 1.0", and takes above -0.5
    /// (Wiering, Patist & Mannen, section 4.1).
    Simple,
    /// By the cube model.
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
}

impl<E: Evaluator> CubePlayer<E> {
    /// A player that searches with `search`.
    pub fn new(search: Search<E>, rule: DoublingRule) -> CubePlayer<E> {
        CubePlayer { search, rule }
    }

    fn decision(&self, choice: &CubeChoice) -> CubeDecision {
        self.search.cube(choice.position, &choice.context.scoring, choice.context.cube)
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

    fn doubles(&self, choice: &CubeChoice) -> bool {
        match self.rule {
            DoublingRule::Simple => (0.5..=1.0).contains(&self.equity(choice.position)),
            DoublingRule::Model => self.decision(choice).is_double(),
        }
    }

    fn answer(&self, choice: &CubeChoice) -> Answer {
        match self.rule {
            DoublingRule::Simple if -self.equity(choice.position) > -0.5 => Answer::Take,
            DoublingRule::Simple => Answer::Pass,
            DoublingRule::Model => self.decision(choice).answer,
        }
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        self.search.evaluator().failure()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::{Cube, Outcome};
    use crate::cube::{CubeContext, CubeScoring};
    use crate::eval::ScriptedEvaluator;
    use crate::search::{Plies, SearchSettings};

    /// A player with an evaluator that gives every position this winning chance, without gammons.
    fn player(win: f32, rule: DoublingRule) -> impl Player {
        let evaluator = ScriptedEvaluator(move |_: &Position| Evaluation {
            average: 2.0 * win - 1.0,
            outcomes: [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0],
        });
        CubePlayer::new(Search::new(evaluator, Plies::ONE, SearchSettings::NORMAL), rule)
    }

    fn money() -> CubeContext {
        CubeContext { scoring: CubeScoring::money(), cube: Cube::CENTRED }
    }

    #[test]
    fn the_simple_rule_doubles_from_a_half_to_one_and_takes_above_minus_a_half() {
        let at = |win| player(win, DoublingRule::Simple);
        let context = money();
        let start = CubeChoice { position: &Position::START, context: &context };
        let doubles = |win| at(win).doubles(&start);
        assert_eq!([0.74, 0.76, 0.99].map(doubles), [false, true, true]);
        let takes = |win| at(win).answer(&start) == Answer::Take;
        assert_eq!([0.74, 0.76].map(takes), [true, false], "the chance is the doubler's");
        assert_eq!(Evaluation::of_outcome(Outcome::Win).equity(), 1.0);
    }

    #[test]
    fn the_model_takes_what_the_simple_rule_passes() {
        let context = money();
        let start = CubeChoice { position: &Position::START, context: &context };
        let answer = |win| player(win, DoublingRule::Model).answer(&start);
        assert_eq!([0.76, 0.9].map(answer), [Answer::Take, Answer::Pass]);
    }
}
