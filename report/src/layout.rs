//! The layout of a chart around its data: title, legend, axes, grid, reference lines and the
//! command that made it.

use super::ReportError;
use super::canvas::{Canvas, Rgba, TextAnchor, TextFormat};
use super::legend::{LegendEntry, legend};
use super::scale::Scale;
use super::text::{Typeface, width, wrap};

/// The width of a chart, in pixels.
pub(super) const WIDTH: f64 = 1600.0;
/// The margin around a chart, in pixels.
pub(super) const MARGIN: f64 = 48.0;
const PLOT_HEIGHT: f64 = 720.0;
const TITLE_SIZE: f64 = 38.0;
/// The size of axis labels, legend and ticks, in pixels.
pub(super) const LABEL_SIZE: f64 = 26.0;
/// The height of a line of text of that size.
pub(super) const LINE_HEIGHT: f64 = 36.0;
/// The gap between the plot and the tick labels below it.
pub(super) const TICK_GAP: f64 = 22.0;
const COMMAND_SIZE: f64 = 20.0;
/// The gap between a value and the name of a line, which would else read as one sentence.
const VALUE_GAP: f64 = LINE_HEIGHT / 2.0;

/// A horizontal line at a value to compare with.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReferenceLine {
    pub value: f64,
    pub label: String,
    /// The colour of the label.
    pub color: Rgba,
    /// Whether there is a line, not the label alone.
    pub drawn: bool,
}

/// The label of a line or of a value next to the plot.
struct SideLabel<'a> {
    /// Its middle in pixels from the top.
    y: f64,
    lines: &'a [String],
    color: Rgba,
    /// Whether it is the name of a line, not a value.
    is_name: bool,
}

impl SideLabel<'_> {
    fn half_height(&self) -> f64 {
        self.lines.len() as f64 * LINE_HEIGHT / 2.0
    }

    fn gap_to(&self, other: &SideLabel) -> f64 {
        if self.is_name == other.is_name { 0.0 } else { VALUE_GAP }
    }
}

/// The parts of a chart around its data.
pub(super) struct ChartParts<'a> {
    pub title: &'a str,
    pub command: &'a str,
    pub legend: Vec<LegendEntry>,
    pub x_label: &'a str,
    pub y_label: &'a str,
    pub y: Scale,
    pub references: &'a [ReferenceLine],
}

/// The canvas with these parts drawn, and the rectangle for the data.
pub(super) struct Layout<'a> {
    pub canvas: Canvas,
    pub left: f64,
    pub right: f64,
    pub bottom: f64,
    parts: ChartParts<'a>,
}

