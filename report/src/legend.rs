//! The legend: rows between the title and the plot that say which mark belongs to which series.

use super::canvas::{Canvas, Point, Rgba, TextAnchor, TextFormat};
use super::layout::{LABEL_SIZE, LINE_HEIGHT};
use super::text::{Typeface, width, wrap};

/// The gap between a mark and its name.
const GAP: f64 = 14.0;

/// The width of a plain line, in pixels.
pub(super) const LINE_WIDTH: u32 = 5;
/// The width of a faint line, in pixels.
pub(super) const FAINT_WIDTH: u32 = 3;
/// The opacity of a faint line.
pub(super) const FAINT_OPACITY: f64 = 0.45;
/// The opacity of an error band.
pub(super) const BAND_OPACITY: f64 = 0.2;
/// The radius of the dots on a line with markers, in pixels.
pub(super) const MARKER_RADIUS: f64 = 5.0;
/// The radius of a dot, in pixels.
pub(super) const DOT_RADIUS: f64 = 7.0;

/// The mark next to a name in the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LegendMark {
    Line,
    Dashes,
    Faint,
    Dots,
    Box,
}

/// One entry of the legend.
pub(super) struct LegendEntry {
    pub name: String,
    pub mark: LegendMark,
    pub color: Rgba,
    /// Whether the series has error bars or an error band.
    pub band: bool,
}

impl LegendEntry {
    /// The width of the mark, in pixels.
    fn mark_width(&self) -> f64 {
        match self.mark {
            LegendMark::Line | LegendMark::Dashes | LegendMark::Faint => 52.0,
            LegendMark::Dots | LegendMark::Box => 28.0,
        }
    }

    /// Draws the mark with its left end at `x` and its middle at `y`.
    fn draw_mark(&self, canvas: &mut Canvas, (x, y): Point) {
        let (color, wide) = (self.color, self.mark_width());
        let line = [(x, y), (x + wide, y)];
        match self.mark {
            LegendMark::Dots if self.band => {
                canvas.error_bar(x + wide / 2.0, y + 14.0, y - 14.0, 8.0, color)
            }
            LegendMark::Dots | LegendMark::Box => {}
            _ if self.band => {
                canvas.fill((x, y - 12.0), (x + wide, y + 12.0), color.with_opacity(BAND_OPACITY))
            }
            _ => {}
        }
        match self.mark {
            LegendMark::Line => canvas.path(line.to_vec(), color, LINE_WIDTH),
            LegendMark::Dashes => canvas.dashes(&line, color, LINE_WIDTH),
            LegendMark::Faint => {
                canvas.path(line.to_vec(), color.with_opacity(FAINT_OPACITY), FAINT_WIDTH)
            }
            LegendMark::Dots => canvas.dot((x + wide / 2.0, y), DOT_RADIUS, color),
            LegendMark::Box => canvas.fill((x, y - 13.0), (x + wide, y + 13.0), color),
        }
    }
}

/// Draws the entries in as many rows as they need between `left` and `right`, and returns where
/// they end.
pub(super) fn legend(
    canvas: &mut Canvas,
    entries: &[LegendEntry],
    (left, top): Point,
    right: f64,
) -> f64 {
    let (mut x, mut y) = (left, top + LINE_HEIGHT / 2.0);
    for entry in entries {
        let indent = entry.mark_width() + GAP;
        let lines = wrap(&entry.name, LABEL_SIZE, Typeface::Plain, right - left - indent);
        let widest =
            lines.iter().map(|l| width(l, LABEL_SIZE, Typeface::Plain)).fold(0.0, f64::max);
        if x > left && x + indent + widest > right {
            (x, y) = (left, y + LINE_HEIGHT);
        }
        entry.draw_mark(canvas, (x, y));
        for (i, line) in lines.iter().enumerate() {
            y += if i > 0 { LINE_HEIGHT } else { 0.0 };
            let format = TextFormat::new(LABEL_SIZE, Rgba::DARK, TextAnchor::Left);
            canvas.text((x + indent, y), line, format);
        }
        x += indent + widest + 44.0;
    }
    y + LINE_HEIGHT / 2.0
}
