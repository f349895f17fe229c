//! The 393 inputs of positions with contact: every point, what can be hit, what blocks, and what is running out.

use pulp::Simd;

use super::blockade::{BLOCKADES, FREE};
use super::hits::{Hits, enters};
use super::side::SideLanes;
use super::simd::columns::Columns;
use super::simd::lanes::{F32Lanes, U32Lanes, each};
use super::sparse::{FIVE, Writer};
use super::{FeatureGroup, length, place};
use crate::backgammon::zone::{BACK, BAR, BOARD, FAR, HOME, OUTER};
use crate::backgammon::{SideView, View};

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
    FeatureGroup { name: "hit in back", count: 1, unit: CHANCE, reason: "a hit deep in the other's board is an attack" },
    FeatureGroup { name: "pips at risk", count: 1, unit: "sum over blots of chance x pips lost / 24", reason: "how much of the race the next roll may take" },
    FeatureGroup { name: "pips", count: 1, unit: "pips / 100", reason: "how the race stands" },
    FeatureGroup { name: "lead", count: 1, unit: "pips ahead / 50, at least 0", reason: "who is ahead wants to run, who is behind to wait" },
    FeatureGroup { name: "blots in home board", count: 1, unit: "blots / 3", reason: "loose checkers where the other side enters" },
    FeatureGroup { name: "blots in outfields", count: 1, unit: "blots / 3", reason: "builders, or targets" },
    FeatureGroup { name: "blots in back", count: 1, unit: "blots / 3", reason: "split back checkers" },
    FeatureGroup { name: "made in home board", count: 1, unit: "points / 6", reason: "the strength of the board" },
    FeatureGroup { name: "made in outer board", count: 1, unit: "points / 6", reason: "the block in front of the home board" },
    FeatureGroup { name: "made far out", count: 1, unit: "points / 6", reason: "landing places" },
    FeatureGroup { name: "anchors", count: 1, unit: "points / 3", reason: "a point in the other's board is safety" },
    FeatureGroup { name: "key points", count: 1, unit: "made of 4, 5 and 7, / 3", reason: "the points worth fighting for (Magriel)" },
    FeatureGroup { name: "checkers at home", count: 1, unit: "checkers / 10", reason: "what takes part in blocking and attack" },
    FeatureGroup { name: "checkers in the zone", count: 1, unit: "on points 1 to 12, / 10", reason: "what can take part in an attack" },
    FeatureGroup { name: "checkers back", count: 1, unit: "on 19 to 24 and the bar, / 5", reason: "what must still escape" },
    FeatureGroup { name: "builders", count: 1, unit: "blots and spares on 6 to 11, / 5", reason: "what can make a new point" },
    FeatureGroup { name: "block of three", count: 1, unit: "0 or 1", reason: "three points in a row: the beginning of a block" },
    FeatureGroup { name: "block of four", count: 1, unit: "0 or 1", reason: "four points in a row: a block that is hard to pass" },
    FeatureGroup { name: "block of five", count: 1, unit: "0 or 1", reason: "five points in a row: only a six from the edge passes" },
    FeatureGroup { name: "block of six", count: 1, unit: "0 or 1", reason: "the full prime: nobody passes" },
    FeatureGroup { name: "five of six", count: 1, unit: "0 or 1", reason: "a broken prime that may be filled" },
    FeatureGroup { name: "four of six", count: 1, unit: "0 or 1", reason: "the beginning of a prime" },
    FeatureGroup { name: "trapped", count: 1, unit: "enemies behind the longest block of 4 or more, / 5", reason: "what the prime holds" },
    FeatureGroup { name: "at the edge", count: 1, unit: "enemies right before that block, / 3", reason: "a checker at the edge escapes with a six" },
    FeatureGroup { name: "rearmost mobility", count: 1, unit: "mean pips / 8.17", reason: "how freely the last checker moves (Berliner)" },
    FeatureGroup { name: "rearmost leap", count: 1, unit: CHANCE, reason: "whether the last checker gets past the points in direct range" },
    FeatureGroup { name: "back mobility", count: 1, unit: "mean pips / 8.17, all checkers back", reason: "the same for all that must still escape" },
    FeatureGroup { name: "back leap", count: 1, unit: "probability 0..1, mean over checkers back", reason: "the same for all that must still escape" },
    FeatureGroup { name: "wall of six", count: 1, unit: "points made within 6 of the rearmost enemy / 6", reason: "how the last enemy checker is blocked at once" },
    FeatureGroup { name: "wall of twelve", count: 1, unit: "points made within 12 of the rearmost enemy / 6", reason: "how it is blocked later" },
    FeatureGroup { name: "enters", count: 1, unit: CHANCE, reason: "whether a checker hit now comes in again" },
    FeatureGroup { name: "enters twice", count: 1, unit: CHANCE, reason: "whether both dice would enter" },
    FeatureGroup { name: "on the bar against points", count: 1, unit: "own on the bar x enemy home points / 6", reason: "a hit checker before a strong board" },
    FeatureGroup { name: "timing", count: 1, unit: "pips of checkers on 7 to 18 down to the 6 point / 50", reason: "how long the position can be held" },
    FeatureGroup { name: "spares", count: 1, unit: "beyond the second on 7 to 18, / 5", reason: "what can be played without breaking a point" },
    FeatureGroup { name: "stacked", count: 1, unit: "beyond the third on a point, / 5", reason: "checkers that do no work" },
    FeatureGroup { name: "buried", count: 1, unit: "on points 1 and 2, / 5", reason: "checkers out of play" },
    FeatureGroup { name: "rearmost", count: 1, unit: "point / 25", reason: "how far the last checker must go" },
    FeatureGroup { name: "second rearmost", count: 1, unit: "point / 25", reason: "whether the last checker is alone" },
    FeatureGroup { name: "pips to home", count: 1, unit: "pips / 100", reason: "what saves the gammon" },
    FeatureGroup { name: "crossovers", count: 1, unit: "quarters / 30", reason: "what saves the gammon, in rolls" },
    FeatureGroup { name: "passed", count: 1, unit: "checkers beyond every enemy / 15", reason: "what cannot be hit any more" },
    FeatureGroup { name: "under direct fire", count: 1, unit: "blots within 6 of an enemy, / 3", reason: "direct shots, blocked or not" },
    FeatureGroup { name: "stragglers", count: 1, unit: "points beyond 6 pips from the next own checker, / 3", reason: "checkers out of touch with the rest" },
];

