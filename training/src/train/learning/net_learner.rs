//! The training state of one net without its weights (optimizer and replay buffer), and its
//! gradient steps.

use pulp::{Simd, WithSimd};
use serde::{Deserialize, Serialize};

use crate::train::learning::experience_replay::{Replay, ReplayEntry};
use crate::train::learning::targets::{Example, Target};
use crate::train::learning::update_rule::UpdateRule;
use crate::train::learning_curve::BatchStats;
use nonet_engine::backgammon::BoardView;
use nonet_engine::class::Class;
use nonet_engine::eval::{Evaluation, Net};
use nonet_engine::features::{EncodeBatch, EncodeScratch, Encoding, SparseInputs};
use nonet_engine::game::{StreamPurpose, stream};
use nonet_engine::nn::{Adam, ForwardCache, ForwardPass, GradientSum, Network};
use nonet_engine::vectors::dispatch;

/// The number of examples in the mean gradient of one [`Adam`] step.
const MINIBATCH: u32 = 256;

/// How the examples of a batch of games change the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfflineSteps {
    /// Times that each example is learned, at least 1.
    pub epochs: u32,
    /// The optimizer.
    pub optimizer: Optimizer,
}

impl OfflineSteps {
    /// Each example is learned once, by stochastic gradient descent.
    pub const PLAIN: OfflineSteps = OfflineSteps { epochs: 1, optimizer: Optimizer::Sgd };
}

/// How gradients change the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Optimizer {
    /// One step per example, along its gradient: the papers' rule.
    Sgd,
    /// One step per batch of games, along the sum of its gradients.
    ///
    /// With a batch of 1 this is the rule as Baxter, Tridgell & Weaver (2000) print it (equations 3
    /// and 12). All gradients of a game are taken at the same weights.
    Batch,
    /// One step per 256 examples, with an adaptive rate for each weight.
    ///
    /// Weights of rarely active inputs learn as fast as others (Kingma & Ba 2015).
    Adam,
}

/// The training state of one net without its weights; it is part of checkpoints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NetLearner {
    /// The state of its optimizer.
    pub optimizer: OptimizerState,
    /// The replay buffer; `None` before the first batch with a
    /// [`ReplayConfig`](crate::train::ReplayConfig).
    pub replay: Option<Replay>,
}

/// The state of an [`Optimizer`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(
    clippy::large_enum_variant,
    reason = "one for each net; a box would cost a jump at every step"
)]
pub enum OptimizerState {
    /// Gradient descent has no state.
    #[default]
    Sgd,
    /// Running means of the gradients.
    Adam(Adam),
}

/// Why the training state does not match a net and its update rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum NetLearnerError {
    #[error("the state of the optimizer is {found}, expected {expected}")]
    Optimizer { found: String, expected: String },
    #[error("the replay buffer is {found}, expected {expected}")]
    Replay { found: String, expected: String },
}

impl OptimizerState {
    /// The state before the first step of a net.
    fn new(optimizer: Optimizer, net: &Net) -> OptimizerState {
        match optimizer {
            Optimizer::Sgd | Optimizer::Batch => OptimizerState::Sgd,
            Optimizer::Adam => OptimizerState::Adam(Adam::new(net.mlp.shape())),
        }
    }

    fn describe(&self) -> String {
        match self {
            OptimizerState::Sgd => "none".to_owned(),
            OptimizerState::Adam(adam) => format!("that of Adam for {:?}", adam.shape()),
        }
    }
}

