//! The targets of RootStrap: each position is moved towards the value of a 2-ply search from it.
//!
//! The method is that of Veness, Silver, Blair & Uther (NIPS 2009, "Bootstrapping from Game Tree
//! Search"). It is a full backup in the terms of Sutton & Barto 2018, section 4.4.

use std::ops::RangeInclusive;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::rollouts::RolloutTargets;
use super::{Example, Target, TargetBuilder};
use crate::train::learning::rule::TargetRule;
use crate::train::learning::update_rule::UpdateRule;
use nonet_engine::backgammon::Position;
use nonet_engine::bearoff::BearoffEvaluator;
use nonet_engine::class::{ByClass, Class};
use nonet_engine::eval::{Evaluation, Evaluator};
use nonet_engine::game::Game;
use nonet_engine::search::{Plies, Search, SearchSettings};

/// The options of RootStrap. By default, all classes have 2-ply values as targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RootStrap {
    /// The classes that are learned; `None` for all.
    pub classes: Option<ByClass<bool>>,
    /// How many other results of each roll are learned, at most.
    pub siblings: u32,
    /// The weight of the differences between the errors of results of one roll, 0 or more. The
    /// errors themselves have the weight 1.
    pub sibling_differences: f32,
    /// The lambda of deeper values along the game in the targets, 0..=1; 0 for 2-ply values alone.
    pub lookahead_lambda: f32,
    /// The classes that learn from rollouts; `None` for none.
    pub rollout_classes: Option<ByClass<bool>>,
    /// Their rollouts; `None` for one game, the rest of the game that was played.
    pub rollouts: Option<RolloutTargets>,
    /// The same as `lookahead_lambda` where the rest of the game is the rollout, 0..=1: with 1 it
    /// goes to the end of the game.
    pub rollout_lambda: f32,
    /// A position has its 3-ply value as target if its 2-ply and static equities differ by more
    /// than this, in points; `None` for never.
    pub three_ply_above: Option<f32>,
}

impl RootStrap {
    /// Whether positions of this class are learned.
    fn learns(&self, class: Class) -> bool {
        self.classes.is_none_or(|classes| classes[class])
    }

    /// Whether positions of this class are moved towards rollouts.
    pub(super) fn rolls_out(&self, class: Class) -> bool {
        self.rollout_classes.is_some_and(|classes| classes[class])
    }

    /// Whether the rest of the game that was played is a rollout of positions of this class.
    fn follows_rest(&self, class: Class) -> bool {
        self.rollouts.is_none() && self.rolls_out(class)
    }

    /// Whether targets hold more than 2-ply values.
    const fn reaches_deeper(&self) -> bool {
        self.lookahead_lambda > 0.0
            || (self.rollout_classes.is_some() && self.rollouts.is_none())
            || self.three_ply_above.is_some()
    }

    /// The classes that are searched; `None` for all, as the rest of the game may need them.
    pub(super) fn searched(&self) -> Option<ByClass<bool>> {
        self.classes.filter(|_| self.rollout_classes.is_none() || self.rollouts.is_some())
    }

    /// The number of examples from a game of `positions` positions.
    pub(super) fn examples(&self, positions: usize) -> RangeInclusive<usize> {
        let least = if self.classes.is_some() { 0 } else { positions };
        least..=positions * (1 + self.siblings as usize)
    }

    /// Whether all examples are positions of the game, in its order.
    pub(super) const fn follows_game(&self) -> bool {
        self.siblings == 0
    }
}

impl TargetRule {
    /// The weight of the differences between the errors of joined examples. The errors themselves
    /// have the weight 1.
    pub(in crate::train) const fn weight_of_differences(&self) -> f32 {
        match self {
            TargetRule::RootStrap(root_strap) => root_strap.sibling_differences,
            TargetRule::Td(_) | TargetRule::TdLeaf => 0.0,
        }
    }
}

impl TargetBuilder {
    /// The examples of RootStrap: the target of a position is its value by the search of 2-ply
    /// play. The rolls and the outcome of the game have no influence, unless deeper values reach
    /// back along it.
    pub(super) fn of_roots(
        &mut self,
        team: &dyn Evaluator,
        game: &Game,
        update: &UpdateRule,
        rule: &RootStrap,
    ) -> Vec<Example> {
        let evaluator = update.teacher.unwrap_or(team);
        self.set_roots(team, game, rule);
        let with_bearoff =
            update.bearoff.map(|databases| BearoffEvaluator::new(evaluator, Arc::clone(databases)));
        let evaluator = with_bearoff.as_ref().map_or(evaluator, |both| both as &dyn Evaluator);
        let search = Search::new(evaluator, Plies::TWO, SearchSettings::NORMAL);
        search.evaluate_into(&self.unknown, &mut self.values);
        if rule.reaches_deeper() {
            self.look_deeper(evaluator, game, rule);
        }
        if let Some(rollouts) = &rule.rollouts {
            self.roll_out(&evaluator, game, rule, rollouts);
        }
        let roots = self.unknown.iter().zip(&self.joined).zip(&self.values);
        let example = |((position, &joined), value): ((&Position, &bool), &Evaluation)| {
            let target = Target::Value(update.rule.squashed(value));
            Example { joined, ..Example::new(position, target) }
        };
        let learned = |example: &Example| rule.learns(example.class);
        roots.map(example).filter(learned).collect()
    }

