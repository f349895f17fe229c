//! Watches the decisions of players: times or judges them. The decisions are not changed.

use nonet::cube::Answer;
use nonet::eval::{Evaluation, ExternalFailure};
use nonet::game::{CubeChoice, MoveChoice, Pcg64, Player};

/// Sees each decision of a player: `decide` makes it, and is called at most once.
pub(crate) trait DecisionWatcher: Send + Sync {
    fn play(&self, decide: &mut dyn FnMut() -> usize) -> usize {
        decide()
    }

    fn double(&self, decision: &CubeChoice, decide: &mut dyn FnMut() -> bool) -> bool;

    fn answer(&self, decision: &CubeChoice, decide: &mut dyn FnMut() -> Answer) -> Answer;
}

/// A player and who watches them.
pub(crate) struct WatchedPlayer<'a, W> {
    player: &'a dyn Player,
    pub(crate) watcher: W,
}

impl<'a, W> WatchedPlayer<'a, W> {
    pub(crate) const fn new(player: &'a dyn Player, watcher: W) -> WatchedPlayer<'a, W> {
        WatchedPlayer { player, watcher }
    }
}

impl<W: DecisionWatcher> Player for WatchedPlayer<'_, W> {
    fn choose(
        &self,
        decision: &MoveChoice,
        values: &mut Vec<Evaluation>,
        rng: &mut Pcg64,
    ) -> usize {
        self.watcher.play(&mut || self.player.choose(decision, values, rng))
    }

    fn doubles(&self, decision: &CubeChoice) -> bool {
        self.watcher.double(decision, &mut || self.player.doubles(decision))
    }

    fn answer(&self, decision: &CubeChoice) -> Answer {
        self.watcher.answer(decision, &mut || self.player.answer(decision))
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        self.player.failure()
    }

    fn static_eval(&self, values: &[Evaluation], choice: usize) -> Option<Evaluation> {
        self.player.static_eval(values, choice)
    }
}
