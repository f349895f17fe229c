//! The training targets that a finished game gives for its positions, one file a learning rule.

mod rootstrap;
mod td;
mod tdleaf;
mod unforeseen_gains;

use super::lambda_returns::lambda_returns;
use super::method::UpdateAt;
use super::update_rule::UpdateRule;
use crate::backgammon::{Position, Results};
use crate::class::Class;
use crate::eval::{Evaluation, Evaluator};
use crate::game::Game;

/// One gradient step to be made.
#[derive(Clone, Copy)]
pub(super) struct Example {
    pub(super) position: Position,
    pub(super) class: Class,
    pub(super) target: Target,
}

/// What a step moves the prediction towards.
#[derive(Clone, Copy)]
pub(super) enum Target {
    /// From the present prediction (squashed if the rule says so) towards this value.
    Value(Evaluation),
    /// From the present prediction towards `to`, by the share that this leaf has in the mean of several leaves.
    ///
    /// `to` is the value of the leaf plus the whole difference. Progress towards it since the targets were made, in the same
    /// batch, counts as progress of all leaves. A step of fixed size would be repeated by each of the many similar leaves of
    /// a batch, and learning would diverge.
    Share {
        /// The value that it is moved towards.
        to: Evaluation,
        /// The probability of the leaf's roll.
        share: f32,
    },
}

/// Makes the examples of one game after another; holds buffers.
#[derive(Default)]
pub(super) struct TargetBuilder {
    /// The evaluations that targets are made of, squashed if the rule says so.
    pub(super) values: Vec<Evaluation>,
    /// Whether the difference from each position to the next is to be left out.
    pub(super) dropped: Vec<bool>,
    targets: Vec<Evaluation>,
    results: Results,
    replies: Vec<Evaluation>,
    /// Positions that the players did not evaluate.
    unknown: Vec<Position>,
}

impl TargetBuilder {
    pub(super) fn of_game(
        &mut self,
        team: &dyn Evaluator,
        game: &Game,
        rule: &UpdateRule,
    ) -> Vec<Example> {
        match rule.update {
            UpdateAt::Position => self.of_positions(team, game, rule),
            UpdateAt::Leaves => self.of_leaves(team, game, rule),
            UpdateAt::RootStrap => self.rootstrap(team, game, rule),
        }
    }

    /// The team's evaluation of each position; most of them were made during the game.
    fn evaluate(&mut self, team: &dyn Evaluator, game: &Game) {
        let pairs = || game.positions.iter().zip(&game.static_evals);
        let unknown = pairs().filter(|(_, static_eval)| static_eval.is_none());
        self.unknown.clear();
        self.unknown.extend(unknown.map(|(position, _)| *position));
        team.evaluate_batch(&self.unknown, &mut self.replies);
        let mut found = self.replies.iter();
        self.values.clear();
        self.values.extend(
            pairs().filter_map(|(_, static_eval)| static_eval.or_else(|| found.next().copied())),
        );
    }

    /// The lambda returns of what is in `values`.
    fn set_targets(&mut self, team: &dyn Evaluator, game: &Game, rule: &UpdateRule) {
        self.values.iter_mut().for_each(|value| *value = rule.squashed(value));
        let end = game.outcome.map(|outcome| rule.squashed(&Evaluation::of_outcome(outcome)));
        self.find_unforeseen_gains(team, game, rule);
        let TargetBuilder { values, dropped, targets, .. } = self;
        lambda_returns(values, end.as_ref(), rule.lambda, |t| dropped[t], targets);
    }
}

impl Example {
    pub(super) fn new(position: &Position, target: Target) -> Example {
        Example { position: *position, class: Class::of(position), target }
    }
}

#[cfg(test)]
mod tests;
