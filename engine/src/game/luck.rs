//! The luck of rolls, which can be taken out of results: a seam for whoever plays many games.

use crate::backgammon::{Dice, Position};
use crate::cube::CubeContext;
use crate::eval::EvaluatorDescription;
use crate::progress::Attachments;

/// A roll of a game.
#[derive(Clone, Copy, Debug)]
pub struct SeenRoll<'a> {
    /// The board before the roll, the player who rolled on roll.
    pub position: &'a Position,
    /// The roll.
    pub dice: Dice,
    /// Whether this is the opening roll, which is no double and could have been the other player's.
    pub opening: bool,
    /// The scoring and the cube in games with the cube, seen by the player who rolled.
    pub context: Option<&'a CubeContext>,
}

/// Estimates the luck of rolls.
///
/// The luck of a roll is the value that the game has after it, less the mean over all rolls that
/// could have come. Its mean over the dice is therefore 0, for any values and any play. So a result
/// minus the luck of its rolls has the same mean as the result. The better the values, the less it
/// varies.
pub trait LuckEstimator: Send + Sync {
    /// The luck of the player who rolled.
    ///
    /// For money it is in points, and counts the value of the cube: -3..=3 times the cube. In a
    /// match it is the difference in match winning chances, -1..=1.
    fn luck(&self, roll: &SeenRoll<'_>) -> f64;

    /// Describes the evaluator to another machine; nets are added to `attachments`. `None` if that
    /// machine could not make the same estimates.
    fn describe(&self, _attachments: &mut Attachments) -> Option<EvaluatorDescription> {
        None
    }
}
