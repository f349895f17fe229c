//! A training run whose options have been checked.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::method::UpdateAt;
use super::player_spec::PlayerSpec;
use super::source::recorded::Unfinished;
use super::spec::TrainSpec;
use super::update_rule::{Optimizer, Squash, UnforeseenGains, UpdateRule, UpdateTiming};
use crate::class::ByClass;
use crate::eval::Architecture;
use crate::nn::LearningRates;
use crate::search::Plies;

/// A run that can be made: the checked values of a [`TrainSpec`], from which alone a [`Trainer`](super::Trainer) begins.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainPlan {
    pub(super) spec: TrainSpec,
    pub(super) games: Games,
    pub(super) learns_expert: bool,
    pub(super) update: Update,
    pub(super) squash: Option<Squash>,
    pub(super) unforeseen: UnforeseenGains,
    pub(super) start: Start,
}

/// Where the games of a run come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Games {
    /// The learner plays itself.
    SelfPlay {
        /// Plies of its search, 1 or 2.
        plies: Plies,
        /// Chance of the second best result instead of the best one, 0..=1; above 0 at 1-ply only.
        epsilon: f32,
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
    /// They are read.
    Records {
        /// Where from.
        records: RecordPaths,
        /// What is learned from games that ended early.
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

/// What is learned from games, and when.
#[derive(Clone, Debug, PartialEq)]
pub enum Update {
    /// Differences between successive positions.
    Td(TdTiming),
    /// Differences between the principal leaves of successive searches.
    TdLeaf(OfflineSteps),
    /// Differences between a position and the 2-ply search from it.
    RootStrap {
        /// How weights change.
        steps: OfflineSteps,
        /// Examples that each net's replay buffer holds, if there is one.
        replay: Option<NonZeroUsize>,
        /// Whether targets take the values of the bearoff databases.
        bearoff: bool,
        /// The classes whose positions are learned, if not all.
        classes: Option<ByClass<bool>>,
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
    /// What becomes of a gradient.
    pub optimizer: StepRule,
}

/// What becomes of a gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepRule {
    /// One step for each example.
    Sgd {
        /// Learning rate of the hidden units' sensitivities; 0 if they are not learned.
        beta_alpha: f32,
    },
    /// One step for 256 examples (Kingma & Ba 2015).
    Adam,
}

/// The weights that a run begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// Random ones.
    Random,
    /// Those of a net file.
    Net {
        /// Its path.
        path: String,
        /// Hidden units that nets for positions without contact and contact nets are widened to; 0 for as they are.
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

    /// What is learned, and when.
    #[must_use]
    pub fn update(&self) -> &Update {
        &self.update
    }

    /// Whether targets take the values of the bearoff databases.
    #[must_use]
    pub fn needs_bearoff(&self) -> bool {
        matches!(self.update, Update::RootStrap { bearoff: true, .. })
    }

    /// Examples that each net's replay buffer holds, if there is one.
    #[must_use]
    pub fn replay(&self) -> Option<NonZeroUsize> {
        match self.update {
            Update::RootStrap { replay, .. } => replay,
            Update::Td(_) | Update::TdLeaf(_) => None,
        }
    }

    /// The weights to begin with.
    #[must_use]
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// The architecture of the nets; of a run that begins with a net file, that of the file.
    #[must_use]
    pub fn architecture(&self) -> &'static Architecture {
        self.spec.preset.architecture()
    }

    /// The learning rates of alpha and lambda after `done` games.
    #[must_use]
    pub fn rates(&self, done: u64) -> (f32, f32) {
        let TrainSpec { games, alpha, lambda, .. } = &self.spec;
        (alpha.at(done, *games), lambda.at(done, *games))
    }

    /// The rule by which games are learned at these rates, without teacher, replay buffer, databases and moving average.
    #[must_use]
    pub fn rule(&self, alpha: f32, lambda: f32) -> UpdateRule<'static> {
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
            StepRule::Adam => (Optimizer::Adam, 0.0),
        };
        UpdateRule {
            rates: LearningRates { alpha, beta_alpha },
            update,
            epochs: steps.epochs,
            optimizer,
            when: match self.update {
                Update::Td(TdTiming::Online { .. }) => UpdateTiming::Online,
                _ => UpdateTiming::Offline,
            },
            classes: match &self.update {
                Update::RootStrap { classes, .. } => *classes,
                Update::Td(_) | Update::TdLeaf(_) => None,
            },
            squash: self.squash,
            unforeseen: self.unforeseen,
            ..UpdateRule::plain(alpha, lambda)
        }
    }
}
