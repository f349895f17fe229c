//! A position taken apart for rules about structure: counted once, asked many times.

use super::{Masks, Position};

/// Masks of the four quarters of the board in a side's own numbering, and of all points without the bars.
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

/// One side as it sees the board: its own checkers, its own home board 1 to 6.
#[derive(Clone, Copy, Debug)]
pub struct SideView {
    /// Checkers on each point, bar 25.
    counts: [u8; 32],
    /// Checkers on points 0 to `i`: every sum over a zone is a difference of two of these.
    up_to: [u8; 32],
    /// Who holds which point, in this side's numbering.
    pub masks: Masks,
}

/// Both sides of a position.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The player on roll.
    pub own: SideView,
    /// The other one, in his own numbering.
    pub opponent: SideView,
}

impl View {
    /// Takes a position apart.
    #[inline(always)]
    #[must_use]
    pub fn of(position: &Position) -> View {
        let masks = Masks::of(position);
        View {
            own: SideView::new(position, masks),
            opponent: SideView::new(&position.flipped(), masks.flipped()),
        }
    }

    /// Whether a side has borne off all its checkers.
    #[inline(always)]
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.own.left() == 0 || self.opponent.left() == 0
    }
}

impl SideView {
    #[inline(always)]
    fn new(position: &Position, masks: Masks) -> SideView {
        let counts = position.room().map(|n| n.max(0).unsigned_abs());
        // A product with ones adds each byte to all bytes above it; 15 checkers never carry.
        let mut up_to = [0; 32];
        let mut below = 0;
        let (words, _) = counts.as_chunks::<8>();
        for (word, sums) in words.iter().zip(up_to.as_chunks_mut::<8>().0) {
            let sum = u64::from_le_bytes(*word).wrapping_mul(ONES).wrapping_add(below);
            *sums = sum.to_le_bytes();
            below = (sum >> 56) * ONES;
        }
        SideView { counts, up_to, masks }
    }

    /// Checkers of this side on `point`, 25 for the bar.
    #[inline(always)]
    #[must_use]
    pub fn count(&self, point: usize) -> u8 {
        self.counts[point & 31]
    }

    /// Checkers of this side on the points `from..=to`; `from` is at least 1.
    #[inline(always)]
    #[must_use]
    pub fn checkers(&self, from: usize, to: usize) -> u8 {
        self.up_to[to & 31] - self.up_to[(from - 1) & 31]
    }

    /// Checkers on the board and the bar.
    #[inline(always)]
    #[must_use]
    pub fn left(&self) -> u8 {
        self.up_to[25]
    }

    /// Pips that the checkers beyond `GOAL`, but not beyond `LIMIT`, are from it.
    #[inline(always)]
    #[must_use]
    pub fn pips_beyond<const GOAL: usize, const LIMIT: usize>(&self) -> u16 {
        // A checker on p counts once for each point from the goal up to the one below its own.
        let all = u16::from(self.up_to[LIMIT]);
        let mut not_there: u16 = 0;
        for (i, &n) in self.up_to.iter().enumerate() {
            not_there += if GOAL <= i && i < LIMIT { u16::from(n) } else { 0 };
        }
        all * (LIMIT - GOAL) as u16 - not_there
    }

    /// Pip count.
    #[inline(always)]
    #[must_use]
    pub fn pips(&self) -> u16 {
        self.pips_beyond::<0, 25>()
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
        31 - (self.masks.own | 1).leading_zeros()
    }

    /// Single checkers on points, not on the bar.
    #[inline(always)]
    #[must_use]
    pub fn blots(&self) -> u32 {
        self.masks.own & !self.masks.own_made & zone::BOARD
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_over_zones_are_those_of_counting() {
        let own = [(25, 2), (24, 1), (13, 4), (8, 3), (6, 5)];
        let position = Position::from_sides(&own, &[(25, 1), (20, 2), (3, 9)]).expect("legal");
        let View { own: side, opponent } = View::of(&position);
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