pub(super) const BOTH: &[FeatureGroup] = &[FeatureGroup {
    name: "contact",
    count: 1,
    unit: "pips that the rearmost checkers overlap / 25",
    reason: "how much of the game is left to fight over (Tesauro's degree of contact)",
}];

/// Inputs of one side.
pub(super) const HALF: u16 = length(SIDE) as u16;
const POINTS: u16 = place(SIDE, "bar: 1 or more");
const EXPOSURE: u16 = place(SIDE, "blot hit on {}");
const FORCES: u16 = place(SIDE, "pips");
const LEAD: u16 = place(SIDE, "lead");
const TRAPPED: u16 = place(SIDE, "trapped");
const ESCAPE: u16 = place(SIDE, "rearmost mobility");
const TEMPO: u16 = place(SIDE, "timing");
const PASSED: u16 = place(SIDE, "passed");

/// Writes the units of the points of one side.
#[inline(always)]
pub(super) fn points(side: &SideView, first: u16, inputs: &mut Writer) {
    inputs.go_to(first);
    inputs.units(120, side.held & BOARD, 5, |point| &FIVE[usize::from(side.count(point) & 15)]);
}

/// Writes the other inputs that one side decides alone.
#[inline(always)]
pub(super) fn one_sided<S: Simd>(side: &SideLanes<S>, first: u16, inputs: &mut Columns<S>) {
    inputs.go_to(first + POINTS);
    raw(side, inputs);
    inputs.go_to(first + FORCES);
    forces(side, inputs);
    blocks(side, inputs);
    inputs.go_to(first + TEMPO);
    tempo(side, inputs);
}

