//! One side of the board in its own numbering, and the sums that several encodings need.

use crate::backgammon::{Masks, Position};

/// Points 1 to 6.
pub(super) const HOME: u32 = 0x7e;
/// Points 7 to 12.
pub(super) const OUTER: u32 = HOME << 6;
/// Points 13 to 18.
pub(super) const FAR: u32 = HOME << 12;
/// Points 19 to 24: the other side's home board.
pub(super) const BACK: u32 = HOME << 18;
/// All points, without the bars.
pub(super) const BOARD: u32 = HOME | OUTER | FAR | BACK;

/// A side as it sees the board: its own checkers positive, its own home board 1 to 6.
pub(super) struct SideView<'a> {
    points: &'a [i8; 26],
    pub(super) masks: Masks,
}

impl<'a> SideView<'a> {
    #[inline(always)]
    pub(super) fn new(position: &'a Position, masks: Masks) -> SideView<'a> {
        SideView { points: position.points(), masks }
    }

    /// Checkers of this side on `point`.
    #[inline(always)]
    pub(super) fn count(&self, point: usize) -> usize {
        usize::from(self.points[point].max(0).unsigned_abs())
    }

    /// Checkers of this side on the points `from..to`.
    #[inline(always)]
    pub(super) fn checkers(&self, from: usize, to: usize) -> f32 {
        self.points[from..to].iter().map(|&n| n.max(0)).sum::<i8>().into()
    }

    /// The other side's checkers below `point`, his bar (0) included.
    #[inline(always)]
    pub(super) fn enemies_below(&self, point: u32) -> f32 {
        let behind = |(i, &n): (usize, &i8)| if (i as u32) < point { -n.min(0) } else { 0 };
        self.points.iter().enumerate().map(behind).sum::<i8>().into()
    }

    /// The other side's checkers on `point`, which may be his bar (0).
    #[inline(always)]
    pub(super) fn enemies_on(&self, point: u32) -> f32 {
        f32::from(-self.points[point as usize].min(0))
    }

    /// This side's checkers below `point`.
    #[inline(always)]
    pub(super) fn checkers_below(&self, point: u32) -> f32 {
        let below = |(i, &n): (usize, &i8)| if (i as u32) < point { n.max(0) } else { 0 };
        self.points.iter().enumerate().map(below).sum::<i8>().into()
    }

    /// This side's checkers times a weight for each point.
    #[inline(always)]
    pub(super) fn weighed(&self, weights: &[i16; 26]) -> f32 {
        self.points.iter().zip(weights).map(|(&n, &w)| i16::from(n.max(0)) * w).sum::<i16>().into()
    }

    /// Checkers on the board and the bar.
    #[inline(always)]
    pub(super) fn left(&self) -> f32 {
        self.points.iter().map(|&n| n.max(0)).sum::<i8>().into()
    }

    /// Pip count.
    #[inline(always)]
    pub(super) fn pips(&self) -> f32 {
        const WEIGHTS: [i16; 26] = weights(0);
        self.weighed(&WEIGHTS)
    }

    /// Pips still to go before every checker is at home.
    #[inline(always)]
    pub(super) fn pips_to_home(&self) -> f32 {
        const WEIGHTS: [i16; 26] = weights(6);
        self.weighed(&WEIGHTS)
    }

    /// Quarters of the board that the checkers must still cross before all are at home.
    #[inline(always)]
    pub(super) fn crossovers(&self) -> f32 {
        self.checkers(7, 13)
            + 2.0 * self.checkers(13, 19)
            + 3.0 * self.checkers(19, 25)
            + 4.0 * self.checkers(25, 26)
    }

    /// Checkers beyond the third on one point.
    #[inline(always)]
    pub(super) fn stacked(&self) -> f32 {
        self.points[..25].iter().map(|&n| (n - 3).max(0)).sum::<i8>().into()
    }

    /// Points of the home board that hold no own checker.
    #[inline(always)]
    pub(super) fn gaps_at_home(&self) -> f32 {
        ones(!self.masks.own & HOME)
    }

    /// The highest point with an own checker, bar 25; 0 when none is left.
    #[inline(always)]
    pub(super) fn rearmost(&self) -> u32 {
        31 - (self.masks.own | 1).leading_zeros()
    }

    /// Single checkers on points.
    #[inline(always)]
    pub(super) fn blots(&self) -> u32 {
        self.masks.own & !self.masks.own_made & BOARD
    }
}

/// Weight of each point: how far it lies beyond `goal`.
const fn weights(goal: i16) -> [i16; 26] {
    let mut weights = [0; 26];
    let mut p = goal + 1;
    while p < 26 {
        weights[p as usize] = p - goal;
        p += 1;
    }
    weights
}

/// Number of set bits as an input.
#[inline(always)]
pub(super) fn ones(mask: u32) -> f32 {
    mask.count_ones() as f32
}

/// 1 if the condition holds, else 0.
#[inline(always)]
pub(super) fn flag(condition: bool) -> f32 {
    f32::from(u8::from(condition))
}
