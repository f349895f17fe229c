//! The interface of a training run: its participants, observer, checkpoint, outcome and errors.

use std::sync::Arc;

use crate::train::game_source::SourceError;
use crate::train::learning::net_learner::{NetLearner, NetLearnerError};
use crate::train::learning_curve::RunProgress;
use crate::train::options::opponents::Opponents;
use nonet_engine::backgammon::record::RecordError;
use nonet_engine::bearoff::BearoffDatabases;
use nonet_engine::eval::{Evaluator, ExternalFailure, Specialists};
use nonet_engine::game::Player;
use nonet_engine::store::Checkpoint;

/// The opened players, nets and databases of a run. [`TrainPlan::open`] opens them all. With
/// [`TrainPlan::participants`](crate::train::TrainPlan::participants) the caller opens the
/// opponents.
///
/// [`TrainPlan::open`]: crate::train::TrainPlan::open
#[derive(Clone)]
pub struct Participants {
    /// The opponents as the options name them.
    pub(super) names: Opponents,
    /// The opponent of the tests.
    pub(super) against: Arc<dyn Player>,
    /// The other opponents, by which teams are measured but not chosen.
    pub(super) others: Vec<Arc<dyn Player>>,
    /// The evaluator that makes the targets; `None` for the team in training.
    pub teacher: Option<Arc<dyn Evaluator>>,
    /// Bearoff databases. Their exact values replace those of the evaluator in targets.
    pub bearoff: Option<Arc<BearoffDatabases>>,
    /// The team that the run starts with; `None` for a random one as the plan says. If the plan
    /// has `from`, it is that net. Otherwise it may be of any architecture, perhaps with custom
    /// inputs. The options of the run do not name such a team, so its nets are of the preset
    /// `own`.
    pub start: Option<Arc<Specialists>>,
}

impl Participants {
    /// The opponent of the tests.
    #[must_use]
    pub const fn against(&self) -> &Arc<dyn Player> {
        &self.against
    }

    /// The other opponents, by which teams are measured but not chosen.
    #[must_use]
    pub fn others(&self) -> &[Arc<dyn Player>] {
        &self.others
    }
}

/// The checkpoint of a run: all that [`Trainer::resume`](crate::train::Trainer::resume) needs.
pub type TrainCheckpoint = Checkpoint<RunProgress, Vec<NetLearner>>;

/// Why a checkpoint does not belong to a configuration.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ResumeError {
    #[error("the checkpoint holds the {which} of another run: {difference}")]
    Team { which: &'static str, difference: String },
    #[error("the checkpoint holds {found} {which}, but the configuration asks for {expected}")]
    Presence { which: &'static str, found: &'static str, expected: &'static str },
    #[error("the checkpoint holds the state of {found} nets, expected {expected}")]
    NetLearners { found: usize, expected: usize },
    #[error("the checkpoint does not match the net '{net}': {cause}")]
    NetLearner { net: String, cause: NetLearnerError },
    #[error(
        "the checkpoint has learned from {found} games, but the configuration asks for {asked}"
    )]
    Games { found: u64, asked: u64 },
}

/// How a call of [`Trainer::run`](crate::train::Trainer::run) ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunOutcome {
    /// All games of the configuration or of the source have been learned, or a gate was lost.
    Finished,
    /// `progress` was stopped.
    Stopped,
}

/// Why a run cannot continue.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum TrainError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("cannot save the run")]
    Save(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error(transparent)]
    External(#[from] ExternalFailure),
    #[error(
        "the weights have diverged within {games} games: use a lower learning rate than {alpha}"
    )]
    Diverged { games: u64, alpha: f32 },
}

/// Shows the progress of a run and saves it. Every method has a default that does nothing. A
/// closure that takes a [`RunProgress`] is called after each test.
///
/// ```
/// use nonet_training::train::{Observer, RunProgress};
///
/// /// Counts tests.
/// struct Tests(usize);
///
/// impl Observer for Tests {
///     fn tested(&mut self, progress: &RunProgress) {
///         self.0 = progress.history.len();
///     }
/// }
/// ```
pub trait Observer {
    /// A batch has been learned.
    fn learned(&mut self, _progress: &RunProgress) {}

    /// Parts of the records cannot be used, for these reasons and `more` that are not listed.
    fn unusable(&mut self, _reasons: &[RecordError], _more: u64) {}

    /// A test begins.
    fn testing(&mut self) {}

    /// A test has ended: the last row of the history is new.
    fn tested(&mut self, _progress: &RunProgress) {}

    /// Saves the run.
    ///
    /// # Errors
    /// Any error ends the run.
    fn save(
        &mut self,
        _checkpoint: &TrainCheckpoint,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        Ok(())
    }
}

/// Sees nothing: the observer of a silent run.
impl Observer for () {}

impl<F: FnMut(&RunProgress)> Observer for F {
    fn tested(&mut self, progress: &RunProgress) {
        self(progress);
    }
}
