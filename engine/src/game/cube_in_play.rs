//! The cube in a game between two players.

use super::cube_counts::CubeCounts;
use super::player::{CubeChoice, Player};
use super::runner::Stop;
use crate::backgammon::{Cube, CubeOwner, Position, Scoring, Seat};
use crate::cube::{Answer, CubeContext, CubeScoring};

/// The cube with the score, as each of the two players sees them on roll.
pub(super) struct CubeInPlay {
    seen: [CubeContext; 2],
    pub(super) counts: [CubeCounts; 2],
}

impl CubeInPlay {
    /// The cube in the middle; `scoring` is seen by the first player.
    pub(super) fn new(scoring: &CubeScoring) -> CubeInPlay {
        let first = CubeContext { scoring: scoring.clone(), cube: Cube::CENTRED };
        CubeInPlay { seen: [first.clone(), first.flipped()], counts: Default::default() }
    }

    /// The score and the cube as the player sees them.
    pub(super) const fn seen_by(&self, player: Seat) -> &CubeContext {
        &self.seen[player.index()]
    }

    /// The value of the cube.
    pub(super) const fn value(&self) -> u32 {
        self.seen[0].cube.value()
    }

    /// Whether gammons count as single games now.
    pub(super) const fn single_games(&self) -> bool {
        self.seen[0].scoring.single_games(self.seen[0].cube)
    }

    /// Lets the player on roll double and the other one answer. Returns why the game ends, if it
    /// does.
    pub(super) fn offer(
        &mut self,
        position: &Position,
        on_roll: Seat,
        players: [&dyn Player; 2],
    ) -> Option<Stop> {
        let (own, other) = (on_roll.index(), on_roll.other().index());
        let context = &self.seen[own];
        let session = context.scoring.session();
        if !(session.may_use_cube() && context.cube.may_double()) {
            return None;
        }
        let choice = CubeChoice { position, context };
        let failed = |seat: usize| players[seat].failure().is_some();
        let doubles = players[own].doubles(&choice);
        if failed(own) {
            return Some(Stop::Failed);
        }
        if !doubles {
            return None;
        }
        let answer = players[other].answer(&choice);
        if failed(other) {
            return Some(Stop::Failed);
        }
        let redouble = context.cube.owner() == CubeOwner::Own;
        let beavers = matches!(session, Scoring::Money { beavers: true, .. });
        let doubled = context.cube.doubled();
        let counts = &mut self.counts;
        if redouble {
            counts[own].redoubles += 1;
        } else {
            counts[own].doubles += 1;
        }
        let turned = match answer {
            Answer::Pass => {
                counts[other].drops += 1;
                return Some(Stop::Refused);
            }
            Answer::Beaver if beavers => {
                counts[other].beavers += 1;
                doubled.doubled()
            }
            Answer::Take | Answer::Beaver => doubled,
        };
        counts[other].takes += 1;
        self.seen[own].cube = turned;
        self.seen[other].cube = turned.flipped();
        None
    }
}