/// Writes the inputs that both sides decide. `views` are the same positions one by one.
#[inline(always)]
pub(super) fn two_sided<S: Simd>(
    simd: S,
    own: &SideLanes<S>,
    opponent: &SideLanes<S>,
    views: &[View],
    inputs: &mut Columns<S>,
) {
    against(simd, own, opponent, 0, inputs, views.iter().map(|view| (&view.own, &view.opponent)));
    against(
        simd,
        opponent,
        own,
        HALF,
        inputs,
        views.iter().map(|view| (&view.opponent, &view.own)),
    );
    inputs.go_to(2 * HALF);
    let apart = own.held.all(25);
    inputs.put([(own.rearmost + opponent.rearmost).beyond(apart).real() * (1.0 / 25.0)]);
}

#[inline(always)]
fn against<'a, S: Simd>(
    simd: S,
    side: &SideLanes<S>,
    enemy: &SideLanes<S>,
    first: u16,
    inputs: &mut Columns<S>,
    views: impl Iterator<Item = (&'a SideView, &'a SideView)> + Clone,
) {
    inputs.go_to(first + EXPOSURE);
    exposure(side, enemy, inputs);
    inputs.go_to(first + LEAD);
    inputs.put([enemy.pips.beyond(side.pips).real() * (1.0 / 50.0)]);
    inputs.go_to(first + TRAPPED);
    trapped(simd, side, views.clone(), inputs);
    inputs.go_to(first + ESCAPE);
    escape(simd, side, enemy, inputs);
    inputs.go_to(first + PASSED);
    meeting(simd, side, enemy, views, inputs);
}

#[inline(always)]
fn raw<S: Simd>(side: &SideLanes<S>, inputs: &mut Columns<S>) {
    let bar = side.on_bar();
    let off = bar.all(15) - side.left();
    inputs.put([
        bar.min(1).real(),
        bar.beyond(bar.all(1)).real() * (1.0 / 2.0),
        off.min(1).real(),
        off.real() * (1.0 / 15.0),
    ]);
}

