//! Finished games by the rules, all others by an evaluator that need not know the rules.
//!
//! Chances that the rules exclude are taken out of the evaluator's answers.

use super::{Cubeful, Evaluation, Evaluator, EvaluatorDescription, ExternalFailure};
use crate::backgammon::Position;
use crate::progress::Attachments;

/// An evaluator that is never asked for a finished game.
#[derive(Debug)]
pub(crate) struct RulesFirst<E>(pub(crate) E);

impl<E: Evaluator> Evaluator for RulesFirst<E> {
    fn evaluate(&self, position: &Position) -> Evaluation {
        match position.outcome() {
            Some(outcome) => Evaluation::of_outcome(outcome),
            None if self.0.all_outcomes() => self.0.evaluate(position),
            None => self.0.evaluate(position).within(position.possible_outcomes()),
        }
    }

    fn evaluate_batch(&self, positions: &[Position], out: &mut [Evaluation]) {
        // Runs of unfinished games go to the evaluator as they are.
        let mut begin = 0;
        for (place, position) in positions.iter().enumerate() {
            if let Some(outcome) = position.outcome() {
                self.0.evaluate_batch(&positions[begin..place], &mut out[begin..place]);
                out[place] = Evaluation::of_outcome(outcome);
                begin = place + 1;
            }
        }
        self.0.evaluate_batch(&positions[begin..], &mut out[begin..]);
        if self.0.all_outcomes() {
            return;
        }
        for (position, value) in positions.iter().zip(out) {
            *value = value.within(position.possible_outcomes());
        }
    }

    fn cubeful(&self, position: &Position) -> Option<Cubeful> {
        self.0.cubeful(position)
    }

    fn solved_cubeful(&self, position: &Position) -> Option<Cubeful> {
        self.0.solved_cubeful(position)
    }

    fn all_outcomes(&self) -> bool {
        self.0.all_outcomes()
    }

    fn applies_rules(&self) -> bool {
        true
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        self.0.failure()
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<EvaluatorDescription> {
        self.0.describe(attachments)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    use super::*;
    use crate::backgammon::{Dice, Results};
    use crate::eval::{Architecture, PlayingTeam, Specialists};

    #[test]
    fn evaluators_that_apply_the_rules_need_them_no_second_time() {
        let team = Specialists::random(&Architecture::ALL[0], &mut Pcg64::seed_from_u64(3));
        let word = team.clone().with_all_outcomes();
        // The end of a game, a race without gammons, and a position in contact.
        let race = Position::from_sides(&[(1, 2)], &[(4, 1)]).expect("legal");
        let mut positions = Results::default().of(&race, Dice::ALL[0]).to_vec();
        assert!(positions[0].outcome().is_some());
        positions.extend([race, Position::START]);
        for team in [team, word] {
            let playing = PlayingTeam::new(Arc::new(team.clone()));
            let evaluators: [Arc<dyn Evaluator>; 3] =
                [Arc::new(team), Arc::new(playing.clone()), Arc::new(Arc::new(playing))];
            for evaluator in evaluators {
                assert!(evaluator.applies_rules());
                let (mut once, mut twice) = (Vec::new(), Vec::new());
                evaluator.evaluate_into(&positions, &mut once);
                RulesFirst(evaluator).evaluate_into(&positions, &mut twice);
                assert_eq!(once, twice);
            }
        }
    }
}
