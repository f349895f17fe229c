//! KnightCap's rule: a gain from an opponent's play that the learner would not have made may be
//! left out (Baxter, Tridgell & Weaver 2000).

use super::TargetBuilder;
use crate::train::learning::update_rule::UpdateRule;
use nonet_engine::backgammon::{Dice, Position};
use nonet_engine::eval::{Evaluator, best_result};
use nonet_engine::game::Game;
use nonet_engine::search::FullWidth;

impl TargetBuilder {
    /// Sets `dropped`: true for each gain from an unforeseen play.
    ///
    /// The gain is a difference in favour of the side that did not move. `team` would not have
    /// chosen the play with any roll that allows it. All are false unless the rule drops such
    /// gains. Reads `values`.
    pub(in crate::train) fn find_unforeseen_gains(
        &mut self,
        team: &dyn Evaluator,
        game: &Game,
        update: &UpdateRule,
    ) {
        self.dropped.clear();
        self.dropped.resize(game.positions.len(), false);
        let Some(plies) = update.rule.foresight() else { return };
        let full_width = FullWidth(team);
        let chooser: &dyn Evaluator = if plies <= 1 { team } else { &full_width };
        for (t, pair) in game.positions.windows(2).enumerate() {
            let [before, after] = [0, 1].map(|i| self.values[t + i].equity());
            // The side on roll afterwards is the one that did not move.
            if after > -before {
                self.dropped[t] = !self.foreseen(chooser, &pair[0], &pair[1]);
            }
        }
    }

    fn foreseen(&mut self, chooser: &dyn Evaluator, before: &Position, after: &Position) -> bool {
        Dice::ALL.into_iter().any(|dice| {
            let found = self.results.of(before, dice);
            found.contains(after) && found[best_result(chooser, found, &mut self.replies)] == *after
        })
    }
}
