//! What the race adds to the endgame's 68 inputs: all 24 points, and how the checkers still run.

use super::sparse::{FOUR, Writer};
use super::{FeatureGroup, endgame, lead, length, ones, place};
use crate::backgammon::SideView;
use crate::backgammon::zone::{BOARD, HOME};

pub(super) const SIDE: &[FeatureGroup] = &[
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
        reason: "who wins a race is mostly the lead",
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
        reason: "what a side that is losing a gammon counts",
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

pub(super) const BOTH: &[FeatureGroup] = &[FeatureGroup {
    name: "length of both",
    count: 1,
    unit: "pips of both / 200",
    reason: "luck matters more in a longer race",
}];

/// Where the two sides' inputs begin: behind those of the endgame.
pub(super) const OWN: u16 = 2 * endgame::HALF;
pub(super) const OPPONENT: u16 = OWN + length(SIDE) as u16;
const LEAD: u16 = place(SIDE, "lead");

/// Writes the inputs that one side decides alone.
#[inline(always)]
pub(super) fn one_sided(side: &SideView, first: u16, inputs: &mut Writer) {
    inputs.go_to(first);
    // Nobody is on the bar in a race; asked about another position all the same, this leaves the bar out.
    inputs.units(96, side.held & BOARD, 4, |point| &FOUR[usize::from(side.count(point) & 15)]);
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

/// Writes the inputs that both sides decide.
#[inline(always)]
pub(super) fn two_sided(own: &SideView, opponent: &SideView, inputs: &mut Writer) {
    inputs.go_to(OWN + LEAD);
    inputs.put([lead(own, opponent)]);
    inputs.go_to(OPPONENT + LEAD);
    inputs.put([lead(opponent, own)]);
    inputs.go_to(OPPONENT + length(SIDE) as u16);
    inputs.put([(f32::from(own.pips()) + f32::from(opponent.pips())) * (1.0 / 200.0)]);
}
