//! The 68 inputs of the endgame: both sides have all checkers at home or off.

use super::encoding::FeatureSet;
use super::feature::{FeatureBlock, FeatureGroup, count};
use super::sparse::{FOUR_UNITS, SparseWriter, flag, ones};
use crate::backgammon::zone::HOME;
use crate::backgammon::{Side, SideView};

const SIDE: &[FeatureGroup] = &[
    FeatureGroup {
        name: "home point {}: {four}",
        count: 24,
        unit: "raw: 0 or 1, and (n - 3) / 2",
        reason: "how many checkers stand on each home point, so that 2, 3 and many can be told apart",
    },
    FeatureGroup {
        name: "off: 1 or more",
        count: 1,
        unit: "raw: 0 or 1",
        reason: "the gammon is saved",
    },
    FeatureGroup {
        name: "off: fives, part {}",
        count: 3,
        unit: "raw: 0..1, fifths of the first, second and third five checkers",
        reason: "how far the bearoff has come",
    },
    FeatureGroup {
        name: "endgame pips",
        count: 1,
        unit: "pips / 50",
        reason: "the length of the bearoff",
    },
    FeatureGroup {
        name: "checkers left",
        count: 1,
        unit: "checkers / 15",
        reason: "rolls are counted in checkers near the end",
    },
    FeatureGroup {
        name: "rolls left without doubles",
        count: 1,
        unit: "rolls / 8, two checkers a roll, rounded up",
        reason: "the least number of rolls if every one takes two checkers off",
    },
    FeatureGroup {
        name: "odd number left",
        count: 1,
        unit: "0 or 1",
        reason: "an odd last checker wastes half a roll",
    },
    FeatureGroup {
        name: "gaps",
        count: 1,
        unit: "empty home points / 6",
        reason: "a roll into a gap bears nothing off",
    },
    FeatureGroup {
        name: "on the two lowest points",
        count: 1,
        unit: "checkers / 10",
        reason: "checkers on the 1 and 2 points waste pips",
    },
];

/// The inputs of both sides.
pub(super) const BLOCK: FeatureBlock = FeatureBlock { side: SIDE, both: &[] };

/// Number of inputs of one side.
const HALF: u16 = count(SIDE) as u16;

/// The endgame encoding.
pub(super) struct EndgameFeatures;

impl FeatureSet for EndgameFeatures {
    const NAME: &'static str = "endgame";
    const SLUG: &'static str = "endgame68";
    const BLOCKS: &'static [FeatureBlock] = &[BLOCK];
    const CONTACT: bool = false;

    #[inline(always)]
    fn one_sided(side: &SideView, whose: Side, inputs: &mut SparseWriter) {
        inputs.go_to(match whose {
            Side::Own => 0,
            Side::Opponent => HALF,
        });
        inputs.points(24, side.held & HOME, 4, |point| {
            &FOUR_UNITS[usize::from(side.count(point) & 15)]
        });
        let left = f32::from(side.left());
        let off = 15.0 - left;
        let odd = flag(left as i32 % 2 == 1);
        inputs.put([
            flag(off > 0.0),
            off.min(5.0) * (1.0 / 5.0),
            (off - 5.0).clamp(0.0, 5.0) * (1.0 / 5.0),
            (off - 10.0).clamp(0.0, 5.0) * (1.0 / 5.0),
            f32::from(side.pips()) * (1.0 / 50.0),
            left * (1.0 / 15.0),
            (left + odd) * (1.0 / 16.0),
            odd,
            ones(!side.held & HOME) * (1.0 / 6.0),
            f32::from(side.checkers(1, 2)) * (1.0 / 10.0),
        ]);
    }
}
