//! Finished games, with or without the cube.

use serde::{Deserialize, Serialize};

use super::cube_counts::CubeCounts;
use crate::backgammon::{Outcome, Position, Seat};
use crate::eval::Evaluation;

/// The positions of a game and its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Game {
    /// The board before each roll, its player on roll: `positions[0]` is the start, and the player
    /// changes each time.
    pub positions: Vec<Position>,
    /// The static evaluation of each position by the player who moved to it. `None` if the play was
    /// forced, or the player evaluates nothing.
    pub static_evals: Vec<Option<Evaluation>>,
    /// The result for the player on roll in the last of the positions, who made the last play.
    /// `None` if the checkers did not decide the game (a refused double, for example); the game
    /// then stopped in the last position. Games without a cube that a
    /// [`GameRunner`](super::GameRunner) plays always have one.
    pub outcome: Option<Outcome>,
    /// The player who rolled first.
    pub first: Seat,
}

impl Game {
    /// A game without static evaluations; `first` is the player who rolled first.
    #[must_use]
    pub fn without_evals(positions: Vec<Position>, outcome: Option<Outcome>, first: Seat) -> Game {
        let static_evals = vec![None; positions.len()];
        Game { positions, static_evals, outcome, first }
    }

    /// Points for the first of the two players (not the one who rolled first), -3..=3; 0 without an
    /// outcome.
    ///
    /// # Panics
    /// If there are no positions, where overflow is checked. A game has at least one position.
    #[must_use]
    pub fn points(&self) -> i32 {
        let points = self.outcome.map_or(0, Outcome::points);
        if self.last() == Seat::X { points } else { -points }
    }

    /// The player on roll in the last of the positions.
    fn last(&self) -> Seat {
        Seat::BOTH[(self.first.index() + self.positions.len() - 1) % 2]
    }
}

/// A game that was played with the cube.
#[derive(Clone, Debug, PartialEq)]
pub struct CubeGame {
    /// The positions and the result. There is no outcome if a double was refused, by the player who
    /// is not on roll in the last position.
    pub game: Game,
    /// The value of the cube at the end; a refused double does not count.
    pub cube: u32,
    /// The cube actions of the two players, in their order. Games won are not counted here.
    pub counts: [CubeCounts; 2],
    /// Whether gammons count as single games: under the Jacoby rule, if the cube was not turned.
    pub(super) single: bool,
}

impl CubeGame {
    /// Points for the first of the two players: the value of the cube, times 1 to 3 if the checkers
    /// decided the game.
    ///
    /// # Panics
    /// As [`Game::points`].
    #[must_use]
    pub fn points(&self) -> i32 {
        let cube = i32::try_from(self.cube).unwrap_or(i32::MAX / 3);
        let points = cube * self.outcome().points();
        if self.last() == Seat::X { points } else { -points }
    }

    /// How the game ended for the player on roll in the last of its positions, as it counts. A
    /// refused double is a single game won.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.game.outcome.filter(|_| !self.single).unwrap_or(Outcome::Win)
    }

    /// The player on roll in the last of the positions.
    fn last(&self) -> Seat {
        self.game.last()
    }
}
