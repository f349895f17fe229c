//! The targets of TDLeaf(lambda): the principal leaves of each position are moved (Baxter, Tridgell
//! & Weaver 2000).

use super::{Example, Target, TargetBuilder};
use crate::train::learning::update_rule::UpdateRule;
use nonet_engine::backgammon::Dice;
use nonet_engine::eval::{Evaluation, Evaluator};
use nonet_engine::game::Game;
use nonet_engine::search::{FullWidth, principal_leaves};

impl TargetBuilder {
    /// The examples of TDLeaf(lambda). The prediction of a position is the mean of its leaves over
    /// the 21 rolls. Each leaf therefore gets the difference from the view of its side on roll,
    /// weighted with the probability of its roll.
    pub(super) fn of_leaves(
        &mut self,
        team: &dyn Evaluator,
        game: &Game,
        update: &UpdateRule,
    ) -> Vec<Example> {
        let mut own = Vec::with_capacity(game.positions.len());
        let mut ends = Vec::with_capacity(21 * game.positions.len());
        for position in &game.positions {
            let mut mean = Evaluation::ZERO;
            principal_leaves(
                team,
                position,
                &mut self.results,
                &mut self.replies,
                |leaf, value| {
                    mean = mean.plus(&value.flipped(), leaf.weight);
                    ends.push((leaf, *value));
                },
            );
            own.push(mean);
        }
        match update.teacher {
            Some(teacher) => FullWidth(teacher).evaluate_into(&game.positions, &mut self.values),
            None => self.values.clone_from(&own),
        }
        self.set_targets(team, game, update);
        let mut examples = Vec::with_capacity(ends.len());
        for ((target, own), ends) in
            self.targets.iter().zip(&own).zip(ends.chunks_exact(Dice::ALL.len()))
        {
            let difference = update.rule.step(target, own).flipped();
            let open = ends.iter().filter(|(leaf, _)| leaf.position.outcome().is_none());
            examples.extend(open.map(|(leaf, value)| {
                let to = value.plus(&difference, 1.0);
                Example::new(&leaf.position, Target::Share { to, share: leaf.weight })
            }));
        }
        examples
    }
}
