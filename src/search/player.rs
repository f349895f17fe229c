//! A player that looks ahead only where it may matter.

use rand_pcg::Pcg64;

use super::Lookahead;
use crate::eval::Evaluator;
use crate::play::{Decision, Player};
use crate::value::Evaluation;

/// Plays at 2-ply: all results are judged statically, and the best of them again with one ply of lookahead.
#[derive(Clone, Copy, Debug)]
pub struct Searcher<E> {
    /// Who judges statically.
    pub evaluator: E,
    /// How many of the best results are looked at again, at least 1.
    pub keep: usize,
    /// Only those that lose no more than this much equity (points per game) against the best one at 1-ply.
    pub within: f32,
}

impl<E: Evaluator> Searcher<E> {
    /// Up to eight results within 0.16 points per game.
    pub fn new(evaluator: E) -> Searcher<E> {
        Searcher { evaluator, keep: 8, within: 0.16 }
    }

    /// Every result is looked at again.
    pub fn full(evaluator: E) -> Searcher<E> {
        Searcher { evaluator, keep: usize::MAX, within: f32::INFINITY }
    }
}

impl<E: Evaluator> Player for Searcher<E> {
    fn choose(&self, decision: &Decision, values: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
        self.evaluator.evaluate_batch(decision.results, values);
        let mut order: Vec<(f32, usize)> =
            values.iter().enumerate().map(|(i, v)| (v.equity(), i)).collect();
        // The results are the opponent's to play: the lowest first, the earlier one of equals.
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let Some(&(best, first)) = order.first() else { return 0 };
        order.retain(|(equity, _)| *equity <= best + self.within);
        order.truncate(self.keep.max(1));
        if order.len() == 1 {
            return first;
        }
        let kept: Vec<_> = order.iter().map(|(_, i)| decision.results[*i]).collect();
        let deep = crate::eval::best_result(&Lookahead(&self.evaluator), &kept, values);
        order[deep].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::{Dice, Position, Results};
    use crate::eval::{Preset, Specialists};
    use crate::play::{Domain, Greedy, stream};

    #[test]
    fn without_a_filter_it_plays_what_lookahead_at_every_result_plays() {
        let mut rng = stream(1, Domain::Weights, 0);
        let team = Specialists::random(&Preset::ALL[0], &mut rng);
        let mut results = Results::default();
        let mut values = Vec::new();
        for dice in Dice::ALL.into_iter().step_by(4) {
            let found = results.of(&Position::START, dice);
            let decision = Decision { position: &Position::START, dice, results: found };
            let full = Searcher::full(&team).choose(&decision, &mut values, &mut rng);
            let slow = Greedy(Lookahead(&team)).choose(&decision, &mut values, &mut rng);
            assert_eq!(found[full], found[slow], "{dice}");
        }
    }
}
