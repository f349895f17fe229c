//! What a player sees on a board: counts that need no net.

use super::play_events::longest_block;
use crate::backgammon::{BoardView, Dice, Position, Results};

/// What stands on a board after a play. The player who made it is "you"; points are in your
/// numbering, 25 is the bar. Of pairs the first is yours, the second the opponent's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardFacts {
    /// Whether a checker can still be hit.
    pub contact: bool,
    /// Pip counts.
    pub pips: [u16; 2],
    /// Of the opponent's 36 throws, those that can hit you.
    pub shots: u8,
    /// Points with one checker, the highest first.
    pub blots: [Vec<u8>; 2],
    /// Points made in the home board, 0..=6.
    pub home_points: [u8; 2],
    /// The most points in a row, 0..=7.
    pub longest_block: [u8; 2],
    /// Points made in the other's home board, the highest first, in your numbering.
    pub anchors: [Vec<u8>; 2],
    /// Checkers in the other's home board or on the bar.
    pub back: [u8; 2],
    /// Checkers on the bar.
    pub on_bar: [u8; 2],
    /// Checkers borne off.
    pub off: [u8; 2],
    /// The most checkers on a point.
    pub highest_stack: [u8; 2],
    /// Your checkers that are not at home.
    pub outside: u8,
    /// Pips that they need to get there.
    pub pips_home: u16,
}

impl BoardFacts {
    /// Of the board after a play, the opponent on roll.
    #[must_use]
    pub fn after(board: &Position) -> BoardFacts {
        let sides = [board.flipped(), *board];
        // What the opponent owns is mirrored into your numbering.
        let mirrored = |points: Vec<u8>| points.into_iter().map(|p| 25 - p).rev().collect();
        let [yours, theirs] = sides.map(|side| with(&side, 1..=24, |n| n == 1));
        let [anchor, held] = sides.map(|side| with(&side, 19..=24, |n| n >= 2));
        let made = |side: &Position, points| with(side, points, |n| n >= 2).len() as u8;
        let view = BoardView::of(board);
        BoardFacts {
            contact: view.contact(),
            pips: sides.map(|side| side.pips()),
            shots: shots(board),
            blots: [yours, mirrored(theirs)],
            home_points: sides.map(|side| made(&side, 1..=6)),
            longest_block: sides.map(|side| longest_block(&side)),
            anchors: [anchor, mirrored(held)],
            back: sides.map(|side| (19..=25).map(|point| side.own(point)).sum()),
            on_bar: sides.map(|side| side.own(25)),
            off: sides.map(|side| 15 - side.own_left()),
            highest_stack: sides
                .map(|side| (1..=24).map(|point| side.own(point)).max().unwrap_or(0)),
            outside: view.opponent.checkers(7, 25),
            pips_home: view.opponent.pips_to_home(),
        }
    }
}

/// The points whose count of own checkers fits, the highest first.
fn with(side: &Position, points: std::ops::RangeInclusive<u8>, fits: fn(u8) -> bool) -> Vec<u8> {
    points.rev().filter(|&point| fits(side.own(usize::from(point)))).collect()
}

/// Of the 36 throws of the player on roll, those with a legal play that hits.
pub(super) fn shots(board: &Position) -> u8 {
    let caught = board.flipped().own(25);
    let mut moves = Results::default();
    let mut hits = |dice: &Dice| moves.of(board, *dice).iter().any(|after| after.own(25) > caught);
    Dice::ALL.iter().filter(|dice| hits(dice)).map(|dice| dice.weight()).sum()
}
