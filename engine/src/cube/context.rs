//! [`CubeContext`]: the scoring of a game and its cube.

use super::CubeScoring;
use crate::backgammon::Cube;

/// The scoring of a game and its cube, seen by the player on roll.
///
/// ```
/// use nonet_engine::backgammon::Cube;
/// use nonet_engine::cube::{CubeContext, CubeScoring};
///
/// let context = CubeContext { scoring: CubeScoring::money(), cube: Cube::CENTRED };
/// assert!(context.may_double() && context.flipped().may_double());
/// ```
#[derive(Clone, Debug)]
pub struct CubeContext {
    /// Money, or the score of a match with its match equity table.
    pub scoring: CubeScoring,
    /// The cube. If a double must be answered, the cube before the double.
    pub cube: Cube,
}

impl CubeContext {
    /// The same, seen by the other player.
    #[must_use]
    pub fn flipped(&self) -> CubeContext {
        CubeContext { scoring: self.scoring.flipped(), cube: self.cube.flipped() }
    }

    /// Whether the player on roll may double and the cube is not dead.
    #[must_use]
    pub fn may_double(&self) -> bool {
        self.scoring.may_double(self.cube)
    }
}
