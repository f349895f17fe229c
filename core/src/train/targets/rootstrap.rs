//! The targets of RootStrap: each position is moved towards the value of a 2-ply search from it (Veness, Silver, Blair &
//! Uther, "Bootstrapping from Game Tree Search", NIPS 2009; a full backup in the terms of Sutton & Barto 2018, section 4.4).

use std::sync::Arc;

use super::{Example, Target, TargetBuilder};
use crate::backgammon::Position;
use crate::bearoff::BearoffEvaluator;
use crate::class::Class;
use crate::eval::Evaluator;
use crate::game::Game;
use crate::search::{Plies, Search, SearchSettings};
use crate::train::update_rule::UpdateRule;

impl TargetBuilder {
    /// The examples of RootStrap: the target of a position is its value by the search of 2-ply play. The rolls and the
    /// outcome of the game have no influence.
    pub(super) fn rootstrap(
        &mut self,
        team: &dyn Evaluator,
        game: &Game,
        rule: &UpdateRule,
    ) -> Vec<Example> {
        let evaluator = rule.teacher.unwrap_or(team);
        let learned =
            |position: &&Position| rule.classes.is_none_or(|classes| classes[Class::of(position)]);
        self.unknown.clear();
        self.unknown.extend(game.positions.iter().filter(learned));
        if rule.siblings > 0 {
            let first = self.unknown.len();
            self.add_siblings(team, game, rule.siblings);
            let mut place = 0;
            self.unknown.retain(|position| {
                place += 1;
                place <= first || learned(&position)
            });
        }
        let with_bearoff =
            rule.bearoff.map(|databases| BearoffEvaluator::new(evaluator, Arc::clone(databases)));
        let evaluator = with_bearoff.as_ref().map_or(evaluator, |both| both as &dyn Evaluator);
        let search = Search::new(evaluator, Plies::TWO, SearchSettings::NORMAL);
        search.evaluate_batch(&self.unknown, &mut self.values);
        let pairs = self.unknown.iter().zip(&self.values);
        let target = |value| Target::Value(rule.squashed(value));
        pairs.map(|(position, value)| Example::new(position, target(value))).collect()
    }
}