    /// Writes the positions to be searched to `unknown`: those of the game that are learned, or
    /// that rollouts of learned ones need. After each come other results of its roll that are
    /// learned, those of its class first. Examples are learned from the last to the first, so each
    /// is joined with the one after it.
    fn set_roots(&mut self, team: &dyn Evaluator, game: &Game, rule: &RootStrap) {
        self.unknown.clear();
        self.joined.clear();
        self.begins.clear();
        let (mut before, mut in_rollout) = (None, false);
        for position in &game.positions {
            let first = self.unknown.len();
            self.begins.push(first);
            let class = Class::of(position);
            in_rollout |= rule.learns(class) && rule.follows_rest(class);
            if in_rollout || rule.learns(class) {
                self.unknown.push(*position);
            }
            let siblings = self.unknown.len();
            if let (Some(before), true) = (before, rule.siblings > 0) {
                self.add_siblings(team, before, position, rule.siblings);
                // Stable, so the best of each kind stays the first.
                self.unknown[siblings..].sort_by_key(|sibling| Class::of(sibling) != class);
                let mut place = 0;
                self.unknown.retain(|position| {
                    place += 1;
                    place <= siblings || rule.learns(Class::of(position))
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

    /// Lets the targets of the game reach deeper than the 2-ply values that `self.values` holds.
    /// Other results of the same roll get the same addition: their targets differ as their 2-ply
    /// values do.
    ///
    /// **Along the game.** The share `lookahead_lambda` of a difference is added to the 2-ply
    /// value. The difference is the target of the next position less its static value. The 2-ply
    /// value is the mean over the rolls of the static values of the best replies. A reply is chosen
    /// at 1-ply, as in the search. Suppose that the game plays the best reply. Then the mean of
    /// these differences over the rolls is the 3-ply value less the 2-ply value. So a target is, on
    /// average, the lambda return over the depths 2, 3, 4 ... It has the noise of differences
    /// between depths, not that of the dice. The common part of the expectation of the next value
    /// and a sampled value is subtracted. Per-decision control variates do the same (De Asis &
    /// Sutton 2018, arXiv 1807.01830). After a position that is not searched it begins anew. A play
    /// that strays from the best one stands for the best one.
    ///
    /// **To its end.** With a lambda of 1 the differences of the depths telescope. The target is
    /// then the result of the game less the luck of its rolls, which the 2-ply search estimates.
    /// That is a rollout of one game with variance reduction. Without `rollouts`, positions of
    /// `rollout_classes` take `rollout_lambda` for all positions that follow, others
    /// `lookahead_lambda`. So both targets are computed for each position.
    ///
    /// **By a deeper search.** The 3-ply value takes the place of the 2-ply value where that
    /// differs much from the static value. It holds the mean of the next difference already, so the
    /// next target is compared with the next 2-ply value there.
    fn look_deeper(&mut self, evaluator: &dyn Evaluator, game: &Game, rule: &RootStrap) {
        let TargetBuilder { unknown, values, replies, begins, .. } = self;
        evaluator.evaluate_into(&game.positions, replies);
        let search = Search::new(evaluator, Plies::THREE, SearchSettings::NORMAL);
        let lambdas = [rule.lookahead_lambda, rule.rollout_lambda];
        let mut next: Option<Next> = None;
        let positions = game.positions.iter().zip(&*replies).zip(begins.windows(2));
        for ((position, static_value), range) in positions.rev() {
            let range = range[0]..range[1];
            // The first is the position itself, unless it is not searched.
            if unknown[range.clone()].first() != Some(position) {
                next = None;
                continue;
            }
            let two = values[range.start];
            let is_far = |above| (two.equity() - static_value.equity()).abs() > above;
            let is_deep = rule.three_ply_above.is_some_and(is_far);
            let third_ply = is_deep.then(|| search.judge(position, Plies::THREE).plus(&two, -1.0));
            let later = next.as_ref().map(|next| next.beyond(is_deep));
            let reaching = |value: &Evaluation, kind: usize| {
                let value = third_ply.map_or(*value, |third_ply| value.plus(&third_ply, 1.0));
                later.map_or(value, |later| value.plus(&later[kind].flipped(), lambdas[kind]))
            };
            let targets = [0, 1].map(|kind| reaching(&two, kind));
            next = Some(Next { targets, two, static_value: *static_value });
            let kind = usize::from(rule.follows_rest(Class::of(position)));
            values[range].iter_mut().for_each(|value| *value = reaching(value, kind));
        }
    }
}

/// The position that follows in a game.
struct Next {
    /// Its targets by `lookahead_lambda` and by `rollout_lambda`.
    targets: [Evaluation; 2],
    /// Its 2-ply value.
    two: Evaluation,
    static_value: Evaluation,
}

impl Next {
    /// The targets less the value that the target before holds the mean of.
    ///
    /// That value is the 2-ply value after a 3-ply value, else the static one.
    fn beyond(&self, after_three_plies: bool) -> [Evaluation; 2] {
        let known = if after_three_plies { &self.two } else { &self.static_value };
        self.targets.map(|target| target.plus(known, -1.0))
    }
}
