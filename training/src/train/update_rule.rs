//! The update rule of one batch of games, with the learning rates of the moment. The trainer makes it from the plan of the
//! run for each batch.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::method::UpdateAt;
use nonet_engine::backgammon::Seat;
use nonet_engine::bearoff::BearoffDatabases;
use nonet_engine::class::{ByClass, Class};
use nonet_engine::eval::{Evaluation, Evaluator, HEADS, InputChoice};
use nonet_engine::nn::{LearningRates, tanh};

/// How one batch of games changes the weights.
#[derive(Clone, Copy)]
pub struct UpdateRule<'a> {
    /// Learning rates.
    pub rates: LearningRates,
    /// Decay of temporal differences, 0..=1.
    pub lambda: f32,
    /// The positions whose values are moved.
    pub update: UpdateAt,
    /// When they are moved.
    pub timing: UpdateTiming,
    /// How often each example of a batch is learned, offline.
    pub epochs: u32,
    /// The replay buffers that epochs beyond the first draw from, offline; without them they repeat the batch.
    pub replay: Option<ReplayConfig>,
    /// The optimizer, offline.
    pub optimizer: Optimizer,
    /// The classes whose positions RootStrap learns; `None` for all.
    pub classes: Option<ByClass<bool>>,
    /// How many other results of each roll RootStrap learns, at most.
    pub siblings: u32,
    /// The weight of differences between the errors of results of one roll, beside the errors themselves; 0 or more.
    pub sibling_differences: f32,
    /// How far deeper values reach back along a game in the targets of RootStrap, 0..=1; 0 for 2-ply values alone.
    pub lookahead_lambda: f32,
    /// The classes whose positions RootStrap moves towards a rollout of one game, the rest of the game that was played; `None` for none.
    pub rollout_classes: Option<ByClass<bool>>,
    /// The same as `lookahead_lambda` for positions of `rollout_classes`, 0..=1: with 1 the rollout goes to the end of the game.
    pub rollout_lambda: f32,
    /// Positions whose 2-ply equity differs from the static one by more than this many points get their 3-ply value in the targets of
    /// RootStrap; `None` for none.
    pub three_ply_above: Option<f32>,
    /// How heads are squashed before they are compared; `None` for unchanged.
    pub squash: Option<Squash>,
    /// Whether gains from unforeseen plays of the opponent are learned.
    pub unforeseen: UnforeseenGains,
    /// Which position follows another in the differences of TD(lambda).
    pub successor: Successor,
    /// The player whose plays led to the positions that TD(lambda) learns; `None` for both.
    pub side: Option<Seat>,
    /// The evaluator that makes the targets; `None` for the learner itself.
    pub teacher: Option<&'a dyn Evaluator>,
    /// Databases whose exact values replace those of the evaluator in the targets of RootStrap.
    pub bearoff: Option<&'a Arc<BearoffDatabases>>,
    /// Which inputs learn; the weights of the others stay as they are.
    pub inputs: InputChoice,
    /// The step (0..=1) of the weights' moving average towards the new weights after the batch.
    pub ema_step: f32,
}

/// How gradients change the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Optimizer {
    /// One step per example, along its gradient times the learning rate: the papers' rule.
    Sgd,
    /// One step per batch of games, along the sum of its gradients times the learning rate. With a batch of 1 this is the rule
    /// as Baxter, Tridgell & Weaver (2000) print it (equations 3 and 12): all gradients of a game are taken at the same weights.
    Batch,
    /// One step per 256 examples with an adaptive rate for each weight (Kingma & Ba 2015), so that the weights of rarely
    /// active inputs learn as fast as others.
    Adam,
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

/// When a game changes the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum UpdateTiming {
    /// After its end, from its last position to its first, by lambda returns.
    Offline,
    /// After each of its positions from the first to the last, by eligibility traces.
    Online,
}

/// Whether a side learns from a gain that a play of the other side caused, if the learner would not have chosen that play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UnforeseenGains {
    /// The gain is learned like any other difference: the other side may know better.
    Keep,
    /// The gain is left out (KnightCap's rule, Baxter, Tridgell & Weaver 2000, section 4): the other side may have blundered.
    /// The learner's own choice is determined at this many plies, 1 or 2.
    Drop(u32),
}

