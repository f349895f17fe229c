//! Gates: in a gated run training continues only while the learner beats its earlier self.
//!
//! The procedure of Wiering, Patist & Mannen, section 4.1. Tests are played against the incumbent.
//! After a fixed number of games the best team of these tests plays a deciding match against it,
//! the gate. If it wins it is promoted: it becomes the incumbent, and training continues from it.
//! Otherwise the run ends.

use serde::{Deserialize, Serialize};

use crate::train::learning::learner::Learner;
use crate::train::learning_curve::TestResult;
use crate::train::run_interface::Observer;
use crate::train::trainer::Trainer;
use nonet_engine::game::StreamPurpose;
use nonet_engine::progress::Progress;
use nonet_engine::stats::Z95;
use nonet_engine::store::NetFile;

/// One gate: the deciding match of the best team against the incumbent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateResult {
    /// Games learned from at the gate.
    pub games: u64,
    /// Games that the best team had learned from.
    pub best_after: u64,
    /// The result of the deciding match, on dice that no test used; `None` if no team won a test
    /// against the incumbent.
    pub result: Option<TestResult>,
    /// Whether the lower end of the match's 95 % confidence interval is above 0, so that the team
    /// is promoted.
    pub promoted: bool,
}

impl Trainer {
    /// Plays the gate of `challenger` on dice that no test used (the paper does not say which dice
    /// it used). `None` if `progress` was stopped.
    pub(super) fn play_gate(
        &self,
        challenger: &NetFile,
        observer: &mut dyn Observer,
        progress: &Progress,
    ) -> Option<GateResult> {
        let games = self.progress.games;
        let best_after = challenger.provenance.games;
        if self.incumbent.as_ref() == Some(challenger) {
            return Some(GateResult { games, best_after, result: None, promoted: false });
        }
        let result = self.test_match(&challenger.team, StreamPurpose::Gate, observer, progress)?;
        let promoted = result.ppg - Z95 * result.stderr > 0.0;
        Some(GateResult { games, best_after, result: Some(result), promoted })
    }

    /// Continues training from the winner of a gate.
    pub(super) fn promote(&mut self, winner: NetFile) {
        let ema = self.learner.ema.is_some().then(|| winner.team.clone());
        self.learner = Learner::new(winner.team.clone(), ema);
        self.set_incumbent(winner);
    }

    /// Makes `team` the opponent of the following tests and of the next gate.
    pub(super) fn set_incumbent(&mut self, team: NetFile) {
        // Against itself it scores 0, so any team that scores more is better.
        self.progress.best = Some((self.progress.history.len().saturating_sub(1), 0.0));
        self.incumbent = Some(team.clone());
        self.best = Some(team);
    }
}
