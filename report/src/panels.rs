//! Small multiples: one line in each of many small charts with the same axes.

use super::canvas::{Canvas, Rgba, TextAnchor, TextFormat};
use super::chart_checks::{LARGEST, check_chart, check_count, check_name, check_numbers};
use super::layout::{LABEL_SIZE, LINE_HEIGHT, MARGIN, WIDTH, draw_command, draw_title};
use super::legend::LINE_WIDTH;
use super::palette::series_color;
use super::scale::Scale;
use super::text::{Typeface, decimal, width};
use super::{Axis, Chart, ReportError};

/// Panels in a row.
const COLUMNS: usize = 3;
/// The height of a panel, in pixels.
const HEIGHT: f64 = 210.0;
/// The gap between panels, which holds the name of the lower one.
const GAP: f64 = 62.0;
/// The room for the last value next to its line.
const VALUE: f64 = 118.0;

/// One line of a panel chart.
#[derive(Clone, Debug, PartialEq)]
struct Panel {
    name: String,
    points: Vec<(f64, f64)>,
    /// A dashed line at this value.
    reference: Option<f64>,
}

/// Many small charts, one for each line, with common axes; the x axis is logarithmic. The last
/// value of a line is at its right.
///
/// ```
/// use nonet_report::{Axis, Chart, PanelChart};
///
/// let (x, y) = (Axis::new("games learned", "games"), Axis::new("error", "points"));
/// let chart = PanelChart::new("Errors by class", x, y)
///     .panel("race", [(1.0, 0.5), (100.0, 0.1)])
///     .panel("contact", [(1.0, 0.8), (100.0, 0.3)]);
/// assert!(chart.render()?.contains("contact"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PanelChart {
    title: String,
    command: String,
    x: Axis,
    y: Axis,
    decimals: usize,
    panels: Vec<Panel>,
}

impl PanelChart {
    /// The most panels of one chart.
    pub const MOST_PANELS: usize = 24;

    /// A chart without panels, which does not render until one is added.
    #[must_use]
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> PanelChart {
        PanelChart {
            title: title.into(),
            command: String::new(),
            x,
            y,
            decimals: 2,
            panels: Vec::new(),
        }
    }

    /// The command that made the data, in small type at the bottom.
    #[must_use]
    pub fn command(mut self, command: impl Into<String>) -> PanelChart {
        self.command = command.into();
        self
    }

    /// Writes the last values with this number of decimals instead of two.
    #[must_use]
    pub fn decimals(self, decimals: usize) -> PanelChart {
        PanelChart { decimals, ..self }
    }

