//! The 393 inputs of positions with contact: every point, shots, blocks, escapes and timing.

mod versus;

use pulp::Simd;

use self::versus::versus;
use super::encoding::FeatureSet;
use super::feature::{FeatureBlock, FeatureGroup, count, offset_of};
use super::hits::Hits;
use super::side::SideLanes;
use super::simd::columns::Columns;
use super::simd::lanes::U32Lanes;
use super::sparse::{FIVE_UNITS, SparseWriter};
use crate::backgammon::zone::{BACK, BOARD, FAR, HOME, OUTER};
use crate::backgammon::{BoardView, Side, SideView};

const CHANCE: &str = "probability 0..1";

#[rustfmt::skip]
pub(super) const SIDE: &[FeatureGroup] = &[
    FeatureGroup { name: "point {}: {five}", count: 120, unit: "raw: 0 or 1, and (n - 4) / 2", reason: "how many checkers stand on each point: blots, points, spares and stacks" },
    FeatureGroup { name: "bar: 1 or more", count: 1, unit: "raw: 0 or 1", reason: "nothing else moves before the bar is empty" },
    FeatureGroup { name: "bar: beyond 1", count: 1, unit: "raw: (n - 1) / 2", reason: "each further checker costs a die more" },
    FeatureGroup { name: "off: any", count: 1, unit: "raw: 0 or 1", reason: "the gammon is saved" },
    FeatureGroup { name: "off: all", count: 1, unit: "raw: checkers / 15", reason: "how far the bearoff has come" },
    FeatureGroup { name: "blot hit on {}", count: 24, unit: CHANCE, reason: "what the other side can hit with its next roll (the paper names these)" },
    FeatureGroup { name: "some blot hit", count: 1, unit: CHANCE, reason: "the risk of the whole position" },
    FeatureGroup { name: "choice of hits", count: 1, unit: CHANCE, reason: "rolls that may hit any of two blots are the worst" },
    FeatureGroup { name: "hit in home board", count: 1, unit: CHANCE, reason: "a blot hit there loses little of the race" },
    FeatureGroup { name: "hit in outfields", count: 1, unit: CHANCE, reason: "a hit there loses half of the race" },
    FeatureGroup { name: "hit in back", count: 1, unit: CHANCE, reason: "a hit in the other's home board is an attack" },
    FeatureGroup { name: "pips at risk", count: 1, unit: "sum over blots of chance x pips lost / 24", reason: "how much of the race the next roll may take" },
    FeatureGroup { name: "pips", count: 1, unit: "pips / 100", reason: "how the race stands" },
    FeatureGroup { name: "lead", count: 1, unit: "pips ahead / 50, at least 0", reason: "the side ahead wants to race, the side behind to wait" },
    FeatureGroup { name: "blots in home board", count: 1, unit: "blots / 3", reason: "loose checkers where the other side enters" },
    FeatureGroup { name: "blots in outfields", count: 1, unit: "blots / 3", reason: "builders, or targets" },
    FeatureGroup { name: "blots in back", count: 1, unit: "blots / 3", reason: "split back checkers" },
    FeatureGroup { name: "made in home board", count: 1, unit: "points / 6", reason: "the strength of the board" },
    FeatureGroup { name: "made in outer board", count: 1, unit: "points / 6", reason: "the block in front of the home board" },
    FeatureGroup { name: "made far out", count: 1, unit: "points / 6", reason: "landing places" },
    FeatureGroup { name: "anchors", count: 1, unit: "points / 3", reason: "a point in the other's board is safety" },
    FeatureGroup { name: "key points", count: 1, unit: "made of 4, 5 and 7, / 3", reason: "the points worth fighting for (Magriel)" },
    FeatureGroup { name: "checkers at home", count: 1, unit: "checkers / 10", reason: "checkers that take part in blocks and attacks" },
    FeatureGroup { name: "checkers in the zone", count: 1, unit: "on points 1 to 12, / 10", reason: "checkers that can take part in an attack" },
    FeatureGroup { name: "checkers back", count: 1, unit: "on 19 to 24 and the bar, / 5", reason: "checkers that must still escape" },
    FeatureGroup { name: "builders", count: 1, unit: "blots and spares on 6 to 11, / 5", reason: "checkers that can make a new point" },
    FeatureGroup { name: "block of three", count: 1, unit: "0 or 1", reason: "three points in a row: the beginning of a block" },
    FeatureGroup { name: "block of four", count: 1, unit: "0 or 1", reason: "four points in a row: a block that is hard to pass" },
    FeatureGroup { name: "block of five", count: 1, unit: "0 or 1", reason: "five points in a row: only a six from the edge passes" },
    FeatureGroup { name: "block of six", count: 1, unit: "0 or 1", reason: "the full prime: no checker passes" },
    FeatureGroup { name: "five of six", count: 1, unit: "0 or 1", reason: "a broken prime that may be filled" },
    FeatureGroup { name: "four of six", count: 1, unit: "0 or 1", reason: "the beginning of a prime" },
    FeatureGroup { name: "trapped", count: 1, unit: "enemies behind the longest block of 4 or more, / 5", reason: "enemy checkers that the prime holds" },
    FeatureGroup { name: "at the edge", count: 1, unit: "enemies right before that block, / 3", reason: "a checker at the edge escapes with a six" },
    FeatureGroup { name: "rearmost mobility", count: 1, unit: "mean pips / 8.17", reason: "how freely the last checker moves (Berliner)" },
    FeatureGroup { name: "rearmost leap", count: 1, unit: CHANCE, reason: "whether the last checker gets past the points in direct range" },
    FeatureGroup { name: "back mobility", count: 1, unit: "mean pips / 8.17, all checkers back", reason: "the same for all that must still escape" },
    FeatureGroup { name: "back leap", count: 1, unit: "probability 0..1, mean over checkers back", reason: "the same for all that must still escape" },
    FeatureGroup { name: "wall of six", count: 1, unit: "points made within 6 of the rearmost enemy / 6", reason: "how the last enemy checker is blocked at once" },
    FeatureGroup { name: "wall of twelve", count: 1, unit: "points made within 12 of the rearmost enemy / 6", reason: "how it is blocked later" },
    FeatureGroup { name: "enters", count: 1, unit: CHANCE, reason: "whether a checker on the bar can enter with the next roll" },
    FeatureGroup { name: "enters twice", count: 1, unit: CHANCE, reason: "whether both dice enter a checker" },
    FeatureGroup { name: "on the bar against points", count: 1, unit: "own on the bar x enemy home points / 6", reason: "a hit checker before a strong board" },
    FeatureGroup { name: "timing", count: 1, unit: "pips of checkers on 7 to 18 down to the 6 point / 50", reason: "how long the position can be held" },
    FeatureGroup { name: "spares", count: 1, unit: "beyond the second on 7 to 18, / 5", reason: "checkers that can be played without breaking a point" },
    FeatureGroup { name: "stacked", count: 1, unit: "beyond the third on a point, / 5", reason: "checkers that do no work" },
    FeatureGroup { name: "buried", count: 1, unit: "on points 1 and 2, / 5", reason: "checkers out of play" },
    FeatureGroup { name: "rearmost", count: 1, unit: "point / 25", reason: "how far the last checker must go" },
    FeatureGroup { name: "second rearmost", count: 1, unit: "point / 25", reason: "whether the last checker is alone" },
    FeatureGroup { name: "pips to home", count: 1, unit: "pips / 100", reason: "what saves the gammon" },
    FeatureGroup { name: "crossovers", count: 1, unit: "quarters / 30", reason: "what saves the gammon, counted in quarters of the board" },
    FeatureGroup { name: "passed", count: 1, unit: "checkers beyond every enemy / 15", reason: "checkers that cannot be hit any more" },
    FeatureGroup { name: "under direct fire", count: 1, unit: "blots within 6 of an enemy, / 3", reason: "direct shots, blocked or not" },
    FeatureGroup { name: "stragglers", count: 1, unit: "points beyond 6 pips from the next own checker, / 3", reason: "checkers out of touch with the rest" },
];

