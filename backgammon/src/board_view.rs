//! A position taken apart for rules about structure: counted once, asked many times.

use super::Position;

/// Masks of the four quarters of the board in a side's own numbering, and of all points without the
/// bars.
pub mod zone {
    /// Points 1 to 6.
    pub const HOME: u32 = 0x7e;
    /// Points 7 to 12.
    pub const OUTER: u32 = HOME << 6;
    /// Points 13 to 18.
    pub const FAR: u32 = HOME << 12;
    /// Points 19 to 24: the other side's home board.
    pub const BACK: u32 = HOME << 18;
    /// The own bar.
    pub const BAR: u32 = 1 << 25;
    /// All points, without the bars.
    pub const BOARD: u32 = HOME | OUTER | FAR | BACK;
}

const ONES: u64 = 0x0101_0101_0101_0101;
/// The top bit of each byte.
const TOP: u64 = 0x80 * ONES;

/// One bit for each byte with its top bit set; the bytes are those of one little-endian word.
#[inline(always)]
const fn top_bits(word: u64) -> u32 {
    // The product moves the top bit of byte `i` to bit `56 + i`; no two of its terms meet.
    ((word & TOP).wrapping_mul(0x0002_0408_1020_4081) >> 56) as u32
}

/// The two masks that the move generator needs, without the counts of a [`BoardView`].
///
/// The first mask has the points with an own checker, the second the points that the opponent has
/// made. Bit `p` is point `p` of the player on roll, bit 25 their bar, bit 0 the opponent's bar.
#[inline(always)]
pub(super) fn own_and_blocked(position: &Position) -> (u32, u32) {
    let (mut own, mut blocked) = (0, 0);
    for (i, points) in position.padded_points().as_chunks::<8>().0.iter().enumerate() {
        // Eight points in a word: |n| <= 15 leaves each byte room to add without a carry.
        let word = u64::from_le_bytes(points.map(i8::cast_unsigned));
        let negative = word & TOP;
        let low = word & !TOP;
        // Own n is n; the opponent's n is 128 - n here, so only the opponent's single checkers
        // reach 127.
        own |= top_bits((low + 0x7f * ONES) & !negative) << (8 * i);
        blocked |= top_bits(!(low + ONES) & negative) << (8 * i);
    }
    (own & (zone::BOARD | zone::BAR | 1), blocked)
}

/// One side as it sees the board: its own checkers alone, its own home board 1 to 6.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideView {
    /// Checkers on each point, bar 25.
    counts: [u8; 32],
    /// Checkers on points 0 to `i`: every sum over a zone is a difference of two of these.
    up_to: [[u8; 8]; 4],
    /// Points with one or more checkers; bit `p` is point `p`, bit 25 the bar.
    pub held: u32,
    /// Points with two or more checkers.
    pub made: u32,
    pips: u16,
}

/// Both sides of a position.
///
/// ```
/// use backgammon::{BoardView, Position, zone};
///
/// let view = BoardView::of(&Position::START);
/// assert!(view.contact());
/// assert_eq!((view.own.pips(), view.own.checkers(1, 6), view.own.blots()), (167, 5, 0));
/// assert_eq!(view.own.made & zone::HOME, 1 << 6);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardView {
    /// The player on roll.
    pub own: SideView,
    /// The opponent, in the opponent's own numbering.
    pub opponent: SideView,
    /// Checkers that each side began the game with.
    pub(crate) checkers: u8,
}

impl BoardView {
    /// Takes a position apart.
    #[inline(always)]
    #[must_use]
    pub fn of(position: &Position) -> BoardView {
        BoardView {
            own: SideView::new(position.own_counts()),
            opponent: SideView::new(position.opponent_counts()),
            checkers: position.checkers_at_start(),
        }
    }

    /// Goes on to another position. Among the results of one roll the player on roll mostly keeps
    /// the same checkers, which need not be counted again.
    #[inline(always)]
    pub fn move_to(&mut self, position: &Position) {
        let counts = position.own_counts();
        if counts != self.own.counts {
            self.own = SideView::new(counts);
        }
        self.opponent = SideView::new(position.opponent_counts());
        self.checkers = position.checkers_at_start();
    }

