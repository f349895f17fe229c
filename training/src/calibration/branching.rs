//! How many results the rolls of games have.

use serde::{Deserialize, Serialize};

use nonet_engine::backgammon::Results;
use nonet_engine::game::PlayedTurn;

/// Rolls and their results, which a 1-ply player evaluates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Branching {
    /// Rolls.
    pub rolls: u64,
    /// Positions that they can be played to, each counted once for its roll; 1 for a roll that
    /// cannot be played.
    pub results: u64,
}

impl Branching {
    pub(super) fn add(&mut self, turn: &PlayedTurn) {
        self.rolls += 1;
        self.results += Results::default().of(turn.before, turn.dice).len() as u64;
    }

    pub(super) fn merge(&mut self, other: &Branching) {
        self.rolls += other.rolls;
        self.results += other.results;
    }

    /// Results of a roll, on average; `None` without rolls.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.rolls > 0).then(|| self.results as f64 / self.rolls as f64)
    }
}
