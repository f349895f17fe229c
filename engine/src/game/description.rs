//! Descriptions of players, from which another machine makes the same ones.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{LuckEstimator, Player};
use crate::bearoff::BearoffDatabases;
use crate::eval::{EqualWeights, Evaluator, EvaluatorDescription, Specialists, TeamDescription};

/// The description of a player, from which another machine makes the same player.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PlayerDescription {
    /// Plays any legal result.
    Random,
    /// PubEval.
    PubEval,
    /// PubEval with weights that are all the same.
    EqualWeights(EqualWeights),
    /// Plays the best result at 1-ply.
    Greedy(EvaluatorDescription),
    /// Plays by a cubeless search.
    Search(EvaluatorDescription),
    /// An engine: plays and cube decisions at depths of their own.
    Engine {
        /// Its static evaluator.
        evaluator: EvaluatorDescription,
        /// The depth of its searches for plays in plies, 1..=4.
        plies: u8,
        /// The name of the rollout that decides close choices, if any does.
        roller: Option<String>,
        /// The depth of cube decisions in plies, 1..=4.
        cube_plies: u8,
        /// The width of its searches, as they write it.
        settings: String,
    },
}

/// Makes what descriptions describe, on the machine that they were sent to. Whoever does so knows
/// the attachments that they name.
pub trait Maker {
    /// The evaluator.
    ///
    /// # Errors
    /// Why it cannot be made here.
    fn evaluator(&self, description: &EvaluatorDescription) -> Result<Arc<dyn Evaluator>, String>;

    /// The player.
    ///
    /// # Errors
    /// Why it cannot be made here.
    fn player(&self, description: &PlayerDescription) -> Result<Arc<dyn Player>, String>;

    /// Estimates luck as the evaluator values rolls.
    ///
    /// # Errors
    /// Why it cannot be made here.
    fn luck(&self, description: &EvaluatorDescription) -> Result<Arc<dyn LuckEstimator>, String>;

    /// The team of nets, as it learns.
    ///
    /// # Errors
    /// Why it cannot be made here.
    fn team(&self, team: &TeamDescription) -> Result<Arc<Specialists>, String>;

    /// The bearoff databases with this checksum.
    ///
    /// # Errors
    /// If those of this machine are others.
    fn bearoff(&self, checksum: u32) -> Result<Arc<BearoffDatabases>, String>;
}