impl NetLearner {
    /// Learns from new examples in order. Later epochs learn as many from the replay buffer, or the
    /// same examples if the update has no replay. `place` is the net's index in its team. The
    /// returned statistics are those of the first pass.
    pub(in crate::train) fn learn<'a>(
        &mut self,
        place: usize,
        net: &mut Net,
        examples: impl Iterator<Item = &'a Example> + Clone,
        update: &UpdateRule,
    ) -> BatchStats {
        let NetLearner { optimizer, replay } = self;
        let steps = update.rule.steps;
        if *optimizer == OptimizerState::Sgd {
            *optimizer = OptimizerState::new(steps.optimizer, net);
        }
        let stats = descend(optimizer, net, &mut examples.clone().copied(), update);
        let Some(config) = update.replay else {
            for _ in 1..steps.epochs {
                descend(optimizer, net, &mut examples.clone().copied(), update);
            }
            return stats;
        };
        let replay = replay.get_or_insert_with(|| Replay::new(config.capacity));
        let mut new = 0;
        for example in examples {
            if let Target::Value(target) = example.target {
                let Example { position, joined, .. } = *example;
                replay.push(ReplayEntry { position, target, joined });
            }
            new += 1;
        }
        let rng = stream(config.seed ^ place as u64, StreamPurpose::Replay, config.number);
        let draws = (steps.epochs as usize).saturating_sub(1) * new;
        descend(optimizer, net, &mut replay.sample(rng).take(draws), update);
        stats
    }

    /// Checks that this is the state of a net that has learned at least one batch.
    ///
    /// The rule of the batch must have this optimizer and a replay buffer of this capacity.
    ///
    /// # Errors
    /// [`NetLearnerError`] with the first difference.
    pub(in crate::train) fn check(
        &self,
        net: &Net,
        optimizer: Optimizer,
        capacity: Option<usize>,
    ) -> Result<(), NetLearnerError> {
        let expected = OptimizerState::new(optimizer, net);
        let fits = match (&self.optimizer, &expected) {
            (OptimizerState::Sgd, OptimizerState::Sgd) => true,
            (OptimizerState::Adam(found), OptimizerState::Adam(expected)) => {
                found.shape() == expected.shape()
            }
            _ => false,
        };
        if !fits {
            let (found, expected) = (self.optimizer.describe(), expected.describe());
            return Err(NetLearnerError::Optimizer { found, expected });
        }
        let found = self.replay.as_ref().map(Replay::capacity);
        if found != capacity || !self.replay.as_ref().is_none_or(Replay::is_consistent) {
            let describe = |capacity: Option<usize>| {
                capacity.map_or_else(|| "missing".to_owned(), |n| format!("one of {n} examples"))
            };
            let found = if found == capacity { "damaged".to_owned() } else { describe(found) };
            let expected = capacity.map_or_else(|| "none".to_owned(), |_| describe(capacity));
            return Err(NetLearnerError::Replay { found, expected });
        }
        Ok(())
    }
}

/// Learns from examples in order. Not generic over the iterator: its code is large, and a call for
/// each example costs nothing compared with its forward pass.
fn descend(
    optimizer: &mut OptimizerState,
    net: &mut Net,
    examples: &mut dyn Iterator<Item = Example>,
    update: &UpdateRule,
) -> BatchStats {
    dispatch(Descent { net, optimizer, examples, update })
}

/// What makes a pass through examples change the weights.
enum Steps<'a> {
    Example,
    Minibatch(&'a mut Adam, GradientSum),
    Batch(GradientSum),
}

/// An example between its forward pass and its gradient, which waits for the others of its group.
struct Waiting {
    inputs: SparseInputs,
    cache: ForwardCache,
    /// From the prediction towards the target.
    step: Evaluation,
    class: Class,
}

impl Waiting {
    fn new(class: Class) -> Waiting {
        Waiting {
            inputs: SparseInputs::default(),
            cache: ForwardCache::default(),
            step: Evaluation::ZERO,
            class,
        }
    }
}

/// Makes the gradient steps of a group. All its predictions are made with the present weights.
///
/// With a weight w of differences, an example with the error e makes the step `e + w (e - m)`. Here
/// m is the mean error of the group. That is the gradient of the sum of e² and of w times the sum
/// of (e - m)². The second sum has its reason in play: an error that all results of a roll share
/// changes no play.
#[inline(always)]
fn learn_group<S: Simd>(
    simd: S,
    group: &[Waiting],
    net: &mut Net,
    steps: &mut Steps,
    update: &UpdateRule,
    stats: &mut BatchStats,
) {
    let outcomes_alone = net.reads_outcomes_alone();
    let (mut mean, mut differences) = (Evaluation::ZERO, 0.0);
    if group.len() > 1 {
        differences = update.rule.targets.weight_of_differences();
        let share = 1.0 / group.len() as f32;
        for waiting in group {
            mean = mean.plus(&waiting.step, share);
        }
    }
    for Waiting { inputs, cache, step, class } in group {
        // The equity is linear in the heads, so this is the difference of the equities.
        let error = f64::from(step.equity());
        stats.examples[*class] += 1;
        stats.squared_error[*class] += error * error;
        let mut step = *step;
        if group.len() > 1 {
            step = step.plus(&step.plus(&mean, -1.0), differences);
        }
        let [a, b, c, d, e, f, g] = step.heads();
        // If the average head is not read, it is not trained.
        let a = if outcomes_alone { 0.0 } else { a };
        let delta = [a, b, c, d, e, f, g, 0.0];
        let (indices, values) = (inputs.indices(), inputs.values());
        match steps {
            Steps::Example => {
                net.mlp.sgd_step_with(simd, indices, values, cache, &delta, update.rates);
            }
            Steps::Batch(gradients) => {
                gradients.add(simd, &net.mlp, indices, values, cache, &delta);
            }
            Steps::Minibatch(adam, gradients) => {
                gradients.add(simd, &net.mlp, indices, values, cache, &delta);
                if gradients.examples() == MINIBATCH {
                    adam.step(&mut net.mlp, gradients, update.rates.alpha);
                }
            }
        }
    }
}

