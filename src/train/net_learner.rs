//! What a net in training has besides its weights: examples that it remembers, and where its steps have led so far.

use pulp::{Simd, WithSimd};
use rand::Rng;

use super::learner::BatchStats;
use super::targets::{Example, Target};
use super::update_rule::{Optimizer, ReplayConfig, UpdateRule};
use crate::backgammon::{Position, View};
use crate::eval::Net;
use crate::eval::{Evaluation, HEADS};
use crate::features::{EncodeBatch, EncodeScratch, SparseInputs};
use crate::game::{StreamPurpose, stream};
use crate::nn::{Adam, ForwardCache};

/// Examples whose mean gradient makes one step of [`Adam`].
const MINIBATCH: u32 = 256;

/// What one net has besides its weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct NetLearner {
    adam: Option<Adam>,
    memory: Vec<ReplayEntry>,
    /// Where in a full memory the next example goes.
    next: usize,
}

/// An example that is remembered.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ReplayEntry {
    position: Position,
    target: Evaluation,
}

impl NetLearner {
    /// Learns from new examples in order, and then from them again, or from what is remembered, as often as the rule says.
    /// `place` is the net's in its team. What is counted is what the new examples taught when they were new.
    pub(super) fn learn<'a>(
        &mut self,
        place: usize,
        net: &mut Net,
        examples: impl Iterator<Item = &'a Example> + Clone,
        rule: &UpdateRule,
    ) -> BatchStats {
        if rule.optimizer == Optimizer::Adam && self.adam.is_none() {
            self.adam = Some(Adam::new(&net.mlp));
        }
        let stats = self.sgd_step(net, examples.clone().copied(), rule);
        let Some(recall) = rule.recall else {
            for _ in 1..rule.epochs {
                self.sgd_step(net, examples.clone().copied(), rule);
            }
            return stats;
        };
        let mut new = 0;
        for example in examples {
            self.push(example, recall.size);
            new += 1;
        }
        let draws = (rule.epochs as usize - 1) * new;
        let memory = std::mem::take(&mut self.memory);
        let sample = recall.sample(place, &memory).take(draws);
        self.sgd_step(net, sample, rule);
        self.memory = memory;
        stats
    }

    fn push(&mut self, example: &Example, size: usize) {
        let Target::Target(target) = example.goal else { return };
        let memo = ReplayEntry { position: example.position, target };
        match self.memory.get_mut(self.next) {
            Some(old) => *old = memo,
            None => self.memory.push(memo),
        }
        self.next = (self.next + 1) % size;
    }

    fn sgd_step(
        &mut self,
        net: &mut Net,
        examples: impl Iterator<Item = Example>,
        rule: &UpdateRule,
    ) -> BatchStats {
        let adam = self.adam.as_mut();
        pulp::Arch::new().dispatch(Descent { net, adam, examples, rule })
    }

    /// All of it, in a form for files.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(self.adam.is_some()));
        bytes.extend(self.adam.iter().flat_map(Adam::to_bytes));
        bytes.extend((self.next as u64).to_le_bytes());
        bytes.extend((self.memory.len() as u64).to_le_bytes());
        for ReplayEntry { position, target } in &self.memory {
            bytes.extend(position.points().iter().map(|n| n.to_le_bytes()[0]));
            bytes.extend(target.heads().iter().flat_map(|head| head.to_le_bytes()));
        }
    }

    /// What [`NetLearner::write`] wrote for this net, which is taken off the head; `None` if it is something else.
    pub(super) fn read(net: &Net, bytes: &mut &[u8]) -> Option<NetLearner> {
        let (&[has_adam], rest) = bytes.split_first_chunk()?;
        *bytes = rest;
        let adam = match has_adam {
            0 => None,
            _ => {
                let (adam, rest) = Adam::from_bytes(&net.mlp, bytes)?;
                *bytes = rest;
                Some(adam)
            }
        };
        let mut number = || {
            let (number, rest) = bytes.split_first_chunk()?;
            *bytes = rest;
            usize::try_from(u64::from_le_bytes(*number)).ok()
        };
        let (next, len) = (number()?, number()?);
        let size = len.checked_mul(POINTS + 4 * HEADS)?;
        let (memos, rest) = bytes.split_at_checked(size)?;
        *bytes = rest;
        let memory = memos.chunks_exact(POINTS + 4 * HEADS).map(|memo| {
            let (points, heads) = memo.split_first_chunk::<POINTS>()?;
            let position = Position::new(points.map(|n| i8::from_le_bytes([n]))).ok()?;
            let (heads, _) = heads.as_chunks();
            let heads = std::array::from_fn(|i| f32::from_le_bytes(heads[i]));
            Some(ReplayEntry { position, target: Evaluation::from_heads(&heads) })
        });
        Some(NetLearner { adam, memory: memory.collect::<Option<_>>()?, next })
    }
}

