//! What the race adds to the endgame's 68 inputs: all 24 points, and how the checkers still run.

use super::inputs::{FOUR, Writer};
use super::{Row, ones};
use crate::backgammon::SideView;
use crate::backgammon::zone::{BOARD, HOME};

pub(super) const SIDE: &[Row] = &[
    Row {
        name: "point {}: {four}",
        count: 96,
        unit: "raw: 0 or 1, and (n - 3) / 2",
        reason: "how many checkers stand on each point, so that 2, 3 and many can be told apart",
    },
    Row { name: "pips", count: 1, unit: "pips / 100", reason: "the length of the race" },
    Row {
        name: "lead",
        count: 1,
        unit: "pips ahead / 50, at least 0",
        reason: "who wins a race is mostly the lead",
    },
    Row {
        name: "pips to home",
        count: 1,
        unit: "pips / 50",
        reason: "bearing off waits for the last checker",
    },
    Row {
        name: "crossovers",
        count: 1,
        unit: "quarters / 15",
        reason: "what a side that is losing a gammon counts",
    },
    Row {
        name: "rearmost",
        count: 1,
        unit: "point / 24",
        reason: "a lone straggler delays the whole bearoff",
    },
    Row {
        name: "gaps in race",
        count: 1,
        unit: "empty home points / 6",
        reason: "gaps waste pips later",
    },
    Row {
        name: "low checkers",
        count: 1,
        unit: "on points 1 and 2, / 10",
        reason: "already buried checkers waste pips",
    },
    Row {
        name: "stacked",
        count: 1,
        unit: "beyond the third on a point, / 5",
        reason: "stacks bear off badly",
    },
];

pub(super) const BOTH: &[Row] = &[Row {
    name: "length of both",
    count: 1,
    unit: "pips of both / 200",
    reason: "luck matters more in a longer race",
}];

#[inline(always)]
pub(super) fn encode(own: &SideView, opponent: &SideView, inputs: &mut Writer) {
    let (mine, theirs) = (f32::from(own.pips()), f32::from(opponent.pips()));
    side(own, mine, theirs, inputs);
    side(opponent, theirs, mine, inputs);
    inputs.put([(mine + theirs) * (1.0 / 200.0)]);
}

#[inline(always)]
fn side(side: &SideView, pips: f32, other_pips: f32, inputs: &mut Writer) {
    // Nobody is on the bar in a race; asked about another position all the same, this leaves the bar out.
    inputs.units(96, side.masks.own & BOARD, 4, |point| &FOUR[usize::from(side.count(point) & 15)]);
    inputs.put([
        pips * (1.0 / 100.0),
        (other_pips - pips).max(0.0) * (1.0 / 50.0),
        f32::from(side.pips_to_home()) * (1.0 / 50.0),
        f32::from(side.crossovers()) * (1.0 / 15.0),
        side.rearmost() as f32 * (1.0 / 24.0),
        ones(!side.masks.own & HOME) * (1.0 / 6.0),
        f32::from(side.checkers(1, 2)) * (1.0 / 10.0),
        f32::from(side.stacked()) * (1.0 / 5.0),
    ]);
}
