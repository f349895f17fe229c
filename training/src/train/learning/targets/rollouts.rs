//! Rollouts of many games as targets. They go to the end of the game. So the errors of the net
//! about later positions do not reach them, except the errors of its plays.

use serde::{Deserialize, Serialize};

use super::{RootStrap, TargetBuilder};
use nonet_engine::backgammon::Position;
use nonet_engine::class::Class;
use nonet_engine::eval::{Evaluation, Evaluator};
use nonet_engine::game::{Game, StreamPurpose, uniform_of_key};
use nonet_engine::progress::Progress;
use nonet_engine::rollout::{RolloutConfig, RolloutLine, RolloutSums, rollout};

/// The rollouts of positions, and what they count in a target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RolloutTargets {
    /// Games for each position, at least 1. 36 games have each first throw once.
    pub games: u64,
    /// The share of the rollout in the target, 0..=1. The rest is the value of the search.
    pub weight: f32,
}

impl TargetBuilder {
    /// Mixes rollouts into the values of `self.values`. Both sides play at 1-ply, without the cube,
    /// to the end of the game, with variance reduction. Other results of the same roll get the same
    /// addition; without the position itself they keep their values.
    pub(super) fn roll_out(
        &mut self,
        evaluator: &&dyn Evaluator,
        game: &Game,
        rule: &RootStrap,
        rollouts: &RolloutTargets,
    ) {
        let TargetBuilder { unknown, values, begins, .. } = self;
        for (position, range) in game.positions.iter().zip(begins.windows(2)) {
            let range = range[0]..range[1];
            let is_learned = unknown[range.clone()].first() == Some(position);
            let rolls_out = is_learned && rule.rolls_out(Class::of(position));
            if !rolls_out || position.outcome().is_some() {
                continue;
            }
            let rolled_out = value_by_rollout(evaluator, position, rollouts.games);
            let addition = rolled_out.plus(&values[range.start], -1.0);
            let learned = values[range].iter_mut();
            learned.for_each(|value| *value = value.plus(&addition, rollouts.weight));
        }
    }
}

/// The value of a position for the player on roll, by a rollout. Its dice follow from the position
/// alone: equal positions have equal values on every machine, and others have other dice.
pub(super) fn value_by_rollout(
    evaluator: &&dyn Evaluator,
    position: &Position,
    games: u64,
) -> Evaluation {
    let key = position.points().map(i8::cast_unsigned);
    let seed = uniform_of_key(0, StreamPurpose::Rollout, &key).to_bits();
    let config = RolloutConfig { games, seed, ..RolloutConfig::default() };
    let (line, mut sums) = (RolloutLine::new(*position, None), RolloutSums::default());
    rollout(evaluator, &line, &config, &mut sums, &Progress::default());
    sums.result().value
}
