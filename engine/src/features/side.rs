//! One side of several positions, with one lane for each position: the methods of [`SideView`] in
//! vectors.
//!
//! [`SideView`] has them for one position, in bytes and without vectors. Both are needed: the class
//! rules and the encodings without lanes use single positions, and the rules crate has no vector
//! library. A property test checks that both agree.

use pulp::Simd;

use super::simd::lanes::{U32Lanes, as_lanes};
use crate::backgammon::SideView;
use crate::backgammon::zone::BOARD;

/// The values of each position, written lane by lane.
pub(super) struct SideColumns<S: Simd> {
    held: S::u32s,
    made: S::u32s,
    up_to: [S::u32s; 7],
    pips: S::u32s,
    rearmost: S::u32s,
    second: S::u32s,
}

/// The same values as vectors; names are those of [`SideView`].
#[derive(Clone, Copy)]
pub(super) struct SideLanes<S: Simd> {
    /// Points with one or more checkers, and the bar (bit 25).
    pub(super) held: U32Lanes<S>,
    /// Points with two or more checkers.
    pub(super) made: U32Lanes<S>,
    /// Checkers on points 0 to `i`, four of these sums in a word.
    up_to: [U32Lanes<S>; 7],
    /// Pip count.
    pub(super) pips: U32Lanes<S>,
    /// The highest point with a checker, bar 25.
    pub(super) rearmost: U32Lanes<S>,
    /// The point of the second rearmost checker, which may be the same point; 0 if there is none.
    pub(super) second: U32Lanes<S>,
}

impl<S: Simd> SideColumns<S> {
    #[inline(always)]
    pub(super) fn new(simd: S) -> SideColumns<S> {
        let none = simd.splat_u32s(0);
        let up_to = [none; 7];
        SideColumns { held: none, made: none, up_to, pips: none, rearmost: none, second: none }
    }

    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, side: &SideView) {
        as_lanes::<u32, _>(&mut self.held)[lane] = side.held;
        as_lanes::<u32, _>(&mut self.made)[lane] = side.made;
        for (row, word) in self.up_to.iter_mut().zip(side.up_to_by_four()) {
            as_lanes::<u32, _>(row)[lane] = word;
        }
        as_lanes::<u32, _>(&mut self.pips)[lane] = side.pips().into();
        as_lanes::<u32, _>(&mut self.rearmost)[lane] = side.rearmost();
        as_lanes::<u32, _>(&mut self.second)[lane] = side.second_rearmost();
    }

    #[inline(always)]
    pub(super) fn read(&self, simd: S) -> SideLanes<S> {
        let mut up_to = [U32Lanes::new(simd, self.held); 7];
        for (sums, &row) in up_to.iter_mut().zip(&self.up_to) {
            *sums = U32Lanes::new(simd, row);
        }
        SideLanes {
            held: U32Lanes::new(simd, self.held),
            made: U32Lanes::new(simd, self.made),
            up_to,
            pips: U32Lanes::new(simd, self.pips),
            rearmost: U32Lanes::new(simd, self.rearmost),
            second: U32Lanes::new(simd, self.second),
        }
    }
}

impl<S: Simd> SideLanes<S> {
    /// The points held, in the other side's numbering; the bar is left out.
    #[inline(always)]
    pub(super) fn across(&self) -> U32Lanes<S> {
        self.held.reversed() >> 6
    }

    #[inline(always)]
    fn up_to(&self, point: usize) -> U32Lanes<S> {
        self.up_to[point / 4] >> (point % 4 * 8) as u32 & 0xff
    }

    /// Checkers on the points `from..=to`; `from` is at least 1.
    #[inline(always)]
    pub(super) fn checkers(&self, from: usize, to: usize) -> U32Lanes<S> {
        if from == 1 { self.up_to(to) } else { self.up_to(to) - self.up_to(from - 1) }
    }

    /// Checkers on the board and the bar.
    #[inline(always)]
    pub(super) fn left(&self) -> U32Lanes<S> {
        self.up_to(25)
    }

    /// Checkers on the bar.
    #[inline(always)]
    pub(super) fn on_bar(&self) -> U32Lanes<S> {
        self.checkers(25, 25)
    }

    /// Single checkers on points, not on the bar.
    #[inline(always)]
    pub(super) fn blots(&self) -> U32Lanes<S> {
        self.held & !self.made & BOARD
    }