const BOTH: &[FeatureGroup] = &[FeatureGroup {
    name: "contact",
    count: 1,
    unit: "pips that the rearmost checkers overlap / 25",
    reason: "how much of the game is left to fight over (Tesauro's degree of contact)",
}];

/// Number of inputs of one side.
const HALF: u16 = count(SIDE) as u16;
// Where parts of a side's inputs begin.
const OFF_THE_POINTS: u16 = offset_of(SIDE, "bar: 1 or more");
const EXPOSURE: u16 = offset_of(SIDE, "blot hit on {}");
const PLACEMENT: u16 = offset_of(SIDE, "pips");
const LEAD: u16 = offset_of(SIDE, "lead");
const TRAPPED: u16 = offset_of(SIDE, "trapped");
const ESCAPE: u16 = offset_of(SIDE, "rearmost mobility");
const TIMING: u16 = offset_of(SIDE, "timing");
const PASSED: u16 = offset_of(SIDE, "passed");

/// The contact encoding. The units of the points are written position by position, all other inputs
/// in lanes.
pub(super) struct ContactFeatures;

/// Index of the first input of a side.
#[inline(always)]
const fn first(whose: Side) -> u16 {
    match whose {
        Side::Own => 0,
        Side::Opponent => HALF,
    }
}

impl FeatureSet for ContactFeatures {
    const NAME: &'static str = "contact";
    const SLUG: &'static str = "contact393";
    const BLOCKS: &'static [FeatureBlock] = &[FeatureBlock { side: SIDE, both: BOTH }];
    const CONTACT: bool = true;
    const LANES: bool = true;