/// Which position follows another in the differences of TD(lambda).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Successor {
    /// The next position of the game: minimax TD, V'(s_t) = -V(s_t+1) + ... (Wiering, Patist & Mannen, section 3.3).
    Turn,
    /// The next position with the same player on roll, so that each side learns from the positions it has played to alone: plain TD
    /// of afterstates (Sutton & Barto 2018, section 6.8), V'(s_t) = V(s_t+2) + ...
    OwnTurn,
}

/// Compares heads `v` as `tanh(scale v) / scale`, which bounds every temporal difference and is close to `v` for small `v`.
/// KnightCap squashed its evaluation in this way (Baxter, Tridgell & Weaver 2000, section 4); here each head is squashed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Squash {
    /// The factor, above 0.
    pub scale: f32,
}

impl UpdateRule<'_> {
    /// The paper's rule: offline TD(lambda) by stochastic gradient descent, every option off (Wiering, Patist & Mannen,
    /// section 3.3).
    #[must_use]
    pub const fn plain(alpha: f32, lambda: f32) -> UpdateRule<'static> {
        UpdateRule {
            rates: LearningRates { alpha, beta_alpha: 0.0 },
            lambda,
            update: UpdateAt::Position,
            timing: UpdateTiming::Offline,
            epochs: 1,
            replay: None,
            optimizer: Optimizer::Sgd,
            classes: None,
            siblings: 0,
            sibling_differences: 0.0,
            lookahead_lambda: 0.0,
            rollout_classes: None,
            rollout_lambda: 0.0,
            three_ply_above: None,
            inputs: InputChoice::All,
            squash: None,
            unforeseen: UnforeseenGains::Keep,
            successor: Successor::Turn,
            side: None,
            teacher: None,
            bearoff: None,
            ema_step: 0.0,
        }
    }

    /// Whether RootStrap learns positions of this class.
    pub(super) fn learns(&self, class: Class) -> bool {
        self.classes.is_none_or(|classes| classes[class])
    }

    /// Whether RootStrap moves positions of this class towards rollouts.
    pub(super) fn rolls_out(&self, class: Class) -> bool {
        self.rollout_classes.is_some_and(|classes| classes[class])
    }

    /// Whether targets of RootStrap hold more than 2-ply values.
    pub(super) const fn reaches_deeper(&self) -> bool {
        self.lookahead_lambda > 0.0
            || self.rollout_classes.is_some()
            || self.three_ply_above.is_some()
    }

    /// The change of each head that moves the prediction `own` to `target`, which is squashed if the rule says so.
    #[inline(always)]
    pub(super) fn step(&self, target: &Evaluation, own: &Evaluation) -> Evaluation {
        match self.squash {
            None => target.plus(own, -1.0),
            Some(squash) => squash.unsquashed(&target.plus(&squash.of(own), -1.0), own),
        }
    }

    /// An evaluation as it is compared with others: squashed if the rule says so.
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

    /// The derivative of each squashed head with respect to the head, 0..1.
    #[inline(always)]
    #[must_use]
    pub fn slopes(self, value: &Evaluation) -> [f32; HEADS] {
        value.heads().map(|v| 1.0 - tanh(self.scale * v) * tanh(self.scale * v))
    }

    /// Converts a difference of squashed heads to a step of the heads themselves, at the heads `value`.
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
    use nonet_engine::backgammon::Outcome;

    #[test]
    fn squashing_bounds_large_values_and_hardly_changes_small_ones() {
        let squash = Squash { scale: 2.0 };
        let small = Evaluation { average: 0.01, outcomes: [0.02; 6] };
        let near = |a: &Evaluation, b: &Evaluation, gap: f32| {
            a.heads().iter().zip(b.heads()).all(|(a, b)| (a - b).abs() < gap)
        };
        assert!(near(&squash.of(&small), &small, 1e-4));
        let large = squash.of(&Evaluation::of_outcome(Outcome::WinBackgammon));
        assert!(large.average <= 0.5 && large.average > 0.49, "{large:?}");
        // Squashing and mirroring commute.
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
