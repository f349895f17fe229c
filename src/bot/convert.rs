//! Between the words of the protocol and those of nonet.

use crate::backgammon::{CubeOwner, FibsBoard, Scoring, Seat};
use crate::cube::CubeState;

/// What a game is played for, "own" first; `None` for a score that cannot be.
pub(super) fn session(length: Option<u32>, score: [u32; 2], crawford: bool) -> Option<Scoring> {
    let Some(length) = length else {
        return Some(Scoring::Money { jacoby: false, beavers: false });
    };
    let small = |points: u32| u16::try_from(points).ok();
    Scoring::of_match(small(length)?, small(score[0])?, small(score[1])?, crawford).ok()
}

/// What the game on a board is played for, seen by us.
pub(super) fn session_of(board: &FibsBoard) -> Option<Scoring> {
    session(board.length, board.score, board.is_crawford())
}

/// The cube on a board, seen by us.
pub(super) const fn cube(board: &FibsBoard) -> CubeState {
    let owner = match (board.may_double, board.opponent_may_double) {
        (true, false) => CubeOwner::Own,
        (false, true) => CubeOwner::Opponent,
        _ => CubeOwner::Centred,
    };
    CubeState { value: board.cube, owner }
}

/// The cube on a board while a double of the opponent's waits for our answer, seen by him and as it was before: then the
/// board says of neither side that it may turn it, but only the cube's owner or whoever found it in the middle could.
pub(super) const fn offered_cube(board: &FibsBoard) -> CubeState {
    let owner = if board.cube == 1 { CubeOwner::Centred } else { CubeOwner::Own };
    CubeState { value: board.cube, owner }
}

pub(super) const fn seat(own: bool) -> Seat {
    if own { Seat::X } else { Seat::O }
}
