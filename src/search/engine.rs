//! The search itself: judgements at a depth, and an iterative chain of rankings.

use std::sync::Arc;

use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::replies::{Replies, Reply};
use super::{Cache, Effort, Plies};
use crate::backgammon::Position;
use crate::eval::Evaluator;
use crate::play::{Decision, Player};
use crate::value::Evaluation;

/// Judges positions and ranks plays at a number of plies.
///
/// Within the tree a reply is chosen at 1-ply and judged at the depth that is left, as in gnubg: that makes each ply cost
/// 21 times the one before instead of hundreds. From 3 plies on the work is shared out over the current thread pool; the
/// answer is the same with any number of threads.
#[derive(Clone, Debug)]
pub struct Search<E> {
    evaluator: E,
    plies: Plies,
    effort: Effort,
    cache: Option<Arc<Cache>>,
}

/// A play with the deepest judgement it got.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// Its place among the results.
    pub index: usize,
    /// The depth of the judgement.
    pub plies: Plies,
    /// The judgement for the player who made the play.
    pub value: Evaluation,
}

impl Ranked {
    /// The cubeless equity of the play for the player who made it, in points per game.
    #[must_use]
    pub fn equity(&self) -> f32 {
        self.value.equity()
    }
}

impl<E: Evaluator> Search<E> {
    /// Looks `plies` ahead, `evaluator` judging the leaves.
    pub fn new(evaluator: E, plies: Plies, effort: Effort) -> Search<E> {
        Search { evaluator, plies, effort, cache: None }
    }

    /// Remembers judgements in `cache`, which must serve no search around another evaluator or of another effort.
    #[must_use]
    pub fn cached(self, cache: Arc<Cache>) -> Search<E> {
        Search { cache: Some(cache), ..self }
    }

    /// Who judges the leaves.
    pub const fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// How many plies it looks ahead.
    pub const fn plies(&self) -> Plies {
        self.plies
    }

    /// Ranks the results of a roll, which are the opponent's to play: all of them at 1-ply, those that pass the first
    /// filter again at 2-ply, and so on. Whatever was judged deeper stands before the rest; of equals the earlier one
    /// comes first.
    pub fn rank(&self, results: &[Position]) -> Vec<Ranked> {
        let mut values = Vec::with_capacity(results.len());
        self.evaluator.evaluate_batch(results, &mut values);
        let ranked = |(index, value): (usize, &Evaluation)| Ranked {
            index,
            plies: Plies::ONE,
            value: value.flipped(),
        };
        let mut order: Vec<Ranked> = values.iter().enumerate().map(ranked).collect();
        sort(&mut order);
        let mut replies = Replies::default();
        for (plies, filter) in self.plies.up_to().skip(1).zip(&self.effort.filters) {
            let passed = filter.passes(order.iter().map(Ranked::equity));
            if passed == 1 {
                break;
            }
            for play in &mut order[..passed] {
                play.value = self.value(&results[play.index], plies, &mut replies).flipped();
                play.plies = plies;
            }
            sort(&mut order[..passed]);
        }
        order
    }

    /// Judges one position at `plies`, whatever depth the search itself has.
    pub fn judge(&self, position: &Position, plies: Plies) -> Evaluation {
        self.value(position, plies, &mut Replies::default())
    }

    fn value(&self, position: &Position, plies: Plies, replies: &mut Replies) -> Evaluation {
        if let Some(outcome) = position.outcome() {
            return Evaluation::of_outcome(outcome);
        }
        let Some(less) = plies.less() else { return self.evaluator.evaluate(position) };
        if let Some(value) = self.cache.as_ref().and_then(|cache| cache.get(position, plies)) {
            return value;
        }
        let best = replies.of(&self.evaluator, position, self.effort.breadth);
        let mean = |sum: Evaluation, (reply, value): (&Reply, Evaluation)| {
            sum.plus(&value.flipped(), reply.weight)
        };
        let value = if less == Plies::ONE {
            best.iter().map(|reply| (reply, reply.value)).fold(Evaluation::ZERO, mean)
        } else {
            let deeper: Vec<Evaluation> = best
                .par_iter()
                .map_init(Replies::default, |replies, reply| {
                    self.value(&reply.position, less, replies)
                })
                .collect();
            best.iter().zip(deeper).fold(Evaluation::ZERO, mean)
        };
        if let Some(cache) = &self.cache {
            cache.put(position, plies, value);
        }
        value
    }
}

/// The best first, the earlier one of equals.
fn sort(order: &mut [Ranked]) {
    order.sort_by(|a, b| b.equity().total_cmp(&a.equity()).then(a.index.cmp(&b.index)));
}

