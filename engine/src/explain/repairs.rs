//! The same board with one checker elsewhere: which weakness of a play makes the difference.

use super::board_facts::shots;
use crate::backgammon::{Candidate, Position};
use crate::cube::CubeContext;
use crate::engine::{Engine, ScoredMove};
use crate::search::Plies;

/// The board after the worse play with one change.
///
/// One blot is moved to another own checker near by, or the anchor is moved to a point where the
/// better play has one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repair {
    /// Where the blot, or the anchor, stands, in the numbering of the player who moved.
    pub from: u8,
    /// Where it would stand.
    pub to: u8,
    /// Checkers that are moved: 1 is a blot, 2 an anchor.
    pub checkers: u8,
    /// What the worse play would still lose, in points on a cube at 1; negative if it would be the
    /// better one.
    pub loss: f32,
    /// What it loses as it is, at the same depth.
    pub whole: f32,
    /// The depth of both, in plies.
    pub plies: Plies,
}

/// As far as this a checker is moved, in pips.
const REACH: u8 = 6;
/// The most boards that are tried.
const MOST: usize = 8;

/// The change that leaves the least of the loss, if it takes away half of it or more.
///
/// A blot is moved only if all of this holds, because elsewhere the pips count:
///
/// - The worse play leaves more throws that hit.
/// - The better play has no blot there.
/// - The move leaves fewer such throws.
pub(super) fn repair(
    engine: &Engine,
    [better, worse]: [&ScoredMove; 2],
    context: &CubeContext,
) -> Option<Repair> {
    if [better, worse].iter().any(|play| play.after().outcome().is_some()) {
        return None;
    }
    let plies = engine.plies().min(Plies::TWO);
    let engine = engine.with_plies(plies);
    let loss_of = |other: &Candidate| {
        let [a, b] = engine.compare([&better.candidate, other], context);
        a.equity - b.equity
    };
    let whole = loss_of(&worse.candidate);
    if whole < 0.01 {
        return None;
    }
    let risk = shots(worse.after());
    let kept = better.after().flipped();
    let is_new = |changed: &Changed| kept.own(usize::from(changed.from)) != 1;
    let safer = |changed: &Changed| shots(&changed.after) < risk;
    let boards = match risk > shots(better.after()) {
        false => Vec::new(),
        true => blots_moved(worse.after()),
    };
    let boards = boards.into_iter().filter(is_new).filter(safer).take(MOST);
    let tried = boards.chain(anchors_moved(better.after(), worse.after())).map(|changed| {
        let Changed { from, to, checkers, after } = changed;
        let loss = loss_of(&Candidate { play: worse.play().clone(), after });
        Repair { from, to, checkers, loss, whole, plies }
    });
    tried.min_by(|a, b| a.loss.total_cmp(&b.loss)).filter(|repair| repair.loss <= 0.5 * whole)
}

/// A board with own checkers of one point on another one.
pub(super) struct Changed {
    pub(super) from: u8,
    pub(super) to: u8,
    checkers: u8,
    pub(super) after: Position,
}

impl Changed {
    fn of(own: &Position, from: u8, to: u8, checkers: u8) -> Option<Changed> {
        let mut points = *own.points();
        points[usize::from(from)] -= checkers.cast_signed();
        points[usize::from(to)] += checkers.cast_signed();
        let board = Position::new(points).ok()?;
        Some(Changed { from, to, checkers, after: board.flipped() })
    }
}

/// Boards with one blot on the next own checkers below and above it.
fn blots_moved(after: &Position) -> Vec<Changed> {
    let own = after.flipped();
    let count = |point: u8| own.own(usize::from(point));
    let mut found = Vec::new();
    for from in (1..=24).rev().filter(|&point| count(point) == 1) {
        let below = (from.saturating_sub(REACH).max(1)..from).rev().find(|&to| count(to) > 0);
        let above = (from + 1..=(from + REACH).min(24)).find(|&to| count(to) > 0);
        let moved = |to: u8| Changed::of(&own, from, to, 1);
        found.extend([below, above].into_iter().flatten().filter_map(moved));
    }
    found
}

/// The worse board with an anchor moved to the place of an anchor of the better play.
///
/// The better play does not have the first anchor, and the worse play does not have the second. An
/// anchor that both plays hold explains nothing.
pub(super) fn anchors_moved(better: &Position, worse: &Position) -> Vec<Changed> {
    let [held, own] = [better.flipped(), worse.flipped()];
    let anchors = |of: &Position, not: &Position| -> Vec<u8> {
        let made = |side: &Position, point: u8| side.own(usize::from(point)) >= 2;
        (19..=24).filter(|&point| made(of, point) && !made(not, point)).collect()
    };
    let (from, to) = (anchors(&own, &held), anchors(&held, &own));
    let free = |to: &&u8| own.points()[usize::from(**to)] >= 0;
    let pairs = from.iter().flat_map(|&from| to.iter().filter(free).map(move |&to| (from, to)));
    pairs.filter_map(|(from, to)| Changed::of(&own, from, to, 2)).collect()
}
