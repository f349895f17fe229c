//! The plan of a training run: its checked options in a form in which invalid combinations cannot be expressed.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::fine_tuning::{self, FineTuning};
use super::game_source::Starts;
use super::game_source::recorded::Unfinished;
use super::method::UpdateAt;
use super::player_spec::PlayerSpec;
use super::spec::TrainSpec;
use super::update_rule::{Optimizer, Squash, Successor, UnforeseenGains, UpdateRule, UpdateTiming};
use nonet_engine::backgammon::Seat;
use nonet_engine::class::ByClass;
use nonet_engine::eval::Architecture;
use nonet_engine::nn::LearningRates;
use nonet_engine::search::Plies;

/// A valid training run, made of a [`TrainSpec`]; a [`Trainer`](super::Trainer) is made of a plan only.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainPlan {
    pub(super) spec: TrainSpec,
    pub(super) games: Games,
    pub(super) learns_expert: bool,
    pub(super) update: Update,
    pub(super) squash: Option<Squash>,
    pub(super) unforeseen: UnforeseenGains,
    pub(super) successor: Successor,
    pub(super) side: Option<Seat>,
    pub(super) start: Start,
    pub(super) fine_tuning: Option<FineTuning>,
}

/// Where the games of a run come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Games {
    /// The learner plays itself.
    SelfPlay {
        /// Plies of its search, 1 or 2.
        plies: Plies,
        /// Probability of playing the second best result instead of the best one, 0..=1; above 0 at 1-ply only.
        epsilon: f32,
        /// Which games begin in chosen classes.
        starts: Option<Starts>,
    },
    /// The learner plays an expert.
    Versus {
        /// The expert.
        expert: PlayerSpec,
        /// Plies of the learner's search, 1 or 2.
        plies: Plies,
    },
    /// This expert plays itself.
    Observe(PlayerSpec),
    /// Recorded games.
    Records {
        /// Where they are read from.
        records: RecordPaths,
        /// How games that ended early are learned.
        unfinished: Unfinished,
    },
}

/// Where records are read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordPaths {
    /// Standard input.
    StandardInput,
    /// Files, and folders with all files in them.
    Paths(Vec<PathBuf>),
}

/// The learning method with its options.
#[derive(Clone, Debug, PartialEq)]
pub enum Update {
    /// TD(lambda): differences between successive positions.
    Td(TdTiming),
    /// TDLeaf(lambda): differences between the principal leaves of successive searches.
    TdLeaf(OfflineSteps),
    /// RootStrap: differences between a position and the 2-ply search from it.
    RootStrap {
        /// How the examples change the weights.
        steps: OfflineSteps,
        /// The capacity of each net's replay buffer, in examples, if there is one.
        replay: Option<NonZeroUsize>,
        /// Whether targets use the exact values of the bearoff databases.
        bearoff: bool,
        /// The classes whose positions are learned; `None` for all.
        classes: Option<ByClass<bool>>,
        /// How many other results of each roll are learned, at most.
        siblings: u32,
        /// See [`UpdateRule::sibling_differences`].
        sibling_differences: f32,
        /// See [`UpdateRule::lookahead_lambda`].
        lookahead_lambda: f32,
        /// See [`UpdateRule::rollout_classes`].
        rollout_classes: Option<ByClass<bool>>,
        /// See [`UpdateRule::rollout_lambda`].
        rollout_lambda: f32,
        /// See [`UpdateRule::three_ply_above`].
        three_ply_above: Option<f32>,
    },
}

/// When positions are learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TdTiming {
    /// After each position, one gradient step at a time.
    Online {
        /// Learning rate of the hidden units' sensitivities; 0 if they are not learned.
        beta_alpha: f32,
    },
    /// After each game.
    Offline(OfflineSteps),
}

/// How the examples of a batch change weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfflineSteps {
    /// Times that each example is learned, at least 1.
    pub epochs: u32,
    /// The optimizer.
    pub optimizer: StepRule,
}

/// The optimizer with its options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepRule {
    /// One step for each example.
    Sgd {
        /// Learning rate of the hidden units' sensitivities; 0 if they are not learned.
        beta_alpha: f32,
    },
    /// One step for all examples of a batch, along the sum of their gradients.
    Batch,
    /// One step for 256 examples (Kingma & Ba 2015).
    Adam,
}

/// The weights that a run starts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// Random weights.
    Random,
    /// The weights of a net file.
    Net {
        /// Its path.
        path: String,
        /// Hidden units that the nets without contact and the contact nets, in this order, are widened to; 0 leaves them
        /// unchanged.
        widen: [usize; 2],
    },
}

impl TrainPlan {
    /// The options.
    #[must_use]
    pub fn spec(&self) -> &TrainSpec {
        &self.spec
    }

    /// Where games come from.
    #[must_use]
    pub fn games(&self) -> &Games {
        &self.games
    }

    /// The expert, if the source or the targets need one.
    #[must_use]
    pub fn expert(&self) -> Option<&PlayerSpec> {
        self.spec.expert.as_ref()
    }

