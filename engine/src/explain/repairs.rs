//! The same board with one checker elsewhere: which weakness of a play makes the difference.

use crate::backgammon::{Candidate, Position};
use crate::cube::CubeContext;
use crate::engine::{Engine, ScoredMove};
use crate::search::Plies;

/// The board after the worse play with one blot moved to another own checker near by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repair {
    /// Where the blot stands, in the numbering of the player who moved.
    pub from: u8,
    /// Where it would stand.
    pub to: u8,
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
    let tried = changes(worse.after()).into_iter().take(MOST).map(|(from, to, after)| {
        let loss = loss_of(&Candidate { play: worse.play().clone(), after });
        Repair { from, to, loss, whole, plies }
    });
    tried.min_by(|a, b| a.loss.total_cmp(&b.loss)).filter(|repair| repair.loss <= 0.5 * whole)
}

/// Boards with one blot on the next own checkers below and above it.
fn changes(after: &Position) -> Vec<(u8, u8, Position)> {
    let own = after.flipped();
    let count = |point: u8| own.own(usize::from(point));
    let mut found = Vec::new();
    for from in (1..=24).rev().filter(|&point| count(point) == 1) {
        let below = (from.saturating_sub(REACH).max(1)..from).rev().find(|&to| count(to) > 0);
        let above = (from + 1..=(from + REACH).min(24)).find(|&to| count(to) > 0);
        for to in [below, above].into_iter().flatten() {
            let mut points = *own.points();
            points[usize::from(from)] -= 1;
            points[usize::from(to)] += 1;
            found.extend(Position::new(points).map(|board| (from, to, board.flipped())));
        }
    }
    found
}
