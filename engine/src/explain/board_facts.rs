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
    /// Your blots that one of these throws can hit, the highest first.
    pub hittable: Vec<u8>,
    /// Of the opponent's 36 throws, those that can bring a back checker past your outer board, to
    /// the opponent's point 12 or lower.
    pub escapes: u8,
    /// Your builders for the points 7 to 3: spares and blots within 6 pips behind the point. 0 for
    /// a point on which either side has a checker.
    pub builders: [u8; 5],
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
    /// Your checkers on the points 6 to 1 of your home board.
    pub home: [u8; 6],
    /// Points of your home board without a checker, below your highest checker there.
    pub gaps: Vec<u8>,
    /// Your checkers on the two highest points that have some; 0 where there is no second one.
    pub rear: [u8; 2],
    /// Of your own next 36 throws, those that leave a blot before an opponent's checker whatever
    /// you play. The opponent's move is left out. `None` without contact, and while a checker is
    /// behind your outer board.
    pub next_blots: Option<u8>,
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
        let own = |point: u8| sides[0].own(usize::from(point));
        let mut counts = (1..=25).rev().map(own).filter(|&count| count > 0);
        BoardFacts {
            contact: view.contact(),
            pips: sides.map(|side| side.pips()),
            shots: shots(board),
            hittable: hittable(board),
            escapes: escapes(board),
            builders: std::array::from_fn(|place| builders(&sides[0], 7 - place)),
            blots: [yours, mirrored(theirs)],
            home_points: sides.map(|side| made(&side, 1..=6)),
            longest_block: sides.map(|side| longest_block(&side)),
            anchors: [anchor, mirrored(held)],
            back: sides.map(|side| (19..=25).map(|point| side.own(point)).sum()),
            on_bar: sides.map(|side| side.own(25)),
            off: sides.map(|side| board.checkers_at_start() - side.own_left()),
            highest_stack: sides
                .map(|side| (1..=24).map(|point| side.own(point)).max().unwrap_or(0)),
            outside: view.opponent.checkers(7, 25),
            pips_home: view.opponent.pips_to_home(),
            home: std::array::from_fn(|place| own(6 - place as u8)),
            gaps: (1..=6).rev().skip_while(|&p| own(p) == 0).filter(|&p| own(p) == 0).collect(),
            rear: [counts.next(), counts.next()].map(|count| count.unwrap_or(0)),
            next_blots: (view.contact() && view.opponent.checkers(13, 25) == 0)
                .then(|| next_blots(&sides[0])),
        }
    }
}

/// The points with a count of own checkers that fits, the highest first.
fn with(side: &Position, points: std::ops::RangeInclusive<u8>, fits: fn(u8) -> bool) -> Vec<u8> {
    points.rev().filter(|&point| fits(side.own(usize::from(point)))).collect()
}

/// Of the 36 throws of the player on roll, those with a legal play that hits.
#[must_use]
pub fn shots(board: &Position) -> u8 {
    let caught = board.flipped().own(25);
    throws(board, |after| after.own(25) > caught)
}

/// The other side's blots that a throw of the player on roll can hit, in the numbering of that
/// side, the highest first.
fn hittable(board: &Position) -> Vec<u8> {
    let mut found = with(&board.flipped(), 1..=24, |n| n == 1);
    if board.outcome().is_some() {
        found.clear();
    }
    let (mut moves, mut hit) = (Results::default(), [false; 25]);
    for dice in Dice::ALL.into_iter().filter(|_| !found.is_empty()) {
        for after in moves.of(board, dice) {
            found.iter().for_each(|&point| hit[usize::from(point)] |= after.own(point.into()) == 0);
        }
    }
    found.retain(|&point| hit[usize::from(point)]);
    found
}

/// Of the 36 throws of the player on roll, those with a legal play that frees a back checker. It
/// comes from the bar or the points 19 to 24, and passes the other's outer board, to point 12 or
/// lower.
fn escapes(board: &Position) -> u8 {
    if (19..=25).all(|point| board.own(point) == 0) {
        return 0;
    }
    let behind = |side: &Position| (13..=25).map(|point| side.own(point)).sum::<u8>();
    let back = |side: &Position| (19..=25).map(|point| side.own(point)).sum::<u8>();
    let (behind_now, back_now) = (behind(board), back(board));
    throws(board, |after| {
        let own = after.flipped();
        behind(&own) < behind_now && back(&own) < back_now
    })
}

/// Of the 36 throws of the player on roll, those with a legal play to such a board, the other on
/// roll; 0 after the end of the game.
fn throws(board: &Position, fits: impl Fn(&Position) -> bool) -> u8 {
    if board.outcome().is_some() {
        return 0;
    }
    let mut moves = Results::default();
    let mut has = |dice: &Dice| moves.of(board, *dice).iter().any(&fits);
    Dice::ALL.iter().filter(|dice| has(dice)).map(|dice| dice.weight()).sum()
}

/// Of the 36 throws of the player on roll, those after which every legal play leaves a blot in
/// front of an opponent's checker.
fn next_blots(own: &Position) -> u8 {
    let is_safe = |after: &Position| {
        let own = after.flipped();
        // The bar is behind every point.
        let rearmost = (1..=25).rev().find(|&point| after.own(point) > 0).unwrap_or(0);
        (1..=24).all(|point| own.own(point) != 1 || 25 - point > rearmost)
    };
    36 - throws(own, is_safe)
}

/// Own checkers within 6 pips behind an empty point that break no point when they leave.
fn builders(own: &Position, point: usize) -> u8 {
    if own.points()[point] != 0 {
        return 0;
    }
    let free = |from: usize| match own.own(from) {
        count @ 0..=1 => count,
        count => count - 2,
    };
    (point + 1..=point + 6).map(free).sum()
}
