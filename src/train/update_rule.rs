//! How a batch of games is learned.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::method::UpdateAt;
use crate::bearoff::BearoffDatabases;
use crate::class::ByClass;
use crate::eval::Evaluator;
use crate::eval::{Evaluation, HEADS};
use crate::nn::{LearningRates, tanh};

/// A learning rule with its rates.
#[derive(Clone, Copy)]
pub struct UpdateRule<'a> {
    /// Learning rates.
    pub rates: LearningRates,
    /// Decay of temporal differences, 0..=1.
    pub lambda: f32,
    /// Whose value is moved.
    pub update: UpdateAt,
    /// When it is moved.
    pub when: UpdateTiming,
    /// How often each example of a batch is learned, offline.
    pub epochs: u32,
    /// The replay buffers whose examples are learned again, offline; without, the batch itself is.
    pub replay: Option<ReplayConfig>,
    /// What a gradient makes of weights, offline.
    pub optimizer: Optimizer,
    /// Which classes' positions are learned with a lookahead, if not those of all.
    pub classes: Option<ByClass<bool>>,
    /// How heads are squashed before they are compared, if they are.
    pub squash: Option<Squash>,
    /// What is made of gains from plays that were not foreseen.
    pub unforeseen: UnforeseenGains,
    /// Whose judgements make the targets: the learner's own, or a teacher's.
    pub teacher: Option<&'a dyn Evaluator>,
    /// Databases whose exact values replace those of the evaluator, in the targets of RootStrap.
    pub bearoff: Option<&'a Arc<BearoffDatabases>>,
    /// How far (0..=1) the moving average of the weights moves towards the new weights afterwards.
    pub ema_step: f32,
}

/// What a gradient makes of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Optimizer {
    /// A step of its own for each example, along its gradient times the learning rate: the papers' rule.
    Sgd,
    /// A step for 256 examples together, whose length in each weight hardly depends on the size of the gradient: Adam
    /// (Kingma & Ba 2015). Inputs that seldom speak learn as fast as the others.
    Adam,
}

/// Replay buffers and the random numbers that examples are drawn from them by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayConfig {
    /// The number of examples in the buffer of each net, at least 1; new ones replace the oldest.
    pub capacity: usize,
    /// Seed of the draws.
    pub seed: u64,
    /// The stream of random numbers: different for each batch of a run.
    pub number: u64,
}

/// When a game changes weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum UpdateTiming {
    /// After its end, from its last position to its first, by lambda returns.
    Offline,
    /// After each of its positions from the first to the last, by eligibility traces.
    Online,
}

/// What is made of a side's gain from a play of the other side that the learner would not have chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnforeseenGains {
    /// It is learned like any other: the other side may know better.
    Keep,
    /// It is left out (KnightCap's rule, Baxter, Tridgell & Weaver 2000, section 4): the other side may have blundered. The
    /// learner's own choice is made at this many plies, 1 or 2.
    Drop(u32),
}

/// Heads `v` are compared as `tanh(scale v) / scale`, which bounds every temporal difference and is `v` itself where it is
/// small. KnightCap squashed its evaluation so (Baxter, Tridgell & Weaver 2000, section 4); here each head is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Squash {
    /// Above 0.
    pub scale: f32,
}

impl UpdateRule<'_> {
    /// The paper's rule, offline and with nothing besides (Wiering, Patist & Mannen, section 3.3).
    #[must_use]
    pub const fn plain(alpha: f32, lambda: f32) -> UpdateRule<'static> {
        UpdateRule {
            rates: LearningRates { alpha, beta_alpha: 0.0 },
            lambda,
            update: UpdateAt::Position,
            when: UpdateTiming::Offline,
            epochs: 1,
            replay: None,
            optimizer: Optimizer::Sgd,
            classes: None,
            squash: None,
            unforeseen: UnforeseenGains::Keep,
            teacher: None,
            bearoff: None,
            ema_step: 0.0,
        }
    }

    /// How far each head must move for the prediction `own` to become the target, which is squashed if the rule says so.
    #[inline(always)]
    pub(super) fn step(&self, target: &Evaluation, own: &Evaluation) -> Evaluation {
        match self.squash {
            None => target.plus(own, -1.0),
            Some(squash) => squash.unsquashed(&target.plus(&squash.of(own), -1.0), own),
        }
    }

    /// A judgement as it is compared with others.
    #[inline(always)]
    pub(super) fn squashed(&self, value: &Evaluation) -> Evaluation {
        self.squash.map_or(*value, |squash| squash.of(value))
    }
}

impl Squash {
    /// The squashed heads.
    #[inline(always)]
    #[must_use]
    pub fn of(self, value: &Evaluation) -> Evaluation {
        Evaluation::from_heads(&value.heads().map(|v| tanh(self.scale * v) / self.scale))
    }

    /// How fast each squashed head changes with the head, 0..1.
    #[inline(always)]
    #[must_use]
    pub fn slopes(self, value: &Evaluation) -> [f32; HEADS] {
        value.heads().map(|v| 1.0 - tanh(self.scale * v) * tanh(self.scale * v))
    }

    /// A difference between squashed judgements, as a step of the heads themselves, which stand at `value`.
    #[inline(always)]
    #[must_use]
    pub fn unsquashed(self, difference: &Evaluation, value: &Evaluation) -> Evaluation {
        let (difference, slopes) = (difference.heads(), self.slopes(value));
        Evaluation::from_heads(&std::array::from_fn(|i| difference[i] * slopes[i]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::Outcome;

    #[test]
    fn squashing_bounds_and_leaves_small_values_alone() {
        let squash = Squash { scale: 2.0 };
        let small = Evaluation { average: 0.01, outcomes: [0.02; 6] };
        let near = |a: &Evaluation, b: &Evaluation, gap: f32| {
            a.heads().iter().zip(b.heads()).all(|(a, b)| (a - b).abs() < gap)
        };
        assert!(near(&squash.of(&small), &small, 1e-4));
        let large = squash.of(&Evaluation::of_outcome(Outcome::WinBackgammon));
        assert!(large.average <= 0.5 && large.average > 0.49, "{large:?}");
        // The mirror of what is squashed is what is squashed of the mirror.
        let value = Evaluation { average: 0.7, outcomes: [0.6, 0.2, 0.0, 0.3, 0.1, 0.0] };
        assert!(near(&squash.of(&value.flipped()), &squash.of(&value).flipped(), 1e-6));
    }

    #[test]
    fn slopes_are_those_of_finite_differences() {
        let (squash, value) =
            (Squash { scale: 0.8 }, Evaluation { average: -1.2, outcomes: [0.4; 6] });
        let at =
            |shift: f32| squash.of(&Evaluation { average: value.average + shift, ..value }).average;
        let slope = (at(0.01) - at(-0.01)) / 0.02;
        assert!((squash.slopes(&value)[0] - slope).abs() < 1e-3);
    }
}