impl<E: Evaluator> Evaluator for Search<E> {
    fn evaluate_batch(&self, positions: &[Position], out: &mut Vec<Evaluation>) {
        if self.plies == Plies::ONE {
            return self.evaluator.evaluate_batch(positions, out);
        }
        out.clear();
        let mut replies = Replies::default();
        out.extend(positions.iter().map(|position| self.value(position, self.plies, &mut replies)));
    }
}

impl<E: Evaluator> Player for Search<E> {
    fn choose(&self, decision: &Decision, _: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
        self.rank(decision.results).first().map_or(0, |best| best.index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::{Dice, Results};
    use crate::eval::{Preset, Scripted, Specialists, best_result};
    use crate::play::{Domain, Greedy, stream};
    use crate::search::Lookahead;

    fn team() -> Specialists {
        Specialists::random(&Preset::ALL[0], &mut stream(1, Domain::Weights, 0))
    }

    fn ending() -> Position {
        Position::from_sides(&[(7, 1), (3, 2)], &[(20, 1), (2, 1)]).expect("legal")
    }

    /// Judges by pips alone.
    fn pips() -> Scripted<impl Fn(&Position) -> Evaluation + Send + Sync> {
        Scripted(|position: &Position| {
            let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
            Evaluation { average: lead / 100.0, outcomes: [0.5, 0.0, 0.0, 0.5, 0.0, 0.0] }
        })
    }

    #[test]
    fn without_filters_two_plies_play_what_lookahead_at_every_result_plays() {
        let (team, mut rng) = (team(), stream(1, Domain::Choice, 0));
        let (mut results, mut values) = (Results::default(), Vec::new());
        for dice in Dice::ALL.into_iter().step_by(4) {
            let found = results.of(&Position::START, dice);
            let decision = Decision { position: &Position::START, dice, results: found };
            let full = Search::new(&team, Plies::TWO, Effort::FULL);
            let fast = full.choose(&decision, &mut values, &mut rng);
            let slow = Greedy(Lookahead(&team)).choose(&decision, &mut values, &mut rng);
            assert_eq!(found[fast], found[slow], "{dice}");
        }
    }

    /// n plies by the definition: each roll thrown in both orders, the reply chosen at 1-ply.
    fn slowly(evaluator: &dyn Evaluator, position: &Position, plies: u8) -> f32 {
        if plies == 1 || position.outcome().is_some() {
            return evaluator.evaluate(position).equity();
        }
        let (mut sum, mut results, mut values) = (0.0, Results::default(), Vec::new());
        for a in 1..=6 {
            for b in 1..=6 {
                let found = results.of(position, Dice::new(a, b).expect("dice"));
                let next = found[best_result(evaluator, found, &mut values)];
                sum -= slowly(evaluator, &next, plies - 1) / 36.0;
            }
        }
        sum
    }

    #[test]
    fn a_depth_is_the_mean_over_36_throws_of_the_depth_before() {
        for plies in [1, 2, 3] {
            let search = Search::new(pips(), Plies::new(plies).expect("legal"), Effort::FULL);
            let (fast, slow) =
                (search.evaluate(&ending()).equity(), slowly(&pips(), &ending(), plies));
            assert!((fast - slow).abs() < 1e-4, "{plies}: {fast} for {slow}");
        }
    }

    #[test]
    fn neither_threads_nor_a_cache_change_an_answer() {
        let team = team();
        let mut results = Results::default();
        let found = results.of(&ending(), Dice::ALL[7]);
        let rank = |threads: usize, search: &Search<&Specialists>| {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| search.rank(found))
        };
        let plain = Search::new(&team, Plies::THREE, Effort::NORMAL);
        let cached = plain.clone().cached(Arc::new(Cache::new(64)));
        let alone = rank(1, &plain);
        assert_eq!(alone, rank(3, &plain));
        assert_eq!(alone, rank(3, &cached));
        assert_eq!(alone, rank(2, &cached), "with everything remembered");
    }

    #[test]
    fn deeper_judgements_stand_first_and_every_result_once() {
        let team = team();
        let mut results = Results::default();
        let found = results.of(&Position::START, "21".parse().expect("a roll"));
        let effort = Effort {
            filters: [crate::search::Filter { keep: 3, extra: 0, within: 0.0 }; 3],
            ..Effort::NORMAL
        };
        let order = Search::new(&team, Plies::TWO, effort).rank(found);
        let depths: Vec<u8> = order.iter().map(|play| play.plies.get()).collect();
        assert_eq!(depths[..4], [2, 2, 2, 1]);
        let mut seen: Vec<usize> = order.iter().map(|play| play.index).collect();
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..found.len()));
        let lookahead = Lookahead(&team).evaluate(&found[order[0].index]).flipped();
        assert!(
            (order[0].value.equity() - lookahead.equity()).abs() < 0.05,
            "a narrower look at the same"
        );
    }
}
