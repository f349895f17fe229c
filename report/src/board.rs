//! A board as an SVG picture, as one of the players sees it.

use std::fmt::Write as _;

use super::board_arrows::arrows;
use super::palette;
use super::text::escape;
use super::{Chart, ReportError};
use nonet_engine::backgammon::{CheckerMove, Cube, CubeOwner, Dice, Position, Seat};

/// The width of a point, in pixels; a checker is a little narrower.
pub(super) const POINT: f64 = 38.0;
/// The length of a point's triangle, in pixels.
const LONG: f64 = 160.0;
pub(super) const HEIGHT: f64 = 400.0;
/// Room for the numbers of the points, above and below.
pub(super) const EDGE: f64 = 20.0;
/// The column of the cube at the left and of the checkers borne off at the right.
pub(super) const TRAY: f64 = 48.0;
pub(super) const WIDTH: f64 = 2.0 * TRAY + 13.0 * POINT;
/// The most checkers drawn on a point; if there are more, the last one shows their number.
pub(super) const STACK: u8 = 5;

const FELT: &str = "#f3ead8";
const POINTS: [&str; 2] = ["#c9b18c", "#e0d0b0"];
const WOOD: &str = "#8a6f4d";
/// The checkers of X and of O with the letters on them.
const CHECKERS: [(&str, &str); 2] = [("#fdfdfb", "#333"), ("#3a3a3f", "#fff")];

/// A position, its roll and its cube, seen by one player. The positive checkers are that player's
/// and move to the lower right. X has the light checkers, O the dark ones.
///
/// ```
/// use nonet_engine::backgammon::{Cube, Position};
/// use nonet_report::{BoardDiagram, Chart};
///
/// let board = BoardDiagram::new(Position::START).dice("31".parse()?).cube(Cube::CENTRED);
/// assert!(board.title("The opening").render()?.starts_with("<svg"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardDiagram {
    position: Position,
    seat: Seat,
    dice: Option<Dice>,
    cube: Option<Cube>,
    offered: bool,
    played: Vec<CheckerMove>,
    best: Vec<CheckerMove>,
    title: String,
    shared: bool,
    heat: Vec<PointHeat>,
}

/// How strongly a point is coloured for the checkers of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PointHeat {
    /// The point, 1 to 24.
    pub(super) point: usize,
    /// Whether the checkers are those of the player who sees the board.
    pub(super) own: bool,
    /// 0 (not at all) to 255.
    pub(super) strength: u8,
}

impl BoardDiagram {
    /// A board without dice and cube, seen by X.
    #[must_use]
    pub const fn new(position: Position) -> BoardDiagram {
        BoardDiagram {
            position,
            seat: Seat::X,
            dice: None,
            cube: None,
            offered: false,
            played: Vec::new(),
            best: Vec::new(),
            title: String::new(),
            shared: false,
            heat: Vec::new(),
        }
    }

    /// Seen by this player, who has the positive checkers.
    #[must_use]
    pub fn seat(self, seat: Seat) -> BoardDiagram {
        BoardDiagram { seat, ..self }
    }

    /// With the roll of the player who sees the board.
    #[must_use]
    pub fn dice(self, dice: Dice) -> BoardDiagram {
        BoardDiagram { dice: Some(dice), ..self }
    }

    /// With the cube.
    #[must_use]
    pub fn cube(self, cube: Cube) -> BoardDiagram {
        BoardDiagram { cube: Some(cube), ..self }
    }

    /// The opponent has doubled: the cube lies in the middle of the board, turned.
    #[must_use]
    pub fn offered(self) -> BoardDiagram {
        BoardDiagram { offered: true, ..self }
    }

    /// Arrows for the single moves of the play that was made, dashed, and of the best one, solid;
    /// moves of both are solid.
    #[must_use]
    pub fn plays(self, played: Vec<CheckerMove>, best: Vec<CheckerMove>) -> BoardDiagram {
        BoardDiagram { played, best, ..self }
    }

    /// A description for readers who do not see the picture.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> BoardDiagram {
        BoardDiagram { title: title.into(), ..self }
    }

    /// With points coloured by importance: the left half of each for the player's own checkers, the
    /// right half for the opponent's.
    pub(super) fn heat(self, heat: Vec<PointHeat>) -> BoardDiagram {
        BoardDiagram { heat, ..self }
    }

    /// Without the points, which are drawn from [`BoardDiagram::shared_points`]: for pages with
    /// many boards.
    pub(super) fn shared(self) -> BoardDiagram {
        BoardDiagram { shared: true, ..self }
    }

    /// An invisible picture with the points of all boards of a page that are
    /// [`BoardDiagram::shared`].
    pub(super) fn shared_points() -> String {
        let mut svg = String::from(
            "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" style=\"position:absolute\"><symbol id=\"points\">",
        );
        draw_points(&mut svg);
        svg.push_str("</symbol></svg>\n");
        svg
    }
}

/// The left edge of the column of a point, and whether it is in the top half. 0 and 25 are the
/// bars.
pub(super) fn column(point: usize) -> (f64, bool) {
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

/// The centre of the n-th checker on a point, counted from the edge, 0 and above.
pub(super) fn spot(point: usize, n: u8) -> (f64, f64) {
    let (left, top) = column(point);
    let radius = POINT / 2.0 - 2.0;
    let step = EDGE + radius + 1.0 + 2.0 * radius * f64::from(n.min(STACK - 1));
    (left + POINT / 2.0, if top { step } else { HEIGHT - step })
}

fn text(svg: &mut String, (x, y): (f64, f64), size: f64, fill: &str, what: &str) {
    _ = write!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\" text-anchor=\"middle\" \
         font-family=\"DejaVu Sans, sans-serif\">{what}</text>"
    );
}

