//! [`ScoredMove`]: a play with its evaluation.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::roll_out::Decided;
use crate::backgammon::{Candidate, Play, Position};
use crate::eval::Evaluation;
use crate::search::{Plies, Ranked};
use crate::strength::ComparedPlay;

/// A legal play and its evaluation.
///
/// ```
/// use nonet_engine::{Engine, GameState, Plies};
///
/// let state: GameState = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".parse()?;
/// let best = Engine::champion().with_plies(Plies::ONE).best_move(&state)?;
/// assert_eq!(best.play().to_string(), "8/5 6/5");
/// assert_eq!(best.after().opponent_pips(), 163); // the opponent is on roll after the play
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoredMove {
    /// The play, and the board after it with the opponent on roll.
    pub candidate: Candidate,
    /// The depth of the evaluation: a move filter may have stopped it before the engine's own
    /// depth.
    pub plies: Plies,
    /// The equity for the player who makes the play, in points on a cube at 1. It is cubeless if it
    /// was asked for without a cube, else cubeful.
    pub equity: f32,
    /// The cubeless evaluation for the player who makes the play.
    pub value: Evaluation,
    /// The rollout that equity and evaluation are of; `None` if they are those of the search.
    pub rollout: Option<RolloutPrecision>,
}

/// How exact a rollout is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RolloutPrecision {
    /// The number of games, 0 if a play ends the game.
    pub games: u64,
    /// The standard error of the equity, that of the dice alone, in points on a cube at 1. For a
    /// cube decision it is the standard error of the gain of a double.
    pub stderr: f32,
}

impl From<&ScoredMove> for ComparedPlay {
    fn from(play: &ScoredMove) -> ComparedPlay {
        ComparedPlay { after: *play.after(), equity: play.equity }
    }
}

impl fmt::Display for ScoredMove {
    /// The play and its equity: `8/5 6/5 +0.235`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.play().moves().is_empty() {
            true => write!(f, "no legal play {:+.3}", self.equity),
            false => write!(f, "{} {:+.3}", self.play(), self.equity),
        }
    }
}

impl ScoredMove {
    /// The checker moves.
    #[must_use]
    pub const fn play(&self) -> &Play {
        &self.candidate.play
    }

    /// The board after the play, the opponent on roll.
    #[must_use]
    pub const fn after(&self) -> &Position {
        &self.candidate.after
    }

    pub(super) fn new(candidate: Candidate, decided: Decided) -> ScoredMove {
        let Decided { play: Ranked { plies, equity, value, .. }, rollout } = decided;
        ScoredMove { candidate, plies, equity, value, rollout }
    }
}