/// One pass of a net through examples.
struct Descent<'a> {
    net: &'a mut Net,
    optimizer: &'a mut OptimizerState,
    examples: &'a mut dyn Iterator<Item = Example>,
    update: &'a UpdateRule<'a>,
}

impl WithSimd for Descent<'_> {
    type Output = BatchStats;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> BatchStats {
        let Descent { net, optimizer, examples, update } = self;
        let mut stats = BatchStats::default();
        let joins = update.rule.targets.weight_of_differences() > 0.0;
        let mut steps = match optimizer {
            OptimizerState::Sgd if update.rule.steps.optimizer == Optimizer::Batch => {
                Steps::Batch(GradientSum::new(net.mlp.shape()))
            }
            OptimizerState::Sgd => Steps::Example,
            OptimizerState::Adam(adam) => Steps::Minibatch(adam, GradientSum::new(net.mlp.shape())),
        };
        // The group that is being gathered, and room for larger ones.
        let (mut group, mut gathered) = (Vec::new(), 0);
        let mut scratch = EncodeScratch::default();
        let built_in = net.encoding.built_in();
        let mut batch = EncodeBatch::new(simd, built_in.unwrap_or(Encoding::Contact), &mut scratch);
        let reads = built_in.and_then(|encoding| update.inputs.mask(encoding));
        // Inputs do not depend on the weights, so several examples are encoded at once.
        let mut pending = Vec::with_capacity(EncodeBatch::<S>::SIZE);
        loop {
            pending.clear();
            pending.extend((&mut *examples).take(EncodeBatch::<S>::SIZE));
            if pending.is_empty() {
                break;
            }
            if let Some(encoding) = built_in {
                batch.clear(encoding);
                for example in &pending {
                    batch.add(&BoardView::of(&example.position));
                }
                batch.encode(true);
            }
            for (lane, Example { position, class, target, joined }) in pending.iter().enumerate() {
                if !(*joined && joins) {
                    learn_group(simd, &group[..gathered], net, &mut steps, update, &mut stats);
                    gathered = 0;
                }
                if gathered == group.len() {
                    group.push(Waiting::new(*class));
                }
                let waiting = &mut group[gathered];
                gathered += 1;
                let Waiting { inputs, cache, .. } = waiting;
                if built_in.is_some() {
                    batch.write_own(lane, inputs);
                    batch.write_remaining(lane, inputs);
                } else {
                    net.encoding.encode(position, inputs);
                }
                if let Some(reads) = reads {
                    inputs.retain(|input| reads[usize::from(input)]);
                }
                let (indices, values) = (inputs.indices(), inputs.values());
                let own = net.evaluation(&net.mlp.forward_with(simd, indices, values, cache));
                waiting.class = *class;
                waiting.step = match target {
                    Target::Value(target) => update.rule.step(target, &own),
                    Target::Share { to, share } => {
                        Evaluation::ZERO.plus(&to.plus(&own, -1.0), *share)
                    }
                };
            }
        }
        learn_group(simd, &group[..gathered], net, &mut steps, update, &mut stats);
        match steps {
            Steps::Example => {}
            Steps::Batch(mut gradients) => net.mlp.sum_step(&mut gradients, update.rates.alpha),
            Steps::Minibatch(adam, mut gradients) => {
                adam.step(&mut net.mlp, &mut gradients, update.rates.alpha);
            }
        }
        stats
    }
}

#[cfg(test)]
mod tests;