impl<'a> Layout<'a> {
    /// Draws title, legend, y axis, grid and the labels of the reference lines.
    pub(super) fn new(parts: ChartParts<'a>) -> Layout<'a> {
        let mut canvas = Canvas::default();
        let mut top = draw_title(&mut canvas, parts.title);
        top = legend(&mut canvas, &parts.legend, (MARGIN, top + 14.0), WIDTH - MARGIN) + 22.0;
        for line in wrap(parts.y_label, LABEL_SIZE, Typeface::Plain, WIDTH - 2.0 * MARGIN) {
            canvas.text(
                (MARGIN, top),
                &line,
                TextFormat::new(LABEL_SIZE, Rgba::GREY, TextAnchor::TopLeft),
            );
            top += LINE_HEIGHT;
        }
        top += 18.0;
        let ticks = parts.y.ticks();
        let widest = |labels: &mut dyn Iterator<Item = &str>| {
            labels.map(|label| width(label, LABEL_SIZE, Typeface::Plain)).fold(0.0, f64::max)
        };
        let labels: Vec<_> = parts
            .references
            .iter()
            .map(|r| wrap(&r.label, LABEL_SIZE, Typeface::Plain, 220.0))
            .collect();
        let beside = widest(&mut labels.iter().flatten().map(String::as_str));
        let mut layout = Layout {
            canvas,
            left: MARGIN + widest(&mut ticks.iter().map(|(_, label)| label.as_str())) + 14.0,
            right: WIDTH - MARGIN - if beside > 0.0 { beside + 14.0 } else { 20.0 },
            bottom: top + PLOT_HEIGHT,
            parts,
        };
        for (value, label) in ticks {
            let y = layout.y(value);
            layout.canvas.path(vec![(layout.left, y), (layout.right, y)], Rgba::PALE, 2);
            let format = TextFormat::new(LABEL_SIZE, Rgba::DARK, TextAnchor::Right);
            layout.canvas.text((layout.left - 14.0, y), &label, format);
        }
        layout.draw_reference_labels(&labels);
        layout
    }

    /// A value of the y axis in pixels from the top.
    pub(super) fn y(&self, value: f64) -> f64 {
        self.bottom - self.parts.y.fraction(value) * PLOT_HEIGHT
    }

    /// Draws the x axis at `y` pixels from the top.
    pub(super) fn x_axis_line(&mut self, y: f64) {
        self.canvas.path(vec![(self.left, y), (self.right, y)], Rgba::DARK, 2);
    }

    /// Draws the reference lines; [`Layout::new`] has drawn their labels.
    pub(super) fn draw_references(&mut self) {
        for reference in self.parts.references.iter().filter(|reference| reference.drawn) {
            let y = self.y(reference.value);
            let line = [(self.left, y), (self.right, y)];
            // A white border separates the line from a bar that it crosses.
            self.canvas.path(line.to_vec(), Rgba::WHITE.with_opacity(0.6), 7);
            self.canvas.dashes(&line, Rgba::DARK, 3);
        }
    }

    fn draw_reference_labels(&mut self, labels: &[Vec<String>]) {
        let pairs = self.parts.references.iter().zip(labels);
        let beside = pairs.map(|(r, lines)| SideLabel {
            y: self.y(r.value),
            lines,
            color: r.color,
            is_name: r.drawn,
        });
        let mut places: Vec<SideLabel> = beside.collect();
        places.sort_by(|a, b| a.y.total_cmp(&b.y));
        // Labels of close lines are moved apart: first downward, then back up from the bottom.
        for i in 1..places.len() {
            let (above, own) = (&places[i - 1], &places[i]);
            let edge = above.y + above.half_height() + above.gap_to(own);
            places[i].y = own.y.max(edge + own.half_height());
        }
        let mut edge = self.bottom + LINE_HEIGHT / 2.0;
        for i in (0..places.len()).rev() {
            places[i].y = places[i].y.min(edge - places[i].half_height());
            let above = i.checked_sub(1).map_or(0.0, |above| places[above].gap_to(&places[i]));
            edge = places[i].y - places[i].half_height() - above;
        }
        for place in places {
            let (left, top) = (self.right + 14.0, place.y - place.half_height());
            let format = TextFormat::new(LABEL_SIZE, place.color, TextAnchor::Left);
            for (i, line) in place.lines.iter().enumerate() {
                self.canvas.text((left, top + (i as f64 + 0.5) * LINE_HEIGHT), line, format);
            }
        }
    }

    /// Adds the label of the x axis and the command from `below` on, where everything else ends,
    /// and returns the SVG.
    pub(super) fn finish(mut self, below: f64) -> Result<String, ReportError> {
        let mut y = below + 12.0;
        for line in wrap(self.parts.x_label, LABEL_SIZE, Typeface::Plain, self.right - self.left) {
            let middle = (self.left + self.right) / 2.0;
            self.canvas.text(
                (middle, y),
                &line,
                TextFormat::new(LABEL_SIZE, Rgba::GREY, TextAnchor::TopMiddle),
            );
            y += LINE_HEIGHT;
        }
        let y = draw_command(&mut self.canvas, self.parts.command, y);
        let ChartParts { title, x_label, y_label, .. } = self.parts;
        self.canvas.svg((WIDTH, y + MARGIN * 0.7), title, &format!("{y_label} by {x_label}"))
    }
}

/// Draws the title, and returns where it ends.
pub(super) fn draw_title(canvas: &mut Canvas, title: &str) -> f64 {
    let mut top = MARGIN;
    let format =
        TextFormat::new(TITLE_SIZE, Rgba::DARK, TextAnchor::TopLeft).typeface(Typeface::Bold);
    for line in wrap(title, TITLE_SIZE, Typeface::Bold, WIDTH - 2.0 * MARGIN) {
        canvas.text((MARGIN, top), &line, format);
        top += TITLE_SIZE * 1.3;
    }
    top
}

/// Draws the command that made the data from `y` on, and returns where it ends.
pub(super) fn draw_command(canvas: &mut Canvas, command: &str, mut y: f64) -> f64 {
    let format =
        TextFormat::new(COMMAND_SIZE, Rgba::GREY, TextAnchor::TopLeft).typeface(Typeface::Mono);
    let lines = wrap(command, COMMAND_SIZE, Typeface::Mono, WIDTH - 2.0 * MARGIN);
    y += if lines.is_empty() { 0.0 } else { 22.0 };
    for line in lines {
        canvas.text((MARGIN, y), &line, format);
        y += COMMAND_SIZE * 1.4;
    }
    y
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, BarChart, BarSeries, Chart, LineChart, PlotSeries};
    use super::*;

