//! What the race adds to the endgame's 68 inputs: all 24 points, and how the checkers still run.

use super::Row;
use super::inputs::{FOUR, Inputs};
use super::side::{BOARD, SideView};

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
pub(super) fn encode(own: &SideView, opponent: &SideView, inputs: &mut Inputs) {
    let (mine, theirs) = (own.pips(), opponent.pips());
    side(own, mine, theirs, inputs);
    side(opponent, theirs, mine, inputs);
    inputs.put([(mine + theirs) / 200.0]);
}

#[inline(always)]
fn side(side: &SideView, pips: f32, other_pips: f32, inputs: &mut Inputs) {
    // Nobody is on the bar in a race; asked about another position all the same, this leaves the bar out.
    inputs.units(96, side.masks.own & BOARD, 4, |point| &FOUR[side.count(point)]);
    inputs.put([
        pips / 100.0,
        (other_pips - pips).max(0.0) / 50.0,
        side.pips_to_home() / 50.0,
        side.crossovers() / 15.0,
        side.rearmost() as f32 / 24.0,
        side.gaps_at_home() / 6.0,
        side.checkers(1, 3) / 10.0,
        side.stacked() / 5.0,
    ]);
}