    /// Whether the targets are the expert's evaluations.
    #[must_use]
    pub fn learns_expert(&self) -> bool {
        self.learns_expert
    }

    /// The learning method with its options.
    #[must_use]
    pub fn update(&self) -> &Update {
        &self.update
    }

    /// Whether targets use the exact values of the bearoff databases.
    #[must_use]
    pub fn needs_bearoff(&self) -> bool {
        matches!(self.update, Update::RootStrap { bearoff: true, .. })
    }

    /// The capacity of each net's replay buffer, in examples, after `done` games, if there is one.
    #[must_use]
    pub fn replay(&self, done: u64) -> Option<usize> {
        match self.update {
            _ if self.fine_tuning_at(done).is_some() => Some(fine_tuning::REPLAY),
            Update::RootStrap { replay, .. } => replay.map(NonZeroUsize::get),
            Update::Td(_) | Update::TdLeaf(_) => None,
        }
    }

    /// The fine-tuning, if it has begun after `done` games.
    pub(super) fn fine_tuning_at(&self, done: u64) -> Option<FineTuning> {
        self.fine_tuning.filter(|fine| done >= fine.begin)
    }

    /// The games learned from before the fine-tuning: all, if there is none.
    #[must_use]
    pub fn games_before_fine_tuning(&self) -> u64 {
        self.fine_tuning.map_or(self.spec.games, |fine| fine.begin)
    }

    /// Where the batch that begins after `done` games ends, if no test ends it before.
    #[must_use]
    pub fn end_of_batch(&self, done: u64) -> u64 {
        match self.fine_tuning_at(done) {
            Some(_) => done + fine_tuning::BATCH,
            None => (done + self.spec.batch).min(self.games_before_fine_tuning().max(done + 1)),
        }
    }

    /// The step of the weights' moving average after a batch from `done` to `end` games. Its window grows with the run, so that
    /// the random initial weights soon lose their influence, and begins anew with the fine-tuning.
    #[must_use]
    pub fn ema_step(&self, done: u64, end: u64) -> f32 {
        let begin = self.fine_tuning_at(done).map_or(0, |fine| fine.begin);
        let window = ((end - begin) / 4).min(self.spec.ema).max(end - done);
        (end - done) as f32 / window as f32
    }

    /// The weights that the run starts with.
    #[must_use]
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// The architecture of the nets, also if they come from a net file.
    #[must_use]
    pub fn architecture(&self) -> &'static Architecture {
        self.spec.preset.architecture()
    }

    /// The update rule after `done` games; without teacher, replay buffer, databases and moving average, which the trainer adds.
    #[must_use]
    pub fn rule(&self, done: u64) -> UpdateRule<'static> {
        if let Some(fine) = self.fine_tuning_at(done) {
            return UpdateRule { inputs: self.architecture().inputs, ..fine.rule(done) };
        }
        let TrainSpec { alpha, lambda, .. } = &self.spec;
        let games = self.games_before_fine_tuning();
        let (alpha, lambda) = (alpha.at(done, games), lambda.at(done, games));
        let (update, steps) = match &self.update {
            Update::Td(TdTiming::Online { beta_alpha }) => {
                let optimizer = StepRule::Sgd { beta_alpha: *beta_alpha };
                (UpdateAt::Position, OfflineSteps { epochs: 1, optimizer })
            }
            Update::Td(TdTiming::Offline(steps)) => (UpdateAt::Position, *steps),
            Update::TdLeaf(steps) => (UpdateAt::Leaves, *steps),
            Update::RootStrap { steps, .. } => (UpdateAt::RootStrap, *steps),
        };
        let (optimizer, beta_alpha) = match steps.optimizer {
            StepRule::Sgd { beta_alpha } => (Optimizer::Sgd, beta_alpha),
            StepRule::Batch => (Optimizer::Batch, 0.0),
            StepRule::Adam => (Optimizer::Adam, 0.0),
        };
        let rule = UpdateRule {
            rates: LearningRates { alpha, beta_alpha },
            update,
            epochs: steps.epochs,
            inputs: self.architecture().inputs,
            optimizer,
            timing: match self.update {
                Update::Td(TdTiming::Online { .. }) => UpdateTiming::Online,
                _ => UpdateTiming::Offline,
            },
            squash: self.squash,
            unforeseen: self.unforeseen,
            successor: self.successor,
            side: self.side,
            ..UpdateRule::plain(alpha, lambda)
        };
        let Update::RootStrap {
            steps: _,
            replay: _,
            bearoff: _,
            classes,
            siblings,
            sibling_differences,
            lookahead_lambda,
            rollout_classes,
            rollout_lambda,
            three_ply_above,
        } = self.update
        else {
            return rule;
        };
        UpdateRule {
            classes,
            siblings,
            sibling_differences,
            lookahead_lambda,
            rollout_classes,
            rollout_lambda,
            three_ply_above,
            ..rule
        }
    }
}