    /// The level texts of an SVG with their estimated boxes (left, top, right, bottom).
    fn texts(svg: &str) -> Vec<(String, [f64; 4])> {
        let lines: Vec<&str> = svg.lines().collect();
        let level = |l: &[&str]| l[0].starts_with("<text ") && !l[0].contains("rotate");
        let found = lines.windows(2).filter(|l| level(l)).map(|l| {
            let of = |name: &str| {
                let (_, rest) = l[0].split_once(&format!(" {name}=\"")).unwrap();
                rest.split_once('"').unwrap().0
            };
            let number = |name: &str| of(name).parse::<f64>().unwrap();
            let typeface =
                if of("font-family") == "monospace" { Typeface::Mono } else { Typeface::Plain };
            let (x, y, size) = (number("x"), number("y"), number("font-size"));
            let wide = width(l[1], size, typeface);
            let left = x - wide
                * ["start", "middle", "end"].iter().position(|a| *a == of("text-anchor")).unwrap()
                    as f64
                / 2.0;
            let top = if of("dy") == "0.76em" { y } else { y - size * 0.4 };
            (l[1].to_owned(), [left, top, left + wide, top + size * 0.8])
        });
        found.collect()
    }

    #[test]
    fn a_value_stands_clear_of_the_name_of_a_line_and_has_the_colour_of_its_series() {
        for value in [0.137, 0.001, 0.0, -0.05, -1.2] {
            let (x, y) = (Axis::new("games", "games"), Axis::new("score", "points per game"));
            let chart = LineChart::new("Curve", x, y)
                .series(PlotSeries::line("ours", [(1.0, -1.2), (9.0, 0.2)]))
                .label(value, "the value", 2)
                .reference(0.0, "equal to pubeval");
            let svg = chart.render().unwrap();
            let all = texts(&svg);
            let of = |text: &str| all.iter().find(|(own, _)| own == text).unwrap().1;
            let ([_, top, _, bottom], name) = (of("the value"), [of("equal to"), of("pubeval")]);
            let gap = (name[0][1] - bottom).max(top - name[1][3]);
            assert!(gap > VALUE_GAP, "{value}: {gap}");
            let (before, _) = svg.split_once("\nthe value\n").unwrap();
            assert!(before.ends_with("fill=\"#009E73\">"), "{before}");
        }
    }

    #[test]
    fn no_text_is_cut_off_and_none_covers_another() {
        let (x, y) = (Axis::new("games learned", "games"), Axis::new("equity", "points per game"));
        let nine = (0..9).fold(LineChart::new("Nine", x, y.clone()), |chart, n| {
            let points = [(0.0, 0.0), (1.45e6, f64::from(n) * 1.1e-7)];
            chart.series(PlotSeries::line(format!("a net of class {n}"), points))
        });
        let nine = nine.reference(0.0, "parity").reference(1e-9, "a line that is close to parity");
        let names =
            ["endgame", "race", "no-back", "prime", "backgame", "holding", "own home", "x", "y"];
        let bars = BarChart::new("A title ".repeat(20), "class", names, y)
            .command("nonet count --games 10000 ".repeat(9))
            .series(
                BarSeries::new("ours", (0..9).map(|i| f64::from(i) - 4.0))
                    .error_bars("se", [0.5; 9]),
            )
            .series(BarSeries::new("the paper's", (0..9).map(|i| 4.5 - f64::from(i))))
            .show_values(2);
        for svg in [nine.render().unwrap(), bars.render().unwrap()] {
            let height =
                svg.split("viewBox=\"0 0 1600 ").nth(1).unwrap().split('"').next().unwrap();
            let height: f64 = height.parse().unwrap();
            let all = texts(&svg);
            assert!(all.len() > 20);
            for (i, (text, [left, top, right, bottom])) in all.iter().enumerate() {
                let inside = *left >= 0.0 && *top >= 0.0 && *right <= WIDTH && *bottom <= height;
                assert!(inside, "{text} is cut off");
                for (other, [l, t, r, b]) in &all[..i] {
                    let apart = right <= l || r <= left || bottom <= t || b <= top;
                    assert!(apart, "{text} covers {other}");
                }
            }
        }
    }
}
