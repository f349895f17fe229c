//! Training targets for the positions of a finished game, one file for each learning rule.

mod lambda_returns;
mod rollouts;
mod rootstrap;
mod siblings;
mod task;
mod td;
mod tdleaf;
mod unforeseen_gains;

pub use lambda_returns::lambda_returns;
pub use rollouts::RolloutTargets;
pub use rootstrap::RootStrap;
pub(in crate::train) use task::TargetsTask;
pub use task::{TARGETS_TASK, open_targets_task};
pub use td::{Successor, Td};

use serde::{Deserialize, Serialize};

use crate::train::learning::rule::TargetRule;
use crate::train::learning::update_rule::UpdateRule;
use nonet_engine::backgammon::{Position, Results};
use nonet_engine::class::Class;
use nonet_engine::eval::{Evaluation, Evaluator};
use nonet_engine::game::Game;

/// A position with its target: one gradient step.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(in crate::train) struct Example {
    pub(in crate::train) position: Position,
    pub(in crate::train) class: Class,
    pub(in crate::train) target: Target,
    /// Whether it belongs to the same roll, and to the same class, as the example that is learned
    /// before it.
    ///
    /// A play is chosen among such results. They are learned in one group.
    pub(in crate::train) joined: bool,
}

/// The evaluation that a step moves the prediction towards.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(in crate::train) enum Target {
    /// From the current prediction (squashed if the rule says so) towards this value.
    Value(Evaluation),
    /// From the current prediction towards `to`, scaled by the weight of this leaf in the mean of
    /// several leaves.
    ///
    /// `to` is the value of the leaf plus the whole difference. What the batch has already moved
    /// the leaf towards `to` shortens the step. Steps of fixed size would be repeated by each of
    /// the many similar leaves of a batch, and learning would diverge.
    Share {
        /// The value that it is moved towards.
        to: Evaluation,
        /// The probability of the leaf's roll.
        share: f32,
    },
}

/// Makes the examples of one game after another; holds buffers.
#[derive(Default)]
pub(in crate::train) struct TargetBuilder {
    /// The evaluations of the positions, squashed if the rule says so.
    pub(in crate::train) values: Vec<Evaluation>,
    /// For each position, whether the difference to the next one is left out.
    pub(in crate::train) dropped: Vec<bool>,
    targets: Vec<Evaluation>,
    results: Results,
    replies: Vec<Evaluation>,
    /// Positions that the players did not evaluate.
    unknown: Vec<Position>,
    /// For each of them, whether it belongs to the same roll as the one after it, and to the same
    /// class.
    joined: Vec<bool>,
    /// Where those of each position of the game begin, and where the last ones end.
    begins: Vec<usize>,
}

impl TargetBuilder {
    pub(in crate::train) fn of_game(
        &mut self,
        team: &dyn Evaluator,
        game: &Game,
        update: &UpdateRule,
    ) -> Vec<Example> {
        match &update.rule.targets {
            TargetRule::Td(td) => self.of_positions(team, game, update, td),
            TargetRule::TdLeaf => self.of_leaves(team, game, update),
            TargetRule::RootStrap(root_strap) => self.of_roots(team, game, update, root_strap),
        }
    }

    /// Writes the team's evaluation of each position to `values`; most of them were made during the
    /// game.
    fn evaluate(&mut self, team: &dyn Evaluator, game: &Game) {
        let pairs = || game.positions.iter().zip(&game.static_evals);
        let unknown = pairs().filter(|(_, static_eval)| static_eval.is_none());
        self.unknown.clear();
        self.unknown.extend(unknown.map(|(position, _)| *position));
        team.evaluate_into(&self.unknown, &mut self.replies);
        let mut found = self.replies.iter();
        self.values.clear();
        self.values.extend(pairs().map(|(_, static_eval)| {
            static_eval.unwrap_or_else(|| *found.next().expect("one evaluation for each position"))
        }));
    }

    /// Squashes `values` if the rule says so, and the value of the game's end, which it returns.
    fn squash_values(&mut self, game: &Game, update: &UpdateRule) -> Option<Evaluation> {
        self.values.iter_mut().for_each(|value| *value = update.rule.squashed(value));
        game.outcome.map(|outcome| update.rule.squashed(&Evaluation::of_outcome(outcome)))
    }

    /// Writes the lambda returns of `values` to `targets`.
    fn set_targets(&mut self, team: &dyn Evaluator, game: &Game, update: &UpdateRule) {
        let end = self.squash_values(game, update);
        self.find_unforeseen_gains(team, game, update);
        let TargetBuilder { values, dropped, targets, .. } = self;
        lambda_returns(values, end.as_ref(), update.lambda, |t| dropped[t], targets);
    }
}

impl Example {
    pub(in crate::train) fn new(position: &Position, target: Target) -> Example {
        Example { position: *position, class: Class::of(position), target, joined: false }
    }
}

#[cfg(test)]
mod tests;
