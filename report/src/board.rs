//! A board as an SVG picture, as one of the players sees it.

mod arrows;

use std::fmt::Write as _;

use arrows::arrows;

use super::board_look::{BAR, LOOK, OFF, definitions};
use super::palette;
use super::text::escape;
use super::{Chart, ReportError};
use nonet_engine::backgammon::{CheckerMove, Cube, CubeOwner, Dice, Position, Seat};

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
    #[must_use]
    pub fn shared(self) -> BoardDiagram {
        BoardDiagram { shared: true, ..self }
    }

    /// An invisible picture with the points and the checkers of all boards of a page that are
    /// [`BoardDiagram::shared`].
    #[must_use]
    pub fn shared_points() -> String {
        let mut svg = String::from(
            "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" style=\"position:absolute\">",
        );
        svg.push_str(&definitions());
        svg.push_str("<symbol id=\"points\">");
        draw_points(&mut svg);
        svg.push_str("</symbol></svg>\n");
        svg
    }
}

/// The size of the picture.
pub(super) fn size() -> (f64, f64) {
    (LOOK.geometry.width(), LOOK.geometry.height)
}

fn text(svg: &mut String, (x, y): (f64, f64), size: f64, fill: &str, what: &str) {
    let weight = if size > 13.0 { " font-weight=\"bold\"" } else { "" };
    _ = write!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\" text-anchor=\"middle\"{weight} \
         font-family=\"DejaVu Sans, sans-serif\">{what}</text>"
    );
}

/// A square with round corners and its shadow.
fn block(svg: &mut String, (x, y): (f64, f64), side: f64, fill: &str, edge: &str) {
    let (left, top) = (x - side / 2.0, y - side / 2.0);
    for (top, look) in [
        (top + 2.0, "opacity=\".28\"".to_owned()),
        (top, format!("fill=\"{fill}\" stroke=\"{edge}\"")),
    ] {
        _ = write!(
            svg,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{side}\" height=\"{side}\" rx=\"8\" {look}/>"
        );
    }
}

/// A die with its pips, in the colours of a player.
fn die(svg: &mut String, (x, y): (f64, f64), face: u8, seat: Seat) {
    let (geometry, theme) = (&LOOK.geometry, LOOK.theme());
    let (colours, ink) = match seat {
        Seat::X => (&theme.light, &theme.light_ink),
        Seat::O => (&theme.dark, &theme.dark_ink),
    };
    block(svg, (x, y), geometry.die, &colours[1], &colours[3]);
    for &pip in &LOOK.pips[usize::from(face) - 1] {
        let along = |place: u8| (f64::from(place) - 1.0) * geometry.pip_step;
        let (cx, cy) = (x + along(pip % 3), y + along(pip / 3));
        _ = write!(svg, "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{}\" fill=\"{ink}\"/>", geometry.pip);
    }
}

/// The wood, the felt, the points and their numbers.
fn draw_points(svg: &mut String) {
    let (geometry, theme) = (&LOOK.geometry, LOOK.theme());
    let (width, height) = size();
    let edge = geometry.edge;
    _ = write!(
        svg,
        "<rect width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"{}\"/>",
        theme.frame
    );
    for left in geometry.halves() {
        _ = write!(
            svg,
            "<rect x=\"{left}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"/>",
            edge - 2.0,
            6.0 * geometry.point,
            height - 2.0 * edge + 4.0,
            theme.felt,
            theme.rim
        );
    }
    for point in 1..=24 {
        let middle = geometry.left(point) + geometry.point / 2.0;
        let (base, tip, y) = if point > 12 {
            (edge - 2.0, edge + geometry.long, 16.0)
        } else {
            (height - edge + 2.0, height - edge - geometry.long, height - 7.0)
        };
        let half = geometry.point / 2.0 - 1.0;
        let fill = if point % 2 == 1 { &theme.odd } else { &theme.even };
        _ = write!(
            svg,
            "<path d=\"M{} {base}L{middle} {tip}L{} {base}z\" fill=\"{fill}\"/>",
            middle - half,
            middle + half
        );
        text(svg, (middle, y), 12.5, &theme.label, &point.to_string());
    }
    let (left, wide) = geometry.trays();
    let (tops, tall) = geometry.tray_ends();
    for top in tops {
        _ = write!(
            svg,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{tall}\" rx=\"4\" fill=\"{}\" opacity=\".55\"/>",
            theme.rim
        );
    }
}

/// The colour of half a point.
fn draw_heat(svg: &mut String, heat: &PointHeat) {
    let geometry = &LOOK.geometry;
    let half = geometry.point / 2.0;
    let is_bar = matches!(heat.point, OFF | BAR);
    let left = if is_bar { geometry.bar_x() - half } else { geometry.left(heat.point) };
    let x = if heat.own { left } else { left + half };
    let is_top = heat.point > 12;
    let y = if is_top { geometry.edge } else { geometry.height - geometry.edge - geometry.long };
    let color = palette::heat(heat.own);
    let opacity = f64::from(heat.strength) / 255.0;
    _ = write!(
        svg,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{half}\" height=\"{}\" fill=\"{color}\" opacity=\"{opacity:.2}\"/>",
        geometry.long
    );
}

