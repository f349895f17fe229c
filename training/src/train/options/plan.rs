//! The plan of a training run: its checked options, in the form that the trainer needs.

use std::path::PathBuf;

use crate::train::fine_tuning::{self, FineTuning};
use crate::train::game_source::recorded::Unfinished;
use crate::train::learning::rule::Rule;
use crate::train::learning::update_rule::UpdateRule;
use crate::train::options::option_values::{Backprop, Targets};
use crate::train::options::spec::TrainSpec;
use nonet_engine::eval::Architecture;
use nonet_engine::nn::LearningRates;
use nonet_engine::open::PlayerSpec;
use nonet_engine::search::Plies;

/// A valid training run, made of a [`TrainSpec`]; a [`Trainer`](crate::train::Trainer) is made of a
/// plan only.
///
/// ```
/// use nonet_training::train::{Games, TrainSpec};
///
/// let plan = TrainSpec::default().plan()?;
/// assert!(matches!(plan.games(), Games::SelfPlay { .. }));
/// assert!(TrainSpec { games: 0, ..TrainSpec::default() }.plan().is_err());
/// # Ok::<(), nonet_training::train::ConfigError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TrainPlan {
    pub(in crate::train) spec: TrainSpec,
    pub(in crate::train) games: Games,
    pub(in crate::train) rule: Rule,
    pub(in crate::train) start: Start,
    pub(in crate::train) fine_tuning: Option<FineTuning>,
}

/// Where the games of a run come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Games {
    /// The learner plays itself.
    SelfPlay {
        /// Plies of its search, 1 or 2.
        plies: Plies,
        /// Probability of playing the second best result instead of the best one, 0..=1; above 0 at
        /// 1-ply only.
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

/// The weights that a run starts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// Random weights.
    Random,
    /// The weights of a net file.
    Net {
        /// Its path.
        path: String,
        /// Hidden units that the nets without contact and the contact nets, in this order, are
        /// widened to; 0 leaves them unchanged.
        widen: [usize; 2],
        /// Whether classes that share a net each get a copy of it.
        specialize: bool,
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
        self.spec.targets == Targets::Expert
    }

    /// The learning rule with its options, before the fine-tuning.
    #[must_use]
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// Whether targets use the exact values of the bearoff databases.
    #[must_use]
    pub fn needs_bearoff(&self) -> bool {
        self.spec.bearoff
    }

    /// The capacity of each net's replay buffer, in examples, after `done` games, if there is one.
    #[must_use]
    pub fn replay(&self, done: u64) -> Option<usize> {
        if self.fine_tuning_at(done).is_some() {
            return Some(fine_tuning::REPLAY);
        }
        let capacity = usize::try_from(self.spec.replay).expect("at most MAX_REPLAY, as checked");
        (capacity > 0).then_some(capacity)
    }

    /// The fine-tuning, if it has begun after `done` games.
    pub(in crate::train) fn fine_tuning_at(&self, done: u64) -> Option<FineTuning> {
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
            None => done
                .saturating_add(self.spec.batch)
                .min(self.games_before_fine_tuning().max(done + 1)),
        }
    }

    /// The step of the weights' moving average after a batch from `done` to `end` games. Its window
    /// grows with the run, so that the random initial weights soon lose their influence, and begins
    /// anew with the fine-tuning.
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
    pub fn architecture(&self) -> Architecture {
        self.spec.preset.architecture()
    }

    /// The update rule after `done` games; without teacher, replay buffer, databases and moving
    /// average, which the trainer adds.
    #[must_use]
    pub fn update_rule(&self, done: u64) -> UpdateRule<'static> {
        let inputs = self.architecture().inputs;
        if let Some(fine) = self.fine_tuning_at(done) {
            return UpdateRule { inputs, ..fine.rule(done) };
        }
        let TrainSpec { alpha, lambda, backprop, beta_alpha, .. } = &self.spec;
        let games = self.games_before_fine_tuning();
        let (alpha, lambda) = (alpha.at(done, games), lambda.at(done, games));
        let beta_alpha = match backprop {
            Backprop::Plain => 0.0,
            Backprop::Extended => *beta_alpha,
        };
        let rates = LearningRates { alpha, beta_alpha };
        UpdateRule { rates, inputs, ..UpdateRule::new(self.rule, alpha, lambda) }
    }
}
