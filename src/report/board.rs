//! A board as an SVG picture, as the player on roll sees it.

use std::fmt::Write as _;

use super::{Chart, ReportError};
use crate::backgammon::{Cube, CubeOwner, Dice, Position};

/// The width of a point, in pixels; a checker is a little narrower.
const POINT: f64 = 38.0;
/// The length of a point's triangle, in pixels.
const LONG: f64 = 160.0;
const HEIGHT: f64 = 400.0;
/// Room for the numbers of the points, above and below.
const EDGE: f64 = 20.0;
/// The column of the cube at the left and of the checkers borne off at the right.
const TRAY: f64 = 48.0;
const WIDTH: f64 = 2.0 * TRAY + 13.0 * POINT;
/// The most checkers drawn on a point; if there are more, the last one shows their number.
const STACK: u8 = 5;

const FELT: &str = "#f3ead8";
const POINTS: [&str; 2] = ["#c9b18c", "#e0d0b0"];
const WOOD: &str = "#8a6f4d";
/// The player on roll, and the opponent.
const CHECKERS: [(&str, &str); 2] = [("#fdfdfb", "#333"), ("#3a3a3f", "#fff")];

/// A position, its roll and its cube. The player on roll has the light checkers and moves to the lower right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardDiagram {
    position: Position,
    dice: Option<Dice>,
    cube: Option<Cube>,
}

impl BoardDiagram {
    /// A board without dice and cube.
    #[must_use]
    pub const fn new(position: Position) -> BoardDiagram {
        BoardDiagram { position, dice: None, cube: None }
    }

    /// With the roll of the player on roll.
    #[must_use]
    pub const fn dice(self, dice: Dice) -> BoardDiagram {
        BoardDiagram { dice: Some(dice), ..self }
    }

    /// With the cube.
    #[must_use]
    pub const fn cube(self, cube: Cube) -> BoardDiagram {
        BoardDiagram { cube: Some(cube), ..self }
    }
}

/// The left edge of the column of a point, and whether it is in the top half. 0 and 25 are the bars.
fn column(point: usize) -> (f64, bool) {
    let place = |n: usize| TRAY + POINT * n as f64;
    match point {
        1..=6 => (place(13 - point), false),
        7..=12 => (place(12 - point), false),
        13..=18 => (place(point - 13), true),
        19..=24 => (place(point - 12), true),
        // Checkers on the bar are on the side where they enter.
        0 => (place(6), false),
        _ => (place(6), true),
    }
}

fn text(svg: &mut String, (x, y): (f64, f64), size: f64, fill: &str, what: &str) {
    _ = write!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\" text-anchor=\"middle\" \
         font-family=\"DejaVu Sans, sans-serif\">{what}</text>"
    );
}

fn square(svg: &mut String, (x, y): (f64, f64), side: f64, what: &str) {
    _ = write!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" rx=\"5\" fill=\"#fff\" stroke=\"#333\"/>",
        x - side / 2.0,
        y - side / 2.0
    );
    text(svg, (x, y + side * 0.2), side * 0.55, "#222", what);
}

/// Checkers on one point or bar, from the edge inwards.
fn stack(svg: &mut String, point: usize, checkers: i8) {
    let (left, top) = column(point);
    let (fill, ink) = CHECKERS[usize::from(checkers < 0)];
    let count = checkers.unsigned_abs();
    let radius = POINT / 2.0 - 2.0;
    let x = left + POINT / 2.0;
    for n in 0..count.min(STACK) {
        let step = EDGE + radius + 1.0 + 2.0 * radius * f64::from(n);
        let y = if top { step } else { HEIGHT - step };
        _ = write!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"#222\"/>"
        );
        if n + 1 == STACK && count > STACK {
            text(svg, (x, y + 5.0), 14.0, ink, &count.to_string());
        }
    }
}

impl Chart for BoardDiagram {
    fn render(&self) -> Result<String, ReportError> {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"{WOOD}\"/>"
        );
        for half in [0.0, 7.0] {
            _ = write!(
                svg,
                "<rect x=\"{}\" y=\"{EDGE}\" width=\"{}\" height=\"{}\" fill=\"{FELT}\"/>",
                TRAY + POINT * half,
                6.0 * POINT,
                HEIGHT - 2.0 * EDGE
            );
        }
        for point in 1..=24 {
            let (left, top) = column(point);
            let (base, tip) =
                if top { (EDGE, EDGE + LONG) } else { (HEIGHT - EDGE, HEIGHT - EDGE - LONG) };
            _ = write!(
                svg,
                "<path d=\"M{left} {base}h{POINT}L{} {tip}z\" fill=\"{}\"/>",
                left + POINT / 2.0,
                POINTS[point % 2]
            );
            let y = if top { 15.0 } else { HEIGHT - 6.0 };
            text(&mut svg, (left + POINT / 2.0, y), 12.0, "#fff", &point.to_string());
        }
        for (point, &checkers) in self.position.points().iter().enumerate() {
            stack(&mut svg, point, checkers);
        }
        let right = WIDTH - TRAY / 2.0;
        let off = [
            (self.position.opponent_left(), 1, EDGE + 30.0),
            (self.position.own_left(), 0, HEIGHT - EDGE - 30.0),
        ];
        for (left, side, y) in off {
            if left < 15 {
                text(&mut svg, (right, y), 14.0, CHECKERS[side].0, &format!("{} off", 15 - left));
            }
        }
        if let Some(dice) = self.dice {
            let middle = TRAY + POINT * 10.0;
            square(&mut svg, (middle - 22.0, HEIGHT / 2.0), 34.0, &dice.high().to_string());
            square(&mut svg, (middle + 22.0, HEIGHT / 2.0), 34.0, &dice.low().to_string());
        }
        if let Some(cube) = self.cube {
            let y = match cube.owner() {
                CubeOwner::Centred => HEIGHT / 2.0,
                CubeOwner::Own => HEIGHT - EDGE - 24.0,
                CubeOwner::Opponent => EDGE + 24.0,
            };
            square(&mut svg, (TRAY / 2.0, y), 36.0, &cube.value().to_string());
        }
        svg.push_str("</svg>\n");
        Ok(svg)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(diagram: &BoardDiagram) -> String {
        diagram.render().expect("a board can always be drawn")
    }

    #[test]
    fn every_checker_of_the_start_is_drawn_and_none_twice() {
        let svg = drawn(&BoardDiagram::new(Position::START));
        assert_eq!(svg.matches("<circle").count(), 30);
        assert_eq!(svg.matches("#fdfdfb").count(), 15);
        assert!(!svg.contains("off") && !svg.contains("<rect x=\"-"));
    }

    #[test]
    fn more_checkers_than_fit_become_a_number() {
        let position =
            Position::from_sides(&[(6, 11), (25, 2)], &[(25, 1), (4, 3)]).expect("legal");
        let svg = drawn(&BoardDiagram::new(position));
        assert_eq!(svg.matches("<circle").count(), 5 + 2 + 1 + 3);
        assert!(svg.contains(">11</text>") && svg.contains(">2 off<") && svg.contains(">11 off<"));
    }

    #[test]
    fn dice_and_cube_stand_on_the_board() {
        let cube = Cube::new(4, CubeOwner::Own).expect("a cube");
        let dice = "52".parse().expect("a roll");
        let svg = drawn(&BoardDiagram::new(Position::START).dice(dice).cube(cube));
        assert_eq!(svg.matches("rx=\"5\"").count(), 3);
    }
}