/// Checkers on one point or bar, from the edge inwards.
fn stack(svg: &mut String, point: usize, checkers: i8, seat: Seat) {
    let (geometry, theme) = (&LOOK.geometry, LOOK.theme());
    let own = checkers > 0;
    let (name, ink) = match if own { seat } else { seat.other() } {
        Seat::X => ("x", &theme.light_ink),
        Seat::O => ("o", &theme.dark_ink),
    };
    let count = checkers.unsigned_abs();
    let most = geometry.most(matches!(point, OFF | BAR));
    for n in 0..count.min(most) {
        let (x, y) = geometry.spot(point, n, own);
        _ = write!(svg, "<use href=\"#c{name}\" x=\"{x}\" y=\"{y}\"/>");
        if n + 1 == most && count > most {
            text(svg, (x, y + 6.0), 17.0, ink, &count.to_string());
        }
    }
}

/// Checkers borne off, in their tray.
fn borne_off(svg: &mut String, count: u8, own: bool, seat: Seat) {
    let (geometry, theme) = (&LOOK.geometry, LOOK.theme());
    let (fill, edge) = match if own { seat } else { seat.other() } {
        Seat::X => (&theme.light[1], &theme.light[3]),
        Seat::O => (&theme.dark[1], &theme.dark[0]),
    };
    let (left, wide) = geometry.trays();
    for n in 0..count {
        let (_, y) = geometry.spot(if own { OFF } else { BAR }, n, own);
        _ = write!(
            svg,
            "<rect class=\"off\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{:.1}\" rx=\"2.5\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\".8\"/>",
            left + 2.0,
            y - geometry.piece / 2.0,
            wide - 4.0,
            geometry.piece - 0.8
        );
    }
}

impl Chart for BoardDiagram {
    fn render(&self) -> Result<String, ReportError> {
        let (width, height) = size();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\">"
        );
        if !self.title.is_empty() {
            _ = write!(svg, "<title>{}</title>", escape(&self.title));
        }
        if self.shared {
            svg.push_str("<use href=\"#points\"/>");
        } else {
            svg.push_str(&definitions());
            draw_points(&mut svg);
        }
        self.heat.iter().for_each(|heat| draw_heat(&mut svg, heat));
        for (point, &checkers) in self.position.points().iter().enumerate() {
            stack(&mut svg, point, checkers, self.seat);
        }
        borne_off(&mut svg, 15 - self.position.own_left(), true, self.seat);
        borne_off(&mut svg, 15 - self.position.opponent_left(), false, self.seat);
        if let Some(dice) = self.dice {
            let faces = match dice.is_double() {
                true => vec![dice.high(); 4],
                false => vec![dice.high(), dice.low()],
            };
            for (place, &face) in LOOK.geometry.dice(faces.len()).zip(&faces) {
                die(&mut svg, place, face, self.seat);
            }
        }
        if let Some(cube) = self.cube {
            draw_cube(&mut svg, cube, self.offered);
        }
        arrows(&mut svg, &self.position, &self.played, &self.best);
        svg.push_str("</svg>\n");
        Ok(svg)
    }
}

/// The cube at the side of its owner, or turned on the table before the player who has to answer.
fn draw_cube(svg: &mut String, cube: Cube, is_offered: bool) {
    let geometry = &LOOK.geometry;
    let owner = match cube.owner() {
        CubeOwner::Centred => 0,
        CubeOwner::Own => 1,
        CubeOwner::Opponent => -1,
    };
    let (place, edge, value) = if is_offered {
        ((geometry.dice_x(), geometry.height / 2.0), "#d0721c", 2 * cube.value())
    } else {
        ((geometry.tray_x(), geometry.cube_y(owner)), "#6b5a44", cube.value())
    };
    block(svg, place, geometry.cube, "#fbf7ee", edge);
    // A cube that has not been turned shows 64.
    let shown = if value == 1 { 64 } else { value };
    text(svg, (place.0, place.1 + 6.5), 17.0, "#2b2118", &shown.to_string());
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
        assert_eq!(svg.matches("<use href=\"#cx\"").count(), 15);
        assert_eq!(svg.matches("<use href=\"#co\"").count(), 15);
        assert!(!svg.contains("class=\"off\"") && !svg.contains("<rect x=\"-"));
    }

    #[test]
    fn more_checkers_than_fit_become_a_number() {
        let position =
            Position::from_sides(&[(6, 11), (25, 2)], &[(25, 1), (4, 3)]).expect("legal");
        let svg = drawn(&BoardDiagram::new(position));
        assert_eq!(svg.matches("<use href=\"#c").count(), 5 + 2 + 1 + 3);
        assert!(svg.contains(">11</text>"));
        assert_eq!(svg.matches("class=\"off\"").count(), 2 + 11);
    }

    #[test]
    fn dice_and_cube_stand_on_the_board() {
        let cube = Cube::new(4, CubeOwner::Own).expect("a cube");
        let dice = "52".parse().expect("a roll");
        let svg = drawn(&BoardDiagram::new(Position::START).dice(dice).cube(cube));
        // Two dice and the cube, each with its shadow; the pips of both dice.
        assert_eq!(svg.matches("rx=\"8\"").count(), 6);
        assert_eq!(svg.matches("<circle cx").count(), 5 + 2);
    }

    #[test]
    fn the_light_checkers_are_those_of_x_whoever_sees_the_board() {
        let one = Position::from_sides(&[(6, 3)], &[(4, 1)]).expect("legal");
        let light =
            |seat| drawn(&BoardDiagram::new(one).seat(seat)).matches("href=\"#cx\"").count();
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
