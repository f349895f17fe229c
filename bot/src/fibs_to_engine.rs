//! Conversions from protocol messages to the types of the rules and the cube model.

use nonet_engine::backgammon::{FibsBoard, Scoring, Seat};

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
///
/// # Errors
/// A sentence about a score that is impossible.
pub(super) fn scoring_of(board: &FibsBoard) -> Result<Scoring, String> {
    scoring(board.length, board.score, board.is_crawford())
}

/// The player's seat in our records, where our name comes first.
pub(super) const fn seat(own: bool) -> Seat {
    if own { Seat::X } else { Seat::O }
}
