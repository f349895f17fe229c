//! The targets of TD(lambda): each position of the game is moved towards its lambda return (Wiering, Patist & Mannen,
//! section 3.3).

use super::{Example, Target, TargetBuilder};
use crate::eval::Evaluator;
use crate::game::Game;
use crate::train::update_rule::UpdateRule;

impl TargetBuilder {
    /// The examples of TD(lambda) and TD-directed(lambda), which differ only in how plays are chosen.
    pub(super) fn of_positions(
        &mut self,
        team: &dyn Evaluator,
        game: &Game,
        rule: &UpdateRule,
    ) -> Vec<Example> {
        match rule.teacher {
            Some(teacher) => teacher.evaluate_batch(&game.positions, &mut self.values),
            None => self.evaluate(team, game),
        }
        self.set_targets(team, game, rule);
        let pairs = game.positions.iter().zip(&self.targets);
        pairs.map(|(position, target)| Example::new(position, Target::Value(*target))).collect()
    }
}
