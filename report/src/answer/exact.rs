//! Exact answers about hypergammon: the plays of a roll, or the cube.

use serde::Serialize;

use super::{OutcomeChances, no_play_or};
use nonet_engine::backgammon::{CubeOwner, GameState, Scoring, candidates};
use nonet_engine::hypergammon::Exact;
use nonet_engine::store::{HypergammonFile, StoreError};

/// Why an exact answer cannot be given.
#[derive(Debug, thiserror::Error)]
pub enum ExactError {
    /// The values are those of money games.
    #[error("exact values are known for money games: give an ID without a match")]
    Match,
    /// Too many checkers.
    #[error("the position has more than {0} checkers of a side, and the file solves games of {0}")]
    Checkers(u8),
    /// The file cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The plays of a roll with their exact equities, the best first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExactPlays {
    /// Position ID of the board, the player who moves on roll.
    pub id: String,
    /// The roll, the higher die first.
    pub dice: String,
    /// All plays.
    pub plays: Vec<ExactPlay>,
}

/// A play with its exact equity.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExactPlay {
    /// The play in the usual notation, or `(no legal play)`.
    pub play: String,
    /// Position ID of the board afterwards, the opponent on roll.
    pub id: String,
    /// Equity with the cube for the player who moves, in points on a cube at 1.
    pub equity: f64,
    /// How much less than the best play, 0 or more.
    pub loss: f64,
    /// Equity without the cube, in points, -3..3.
    pub cubeless: f64,
    /// Chances of the player who moves, without the cube.
    pub outcomes: OutcomeChances,
}

/// The exact cube decision of the player on roll.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExactCube {
    /// Position ID of the board.
    pub id: String,
    /// Whether the player may double.
    pub may_double: bool,
    /// Equity of not doubling, in points on a cube at 1.
    pub no_double: f64,
    /// Equity of a double that is taken.
    pub double_take: f64,
    /// Equity of a double that is passed: 1.
    pub double_pass: f64,
    /// The decision in words.
    pub words: &'static str,
    /// Equity without the cube, in points, -3..3.
    pub cubeless: f64,
    /// Chances without the cube.
    pub outcomes: OutcomeChances,
}

impl ExactPlays {
    /// Ranks the plays of the roll of a money game of hypergammon. Without a roll there are none.
    ///
    /// # Errors
    /// [`ExactError`]
    pub fn of(file: &HypergammonFile, state: &GameState) -> Result<ExactPlays, ExactError> {
        let (position, mut plays) = (&state.position, Vec::new());
        let found = state.dice().map(|dice| candidates(position, dice)).unwrap_or_default();
        for candidate in &found {
            let exact = value(file, &candidate.after, state)?.of_play();
            plays.push(ExactPlay {
                play: no_play_or(&candidate.play),
                id: candidate.after.id(),
                equity: equity(&exact, state),
                loss: 0.0,
                cubeless: exact.cubeful.cubeless,
                outcomes: OutcomeChances::from(&exact.evaluation()),
            });
        }
        plays.sort_by(|a, b| b.equity.total_cmp(&a.equity));
        let best = plays.first().map_or(0.0, |play| play.equity);
        plays.iter_mut().for_each(|play| play.loss = best - play.equity);
        let dice = state.dice().map(|dice| dice.to_string()).unwrap_or_default();
        Ok(ExactPlays { id: position.id(), dice, plays })
    }
}

impl ExactCube {
    /// Whether to double in a money game of hypergammon, and whether to take.
    ///
    /// # Errors
    /// [`ExactError`]
    pub fn of(file: &HypergammonFile, state: &GameState) -> Result<ExactCube, ExactError> {
        let exact = value(file, &state.position, state)?;
        let (no_double, double_take) = (equity(&exact, state), 2.0 * exact.cubeful.opponent);
        let may_double = state.state.cube.owner() != CubeOwner::Opponent;
        let is_double = double_take.min(1.0) > no_double;
        let words = match (may_double, is_double, double_take > 1.0) {
            (false, ..) => "no double: the opponent owns the cube",
            (_, true, true) => "double, pass",
            (_, true, false) => "double, take",
            (_, false, true) => "too good to double, pass",
            (_, false, false) => "no double, take",
        };
        Ok(ExactCube {
            id: state.position.id(),
            may_double,
            no_double,
            double_take,
            double_pass: 1.0,
            words,
            cubeless: exact.cubeful.cubeless,
            outcomes: OutcomeChances::from(&exact.evaluation()),
        })
    }
}

fn value(
    file: &HypergammonFile,
    position: &nonet_engine::Position,
    state: &GameState,
) -> Result<Exact, ExactError> {
    if let Scoring::Match(_) = state.state.scoring {
        return Err(ExactError::Match);
    }
    file.get(position)?.ok_or(ExactError::Checkers(file.checkers()))
}

/// The equity for the owner of the cube and the rules of a question.
fn equity(exact: &Exact, state: &GameState) -> f64 {
    let jacoby = matches!(state.state.scoring, Scoring::Money { jacoby: true, .. });
    match state.state.cube.owner() {
        CubeOwner::Own => exact.cubeful.owned,
        CubeOwner::Opponent => exact.cubeful.opponent,
        CubeOwner::Centred if jacoby => exact.jacoby,
        CubeOwner::Centred => exact.cubeful.centred,
    }
}