/// Entries of a position.
const POINTS: usize = 26;

impl ReplayConfig {
    /// Examples drawn from a memory with replacement, without end; none from an empty one.
    fn sample(self, place: usize, memory: &[ReplayEntry]) -> impl Iterator<Item = Example> {
        let mut rng = stream(self.seed ^ place as u64, StreamPurpose::Replay, self.number);
        let draw = move || {
            (!memory.is_empty()).then(|| {
                let ReplayEntry { position, target } = memory[rng.random_range(0..memory.len())];
                Example::new(&position, Target::Target(target))
            })
        };
        std::iter::from_fn(draw)
    }
}

/// One net's way through examples.
struct Descent<'a, I> {
    net: &'a mut Net,
    adam: Option<&'a mut Adam>,
    examples: I,
    rule: &'a UpdateRule<'a>,
}

impl<I: Iterator<Item = Example>> WithSimd for Descent<'_, I> {
    type Output = BatchStats;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> BatchStats {
        let Descent { net, mut adam, mut examples, rule } = self;
        let mut stats = BatchStats::default();
        let (mut inputs, mut hidden) = (SparseInputs::default(), ForwardCache::default());
        let mut scratch = EncodeScratch::default();
        let mut batch = EncodeBatch::new(simd, net.encoding, &mut scratch);
        let outcomes_alone = net.reads_outcomes_alone();
        // Inputs do not depend on the weights, so they are made for several examples at once.
        let mut waiting = Vec::with_capacity(EncodeBatch::<S>::SIZE);
        loop {
            waiting.clear();
            waiting.extend(examples.by_ref().take(EncodeBatch::<S>::SIZE));
            if waiting.is_empty() {
                break;
            }
            batch.clear(net.encoding);
            for example in &waiting {
                batch.add(&View::of(&example.position));
            }
            batch.encode(true);
            for (lane, Example { class, goal, .. }) in waiting.iter().enumerate() {
                batch.write_own(lane, &mut inputs);
                batch.write_remaining(lane, &mut inputs);
                let (index, value) = (inputs.indices(), inputs.values());
                let own = net.evaluation(&net.mlp.forward(simd, index, value, &mut hidden));
                let step = match goal {
                    Target::Target(target) => rule.step(target, &own),
                    Target::Share { to, share } => {
                        Evaluation::ZERO.plus(&to.plus(&own, -1.0), *share)
                    }
                };
                let [a, b, c, d, e, f, g] = step.heads();
                // A head that nobody reads learns nothing.
                let a = if outcomes_alone { 0.0 } else { a };
                let delta = [a, b, c, d, e, f, g, 0.0];
                match &mut adam {
                    None => net.mlp.sgd_step(simd, index, value, &hidden, &delta, rule.rates),
                    Some(adam) => {
                        adam.accumulate(simd, &net.mlp, index, value, &hidden, &delta);
                        if adam.pending() == MINIBATCH {
                            adam.step(&mut net.mlp, rule.rates.alpha);
                        }
                    }
                }
                // Both sides of the difference are linear in the heads, so this is that of the equities.
                let error = f64::from(step.equity());
                stats.examples[*class] += 1;
                stats.squared_error[*class] += error * error;
            }
        }
        if let Some(adam) = adam {
            adam.step(&mut net.mlp, rule.rates.alpha);
        }
        stats
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GeneratedGames, Learner, UpdateAt};
    use super::*;
    use crate::backgammon::{Outcome, Seat};
    use crate::eval::{Architecture, Evaluator, Specialists};
    use crate::game::Game;
    use crate::train::{GameSource, Seats};

    fn team() -> Specialists {
        Specialists::random(&Architecture::ALL[0], &mut stream(1, StreamPurpose::Weights, 0))
    }

    fn rule(size: usize, number: u64) -> UpdateRule<'static> {
        let recall = Some(ReplayConfig { size, seed: 1, number });
        UpdateRule {
            update: UpdateAt::RootStrap,
            epochs: 3,
            recall,
            optimizer: Optimizer::Adam,
            ..UpdateRule::plain(1e-3, 0.0)
        }
    }

    fn games(range: std::ops::Range<u64>) -> Vec<Game> {
        let mut source = GeneratedGames {
            seed: 1,
            plies: crate::search::Plies::ONE,
            epsilon: 0.0,
            seats: Seats::SelfPlay,
        };
        source.games(range, &team()).expect("games").games
    }

    #[test]
    fn a_memory_holds_the_last_examples_and_no_more() {
        let mut practice = NetLearner::default();
        let example = |n: u8| {
            let outcomes = [f32::from(n); 6];
            let target = Evaluation { average: 0.0, outcomes };
            Example::new(&Position::START, Target::Target(target))
        };
        for n in 0..7 {
            practice.push(&example(n), 3);
            let mut held: Vec<f32> =
                practice.memory.iter().map(|memo| memo.target.outcomes[0]).collect();
            held.sort_by(f32::total_cmp);
            let oldest = n.saturating_sub(2);
            assert_eq!(held, (oldest..=n).map(f32::from).collect::<Vec<_>>());
        }
    }

    #[test]
    fn epochs_teach_more_than_one_pass_and_count_examples_once() {
        let game = Game::without_evals(vec![Position::START], Some(Outcome::Win), Seat::X);
        let miss = |epochs: u32| {
            let mut learner = Learner::new(team(), None);
            let rule = UpdateRule { epochs, ..UpdateRule::plain(0.01, 0.6) };
            let stats = learner.learn(std::slice::from_ref(&game), &rule);
            assert_eq!(stats.examples.values().sum::<u64>(), 1);
            (learner.team.evaluate(&Position::START).equity() - 1.0).abs()
        };
        assert!(miss(20) < 0.5 * miss(1), "{} {}", miss(20), miss(1));
    }

    #[test]
    fn a_learner_that_was_laid_aside_goes_on_to_the_same_bits() {
        let mut whole = Learner::new(team(), None);
        whole.learn(&games(0..2), &rule(40, 0));
        let bytes = whole.net_learners_to_bytes();
        let aside = Learner::new(whole.team.clone(), None);
        assert_eq!(aside.clone().with_net_learners(&bytes[1..]), None);
        let mut resumed = aside.with_net_learners(&bytes).expect("what was written");
        assert_eq!(resumed, whole);
        for learner in [&mut whole, &mut resumed] {
            learner.learn(&games(2..4), &rule(40, 2));
        }
        assert_eq!(resumed, whole);
    }

    #[test]
    fn a_head_that_nobody_reads_stays_as_it_is() {
        let preset = Architecture::named("champion").expect("known");
        let team = Specialists::random(preset, &mut stream(1, StreamPurpose::Weights, 0));
        let mut learner = Learner::new(team.clone(), None);
        learner.learn(&games(0..4), &rule(1000, 0));
        for (old, new) in team.nets().iter().zip(learner.team.nets()) {
            let weights = |net: &Net| net.mlp.to_weights().w2;
            let (old_w, new_w) = (weights(old), weights(new));
            let unread = old_w.column(0) == new_w.column(0);
            let learned = old_w.column(1) != new_w.column(1);
            assert_eq!(unread && learned, old.reads_outcomes_alone() && learned, "{}", old.name);
        }
    }

    #[test]
    fn adam_brings_the_team_nearer_to_its_own_lookahead() {
        let mut learner = Learner::new(team(), None);
        let games = games(0..8);
        let error = |learner: &mut Learner, number: u64| {
            let stats = learner.learn(&games, &rule(1000, number));
            stats.squared_error.values().sum::<f64>()
        };
        let first = error(&mut learner, 0);
        let later: Vec<f64> = (1..20).map(|number| error(&mut learner, number)).collect();
        assert!(later[18] < 0.5 * first, "{first} {later:?}");
    }
}
