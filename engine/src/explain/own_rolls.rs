//! After which own next rolls a difference between two plays arises.

use super::rolls::RollShare;
use crate::backgammon::{Dice, GameState};
use crate::engine::{Engine, EngineError, ScoredMove};
use crate::search::Plies;

/// An own roll after the opponent's reply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnRoll {
    /// The roll.
    pub dice: Dice,
    /// Its share of the difference, in points on a cube at 1: its probability times the mean
    /// difference after the opponent's best replies to all rolls.
    pub share: f32,
}

/// The share of every own next roll, by falling share: at 1-ply after the replies of `rolls`. None
/// if a play ends the game.
pub(super) fn own_rolls(
    engine: &Engine,
    state: &GameState,
    plays: [&ScoredMove; 2],
    rolls: &[RollShare],
) -> Result<Vec<OwnRoll>, EngineError> {
    if rolls.iter().any(|roll| roll.replies.iter().any(Option::is_none)) {
        return Ok(Vec::new());
    }
    let quick = engine.with_plies(Plies::ONE);
    let mut shares = Vec::with_capacity(21);
    for dice in Dice::ALL {
        let mut difference = 0.0;
        for roll in rolls {
            for (place, sign) in [(0, 1.0), (1, -1.0)] {
                let Some(reply) = &roll.replies[place] else { continue };
                let state = state.after(*plays[place].after()).after(reply.after);
                let equity = match state.position.outcome() {
                    Some(_) => reply.equity,
                    None => quick.best_move(&state.with_dice(dice))?.equity,
                };
                difference += sign * roll.dice.probability() * equity;
            }
        }
        shares.push(OwnRoll { dice, share: dice.probability() * difference });
    }
    shares.sort_by(|a, b| b.share.total_cmp(&a.share));
    Ok(shares)
}
