//! A player with checked choices: a wrong one ends a series with an error.

use std::sync::OnceLock;

use rand_pcg::Pcg64;

use super::description::PlayerDescription;
use super::player::{CubeChoice, MoveChoice, Player};
use crate::cube::Answer;
use crate::eval::{Evaluation, ExternalFailure};
use crate::progress::Attachments;

/// One of the two players of a series.
pub(super) struct CheckedPlayer<'a> {
    player: &'a dyn Player,
    name: &'static str,
    failure: OnceLock<ExternalFailure>,
}

impl<'a> CheckedPlayer<'a> {
    /// Both players of a series.
    pub(super) fn both([a, b]: [&'a dyn Player; 2]) -> [CheckedPlayer<'a>; 2] {
        [(a, "the first player"), (b, "the second player")].map(|(player, name)| CheckedPlayer {
            player,
            name,
            failure: OnceLock::new(),
        })
    }
}

impl Player for CheckedPlayer<'_> {
    fn choose(
        &self,
        decision: &MoveChoice,
        values: &mut Vec<Evaluation>,
        rng: &mut Pcg64,
    ) -> usize {
        let choice = self.player.choose(decision, values, rng);
        let results = decision.results.len();
        if choice < results {
            return choice;
        }
        let reason = format!("it chose result {choice} of {results}, which are counted from 0");
        let failure = ExternalFailure { engine: self.name.to_owned(), reason };
        self.failure.get_or_init(|| failure);
        0
    }

    fn doubles(&self, decision: &CubeChoice) -> bool {
        self.player.doubles(decision)
    }

    fn answer(&self, decision: &CubeChoice) -> Answer {
        self.player.answer(decision)
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        self.failure.get().or_else(|| self.player.failure())
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<PlayerDescription> {
        self.player.describe(attachments)
    }

    fn static_eval(&self, values: &[Evaluation], choice: usize) -> Option<Evaluation> {
        self.player.static_eval(values, choice)
    }
}
