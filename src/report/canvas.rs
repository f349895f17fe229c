//! A list of shapes in pixels, and the SVG they become: the only place that names plotters.

use plotters::prelude::{DrawingBackend, RGBAColor, SVGBackend, ShapeStyle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, FontTransform, TextStyle};

use super::ReportError;
use super::text::{Face, escape, printable};

/// Pixels from the left, pixels from the top.
pub(super) type Point = (f64, f64);

/// A colour with its opacity, 0..=1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ink(pub u8, pub u8, pub u8, pub f64);

impl Ink {
    pub(super) const WHITE: Ink = Ink(255, 255, 255, 1.0);
    /// Text and the axes.
    pub(super) const DARK: Ink = Ink(34, 34, 34, 1.0);
    /// Text of less weight, and reference lines.
    pub(super) const GREY: Ink = Ink(96, 96, 96, 1.0);
    /// The grid.
    pub(super) const PALE: Ink = Ink(224, 224, 224, 1.0);

    /// How many hues a colour-blind reader tells apart on white.
    pub(super) const HUES: usize = 7;

    /// The colour of the n-th series: Okabe and Ito's palette (jfly.uni-koeln.de/color, 2008) without its yellow,
    /// which is lost on white.
    pub(super) fn of_series(n: usize) -> Ink {
        match n % Ink::HUES {
            0 => Ink(0, 114, 178, 1.0),
            1 => Ink(213, 94, 0, 1.0),
            2 => Ink(0, 158, 115, 1.0),
            3 => Ink(204, 121, 167, 1.0),
            4 => Ink(230, 159, 0, 1.0),
            5 => Ink(86, 180, 233, 1.0),
            _ => Ink(34, 34, 34, 1.0),
        }
    }

    pub(super) fn faded(self, opacity: f64) -> Ink {
        Ink(self.0, self.1, self.2, opacity)
    }

    fn plotters(self) -> RGBAColor {
        RGBAColor(self.0, self.1, self.2, self.3)
    }
}

/// Which point of a text stands at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    TopLeft,
    TopMiddle,
    Left,
    Right,
    Middle,
}

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lettering {
    pub size: f64,
    pub face: Face,
    pub ink: Ink,
    pub anchor: Anchor,
    /// Reads from bottom to top.
    pub turned: bool,
}

impl Lettering {
    pub(super) fn new(size: f64, ink: Ink, anchor: Anchor) -> Lettering {
        Lettering { size, face: Face::Plain, ink, anchor, turned: false }
    }

    pub(super) fn face(self, face: Face) -> Lettering {
        Lettering { face, ..self }
    }

    pub(super) fn turned(self) -> Lettering {
        Lettering { turned: true, ..self }
    }

    fn plotters(&self) -> TextStyle<'static> {
        let (family, style) = match self.face {
            Face::Plain => (FontFamily::SansSerif, FontStyle::Normal),
            Face::Bold => (FontFamily::SansSerif, FontStyle::Bold),
            Face::Mono => (FontFamily::Monospace, FontStyle::Normal),
        };
        let (h, v) = match self.anchor {
            Anchor::TopLeft => (HPos::Left, VPos::Top),
            Anchor::TopMiddle => (HPos::Center, VPos::Top),
            Anchor::Left => (HPos::Left, VPos::Center),
            Anchor::Right => (HPos::Right, VPos::Center),
            Anchor::Middle => (HPos::Center, VPos::Center),
        };
        let turn = if self.turned { FontTransform::Rotate270 } else { FontTransform::None };
        // plotters-svg divides the size by 1.24 (svg.rs, draw_text) to turn a line height into letters.
        let font = FontDesc::new(family, self.size * 1.24, style).transform(turn);
        TextStyle { font, color: self.ink.plotters().to_backend_color(), pos: Pos::new(h, v) }
    }
}

enum Shape {
    Path(Vec<Point>, Ink, u32),
    Area(Vec<Point>, Ink),
    Box(Point, Point, Ink),
    Dot(Point, f64, Ink),
    Text(Point, String, Lettering),
}

/// Shapes in the order in which they cover each other.
#[derive(Default)]
pub(super) struct Canvas {
    shapes: Vec<Shape>,
}

impl Canvas {
    pub(super) fn path(&mut self, points: Vec<Point>, ink: Ink, width: u32) {
        self.shapes.push(Shape::Path(points, ink, width));
    }