    #[inline(always)]
    fn one_sided(side: &SideView, whose: Side, inputs: &mut SparseWriter) {
        inputs.go_to(first(whose));
        points(side, inputs);
    }

    #[inline(always)]
    fn one_sided_lanes<S: Simd>(side: &SideLanes<S>, whose: Side, columns: &mut Columns<S>) {
        columns.go_to(first(whose) + OFF_THE_POINTS);
        bar_and_off(side, columns);
        columns.go_to(first(whose) + PLACEMENT);
        placement(side, columns);
        blocks(side, columns);
        columns.go_to(first(whose) + TIMING);
        timing(side, columns);
    }

    #[inline(always)]
    fn two_sided_lanes<S: Simd>(
        simd: S,
        own: &SideLanes<S>,
        opponent: &SideLanes<S>,
        views: &[BoardView],
        columns: &mut Columns<S>,
    ) {
        let pairs = views.iter().map(|view| (&view.own, &view.opponent));
        versus(simd, own, opponent, first(Side::Own), columns, pairs);
        let pairs = views.iter().map(|view| (&view.opponent, &view.own));
        versus(simd, opponent, own, first(Side::Opponent), columns, pairs);
        columns.go_to(2 * HALF);
        let apart = own.held.splat(25);
        let overlap = (own.rearmost + opponent.rearmost).saturating_sub(apart);
        columns.put([overlap.to_f32() * (1.0 / 25.0)]);
    }
}

/// Writes the units of the points of one side.
#[inline(always)]
pub(super) fn points(side: &SideView, inputs: &mut SparseWriter) {
    inputs.points(120, side.held & BOARD, 5, |point| {
        &FIVE_UNITS[usize::from(side.count(point) & 15)]
    });
}

/// The bar and the checkers off.
#[inline(always)]
fn bar_and_off<S: Simd>(side: &SideLanes<S>, columns: &mut Columns<S>) {
    let bar = side.on_bar();
    let off = bar.splat(15) - side.left();
    columns.put([
        bar.min(1).to_f32(),
        bar.saturating_sub(bar.splat(1)).to_f32() * (1.0 / 2.0),
        off.min(1).to_f32(),
        off.to_f32() * (1.0 / 15.0),
    ]);
}

/// Blots that the enemy's next roll can hit.
#[inline(always)]
fn exposure<S: Simd>(side: &SideLanes<S>, enemy: &SideLanes<S>, columns: &mut Columns<S>) {
    let mut blots = side.blots().or_of_lanes();
    if blots == 0 {
        return;
    }
    let hits = Hits::on(side, enemy);
    let mut at_risk = side.held.splat(0).to_f32();
    while blots != 0 {
        let point = blots.trailing_zeros();
        blots &= blots - 1;
        let chance = hits.chance(point);
        at_risk = at_risk + chance * (25 - point) as f32;
        columns.put_at(point as u16 - 1, chance);
    }
    columns.skip(24);
    columns.put([
        hits.any(),
        hits.choice(),
        hits.within(HOME),
        hits.within(OUTER | FAR),
        hits.within(BACK),
        at_risk * (1.0 / 24.0),
    ]);
}

