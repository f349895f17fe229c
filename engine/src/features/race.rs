//! The 277 inputs of a race: the endgame's 68, all 24 points, and the shape of the race.

use super::encoding::FeatureSet;
use super::endgame::{self, EndgameFeatures};
use super::feature::{FeatureBlock, FeatureGroup, count, offset_of};
use super::sparse::{FOUR_UNITS, SparseWriter, ones};
use crate::backgammon::zone::{BOARD, HOME};
use crate::backgammon::{Side, SideView};

const SIDE: &[FeatureGroup] = &[
    FeatureGroup {
        name: "point {}: {four}",
        count: 96,
        unit: "raw: 0 or 1, and (n - 3) / 2",
        reason: "how many checkers stand on each point, so that 2, 3 and many can be told apart",
    },
    FeatureGroup { name: "pips", count: 1, unit: "pips / 100", reason: "the length of the race" },
    FeatureGroup {
        name: "lead",
        count: 1,
        unit: "pips ahead / 50, at least 0",
        reason: "the lead mostly decides a race",
    },
    FeatureGroup {
        name: "pips to home",
        count: 1,
        unit: "pips / 50",
        reason: "bearing off waits for the last checker",
    },
    FeatureGroup {
        name: "crossovers",
        count: 1,
        unit: "quarters / 15",
        reason: "how far a side that may lose a gammon has to run",
    },
    FeatureGroup {
        name: "rearmost",
        count: 1,
        unit: "point / 24",
        reason: "a lone straggler delays the whole bearoff",
    },
    FeatureGroup {
        name: "gaps in race",
        count: 1,
        unit: "empty home points / 6",
        reason: "gaps waste pips later",
    },
    FeatureGroup {
        name: "low checkers",
        count: 1,
        unit: "on points 1 and 2, / 10",
        reason: "already buried checkers waste pips",
    },
    FeatureGroup {
        name: "stacked",
        count: 1,
        unit: "beyond the third on a point, / 5",
        reason: "stacks bear off badly",
    },
];

const BOTH: &[FeatureGroup] = &[FeatureGroup {
    name: "length of both",
    count: 1,
    unit: "pips of both / 200",
    reason: "luck matters more in a longer race",
}];

/// Index of the first input of each side, after those of the endgame.
const OWN: u16 = endgame::BLOCK.len() as u16;
const OPPONENT: u16 = OWN + count(SIDE) as u16;
const LEAD: u16 = offset_of(SIDE, "lead");

/// The race encoding.
pub(super) struct RaceFeatures;

impl FeatureSet for RaceFeatures {
    const NAME: &'static str = "race";
    const SLUG: &'static str = "race277";
    const BLOCKS: &'static [FeatureBlock] =
        &[endgame::BLOCK, FeatureBlock { side: SIDE, both: BOTH }];
    const CONTACT: bool = false;

    #[inline(always)]
    fn one_sided(side: &SideView, whose: Side, inputs: &mut SparseWriter) {
        EndgameFeatures::one_sided(side, whose, inputs);
        inputs.go_to(match whose {
            Side::Own => OWN,
            Side::Opponent => OPPONENT,
        });
        // No checker is on the bar in a race. If another position is encoded as a race, the bar is
        // left out.
        inputs.points(96, side.held & BOARD, 4, |point| {
            &FOUR_UNITS[usize::from(side.count(point) & 15)]
        });
        inputs.put([f32::from(side.pips()) * (1.0 / 100.0)]);
        inputs.skip(1);
        inputs.put([
            f32::from(side.pips_to_home()) * (1.0 / 50.0),
            f32::from(side.crossovers()) * (1.0 / 15.0),
            side.rearmost() as f32 * (1.0 / 24.0),
            ones(!side.held & HOME) * (1.0 / 6.0),
            f32::from(side.checkers(1, 2)) * (1.0 / 10.0),
            f32::from(side.stacked()) * (1.0 / 5.0),
        ]);
    }

    #[inline(always)]
    fn two_sided(own: &SideView, opponent: &SideView, inputs: &mut SparseWriter) {
        inputs.go_to(OWN + LEAD);
        inputs.put([lead(own, opponent)]);
        inputs.go_to(OPPONENT + LEAD);
        inputs.put([lead(opponent, own)]);
        inputs.go_to(OPPONENT + count(SIDE) as u16);
        inputs.put([(f32::from(own.pips()) + f32::from(opponent.pips())) * (1.0 / 200.0)]);
    }
}

/// Pips ahead / 50, at least 0.
#[inline(always)]
fn lead(side: &SideView, enemy: &SideView) -> f32 {
    (f32::from(enemy.pips()) - f32::from(side.pips())).max(0.0) * (1.0 / 50.0)
}
