//! The targets of TD(lambda): each position of the game is moved towards its lambda return
//! (Wiering, Patist & Mannen, section 3.3).

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::lambda_returns::own_turn_returns;
use super::{Example, Target, TargetBuilder};
use crate::train::learning::rule::UpdateTiming;
use crate::train::learning::update_rule::UpdateRule;
use nonet_engine::backgammon::Seat;
use nonet_engine::eval::{Evaluation, Evaluator};
use nonet_engine::game::Game;

/// The options of TD(lambda) and TD-directed(lambda), which differ only in how plays are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Td {
    /// When weights change.
    pub timing: UpdateTiming,
    /// Which position follows another in the differences, offline.
    pub successor: Successor,
    /// Offline, only positions after plays of this player are learned; `None` for both players.
    ///
    /// The start position counts as one of them where the other player begins.
    pub side: Option<Seat>,
}

/// Which position follows another in the differences of TD(lambda).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Successor {
    /// The next position of the game: minimax TD, the paper's rule.
    ///
    /// V'(s_t) = -V(s_t+1) + ... (Wiering, Patist & Mannen, section 3.3).
    Turn,
    /// The position after the next play of the same side: plain TD.
    ///
    /// Each side learns from the positions after its own plays alone: TD of afterstates (Sutton &
    /// Barto 2018, section 6.8), V'(s_t) = V(s_t+2) + ...
    ///
    /// Every game needs an outcome: learning from one without it panics.
    OwnTurn,
}

impl Td {
    /// The number of examples from a game of `positions` positions.
    pub(super) fn examples(&self, positions: usize) -> RangeInclusive<usize> {
        let least = if self.side.is_some() { 0 } else { positions };
        least..=positions
    }
}

impl TargetBuilder {
    /// The examples of TD(lambda).
    pub(super) fn of_positions(
        &mut self,
        team: &dyn Evaluator,
        game: &Game,
        update: &UpdateRule,
        td: &Td,
    ) -> Vec<Example> {
        match update.teacher {
            Some(teacher) => teacher.evaluate_into(&game.positions, &mut self.values),
            None => self.evaluate(team, game),
        }
        match td.successor {
            Successor::Turn => self.set_targets(team, game, update),
            Successor::OwnTurn => {
                let end = self.squash_values(game, update);
                let end = end.expect("games that are played for a run end with a result");
                own_turn_returns(&self.values, &end, update.lambda, &mut self.targets);
            }
        }
        let seats = Seat::BOTH.into_iter().cycle().skip(game.first.index());
        let moves = game.positions.iter().zip(&self.targets).zip(seats);
        // The player who has played to a position is not on roll in it.
        let learned = moves.filter(|(_, on_roll)| td.side != Some(*on_roll));
        let example =
            |(position, target): (_, &Evaluation)| Example::new(position, Target::Value(*target));
        learned.map(|(pair, _)| example(pair)).collect()
    }
}