/// Points by quarters of the board, a byte each from the home board on.
#[inline(always)]
fn quarters<S: Simd>(points: U32Lanes<S>) -> U32Lanes<S> {
    (points & HOME) >> 1 | (points & OUTER) << 1 | (points & FAR) << 3 | (points & BACK) << 5
}

/// The race, and the distribution of the checkers.
#[inline(always)]
fn placement<S: Simd>(side: &SideLanes<S>, columns: &mut Columns<S>) {
    let made = side.made;
    let made_by_quarter = quarters(made).ones_by_byte();
    let blots = quarters(side.blots()).ones_by_byte();
    let home = side.checkers(1, 6);
    // Checkers on the points 6 to 11, minus the two that hold each point made there.
    let points = (made & (HOME << 5)).ones();
    let builders = side.checkers(6, 11) - points - points;
    columns.put([side.pips.to_f32() * (1.0 / 100.0)]);
    columns.skip(1);
    columns.put([
        (blots & 0xff).to_f32() * (1.0 / 3.0),
        ((blots >> 8 & 0xff) + (blots >> 16 & 0xff)).to_f32() * (1.0 / 3.0),
        (blots >> 24).to_f32() * (1.0 / 3.0),
        (made_by_quarter & 0xff).to_f32() * (1.0 / 6.0),
        (made_by_quarter >> 8 & 0xff).to_f32() * (1.0 / 6.0),
        (made_by_quarter >> 16 & 0xff).to_f32() * (1.0 / 6.0),
        (made_by_quarter >> 24).to_f32() * (1.0 / 3.0),
        (made & (1 << 4 | 1 << 5 | 1 << 7)).ones().to_f32() * (1.0 / 3.0),
        home.to_f32() * (1.0 / 10.0),
        (home + side.checkers(7, 12)).to_f32() * (1.0 / 10.0),
        side.checkers(19, 25).to_f32() * (1.0 / 5.0),
        builders.to_f32() * (1.0 / 5.0),
    ]);
}

/// The first points of blocks of three, four, five and six points in a row.
#[inline(always)]
fn rows_of_made<S: Simd>(side: &SideLanes<S>) -> [U32Lanes<S>; 4] {
    let made = side.made & BOARD;
    let two = made & (made >> 1);
    let three = two & (made >> 2);
    let four = three & (made >> 3);
    let five = four & (made >> 4);
    [three, four, five, five & (made >> 5)]
}

/// Points in a row.
#[inline(always)]
fn blocks<S: Simd>(side: &SideLanes<S>, columns: &mut Columns<S>) {
    // Windows of six points by their gaps: at least one, two, three.
    let gaps = !(side.made & BOARD);
    let (mut one_gap, mut two_gaps, mut three_gaps) = (gaps, gaps.splat(0), gaps.splat(0));
    for i in 1..6 {
        let gap = gaps >> i;
        three_gaps = three_gaps | (two_gaps & gap);
        two_gaps = two_gaps | (one_gap & gap);
        one_gap = one_gap | gap;
    }
    const STARTS: u32 = 0x000f_fffe; // windows that begin on points 1 to 19
    let [three, four, five, six] = rows_of_made(side);
    columns.put([three.flag(), four.flag(), five.flag(), six.flag()]);
    columns.put([(!two_gaps & STARTS).flag(), (!three_gaps & STARTS).flag()]);
}

/// Timing (how long the position can be held), and stragglers.
#[inline(always)]
fn timing<S: Simd>(side: &SideLanes<S>, columns: &mut Columns<S>) {
    let own = side.held;
    let outside = OUTER | FAR;
    let spares = side.checkers(7, 18) - (own & outside).ones() - (side.made & outside).ones();
    let mut near = own << 1;
    for pips in 2..=6 {
        near = near | own << pips;
    }
    columns.put([
        side.pips_beyond::<6, 18>().to_f32() * (1.0 / 50.0),
        spares.to_f32() * (1.0 / 5.0),
        side.stacked().to_f32() * (1.0 / 5.0),
        side.checkers(1, 2).to_f32() * (1.0 / 5.0),
        side.rearmost.to_f32() * (1.0 / 25.0),
        side.second.to_f32() * (1.0 / 25.0),
        side.pips_beyond::<6, 25>().to_f32() * (1.0 / 100.0),
        side.crossovers().to_f32() * (1.0 / 30.0),
    ]);
    columns.skip(2);
    columns.put([(own & !near & !HOME).ones().to_f32() * (1.0 / 3.0)]);
}