fn square(svg: &mut String, (x, y): (f64, f64), side: f64, fill: &str, what: &str) {
    let ink = if fill == CHECKERS[1].0 { "#fff" } else { "#222" };
    _ = write!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" rx=\"5\" fill=\"{fill}\" stroke=\"#333\"/>",
        x - side / 2.0,
        y - side / 2.0
    );
    text(svg, (x, y + side * 0.2), side * 0.55, ink, what);
}

/// The frame, the points and their numbers.
fn draw_points(svg: &mut String) {
    _ = write!(svg, "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"6\" fill=\"{WOOD}\"/>");
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
        text(svg, (left + POINT / 2.0, y), 14.0, "#fff", &point.to_string());
    }
}

/// The colour of half a point.
fn draw_heat(svg: &mut String, heat: &PointHeat) {
    let (left, top) = column(heat.point);
    let x = if heat.own { left } else { left + POINT / 2.0 };
    let y = if top { EDGE } else { HEIGHT - EDGE - LONG };
    let color = palette::heat(heat.own);
    let opacity = f64::from(heat.strength) / 255.0;
    _ = write!(
        svg,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{LONG}\" fill=\"{color}\" opacity=\"{opacity:.2}\"/>",
        POINT / 2.0
    );
}

/// Checkers on one point or bar, from the edge inwards.
fn stack(svg: &mut String, point: usize, checkers: i8, seat: Seat) {
    let owner = if checkers < 0 { seat.other() } else { seat };
    let (fill, ink) = CHECKERS[owner.index()];
    let count = checkers.unsigned_abs();
    let radius = POINT / 2.0 - 2.0;
    for n in 0..count.min(STACK) {
        let (x, y) = spot(point, n);
        _ = write!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"#222\"/>"
        );
        if n + 1 == STACK && count > STACK {
            text(svg, (x, y + 5.0), 15.0, ink, &count.to_string());
        }
    }
}

impl Chart for BoardDiagram {
    fn render(&self) -> Result<String, ReportError> {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">"
        );
        if !self.title.is_empty() {
            _ = write!(svg, "<title>{}</title>", escape(&self.title));
        }
        if self.shared {
            svg.push_str("<use href=\"#points\"/>");
        } else {
            draw_points(&mut svg);
        }
        self.heat.iter().for_each(|heat| draw_heat(&mut svg, heat));
        for (point, &checkers) in self.position.points().iter().enumerate() {
            stack(&mut svg, point, checkers, self.seat);
        }
        let right = WIDTH - TRAY / 2.0;
        let off = [
            (self.position.opponent_left(), EDGE + 30.0),
            (self.position.own_left(), HEIGHT - EDGE - 30.0),
        ];
        for (left, y) in off {
            if left < 15 {
                text(&mut svg, (right, y), 15.0, "#fff", &format!("{} off", 15 - left));
            }
        }
        if let Some(dice) = self.dice {
            let middle = TRAY + POINT * 10.0;
            let fill = CHECKERS[self.seat.index()].0;
            square(&mut svg, (middle - 22.0, HEIGHT / 2.0), 34.0, fill, &dice.high().to_string());
            square(&mut svg, (middle + 22.0, HEIGHT / 2.0), 34.0, fill, &dice.low().to_string());
        }
        if let Some(cube) = self.cube {
            if self.offered {
                let turned = (2 * cube.value()).to_string();
                square(&mut svg, (TRAY + POINT * 3.0, HEIGHT / 2.0), 40.0, "#fff", &turned);
            } else {
                let y = match cube.owner() {
                    CubeOwner::Centred => HEIGHT / 2.0,
                    CubeOwner::Own => HEIGHT - EDGE - 24.0,
                    CubeOwner::Opponent => EDGE + 24.0,
                };
                square(&mut svg, (TRAY / 2.0, y), 36.0, "#fff", &cube.value().to_string());
            }
        }
        arrows(&mut svg, &self.position, &self.played, &self.best);
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

    #[test]
    fn the_light_checkers_are_those_of_x_whoever_sees_the_board() {
        let one = Position::from_sides(&[(6, 3)], &[(4, 1)]).expect("legal");
        let light = |seat| drawn(&BoardDiagram::new(one).seat(seat)).matches("#fdfdfb").count();
        assert_eq!([light(Seat::X), light(Seat::O)], [3, 1]);
    }

    #[test]
    fn moves_of_both_plays_are_drawn_once() {
        let dice = "31".parse().expect("a roll");
        let steps = |play: &str| {
            let after = Position::START.read_play(play, dice).expect(play).after;
            Position::START.steps_to(dice, &after).expect("legal")
        };
        let board = BoardDiagram::new(Position::START);
        let both = drawn(&board.clone().plays(steps("8/5 6/5"), steps("8/5 6/5")));
        assert_eq!(
            (both.matches("class=\"arrow").count(), both.matches("dasharray").count()),
            (2, 0)
        );
        let apart = drawn(&board.plays(steps("8/5 24/23"), steps("8/5 6/5")));
        assert_eq!(
            (apart.matches("class=\"arrow").count(), apart.matches("dasharray").count()),
            (3, 1)
        );
    }
}
