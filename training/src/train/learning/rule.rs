//! The learning rule of a run, with its options: the positions that are moved, their targets, and
//! the steps.

use serde::{Deserialize, Serialize};

use crate::train::learning::net_learner::OfflineSteps;
use crate::train::learning::targets::{RootStrap, Successor, Td};
use crate::train::options::option_values::LearnedOutputs;
use nonet_engine::eval::{Evaluation, HEADS};
use nonet_engine::nn::tanh;

/// The learning rule of a run. Rates and lambda, which change during a run, are in
/// [`UpdateRule`](crate::train::UpdateRule).
///
/// ```
/// use nonet_training::train::{Rule, TargetRule, UpdateTiming};
///
/// assert_eq!(Rule::TD.timing(), UpdateTiming::Offline);
/// assert!(Rule::of(TargetRule::TdLeaf).squash.is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// The positions that are moved, and their targets.
    pub targets: TargetRule,
    /// Whether gains from unforeseen plays of the opponent are learned, by TD(lambda) and
    /// TDLeaf(lambda).
    pub unforeseen: UnforeseenGains,
    /// How heads are squashed before they are compared; `None` for unchanged.
    pub squash: Option<Squash>,
    /// How examples change the weights, offline.
    pub steps: OfflineSteps,
    /// Which outputs learn.
    pub outputs: LearnedOutputs,
}

/// Which positions are moved towards which target, with the options of this choice.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum TargetRule {
    /// TD(lambda): the positions of the game, each towards its lambda return.
    Td(Td),
    /// TDLeaf(lambda): the principal leaves of a search from each position. Its value is their mean
    /// over the 21 rolls, and its gradient the mean of theirs.
    TdLeaf,
    /// RootStrap: the positions of the game, each towards the value of a 2-ply search from it.
    RootStrap(RootStrap),
}

/// When a game changes the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum UpdateTiming {
    /// After each game, from its last position to its first, by lambda returns.
    Offline,
    /// After each position, from the first to the last, by eligibility traces.
    Online,
}

/// Whether a side learns from a gain that a play of the other side caused, if the learner would not
/// have chosen that play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UnforeseenGains {
    /// The gain is learned like any other difference: the other side may know better.
    Keep,
    /// The gain is left out (KnightCap's rule, Baxter, Tridgell & Weaver 2000, section 4): the
    /// other side may have blundered. The learner's own choice is determined at this many plies, 1
    /// or 2.
    Drop(u32),
}

/// Compares heads `v` as `tanh(scale v) / scale`, which bounds every temporal difference and is
/// close to `v` for small `v`. KnightCap squashed its evaluation in this way (Baxter, Tridgell &
/// Weaver 2000, section 4); here each head is squashed.
///
/// ```
/// use nonet_engine::Evaluation;
/// use nonet_training::train::Squash;
///
/// let value = Squash { scale: 2.0 }.of(&Evaluation { average: 3.0, ..Evaluation::ZERO });
/// assert!(value.average <= 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Squash {
    /// The factor, above 0.
    pub scale: f32,
}

impl Rule {
    /// Offline TD(lambda) by stochastic gradient descent, every option off (Wiering, Patist &
    /// Mannen, section 3.3).
    pub const TD: Rule = Rule::of(TargetRule::Td(Td {
        timing: UpdateTiming::Offline,
        successor: Successor::Turn,
        side: None,
    }));

    /// The rule with these targets, learned once by stochastic gradient descent, every other option
    /// off.
    #[must_use]
    pub const fn of(targets: TargetRule) -> Rule {
        Rule {
            targets,
            unforeseen: UnforeseenGains::Keep,
            squash: None,
            steps: OfflineSteps::PLAIN,
            outputs: LearnedOutputs::All,
        }
    }

    /// When weights change.
    #[must_use]
    pub const fn timing(&self) -> UpdateTiming {
        match &self.targets {
            TargetRule::Td(td) => td.timing,
            TargetRule::TdLeaf | TargetRule::RootStrap(_) => UpdateTiming::Offline,
        }
    }

    /// The plies at which the learner chooses for an opponent, if gains from unforeseen plays are
    /// dropped.
    pub(in crate::train) const fn foresight(&self) -> Option<u32> {
        match self.unforeseen {
            UnforeseenGains::Keep => None,
            UnforeseenGains::Drop(plies) => Some(plies),
        }
    }

    /// The change of each head that moves the prediction `own` to `target`, which is squashed if
    /// the rule says so; 0 for heads that do not learn.
    #[inline(always)]
    pub(in crate::train) fn step(&self, target: &Evaluation, own: &Evaluation) -> Evaluation {
        let step = match self.squash {
            None => target.plus(own, -1.0),
            Some(squash) => squash.unsquashed(&target.plus(&squash.of(own), -1.0), own),
        };
        match self.outputs {
            LearnedOutputs::All => step,
            LearnedOutputs::Average => Evaluation { average: step.average, ..Evaluation::ZERO },
        }
    }

    /// An evaluation as it is compared with others: squashed if the rule says so.
    #[inline(always)]
    pub(in crate::train) fn squashed(&self, value: &Evaluation) -> Evaluation {
        self.squash.map_or(*value, |squash| squash.of(value))
    }

    /// The derivative of each head of [`Rule::squashed`] with respect to the head, 0..=1; 0 for
    /// heads that do not learn.
    #[inline(always)]
    pub(in crate::train) fn slopes(&self, value: &Evaluation) -> [f32; HEADS] {
        let slopes = self.squash.map_or([1.0; HEADS], |squash| squash.slopes(value));
        match self.outputs {
            LearnedOutputs::All => slopes,
            LearnedOutputs::Average => {
                std::array::from_fn(|i| if i == 0 { slopes[0] } else { 0.0 })
            }
        }
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

    /// Converts a difference of squashed heads to a step of the heads themselves, at the heads
    /// `value`.
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