/// What the enemy's next roll can hit.
#[inline(always)]
fn exposure<S: Simd>(side: &SideLanes<S>, enemy: &SideLanes<S>, inputs: &mut Columns<S>) {
    let mut blots = side.blots().union();
    if blots == 0 {
        return;
    }
    let hits = Hits::on(side, enemy);
    let mut at_risk = side.held.all(0).real();
    while blots != 0 {
        let point = blots.trailing_zeros();
        blots &= blots - 1;
        let chance = hits.chance(point);
        at_risk = at_risk + chance * (25 - point) as f32;
        inputs.at(point as u16 - 1, chance);
    }
    inputs.skip(24);
    inputs.put([
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

/// The race, and where the checkers stand.
#[inline(always)]
fn forces<S: Simd>(side: &SideLanes<S>, inputs: &mut Columns<S>) {
    let made = side.made;
    let made_by_quarter = quarters(made).ones_by_byte();
    let blots = quarters(side.blots()).ones_by_byte();
    let home = side.checkers(1, 6);
    // On each of the points 6 to 11 whatever does not hold a point of two.
    let points = (made & (HOME << 5)).ones();
    let builders = side.checkers(6, 11) - points - points;
    inputs.put([side.pips.real() * (1.0 / 100.0)]);
    inputs.skip(1);
    inputs.put([
        (blots & 0xff).real() * (1.0 / 3.0),
        ((blots >> 8 & 0xff) + (blots >> 16 & 0xff)).real() * (1.0 / 3.0),
        (blots >> 24).real() * (1.0 / 3.0),
        (made_by_quarter & 0xff).real() * (1.0 / 6.0),
        (made_by_quarter >> 8 & 0xff).real() * (1.0 / 6.0),
        (made_by_quarter >> 16 & 0xff).real() * (1.0 / 6.0),
        (made_by_quarter >> 24).real() * (1.0 / 3.0),
        (made & (1 << 4 | 1 << 5 | 1 << 7)).ones().real() * (1.0 / 3.0),
        home.real() * (1.0 / 10.0),
        (home + side.checkers(7, 12)).real() * (1.0 / 10.0),
        side.checkers(19, 25).real() * (1.0 / 5.0),
        builders.real() * (1.0 / 5.0),
    ]);
}

/// Where blocks of three, four, five and six points in a row begin.
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
fn blocks<S: Simd>(side: &SideLanes<S>, inputs: &mut Columns<S>) {
    // Windows of six points by their gaps: at least one, two, three.
    let gaps = !(side.made & BOARD);
    let (mut one_gap, mut two_gaps, mut three_gaps) = (gaps, gaps.all(0), gaps.all(0));
    for i in 1..6 {
        let gap = gaps >> i;
        three_gaps = three_gaps | (two_gaps & gap);
        two_gaps = two_gaps | (one_gap & gap);
        one_gap = one_gap | gap;
    }
    const STARTS: u32 = 0x000f_fffe; // windows that begin on points 1 to 19
    let [three, four, five, six] = rows_of_made(side);
    inputs.put([three.flag(), four.flag(), five.flag(), six.flag()]);
    inputs.put([(!two_gaps & STARTS).flag(), (!three_gaps & STARTS).flag()]);
}

/// Whom the longest block of four or more holds: all behind it, and those right before it.
#[inline(always)]
fn trapped<'a, S: Simd>(
    simd: S,
    side: &SideLanes<S>,
    views: impl Iterator<Item = (&'a SideView, &'a SideView)>,
    inputs: &mut Columns<S>,
) {
    let [_, four, five, six] = rows_of_made(side);
    if four.union() == 0 {
        return;
    }
    let [mut four, mut five, mut six] = [four.lanes(), five.lanes(), six.lanes()];
    let [mut behind, mut at_edge] = [side.held.all(0).real().lanes(); 2];
    for (lane, (_, enemy)) in views.enumerate() {
        let blocks = [each(&mut four), each(&mut five), each(&mut six)];
        let longest = blocks.iter().fold(0u32, |longest, block| match block[lane] {
            0 => longest,
            block => block,
        });
        if longest != 0 {
            // Behind own point p are the enemy's points from 26 - p up.
            let edge = 26 - (31 - longest.leading_zeros() as usize);
            each(&mut behind)[lane] = f32::from(enemy.checkers(edge, 25)) * (1.0 / 5.0);
            each(&mut at_edge)[lane] = f32::from(enemy.count(edge)) * (1.0 / 3.0);
        }
    }
    inputs.put([F32Lanes::new(simd, behind), F32Lanes::new(simd, at_edge)]);
}

/// How the own checkers get through the enemy's points, and his through the own ones.
#[inline(always)]
fn escape<S: Simd>(simd: S, side: &SideLanes<S>, enemy: &SideLanes<S>, inputs: &mut Columns<S>) {
    let none = side.held.all(0);
    // From an own point p the next points are the enemy's 26 - p and on.
    let walls = enemy.made & BOARD;
    let rearmost = ahead(simd, walls >> (none.all(26) - side.rearmost.max(1)));
    let mut back = (side.held & (BACK | BAR)).union();
    let (mut mobility, mut leap) = (none.real(), none.real());
    while back != 0 {
        let point = back.trailing_zeros();
        back &= back - 1;
        let n = side.checkers(point as usize, point as usize).real();
        let blockade = ahead(simd, walls >> (26 - point));
        mobility = mobility + n * blockade.mobility;
        leap = leap + n * blockade.leap;
    }
    let share = side.checkers(19, 25).real().share();
    inputs.put([
        rearmost.mobility * (1.0 / FREE),
        rearmost.leap,
        mobility * share * (1.0 / FREE),
        leap * share,
    ]);
    let wall = (side.made & BOARD) >> (none.all(26) - enemy.rearmost.max(1));
    let wall = ((wall & 0x3f) | (wall & 0xfc0) << 2).ones_by_byte();
    let against = (enemy.made & HOME).ones().real();
    let open = against.all(1.0) - against * (1.0 / 6.0);
    inputs.put([
        (wall & 0xff).real() * (1.0 / 6.0),
        ((wall & 0xff) + (wall >> 8)).real() * (1.0 / 6.0),
        enters(against),
        open * open,
        side.on_bar().real() * against * (1.0 / 6.0),
    ]);
}

/// The blockade that the twelve lowest bits of each position name.
#[inline(always)]
fn ahead<S: Simd>(simd: S, points: U32Lanes<S>) -> Blockades<S> {
    let mut names = points.lanes();
    let [mut mobility, mut leap] = [points.all(0).real().lanes(); 2];
    for (lane, name) in each::<u32, _>(&mut names).iter().enumerate() {
        let blockade = &BLOCKADES[(name & 0xfff) as usize];
        each(&mut mobility)[lane] = blockade.mobility;
        each(&mut leap)[lane] = blockade.leap;
    }
    Blockades { mobility: F32Lanes::new(simd, mobility), leap: F32Lanes::new(simd, leap) }
}

/// [`Blockade`](super::blockade::Blockade) side by side.
struct Blockades<S: Simd> {
    mobility: F32Lanes<S>,
    leap: F32Lanes<S>,
}

/// What is running out, and what is out of touch.
#[inline(always)]
fn tempo<S: Simd>(side: &SideLanes<S>, inputs: &mut Columns<S>) {
    let own = side.held;
    let outside = OUTER | FAR;
    let spares = side.checkers(7, 18) - (own & outside).ones() - (side.made & outside).ones();
    let mut near = own << 1;
    for pips in 2..=6 {
        near = near | own << pips;
    }
    inputs.put([
        side.pips_beyond::<6, 18>().real() * (1.0 / 50.0),
        spares.real() * (1.0 / 5.0),
        side.stacked().real() * (1.0 / 5.0),
        side.checkers(1, 2).real() * (1.0 / 5.0),
        side.rearmost.real() * (1.0 / 25.0),
        side.second.real() * (1.0 / 25.0),
        side.pips_beyond::<6, 25>().real() * (1.0 / 100.0),
        side.crossovers().real() * (1.0 / 30.0),
    ]);
    inputs.skip(2);
    inputs.put([(own & !near & !HOME).ones().real() * (1.0 / 3.0)]);
}

/// Who has passed the enemy, and who stands before him.
#[inline(always)]
fn meeting<'a, S: Simd>(
    simd: S,
    side: &SideLanes<S>,
    enemy: &SideLanes<S>,
    views: impl Iterator<Item = (&'a SideView, &'a SideView)>,
    inputs: &mut Columns<S>,
) {
    let mut passed = side.held.all(0).lanes();
    for (lane, (side, enemy)) in views.enumerate() {
        // Own checkers below the last enemy have passed him.
        let last_enemy = 25 - enemy.rearmost() as usize;
        each(&mut passed)[lane] = u32::from(side.checkers(1, last_enemy.max(1) - 1));
    }
    // A blot on p is within reach of enemies on the own points p - 6 to p - 1.
    let enemies = enemy.across();
    let mut aimed = enemies << 1;
    for pips in 2..=6 {
        aimed = aimed | enemies << pips;
    }
    inputs.put([
        U32Lanes::new(simd, passed).real() * (1.0 / 15.0),
        (side.blots() & aimed).ones().real() * (1.0 / 3.0),
    ]);
}
