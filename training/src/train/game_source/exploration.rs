//! Epsilon-greedy exploration in self-play.

use nonet_engine::eval::{Evaluation, Specialists, best_result};
use nonet_engine::game::{MoveChoice, Pcg64, Player, chance};

/// Plays the best result by static evaluation, or with probability `chance` the second best.
///
/// Games then reach more of the positions that other players reach.
pub(super) struct EpsilonPlayer<'a> {
    pub(super) chooser: &'a Specialists,
    /// The probability of the second best result.
    pub(super) chance: f32,
}

impl Player for EpsilonPlayer<'_> {
    fn choose(
        &self,
        decision: &MoveChoice,
        values: &mut Vec<Evaluation>,
        rng: &mut Pcg64,
    ) -> usize {
        let best = best_result(self.chooser, decision.results, values);
        if !chance(f64::from(self.chance), rng) {
            return best;
        }
        // The values are those of the opponent, so the lowest is the best.
        let others = (0..values.len()).filter(|&i| i != best);
        others.min_by(|&a, &b| values[a].equity().total_cmp(&values[b].equity())).unwrap_or(best)
    }

    fn static_eval(&self, values: &[Evaluation], choice: usize) -> Option<Evaluation> {
        values.get(choice).copied()
    }
}
