//! The targets of TD(lambda): each position of the game is moved towards its lambda return (Wiering, Patist & Mannen,
//! section 3.3).

use super::{Example, Target, TargetBuilder};
use crate::train::update_rule::UpdateRule;
use nonet_engine::backgammon::Seat;
use nonet_engine::eval::{Evaluation, Evaluator};
use nonet_engine::game::Game;

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
        let seats = Seat::BOTH.into_iter().cycle().skip(game.first.index());
        let moves = game.positions.iter().zip(&self.targets).zip(seats);
        // The player who has played to a position is not on roll in it.
        let learned = moves.filter(|(_, on_roll)| rule.side != Some(*on_roll));
        let example =
            |(position, target): (_, &Evaluation)| Example::new(position, Target::Value(*target));
        learned.map(|(pair, _)| example(pair)).collect()
    }
}