    /// The number of quarter boundaries that the checkers must still cross before all are at home.
    #[inline(always)]
    pub(super) fn crossovers(&self) -> U32Lanes<S> {
        self.checkers(7, 25) + self.checkers(13, 25) + self.checkers(19, 25) + self.on_bar()
    }

    /// Checkers beyond the third on one point.
    #[inline(always)]
    pub(super) fn stacked(&self) -> U32Lanes<S> {
        const EACH: u32 = 0x0101_0101;
        let mut stacked = self.held.splat(0);
        for (word, &sums) in self.up_to.iter().enumerate() {
            let below = if word == 0 { stacked } else { self.up_to[word - 1] >> 24 };
            // Sums only grow, so no difference borrows from the next byte. The bar is no point.
            let counts = sums - (sums << 8 | below);
            let counts = if word == 6 { counts & 0xff } else { counts };
            let less_three = (counts | (0x80 * EACH)) - 3 * EACH;
            let enough = less_three >> 7 & EACH;
            stacked = stacked + (less_three & ((enough << 7) - enough));
        }
        stacked.sum_of_bytes()
    }

    /// Pips that the checkers beyond `GOAL`, but not beyond `LIMIT`, are from it.
    #[inline(always)]
    pub(super) fn pips_beyond<const GOAL: usize, const LIMIT: usize>(&self) -> U32Lanes<S> {
        // A checker on p counts once for each point from the goal up to the one below its own.
        let mut not_there = self.held.splat(0);
        for (word, &sums) in self.up_to.iter().enumerate() {
            let mut wanted = 0;
            for byte in 0..4 {
                let point = 4 * word + byte;
                wanted |= if GOAL <= point && point < LIMIT { 0xff << (8 * byte) } else { 0 };
            }
            // Two sums of two bytes each.
            if wanted != 0 {
                let sums = sums & wanted;
                not_there = not_there + (sums & 0x00ff_00ff) + (sums >> 8 & 0x00ff_00ff);
            }
        }
        let not_there = (not_there & 0xffff) + (not_there >> 16);
        self.up_to(LIMIT) * (LIMIT - GOAL) as u32 - not_there
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::BoardView;
    use crate::features::tests::played;
    use crate::vectors::dispatch;
    use proptest::prelude::*;
    use pulp::WithSimd;

    /// The values of [`SideLanes`] for the own side of each view.
    struct Answers<'a>(&'a [BoardView]);

    impl WithSimd for Answers<'_> {
        type Output = Vec<[u32; 11]>;

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> Vec<[u32; 11]> {
            let mut answers = Vec::new();
            for views in self.0.chunks(S::U32_LANES) {
                let mut columns = SideColumns::new(simd);
                for (lane, view) in views.iter().enumerate() {
                    columns.set(lane, &view.own);
                }
                let side = columns.read(simd);
                let vectors = [
                    side.across(),
                    side.checkers(1, 6),
                    side.checkers(19, 25),
                    side.left(),
                    side.on_bar(),
                    side.blots(),
                    side.crossovers(),
                    side.stacked(),
                    side.pips_beyond::<0, 25>(),
                    side.pips_beyond::<6, 18>(),
                    side.pips_beyond::<6, 25>(),
                ];
                let mut vectors = vectors.map(U32Lanes::lanes);
                for lane in 0..views.len() {
                    answers.push(std::array::from_fn(|i| as_lanes(&mut vectors[i])[lane]));
                }
            }
            answers
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn vectors_of_any_width_answer_as_one_position_alone(seen in played()) {
            let views: Vec<BoardView> = seen.iter().map(BoardView::of).collect();
            let one_lane = Answers(&views).with_simd(pulp::Scalar::new());
            let widest = dispatch(Answers(&views));
            prop_assert_eq!(&one_lane, &widest);
            for (view, answers) in views.iter().zip(one_lane) {
                let side = &view.own;
                prop_assert_eq!(answers, [
                    SideView::across(side.held),
                    side.checkers(1, 6).into(),
                    side.checkers(19, 25).into(),
                    side.left().into(),
                    side.count(25).into(),
                    side.blots(),
                    side.crossovers().into(),
                    side.stacked().into(),
                    side.pips().into(),
                    side.pips_beyond::<6, 18>().into(),
                    side.pips_to_home().into(),
                ]);
            }
        }
    }
}
