//! Conversions from protocol messages to the types of the rules.

use nonet_engine::backgammon::{Scoring, Seat};

/// Money play or the score of a match, own points first.
///
/// # Errors
/// A sentence about a score that is impossible.
pub(super) fn scoring(
    length: Option<u32>,
    score: [u32; 2],
    crawford: bool,
) -> Result<Scoring, String> {
    Scoring::of_points(length, score, crawford).map_err(|reason| {
        let [own, opponent] = score;
        let length = length.unwrap_or_default();
        let game = if crawford { ", Crawford game" } else { "" };
        format!("invalid score {own}-{opponent} in a match to {length}{game}: {reason}")
    })
}

/// The player's seat in our records, where our name comes first.
pub(super) const fn seat(own: bool) -> Seat {
    if own { Seat::X } else { Seat::O }
}
