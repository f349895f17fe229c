//! What the player can do with the cube on the next turn, after each of two plays.

use super::rolls::{OpponentCube, RollShare};
use crate::backgammon::GameState;
use crate::cube::CubeAction;
use crate::engine::{Engine, EngineError, ScoredMove};
use crate::search::Plies;

/// Of the opponent's 36 throws, those after which the player has a double, at 1-ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NextDouble {
    /// Throws after which the player doubles and the opponent takes.
    pub taken: u8,
    /// Throws after which the player doubles and the opponent passes.
    pub passed: u8,
}

/// The next doubles after the best replies of `rolls`.
///
/// There are none after the end of the game, or where the opponent has doubled out the player.
pub(super) fn next_doubles(
    engine: &Engine,
    state: &GameState,
    plays: [&ScoredMove; 2],
    rolls: &[RollShare],
    cubes: [OpponentCube; 2],
) -> Result<[NextDouble; 2], EngineError> {
    let quick = engine.with_plies(Plies::ONE).with_cube_plies(Plies::ONE);
    let mut doubles = [NextDouble::default(); 2];
    for (place, found) in doubles.iter_mut().enumerate() {
        let mut after = state.after(*plays[place].after());
        match cubes[place] {
            OpponentCube::Over | OpponentCube::Passed => continue,
            OpponentCube::Taken => after.state.cube = after.state.cube.doubled(),
            OpponentCube::Rolls | OpponentCube::TooGood => {}
        }
        for roll in rolls {
            let Some(reply) = &roll.replies[place] else { continue };
            if reply.after.outcome().is_some() {
                continue;
            }
            let own = after.after(reply.after);
            let context = quick.context(own.state.scoring, own.state.cube)?;
            let decision = quick.cube_decision(&own.position, &context);
            match (decision.action, decision.is_take()) {
                (CubeAction::Double, true) => found.taken += roll.dice.weight(),
                (CubeAction::Double, false) => found.passed += roll.dice.weight(),
                (CubeAction::TooGood | CubeAction::NoDouble | CubeAction::NotAvailable, _) => {}
            }
        }
    }
    Ok(doubles)
}
