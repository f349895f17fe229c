//! Conversions from protocol messages to the types of the rules and the cube model.

use nonet_engine::backgammon::{Cube, CubeOwner, FibsBoard, Scoring, Seat};

/// Money play or the score of a match, own points first.
///
/// # Errors
/// A sentence about a score that is impossible.
pub(super) fn scoring(
    length: Option<u32>,
    score: [u32; 2],
    crawford: bool,
) -> Result<Scoring, String> {
    let Some(length) = length else {
        return Ok(Scoring::Money { jacoby: false, beavers: false });
    };
    let [own, opponent] = score;
    let invalid = |reason: String| {
        let game = if crawford { ", Crawford game" } else { "" };
        format!("invalid score {own}-{opponent} in a match to {length}{game}: {reason}")
    };
    let small = |points: u32| u16::try_from(points).map_err(|error| invalid(error.to_string()));
    Scoring::of_match(small(length)?, small(own)?, small(opponent)?, crawford)
        .map_err(|error| invalid(error.to_string()))
}

/// The scoring of the game on a board, seen by us.
pub(super) fn scoring_of(board: &FibsBoard) -> Result<Scoring, String> {
    scoring(board.length, board.score, board.is_crawford())
}

/// The cube on a board, seen by us.
pub(super) fn cube(board: &FibsBoard) -> Cube {
    let owner = match (board.may_double, board.opponent_may_double) {
        (true, false) => CubeOwner::Own,
        (false, true) => CubeOwner::Opponent,
        _ => CubeOwner::Centred,
    };
    of_value(board.cube, owner)
}

/// The cube as the doubling opponent saw it before the double that we have to answer. The board then says that neither side
/// may double, but a cube at 1 was centred, and any other was owned by the opponent.
pub(super) fn offered_cube(board: &FibsBoard) -> Cube {
    let owner = if board.cube == 1 { CubeOwner::Centred } else { CubeOwner::Own };
    of_value(board.cube, owner)
}

/// A board's cube. One above 32768, where nothing changes any more, counts as 32768.
#[allow(clippy::expect_used, reason = "a board is refused unless its cube is a power of two")]
fn of_value(value: u32, owner: CubeOwner) -> Cube {
    let highest = 1 << Cube::MAX_LOG2;
    Cube::new(value.min(highest), owner).expect("a board's cube is a power of two")
}

/// The player's seat in our records, where our name comes first.
pub(super) const fn seat(own: bool) -> Seat {
    if own { Seat::X } else { Seat::O }
}
