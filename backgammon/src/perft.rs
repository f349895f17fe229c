//! Counts positions to a depth, to check a move generator against known numbers.

use super::{Dice, Position, Results};

/// Distinct results summed over all rolls, `half_moves` deep.
///
/// Rolls are counted once each, not by weight, and a game that is over counts as one. From the
/// start of a game: 447, 202,782, ...
///
/// ```
/// use backgammon::{Position, perft};
///
/// assert_eq!(perft(&Position::START, 1), 447);
/// ```
#[must_use]
pub fn perft(position: &Position, half_moves: u32) -> u64 {
    if half_moves == 0 || position.outcome().is_some() {
        return 1;
    }
    let mut results = Results::default();
    let mut count = 0;
    for dice in Dice::ALL {
        let found = results.of(position, dice);
        count += if half_moves == 1 {
            found.len() as u64
        } else {
            found.iter().map(|next| perft(next, half_moves - 1)).sum()
        };
    }
    count
}
