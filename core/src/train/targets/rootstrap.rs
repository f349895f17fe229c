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
        self.set_roots(team, game, rule);
        let with_bearoff =
            rule.bearoff.map(|databases| BearoffEvaluator::new(evaluator, Arc::clone(databases)));
        let evaluator = with_bearoff.as_ref().map_or(evaluator, |both| both as &dyn Evaluator);
        let search = Search::new(evaluator, Plies::TWO, SearchSettings::NORMAL);
        search.evaluate_batch(&self.unknown, &mut self.values);
        if rule.lookahead_lambda > 0.0 {
            self.look_deeper(evaluator, game, rule);
        }
        let roots = self.unknown.iter().zip(&self.joined).zip(&self.values);
        let example = |((position, &joined), value): ((&Position, &bool), &Evaluation)| {
            let target = Target::Value(rule.squashed(value));
            Example { joined, ..Example::new(position, target) }
        };
        roots.map(example).collect()
    }

    /// Writes the positions to be searched to `unknown`: those of the game that are learned, each followed by other results of its roll,
    /// those of its class first. Examples are learned from the last to the first, so each is joined with the one after it.
    fn set_roots(&mut self, team: &dyn Evaluator, game: &Game, rule: &UpdateRule) {
        self.unknown.clear();
        self.joined.clear();
        self.begins.clear();
        let mut before = None;
        for position in &game.positions {
            let first = self.unknown.len();
            self.begins.push(first);
            if is_learned(position, rule) {
                self.unknown.push(*position);
            }
            let siblings = self.unknown.len();
            if let (Some(before), true) = (before, rule.siblings > 0) {
                self.add_siblings(team, before, position, rule.siblings);
                let class = Class::of(position);
                // Stable, so the best of each kind stays the first.
                self.unknown[siblings..].sort_by_key(|sibling| Class::of(sibling) != class);
                let mut place = 0;
                self.unknown.retain(|position| {
                    place += 1;
                    place <= siblings || is_learned(position, rule)
                });
            }
            self.joined.resize(self.unknown.len(), false);
            let roll = self.unknown[first..].windows(2);
            for (pair, joined) in roll.zip(&mut self.joined[first..]) {
                *joined = Class::of(&pair[0]) == Class::of(&pair[1]);
            }
            before = Some(position);
        }
        self.begins.push(self.unknown.len());
    }

    /// Adds to the 2-ply value of each learned position of the game the share `lookahead_lambda` of what the target of the next
    /// position differs from its static value. Other results of the same roll get the same addition: their targets differ as
    /// their 2-ply values do.
    ///
    /// The 2-ply value is the mean over the rolls of the static values of the best replies. If the game plays the best reply, the mean
    /// of these differences over the rolls is what the 3-ply value differs from the 2-ply value (a reply is chosen at 1-ply, as in
    /// the search). A target is so, on average, the lambda return over the depths 2, 3, 4 ...; it has the noise of differences between
    /// depths, not that of the dice. What the expectation of the next value has in common with a sampled one is subtracted, as by
    /// per-decision control variates (De Asis & Sutton 2018, arXiv 1807.01830). After a position that is not learned it begins anew. A
    /// play that strays from the best one stands for the best one.
    fn look_deeper(&mut self, evaluator: &dyn Evaluator, game: &Game, rule: &UpdateRule) {
        let TargetBuilder { values, replies, begins, .. } = self;
        evaluator.evaluate_batch(&game.positions, replies);
        let mut deeper: Option<Evaluation> = None;
        let positions = game.positions.iter().zip(&*replies).zip(begins.windows(2));
        for ((position, static_value), range) in positions.rev() {
            if !is_learned(position, rule) {
                deeper = None;
                continue;
            }
            let targets = &mut values[range[0]..range[1]];
            if let Some(deeper) = deeper {
                for target in &mut *targets {
                    *target = target.plus(&deeper.flipped(), rule.lookahead_lambda);
                }
            }
            deeper = Some(targets[0].plus(static_value, -1.0));
        }
    }
}

/// Whether positions of this class are learned.
fn is_learned(position: &Position, rule: &UpdateRule) -> bool {
    rule.classes.is_none_or(|classes| classes[Class::of(position)])
}
