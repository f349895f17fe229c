//! Which mark stands for which series: the rows between the title and the plot.

use super::canvas::{Anchor, Canvas, Ink, Lettering, Point};
use super::frame::{LABEL, LINE};
use super::text::{Face, width, wrap};

/// The gap between a mark and its name.
const GAP: f64 = 14.0;

/// The width of a plain line, in pixels.
pub(super) const THICK: u32 = 5;
/// The width of a faint line, in pixels.
pub(super) const THIN: u32 = 3;
/// The opacity of a faint line.
pub(super) const FAINT: f64 = 0.45;
/// The opacity of an error band.
pub(super) const BAND: f64 = 0.2;
/// The radius of a dot, in pixels.
pub(super) const DOT: f64 = 7.0;

/// What stands beside a name in the legend.
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
    pub ink: Ink,
    /// Whether the marks have error bars, or lines an error band.
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
        let (ink, wide) = (self.ink, self.mark_width());
        let line = [(x, y), (x + wide, y)];
        match self.mark {
            LegendMark::Dots if self.band => {
                canvas.whisker(x + wide / 2.0, y + 14.0, y - 14.0, 8.0, ink)
            }
            LegendMark::Dots | LegendMark::Box => {}
            _ if self.band => canvas.fill((x, y - 12.0), (x + wide, y + 12.0), ink.faded(BAND)),
            _ => {}
        }
        match self.mark {
            LegendMark::Line => canvas.path(line.to_vec(), ink, THICK),
            LegendMark::Dashes => canvas.dashes(&line, ink, THICK),
            LegendMark::Faint => canvas.path(line.to_vec(), ink.faded(FAINT), THIN),
            LegendMark::Dots => canvas.dot((x + wide / 2.0, y), DOT, ink),
            LegendMark::Box => canvas.fill((x, y - 13.0), (x + wide, y + 13.0), ink),
        }
    }
}

/// Draws the entries in as many rows as they need between `left` and `right`, and returns where they end.
pub(super) fn legend(
    canvas: &mut Canvas,
    entries: &[LegendEntry],
    (left, top): Point,
    right: f64,
) -> f64 {
    let (mut x, mut y) = (left, top + LINE / 2.0);
    for entry in entries {
        let indent = entry.mark_width() + GAP;
        let lines = wrap(&entry.name, LABEL, Face::Plain, right - left - indent);
        let widest = lines.iter().map(|l| width(l, LABEL, Face::Plain)).fold(0.0, f64::max);
        if x > left && x + indent + widest > right {
            (x, y) = (left, y + LINE);
        }
        entry.draw_mark(canvas, (x, y));
        for (i, line) in lines.iter().enumerate() {
            y += if i > 0 { LINE } else { 0.0 };
            let lettering = Lettering::new(LABEL, Ink::DARK, Anchor::Left);
            canvas.text((x + indent, y), line, lettering);
        }
        x += indent + widest + 44.0;
    }
    y + LINE / 2.0
}
