//! The inputs of a side that depend on the other side.

use pulp::Simd;

use super::{ESCAPE, EXPOSURE, LEAD, PASSED, TRAPPED, exposure, rows_of_made};
use crate::backgammon::SideView;
use crate::backgammon::zone::{BACK, BAR, BOARD, HOME};
use crate::features::blockade::{BLOCKADES, MEAN_ROLL};
use crate::features::hits::enters;
use crate::features::side::SideLanes;
use crate::features::simd::columns::Columns;
use crate::features::simd::lanes::{F32Lanes, U32Lanes, as_lanes};

/// Writes the inputs of `side` that depend on `enemy` too, from index `first` on. `pairs` are the
/// same two sides of each position.
#[inline(always)]
pub(super) fn versus<'a, S: Simd>(
    simd: S,
    side: &SideLanes<S>,
    enemy: &SideLanes<S>,
    first: u16,
    columns: &mut Columns<S>,
    pairs: impl Iterator<Item = (&'a SideView, &'a SideView)> + Clone,
) {
    columns.go_to(first + EXPOSURE);
    exposure(side, enemy, columns);
    columns.go_to(first + LEAD);
    columns.put([enemy.pips.saturating_sub(side.pips).to_f32() * (1.0 / 50.0)]);
    columns.go_to(first + TRAPPED);
    trapped(simd, side, pairs.clone(), columns);
    columns.go_to(first + ESCAPE);
    escape(simd, side, enemy, columns);
    columns.go_to(first + PASSED);
    passed_and_exposed(simd, side, enemy, pairs, columns);
}

/// Enemy checkers that the longest block of four or more holds: all behind it, and those at its
/// edge.
#[inline(always)]
fn trapped<'a, S: Simd>(
    simd: S,
    side: &SideLanes<S>,
    pairs: impl Iterator<Item = (&'a SideView, &'a SideView)>,
    columns: &mut Columns<S>,
) {
    let [_, four, five, six] = rows_of_made(side);
    if four.or_of_lanes() == 0 {
        return;
    }
    let [mut four, mut five, mut six] = [four.lanes(), five.lanes(), six.lanes()];
    let [mut behind, mut at_edge] = [side.held.splat(0).to_f32().lanes(); 2];
    for (lane, (_, enemy)) in pairs.enumerate() {
        let blocks = [as_lanes(&mut four), as_lanes(&mut five), as_lanes(&mut six)];
        let longest = blocks.iter().fold(0u32, |longest, block| match block[lane] {
            0 => longest,
            block => block,
        });
        if longest != 0 {
            // Behind own point p are the enemy's points from 26 - p up.
            let edge = 26 - (31 - longest.leading_zeros() as usize);
            as_lanes(&mut behind)[lane] = f32::from(enemy.checkers(edge, 25)) * (1.0 / 5.0);
            as_lanes(&mut at_edge)[lane] = f32::from(enemy.count(edge)) * (1.0 / 3.0);
        }
    }
    columns.put([F32Lanes::new(simd, behind), F32Lanes::new(simd, at_edge)]);
}

/// The mobility of the own checkers through the enemy's points, and of the enemy's checkers through
/// the own points.
#[inline(always)]
fn escape<S: Simd>(simd: S, side: &SideLanes<S>, enemy: &SideLanes<S>, columns: &mut Columns<S>) {
    let none = side.held.splat(0);
    // From an own point p the next points are the enemy's 26 - p and on.
    let walls = enemy.made & BOARD;
    let rearmost = ahead(simd, walls >> (none.splat(26) - side.rearmost.max(1)));
    let mut back = (side.held & (BACK | BAR)).or_of_lanes();
    let (mut mobility, mut leap) = (none.to_f32(), none.to_f32());
    while back != 0 {
        let point = back.trailing_zeros();
        back &= back - 1;
        let n = side.checkers(point as usize, point as usize).to_f32();
        let blockade = ahead(simd, walls >> (26 - point));
        mobility = mobility + n * blockade.mobility;
        leap = leap + n * blockade.leap;
    }
    let share = side.checkers(19, 25).to_f32().recip_or_zero();
    columns.put([
        rearmost.mobility * (1.0 / MEAN_ROLL),
        rearmost.leap,
        mobility * share * (1.0 / MEAN_ROLL),
        leap * share,
    ]);
    let wall = (side.made & BOARD) >> (none.splat(26) - enemy.rearmost.max(1));
    let wall = ((wall & 0x3f) | (wall & 0xfc0) << 2).ones_by_byte();
    let against = (enemy.made & HOME).ones().to_f32();
    let open = against.splat(1.0) - against * (1.0 / 6.0);
    columns.put([
        (wall & 0xff).to_f32() * (1.0 / 6.0),
        ((wall & 0xff) + (wall >> 8)).to_f32() * (1.0 / 6.0),
        enters(against),
        open * open,
        side.on_bar().to_f32() * against * (1.0 / 6.0),
    ]);
}

/// The blockade of the twelve lowest bits of `points`, lane by lane.
#[inline(always)]
fn ahead<S: Simd>(simd: S, points: U32Lanes<S>) -> Blockades<S> {
    let mut points_ahead = points.lanes();
    let [mut mobility, mut leap] = [points.splat(0).to_f32().lanes(); 2];
    for (lane, points) in as_lanes::<u32, _>(&mut points_ahead).iter().enumerate() {
        let blockade = &BLOCKADES[(points & 0xfff) as usize];
        as_lanes(&mut mobility)[lane] = blockade.mobility;
        as_lanes(&mut leap)[lane] = blockade.leap;
    }
    Blockades { mobility: F32Lanes::new(simd, mobility), leap: F32Lanes::new(simd, leap) }
}

/// A [`Blockade`](crate::features::blockade::Blockade) for each lane.
struct Blockades<S: Simd> {
    mobility: F32Lanes<S>,
    leap: F32Lanes<S>,
}

/// Checkers that have passed every enemy, and blots within direct range of one.
#[inline(always)]
fn passed_and_exposed<'a, S: Simd>(
    simd: S,
    side: &SideLanes<S>,
    enemy: &SideLanes<S>,
    pairs: impl Iterator<Item = (&'a SideView, &'a SideView)>,
    columns: &mut Columns<S>,
) {
    let mut passed = side.held.splat(0).lanes();
    for (lane, (side, enemy)) in pairs.enumerate() {
        // Own checkers below the rearmost enemy checker have passed all of them.
        let last_enemy = 25 - enemy.rearmost() as usize;
        as_lanes(&mut passed)[lane] = u32::from(side.checkers(1, last_enemy.max(1) - 1));
    }
    // A blot on p is within reach of enemies on the own points p - 6 to p - 1.
    let enemies = enemy.across();
    let mut in_range = enemies << 1;
    for pips in 2..=6 {
        in_range = in_range | enemies << pips;
    }
    columns.put([
        U32Lanes::new(simd, passed).to_f32() * (1.0 / 15.0),
        (side.blots() & in_range).ones().to_f32() * (1.0 / 3.0),
    ]);
}
