//! Shapes in pixels, and the SVG that plotters writes of them. Only this file uses plotters.

use plotters::prelude::{DrawingBackend, RGBAColor, SVGBackend, ShapeStyle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, FontTransform, TextStyle};

use super::ReportError;
use super::text::{Typeface, escape, printable};

/// Pixels from the left, pixels from the top.
pub(super) type Point = (f64, f64);

/// A colour with its opacity, 0..=1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rgba(pub u8, pub u8, pub u8, pub f64);

impl Rgba {
    pub(super) const WHITE: Rgba = Rgba(255, 255, 255, 1.0);
    /// Text and the axes.
    pub(super) const DARK: Rgba = Rgba(34, 34, 34, 1.0);
    /// Less important text, and reference lines.
    pub(super) const GREY: Rgba = Rgba(96, 96, 96, 1.0);
    /// The grid.
    pub(super) const PALE: Rgba = Rgba(224, 224, 224, 1.0);

    pub(super) fn with_opacity(self, opacity: f64) -> Rgba {
        Rgba(self.0, self.1, self.2, opacity)
    }

    fn plotters(self) -> RGBAColor {
        RGBAColor(self.0, self.1, self.2, self.3)
    }
}

/// Which point of a text is at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextAnchor {
    TopLeft,
    TopMiddle,
    Left,
    Right,
    Middle,
}

/// Size, typeface, colour and placement of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextFormat {
    pub size: f64,
    pub typeface: Typeface,
    pub color: Rgba,
    pub anchor: TextAnchor,
    /// Whether it reads from bottom to top.
    pub rotated: bool,
}

impl TextFormat {
    pub(super) fn new(size: f64, color: Rgba, anchor: TextAnchor) -> TextFormat {
        TextFormat { size, typeface: Typeface::Plain, color, anchor, rotated: false }
    }

    pub(super) fn typeface(self, typeface: Typeface) -> TextFormat {
        TextFormat { typeface, ..self }
    }

    pub(super) fn rotated(self) -> TextFormat {
        TextFormat { rotated: true, ..self }
    }

    fn plotters(&self) -> TextStyle<'static> {
        let (family, style) = match self.typeface {
            Typeface::Plain => (FontFamily::SansSerif, FontStyle::Normal),
            Typeface::Bold => (FontFamily::SansSerif, FontStyle::Bold),
            Typeface::Mono => (FontFamily::Monospace, FontStyle::Normal),
        };
        let (h, v) = match self.anchor {
            TextAnchor::TopLeft => (HPos::Left, VPos::Top),
            TextAnchor::TopMiddle => (HPos::Center, VPos::Top),
            TextAnchor::Left => (HPos::Left, VPos::Center),
            TextAnchor::Right => (HPos::Right, VPos::Center),
            TextAnchor::Middle => (HPos::Center, VPos::Center),
        };
        let turn = if self.rotated { FontTransform::Rotate270 } else { FontTransform::None };
        // plotters-svg divides the size by 1.24 (svg.rs, draw_text) to get the font size from a
        // line height.
        let font = FontDesc::new(family, self.size * 1.24, style).transform(turn);
        TextStyle { font, color: self.color.plotters().to_backend_color(), pos: Pos::new(h, v) }
    }
}

enum Shape {
    Path(Vec<Point>, Rgba, u32),
    Area(Vec<Point>, Rgba),
    Box(Point, Point, Rgba),
    Dot(Point, f64, Rgba),
    Text(Point, String, TextFormat),
}

/// Shapes in drawing order: later ones cover earlier ones.
#[derive(Default)]
pub(super) struct Canvas {
    shapes: Vec<Shape>,
}

impl Canvas {
    pub(super) fn path(&mut self, points: Vec<Point>, color: Rgba, width: u32) {
        self.shapes.push(Shape::Path(points, color, width));
    }

    /// A path of dashes of 16 pixels with gaps of 12.
    pub(super) fn dashes(&mut self, points: &[Point], color: Rgba, width: u32) {
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
                // At least a tenth of a pixel, so that rounding cannot stop the loop at a border.
                let part = (border - phase).max(0.1).min(length - done);
                if phase < on {
                    if dash.is_empty() {
                        dash.push(at(done));
                    }
                    dash.push(at(done + part));
                } else if !dash.is_empty() {
                    self.path(std::mem::take(&mut dash), color, width);
                }
                done += part;
                walked += part;
            }
        }
        if !dash.is_empty() {
            self.path(dash, color, width);
        }
    }

    pub(super) fn area(&mut self, points: Vec<Point>, color: Rgba) {
        self.shapes.push(Shape::Area(points, color));
    }

    /// A filled box between two opposite corners.
    pub(super) fn fill(&mut self, a: Point, b: Point, color: Rgba) {
        self.shapes.push(Shape::Box(
            (a.0.min(b.0), a.1.min(b.1)),
            (a.0.max(b.0), a.1.max(b.1)),
            color,
        ));
    }

    pub(super) fn dot(&mut self, at: Point, radius: f64, color: Rgba) {
        self.shapes.push(Shape::Dot(at, radius, color));
    }

    pub(super) fn text(&mut self, at: Point, text: &str, format: TextFormat) {
        self.shapes.push(Shape::Text(at, printable(text), format));
    }

    /// An error bar from `low` to `high` (pixels from the top) with caps of `cap` pixels to either
    /// side.
    pub(super) fn error_bar(&mut self, x: f64, low: f64, high: f64, cap: f64, color: Rgba) {
        self.path(vec![(x, low), (x, high)], color, 3);
        for y in [low, high] {
            self.path(vec![(x - cap, y), (x + cap, y)], color, 3);
        }
    }

    /// The SVG on a white background. Screen readers read out `title` and `description`.
    pub(super) fn svg(
        &self,
        (width, height): Point,
        title: &str,
        description: &str,
    ) -> Result<String, ReportError> {
        let mut body = String::new();
        let mut backend =
            SVGBackend::with_string(&mut body, (pixel(width) as u32, pixel(height) as u32));
        let white = Shape::Box((0.0, 0.0), (width, height), Rgba::WHITE);
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
        let style = |color: &Rgba, width: u32| ShapeStyle {
            color: color.plotters(),
            filled: true,
            stroke_width: width,
        };
        let drawn = match self {
            Shape::Path(points, color, width) => {
                to.draw_path(points.iter().map(coord), &style(color, *width))
            }
            Shape::Area(points, color) => {
                to.fill_polygon(points.iter().map(coord), &style(color, 1))
            }
            Shape::Box(a, b, color) => to.draw_rect(coord(a), coord(b), &style(color, 1), true),
            Shape::Dot(at, radius, color) => {
                to.draw_circle(coord(at), pixel(*radius) as u32, &style(color, 1), true)
            }
            Shape::Text(at, text, format) => to.draw_text(text, &format.plotters(), coord(at)),
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