    /// A path of dashes of 16 pixels with gaps of 12.
    pub(super) fn dashes(&mut self, points: &[Point], ink: Ink, width: u32) {
        let (on, period) = (16.0, 28.0);
        let (mut walked, mut dash): (f64, Vec<Point>) = (0.0, Vec::new());
        for pair in points.windows(2) {
            let [(x0, y0), (x1, y1)] = [pair[0], pair[1]];
            let length = (x1 - x0).hypot(y1 - y0);
            let at = |s: f64| (x0 + (x1 - x0) * s / length, y0 + (y1 - y0) * s / length);
            let mut done = 0.0;
            while done < length {
                let phase = walked % period;
                let border = if phase < on { on } else { period };
                // At least a tenth of a pixel, so that rounding cannot hold the walk at a border.
                let part = (border - phase).max(0.1).min(length - done);
                if phase < on {
                    if dash.is_empty() {
                        dash.push(at(done));
                    }
                    dash.push(at(done + part));
                } else if !dash.is_empty() {
                    self.path(std::mem::take(&mut dash), ink, width);
                }
                done += part;
                walked += part;
            }
        }
        if !dash.is_empty() {
            self.path(dash, ink, width);
        }
    }

    pub(super) fn area(&mut self, points: Vec<Point>, ink: Ink) {
        self.shapes.push(Shape::Area(points, ink));
    }

    /// A filled box between two opposite corners.
    pub(super) fn fill(&mut self, a: Point, b: Point, ink: Ink) {
        self.shapes.push(Shape::Box(
            (a.0.min(b.0), a.1.min(b.1)),
            (a.0.max(b.0), a.1.max(b.1)),
            ink,
        ));
    }

    pub(super) fn dot(&mut self, at: Point, radius: f64, ink: Ink) {
        self.shapes.push(Shape::Dot(at, radius, ink));
    }

    pub(super) fn text(&mut self, at: Point, text: &str, lettering: Lettering) {
        self.shapes.push(Shape::Text(at, printable(text), lettering));
    }

    /// An error bar from `low` to `high` (pixels from the top) with caps of `cap` pixels to either side.
    pub(super) fn whisker(&mut self, x: f64, low: f64, high: f64, cap: f64, ink: Ink) {
        self.path(vec![(x, low), (x, high)], ink, 3);
        for y in [low, high] {
            self.path(vec![(x - cap, y), (x + cap, y)], ink, 3);
        }
    }

    /// The SVG on white; `title` and `description` are what a screen reader says.
    pub(super) fn svg(
        &self,
        (width, height): Point,
        title: &str,
        description: &str,
    ) -> Result<String, ReportError> {
        let mut body = String::new();
        let mut backend =
            SVGBackend::with_string(&mut body, (pixel(width) as u32, pixel(height) as u32));
        let white = Shape::Box((0.0, 0.0), (width, height), Ink::WHITE);
        for shape in std::iter::once(&white).chain(&self.shapes) {
            shape.draw(&mut backend)?;
        }
        backend.present().map_err(|e| ReportError::Draw(Box::new(e)))?;
        drop(backend);
        let words =
            format!("><title>{}</title><desc>{}</desc>\n", escape(title), escape(description));
        Ok(body
            .replacen("<svg ", "<svg role=\"img\" stroke-linejoin=\"round\" ", 1)
            .replacen(">\n", &words, 1))
    }
}

impl Shape {
    fn draw(&self, to: &mut SVGBackend<'_>) -> Result<(), ReportError> {
        let style = |ink: &Ink, width: u32| ShapeStyle {
            color: ink.plotters(),
            filled: true,
            stroke_width: width,
        };
        let drawn = match self {
            Shape::Path(points, ink, width) => {
                to.draw_path(points.iter().map(coord), &style(ink, *width))
            }
            Shape::Area(points, ink) => to.fill_polygon(points.iter().map(coord), &style(ink, 1)),
            Shape::Box(a, b, ink) => to.draw_rect(coord(a), coord(b), &style(ink, 1), true),
            Shape::Dot(at, radius, ink) => {
                to.draw_circle(coord(at), pixel(*radius) as u32, &style(ink, 1), true)
            }
            Shape::Text(at, text, lettering) => {
                to.draw_text(text, &lettering.plotters(), coord(at))
            }
        };
        drawn.map_err(|e| ReportError::Draw(Box::new(e)))
    }
}

fn coord(&(x, y): &Point) -> (i32, i32) {
    (pixel(x), pixel(y))
}

fn pixel(at: f64) -> i32 {
    at.round() as i32
}
