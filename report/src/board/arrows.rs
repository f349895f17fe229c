//! Arrows on a board: where the checkers of a play go.

use std::fmt::Write as _;

use crate::board_look::LOOK;
use nonet_engine::backgammon::{CheckerMove, Position};

/// Draws the single moves of the best play (solid) and of the one that was made (dashed); moves of
/// both once, solid.
pub(super) fn arrows(
    svg: &mut String,
    position: &Position,
    played: &[CheckerMove],
    best: &[CheckerMove],
) {
    let mut only_played = played.to_vec();
    let mut only_best = Vec::new();
    let mut both = Vec::new();
    for step in best {
        let same = |other: &CheckerMove| (other.from, other.to) == (step.from, step.to);
        match only_played.iter().position(same) {
            Some(place) => both.push(only_played.remove(place)),
            None => only_best.push(*step),
        }
    }
    let common = Stacks::new(position, &both, svg, &LOOK.arrows.best, false);
    common.clone().draw(&only_played, svg, &LOOK.arrows.played, true);
    common.draw(&only_best, svg, &LOOK.arrows.best, false);
}

/// How many checkers of the player stand on each point while the moves of a play are drawn.
#[derive(Clone)]
struct Stacks([u8; 26]);

impl Stacks {
    fn new(
        position: &Position,
        steps: &[CheckerMove],
        svg: &mut String,
        color: &str,
        dashed: bool,
    ) -> Stacks {
        let mut stacks =
            Stacks(std::array::from_fn(|point| if point == 0 { 0 } else { position.own(point) }));
        stacks.steps(steps, svg, color, dashed);
        stacks
    }

    fn draw(mut self, steps: &[CheckerMove], svg: &mut String, color: &str, dashed: bool) {
        self.steps(steps, svg, color, dashed);
    }

    fn steps(&mut self, steps: &[CheckerMove], svg: &mut String, color: &str, dashed: bool) {
        for step in steps {
            let (from, to) = (usize::from(step.from), usize::from(step.to));
            self.0[from] = self.0[from].saturating_sub(1);
            let geometry = &LOOK.geometry;
            let start = geometry.spot(from, self.0[from], true);
            let end = if to == 0 {
                (geometry.tray_x(), geometry.height - geometry.edge - 70.0)
            } else {
                geometry.spot(to, self.0[to], true)
            };
            self.0[to] += u8::from(to > 0);
            arrow(svg, start, end, color, dashed);
        }
    }
}

/// A bent arrow, with a light edge so that it stands out from checkers.
fn arrow(svg: &mut String, (x0, y0): (f64, f64), (x1, y1): (f64, f64), color: &str, dashed: bool) {
    let (dx, dy) = (x1 - x0, y1 - y0);
    let long = dx.hypot(dy).max(1.0);
    // Bent towards the middle of the board, and the arrows of the two plays to different sides.
    let bend = if dashed { -14.0 } else { 14.0 };
    let (cx, cy) = (x0 + dx / 2.0 - dy / long * bend, y0 + dy / 2.0 + dx / long * bend);
    let (tx, ty) = (x1 - cx, y1 - cy);
    let tip = tx.hypot(ty).max(1.0);
    let (tx, ty) = (tx / tip, ty / tip);
    // The line ends at the base of the head.
    let (bx, by) = (x1 - 13.0 * tx, y1 - 13.0 * ty);
    let line = format!("M{x0:.1} {y0:.1}Q{cx:.1} {cy:.1} {bx:.1} {by:.1}");
    let (lx, ly) = (bx - 7.5 * ty, by + 7.5 * tx);
    let (rx, ry) = (bx + 7.5 * ty, by - 7.5 * tx);
    let head = format!("M{x1:.1} {y1:.1}L{lx:.1} {ly:.1}L{rx:.1} {ry:.1}z");
    let dash = if dashed { " stroke-dasharray=\"7 5\"" } else { "" };
    _ = write!(
        svg,
        "<g class=\"arrow\" fill=\"none\"><path d=\"{line}\" stroke=\"#fff\" stroke-width=\"7\"/>\
         <path d=\"{head}\" stroke=\"#fff\" stroke-width=\"3\" fill=\"{color}\"/>\
         <path d=\"{line}\" stroke=\"{color}\" stroke-width=\"4\"{dash}/><path d=\"{head}\" fill=\"{color}\"/></g>"
    );
}