    /// Whether a side has borne off all its checkers.
    #[inline(always)]
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.own.held == 0 || self.opponent.held == 0
    }

    /// Whether some checker can still be hit: the rearmost ones have not passed each other.
    #[inline(always)]
    #[must_use]
    pub fn contact(&self) -> bool {
        !self.is_finished() && self.own.rearmost() + self.opponent.rearmost() > 25
    }
}

impl SideView {
    #[inline(always)]
    fn new(counts: [u8; 32]) -> SideView {
        let mut side = SideView { counts, ..SideView::default() };
        let mut below = 0;
        for (i, word) in counts.as_chunks::<8>().0.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            // A product with ones adds each byte to all bytes above it; 15 checkers never carry.
            let sums = word.wrapping_mul(ONES).wrapping_add(below);
            below = (sums >> 56) * ONES;
            side.up_to[i] = sums.to_le_bytes();
            side.held |= top_bits(word + 0x7f * ONES) << (8 * i);
            side.made |= top_bits(word + 0x7e * ONES) << (8 * i);
        }
        side.pips = side.pips_beyond::<0, 25>();
        side
    }

    /// Whether the checkers of both are on the same points.
    #[inline(always)]
    #[must_use]
    pub fn stands_as(&self, other: &SideView) -> bool {
        self.counts == other.counts
    }

    /// A mask of this side's points in the other side's numbering: bit `p` moves to `25 - p`.
    #[inline(always)]
    #[must_use]
    pub const fn across(mask: u32) -> u32 {
        mask.reverse_bits() >> 6
    }

    /// Checkers of this side on `point`, 25 for the bar.
    #[inline(always)]
    #[must_use]
    pub fn count(&self, point: usize) -> u8 {
        self.counts[point & 31]
    }

    #[inline(always)]
    fn up_to(&self, point: usize) -> u8 {
        self.up_to.as_flattened()[point & 31]
    }

    /// Checkers on points 0 to `i` for each `i`, four of them in a little-endian word, up to point
    /// 27.
    #[inline(always)]
    #[must_use]
    pub fn up_to_by_four(&self) -> [u32; 7] {
        let words = self.up_to.as_flattened().as_chunks::<4>().0;
        std::array::from_fn(|i| u32::from_le_bytes(words[i]))
    }

    /// Checkers of this side on the points `from..=to`; `from` is at least 1.
    #[inline(always)]
    #[must_use]
    pub fn checkers(&self, from: usize, to: usize) -> u8 {
        self.up_to(to) - self.up_to(from - 1)
    }

    /// Checkers on the board and the bar.
    #[inline(always)]
    #[must_use]
    pub fn left(&self) -> u8 {
        self.up_to(25)
    }

    /// Pips that the checkers beyond `GOAL`, but not beyond `LIMIT`, are from it.
    #[inline(always)]
    #[must_use]
    pub fn pips_beyond<const GOAL: usize, const LIMIT: usize>(&self) -> u16 {
        // A checker on p counts once for each point from the goal up to the one below its own.
        let all = u16::from(self.up_to(LIMIT));
        let mut not_there: u32 = 0;
        for (i, &n) in self.up_to.as_flattened().iter().enumerate() {
            not_there += if GOAL <= i && i < LIMIT { u32::from(n) } else { 0 };
        }
        all * (LIMIT - GOAL) as u16 - not_there as u16
    }

    /// Points held in the other side's home board. A back game holds two or more.
    #[inline(always)]
    #[must_use]
    pub const fn anchors(&self) -> u32 {
        (self.made & zone::BACK).count_ones()
    }

    /// Pip count.
    #[inline(always)]
    #[must_use]
    pub const fn pips(&self) -> u16 {
        self.pips
    }

    /// Pips still to go before every checker is at home.
    #[inline(always)]
    #[must_use]
    pub fn pips_to_home(&self) -> u16 {
        self.pips_beyond::<6, 25>()
    }

    /// Quarters of the board that the checkers must still cross before all are at home.
    #[inline(always)]
    #[must_use]
    pub fn crossovers(&self) -> u8 {
        self.checkers(7, 25) + self.checkers(13, 25) + self.checkers(19, 25) + self.checkers(25, 25)
    }

    /// Checkers beyond the third on one point.
    #[inline(always)]
    #[must_use]
    pub fn stacked(&self) -> u8 {
        let stacked: u8 = self.counts.iter().map(|&n| n.saturating_sub(3)).sum();
        stacked - self.counts[25].saturating_sub(3)
    }

    /// The highest point with an own checker, bar 25; 0 when none is left.
    #[inline(always)]
    #[must_use]
    pub fn rearmost(&self) -> u32 {
        31 - (self.held | 1).leading_zeros()
    }

    /// The same without one checker from there: the next point, or the same one again.
    #[inline(always)]
    #[must_use]
    pub fn second_rearmost(&self) -> u32 {
        let others = self.held & (!(1 << self.rearmost()) | self.made);
        31 - (others | 1).leading_zeros()
    }

    /// Single checkers on points, not on the bar.
    #[inline(always)]
    #[must_use]
    pub fn blots(&self) -> u32 {
        self.held & !self.made & zone::BOARD
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A legal position from any 26 numbers: checkers are taken away until the board is legal.
    fn made_legal(mut points: [i8; 26]) -> Position {
        points[0] = -points[0].abs();
        points[25] = points[25].abs();
        let mut i = 0;
        loop {
            match Position::new(points) {
                Ok(position) => return position,
                Err(_) if points == [0; 26] => points[6] = 1,
                Err(_) => points[i] /= 2,
            }
            i = (i + 1) % 26;
        }
    }

    proptest! {
        #[test]
        fn masks_agree_with_counting_point_by_point(points in proptest::array::uniform26(-15i8..=15)) {
            let position = made_legal(points);
            let mask = |keep: &dyn Fn(i8) -> bool| {
                (0..26).filter(|&i| keep(position.points()[i])).fold(0u32, |mask, i| mask | 1 << i)
            };
            let (own, opponent) = (mask(&|n| n >= 1), mask(&|n| n <= -1));
            let (own_made, opponent_made) = (mask(&|n| n >= 2), mask(&|n| n <= -2));
            prop_assert_eq!(own_and_blocked(&position), (own, opponent_made));
            let view = BoardView::of(&position);
            prop_assert_eq!((view.own.held, view.own.made), (own, own_made));
            prop_assert_eq!(SideView::across(view.opponent.held), opponent);
            prop_assert_eq!(SideView::across(view.opponent.made), opponent_made);
        }
    }

    #[test]
    fn contact_ends_when_the_last_checkers_have_passed() {
        let contact = |own, opponent| {
            let position = Position::from_sides(&[(own, 1)], &[(opponent, 1)]).expect("legal");
            BoardView::of(&position).contact()
        };
        assert!(contact(13, 13), "own 13 has not passed the opponent's checker on own 12");
        assert!(!contact(12, 12));
    }

    #[test]
    fn sums_over_zones_are_those_of_counting() {
        let own = [(25, 2), (24, 1), (13, 4), (8, 3), (6, 5)];
        let position = Position::from_sides(&own, &[(25, 1), (20, 2), (3, 9)]).expect("legal");
        let BoardView { own: side, opponent, .. } = BoardView::of(&position);
        assert_eq!((side.left(), opponent.left()), (15, 12));
        assert_eq!(u32::from(side.pips()), u32::from(position.pips()));
        assert_eq!(u32::from(opponent.pips()), u32::from(position.opponent_pips()));
        let beyond = |goal, limit| {
            own.iter()
                .filter(|(p, _)| (goal..=limit).contains(p))
                .map(|&(p, n)| (p - goal) as i32 * i32::from(n))
                .sum::<i32>()
        };
        assert_eq!(i32::from(side.pips_to_home()), beyond(6, 25));
        assert_eq!(i32::from(side.pips_beyond::<6, 18>()), beyond(6, 18));
        assert_eq!(side.checkers(7, 24), 8);
        assert_eq!(side.crossovers(), 2 * 4 + 3 + 4 * 2 + 3);
        assert_eq!(side.stacked(), 1 + 2);
        assert_eq!(side.rearmost(), 25);
        assert_eq!(side.blots(), 1 << 24);
    }
}
