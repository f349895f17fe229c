//! The update rule of one batch of games, with the learning rates of the moment. The trainer makes
//! it from the plan of the run for each batch.

use std::sync::Arc;

use crate::train::learning::rule::Rule;
use nonet_engine::bearoff::BearoffDatabases;
use nonet_engine::eval::{Evaluator, InputChoice};
use nonet_engine::nn::LearningRates;

/// How one batch of games changes the weights.
#[derive(Clone, Copy)]
pub struct UpdateRule<'a> {
    /// Learning rates.
    pub rates: LearningRates,
    /// Decay of temporal differences, 0..=1.
    pub lambda: f32,
    /// The learning rule with its options.
    pub rule: Rule,
    /// The replay buffers that epochs beyond the first draw from, offline; without them they repeat
    /// the batch.
    pub replay: Option<ReplayConfig>,
    /// The evaluator that makes the targets; `None` for the learner itself.
    pub teacher: Option<&'a dyn Evaluator>,
    /// Bearoff databases. Their exact values replace those of the evaluator in RootStrap targets.
    pub bearoff: Option<&'a Arc<BearoffDatabases>>,
    /// Which inputs learn; the weights of the others stay as they are.
    pub inputs: InputChoice,
    /// The step (0..=1) of the weights' moving average towards the new weights after the batch.
    pub ema_step: f32,
}

/// The size of replay buffers and the random stream that draws examples from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayConfig {
    /// The number of examples in the buffer of each net, at least 1; new ones replace the oldest.
    pub capacity: usize,
    /// Seed of the draws.
    pub seed: u64,
    /// The stream of random numbers: different for each batch of a run.
    pub number: u64,
}

impl UpdateRule<'_> {
    /// This rule at a learning rate `alpha`, without teacher, replay buffers, databases and moving
    /// average.
    #[must_use]
    pub const fn new(rule: Rule, alpha: f32, lambda: f32) -> UpdateRule<'static> {
        UpdateRule {
            rates: LearningRates { alpha, beta_alpha: 0.0 },
            lambda,
            rule,
            replay: None,
            teacher: None,
            bearoff: None,
            inputs: InputChoice::All,
            ema_step: 0.0,
        }
    }

    /// The paper's rule, [`Rule::TD`], at a learning rate `alpha`.
    #[must_use]
    pub const fn plain(alpha: f32, lambda: f32) -> UpdateRule<'static> {
        UpdateRule::new(Rule::TD, alpha, lambda)
    }
}
