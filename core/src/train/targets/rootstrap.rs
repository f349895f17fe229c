//! The targets of RootStrap: each position is moved towards the value of a 2-ply search from it (Veness, Silver, Blair &
//! Uther, "Bootstrapping from Game Tree Search", NIPS 2009; a full backup in the terms of Sutton & Barto 2018, section 4.4).

use std::sync::Arc;

use super::{Example, Target, TargetBuilder};
use crate::backgammon::Position;
use crate::bearoff::BearoffEvaluator;
use crate::class::Class;
use crate::eval::{Evaluation, Evaluator};
use crate::game::Game;
use crate::search::{Plies, Search, SearchSettings};
use crate::train::update_rule::UpdateRule;

impl TargetBuilder {
    /// The examples of RootStrap: the target of a position is its value by the search of 2-ply play. The rolls and the
    /// outcome of the game have no influence, unless deeper values reach back along it.
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
        if rule.lookahead_lambda > 0.0 {
            self.look_deeper(evaluator, game, rule);
        }
        let pairs = self.unknown.iter().zip(&self.values);
        let target = |value| Target::Value(rule.squashed(value));
        pairs.map(|(position, value)| Example::new(position, target(value))).collect()
    }

    /// Adds to the 2-ply value of each learned position of the game the share `lookahead_lambda` of what the target of the next
    /// position differs from its static value.
    ///
    /// The 2-ply value is the mean over the rolls of the static values of the best replies. If the game plays the best reply, the mean
    /// of these differences over the rolls is what the 3-ply value differs from the 2-ply value (a reply is chosen at 1-ply, as in
    /// the search). A target is so, on average, the lambda return over the depths 2, 3, 4 ...; it has the noise of differences between
    /// depths, not that of the dice. What the expectation of the next value has in common with a sampled one is subtracted, as by
    /// per-decision control variates (De Asis & Sutton 2018, arXiv 1807.01830). After a position that is not learned it begins anew. A
    /// play that strays from the best one stands for the best one.
    fn look_deeper(&mut self, evaluator: &dyn Evaluator, game: &Game, rule: &UpdateRule) {
        let TargetBuilder { values, replies, .. } = self;
        evaluator.evaluate_batch(&game.positions, replies);
        let learned =
            |position: &Position| rule.classes.is_none_or(|classes| classes[Class::of(position)]);
        let mut place = game.positions.iter().filter(|position| learned(position)).count();
        let mut deeper: Option<Evaluation> = None;
        for (position, static_value) in game.positions.iter().zip(&*replies).rev() {
            if !learned(position) {
                deeper = None;
                continue;
            }
            place -= 1;
            let target = &mut values[place];
            if let Some(deeper) = deeper {
                *target = target.plus(&deeper.flipped(), rule.lookahead_lambda);
            }
            deeper = Some(target.plus(static_value, -1.0));
        }
    }
}