    /// Adds a panel with a line through these points; each x is above 0.
    #[must_use]
    pub fn panel(
        mut self,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> PanelChart {
        let points = points.into_iter().collect();
        self.panels.push(Panel { name: name.into(), points, reference: None });
        self
    }

    /// Adds a dashed line at `value` of the y axis to the panel that was added last.
    #[must_use]
    pub fn reference(mut self, value: f64) -> PanelChart {
        if let Some(panel) = self.panels.last_mut() {
            panel.reference = Some(value);
        }
        self
    }

    fn check(&self) -> Result<(), ReportError> {
        let chart = self.title.as_str();
        check_chart(chart, &[&self.x, &self.y], self.panels.len(), PanelChart::MOST_PANELS)?;
        for Panel { name, points, reference } in &self.panels {
            check_name(chart, "panel", name)?;
            if points.is_empty() {
                check_count(chart, name, "list of points", 0, 1)?;
            }
            check_numbers(chart, name, f64::MIN_POSITIVE, points.iter().map(|p| p.0))?;
            let values = points.iter().map(|p| p.1).chain(*reference);
            check_numbers(chart, name, -LARGEST, values)?;
        }
        Ok(())
    }
}

/// A panel's frame in pixels.
struct Frame {
    left: f64,
    right: f64,
    bottom: f64,
}

impl PanelChart {
    /// Draws grid and labels of a panel; numbers next to the axes only where `outer` says so: at
    /// the left, at the bottom.
    fn draw_frame(
        &self,
        canvas: &mut Canvas,
        frame: &Frame,
        [x, y]: [&Scale; 2],
        outer: [bool; 2],
    ) {
        for (value, label) in y.ticks() {
            let at = frame.bottom - y.fraction(value) * HEIGHT;
            canvas.path(vec![(frame.left, at), (frame.right, at)], Rgba::PALE, 2);
            if outer[0] {
                let format = TextFormat::new(LABEL_SIZE, Rgba::DARK, TextAnchor::Right);
                canvas.text((frame.left - 14.0, at), &label, format);
            }
        }
        let bottom = frame.bottom;
        canvas.path(vec![(frame.left, bottom), (frame.right, bottom)], Rgba::DARK, 2);
        for (value, label) in x.ticks() {
            let at = frame.left + x.fraction(value) * (frame.right - frame.left);
            canvas.path(vec![(at, bottom), (at, bottom + 8.0)], Rgba::DARK, 2);
            if outer[1] {
                let format = TextFormat::new(LABEL_SIZE, Rgba::DARK, TextAnchor::TopMiddle);
                canvas.text((at, bottom + 16.0), &label, format);
            }
        }
    }
}

impl Chart for PanelChart {
    fn render(&self) -> Result<String, ReportError> {
        self.check()?;
        let all = || self.panels.iter().flat_map(|panel| panel.points.iter().copied());
        let references = self.panels.iter().filter_map(|panel| panel.reference);
        let y = Scale::to_ticks(all().map(|p| p.1).chain(references), 3);
        let x = Scale::logarithmic(all().map(|p| p.0), 4);
        let mut canvas = Canvas::default();
        let mut top = draw_title(&mut canvas, &self.title) + 14.0;
        let format = TextFormat::new(LABEL_SIZE, Rgba::GREY, TextAnchor::TopLeft);
        canvas.text((MARGIN, top), &self.y.label(), format);
        top += LINE_HEIGHT + GAP;
        let ticks = y.ticks();
        let widest = ticks
            .iter()
            .map(|(_, label)| width(label, LABEL_SIZE, Typeface::Plain))
            .fold(0.0, f64::max);
        let left = MARGIN + widest + 14.0;
        let step = (WIDTH - MARGIN - left) / COLUMNS as f64;
        let mut bottom = top;
        for (n, panel) in self.panels.iter().enumerate() {
            let (row, column) = (n / COLUMNS, n % COLUMNS);
            let frame = Frame {
                left: left + column as f64 * step,
                right: left + (column + 1) as f64 * step - VALUE,
                bottom: top + HEIGHT + row as f64 * (HEIGHT + GAP),
            };
            bottom = frame.bottom;
            let lowest = n + COLUMNS >= self.panels.len();
            self.draw_frame(&mut canvas, &frame, [&x, &y], [column == 0, lowest]);
            let name = TextFormat::new(LABEL_SIZE, Rgba::DARK, TextAnchor::TopLeft);
            let above = frame.bottom - HEIGHT - LINE_HEIGHT - 4.0;
            canvas.text((frame.left, above), &panel.name, name.typeface(Typeface::Bold));
            let at = |&(px, py): &(f64, f64)| {
                (
                    frame.left + x.fraction(px) * (frame.right - frame.left),
                    frame.bottom - y.fraction(py) * HEIGHT,
                )
            };
            if let Some(value) = panel.reference {
                let height = at(&(1.0, value)).1;
                let ends = [(frame.left, height), (frame.right, height)];
                canvas.dashes(&ends, Rgba::GREY, 3);
            }
            let line: Vec<_> = panel.points.iter().map(at).collect();
            let color = series_color(0);
            if let (Some(end), Some((_, value))) = (line.last().copied(), panel.points.last()) {
                canvas.path(line, color, LINE_WIDTH);
                canvas.dot(end, 6.0, color);
                let format = TextFormat::new(LABEL_SIZE, color, TextAnchor::Left);
                canvas.text((end.0 + 14.0, end.1), &decimal(*value, self.decimals), format);
            }
        }
        let middle = TextFormat::new(LABEL_SIZE, Rgba::GREY, TextAnchor::TopMiddle);
        let below = bottom + 16.0 + LINE_HEIGHT + 6.0;
        canvas.text((WIDTH / 2.0, below), &self.x.label(), middle);
        let end = draw_command(&mut canvas, &self.command, below + LINE_HEIGHT);
        let description = format!("{} by {}", self.y.label(), self.x.label());
        canvas.svg((WIDTH, end + MARGIN * 0.7), &self.title, &description)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> PanelChart {
        PanelChart::new(
            "Errors",
            Axis::new("games learned from", "games"),
            Axis::new("error", "points per game"),
        )
    }

    #[test]
    fn each_panel_has_its_name_and_its_last_value() {
        let chart = chart()
            .panel("race", [(1000.0, 0.31), (100_000.0, 0.234)])
            .panel("contact", [(1000.0, 0.2)])
            .command("nonet train");
        let svg = chart.render().unwrap();
        for words in ["race", "0.23", "contact", "0.20", "100k", "nonet train"] {
            assert!(svg.contains(&format!("\n{words}\n")), "{words}");
        }
        assert_eq!(svg, chart.render().unwrap(), "same input, same bytes");
    }

    #[test]
    fn a_reference_is_a_line_of_its_panel_within_the_axis() {
        let plain = chart().panel("race", [(1000.0, 0.1), (9000.0, 0.2)]);
        let lines = |chart: &PanelChart| chart.render().unwrap().matches("<polyline").count();
        assert!(lines(&plain.clone().reference(-0.9)) > lines(&plain));
        let svg = plain.reference(-0.9).render().unwrap();
        assert!(svg.contains("\n\u{2212}1.0\n") || svg.contains("\n-1.0\n"), "{svg}");
    }

    #[test]
    fn a_panel_chart_that_cannot_be_drawn_is_an_error_that_says_why() {
        assert!(matches!(chart().render(), Err(ReportError::Empty { .. })));
        let zero = chart().panel("race", [(0.0, 0.1)]).render().unwrap_err();
        assert!(zero.to_string().contains("entry 0 of 'race'"), "{zero}");
    }
}
