//! Line charts: learning curves, losses, rates.

use super::canvas::{Canvas, Point, Rgba, TextAnchor, TextFormat};
use super::chart_checks::{LARGEST, check_chart, check_numbers};
use super::data_series::{PlotSeries, SeriesStyle};
use super::layout::{ChartParts, LABEL_SIZE, LINE_HEIGHT, Layout, ReferenceLine, TICK_GAP};
use super::legend::{
    BAND_OPACITY, DOT_RADIUS, FAINT_OPACITY, FAINT_WIDTH, LINE_WIDTH, MARKER_RADIUS,
};
use super::palette::{SERIES_COLORS, series_color};
use super::scale::Scale;
use super::text::{Typeface, width};
use super::{Axis, Chart, ReportError};

/// Curves with error bands and reference lines.
///
/// ```
/// use nonet_report::{Axis, Chart, LineChart, PlotSeries};
///
/// let (x, y) = (Axis::new("games learned", "games"), Axis::new("equity", "points per game"));
/// let chart = LineChart::new("Learning curve", x, y)
///     .series(PlotSeries::line("ours", [(1.0, -0.2), (10.0, 0.1), (100.0, 0.3)]).markers())
///     .reference(0.0, "parity")
///     .logarithmic_x();
/// assert!(chart.render()?.contains("parity"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LineChart {
    title: String,
    command: String,
    x: Axis,
    y: Axis,
    series: Vec<PlotSeries>,
    references: Vec<ReferenceLine>,
    logarithmic_x: bool,
    logarithmic_y: bool,
    whole_x: bool,
}

impl LineChart {
    /// The most series of one chart: a solid and a dashed line in each colour.
    pub const MOST_SERIES: usize = 2 * SERIES_COLORS;

    /// A chart without series, which does not render until one is added. The data decide the ranges
    /// of the axes.
    #[must_use]
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> LineChart {
        LineChart {
            title: title.into(),
            command: String::new(),
            x,
            y,
            series: Vec::new(),
            references: Vec::new(),
            logarithmic_x: false,
            logarithmic_y: false,
            whole_x: false,
        }
    }

    /// The command that made the data, in small type at the bottom.
    #[must_use]
    pub fn command(mut self, command: impl Into<String>) -> LineChart {
        self.command = command.into();
        self
    }

    /// Adds a series; the n-th has the n-th colour unless it has its own.
    #[must_use]
    pub fn series(mut self, series: PlotSeries) -> LineChart {
        self.series.push(series);
        self
    }

    /// Adds a dashed horizontal line at `value` of the y axis, for example parity. The label may be
    /// empty.
    #[must_use]
    pub fn reference(mut self, value: f64, label: impl Into<String>) -> LineChart {
        let (label, color) = (label.into(), Rgba::GREY);
        self.references.push(ReferenceLine { value, label, color, drawn: true });
        self
    }

    /// Writes a label at `value` of the y axis to the right of the plot, for example the last value
    /// of a curve. It has the colour of the series with this colour index.
    #[must_use]
    pub fn label(mut self, value: f64, label: impl Into<String>, color_index: usize) -> LineChart {
        let (label, color) = (label.into(), series_color(color_index));
        self.references.push(ReferenceLine { value, label, color, drawn: false });
        self
    }

    /// Makes the x axis logarithmic, for numbers above 0.
    #[must_use]
    pub fn logarithmic_x(mut self) -> LineChart {
        self.logarithmic_x = true;
        self
    }

    /// Makes the y axis logarithmic. Lines, bands and references must be above 0.
    #[must_use]
    pub fn logarithmic_y(mut self) -> LineChart {
        self.logarithmic_y = true;
        self
    }

    /// Has ticks at whole numbers of x alone, with half a unit of room on both sides.
    ///
    /// This suits dots that stand slightly apart at each number.
    #[must_use]
    pub fn whole_x(mut self) -> LineChart {
        self.whole_x = true;
        self
    }

    fn check(&self) -> Result<(), ReportError> {
        let chart = self.title.as_str();
        let listed = self.series.iter().filter(|series| series.listed).count();
        check_chart(chart, &[&self.x, &self.y], listed, LineChart::MOST_SERIES)?;
        for reference in &self.references {
            check_numbers(chart, &reference.label, -LARGEST, [reference.value])?;
        }
        for series in self.series.iter().filter(|_| self.logarithmic_x) {
            let xs = series.points.iter().map(|point| point.0);
            check_numbers(chart, &series.name, f64::MIN_POSITIVE, xs)?;
        }
        for series in self.series.iter().filter(|_| self.logarithmic_y) {
            check_numbers(chart, &series.name, f64::MIN_POSITIVE, series.y_extent())?;
        }
        for reference in self.references.iter().filter(|_| self.logarithmic_y) {
            check_numbers(chart, &reference.label, f64::MIN_POSITIVE, [reference.value])?;
        }
        self.series.iter().try_for_each(|series| series.check(chart))
    }

    fn y_scale(&self) -> Scale {
        let y_extent = self.series.iter().flat_map(PlotSeries::y_extent);
        let values = y_extent.chain(self.references.iter().map(|r| r.value));
        if self.logarithmic_y {
            Scale::logarithmic_to_ticks(values, 10)
        } else {
            Scale::to_ticks(values, 7)
        }
    }

    /// The range of x, with as many ticks as have room for their labels in `room` pixels.
    fn x_scale(&self, room: f64) -> Scale {
        let with = |ticks| {
            let values = self.series.iter().flat_map(|s| s.points.iter().map(|p| p.0));
            match (self.logarithmic_x, self.whole_x) {
                (true, _) => Scale::logarithmic(values, ticks),
                (_, true) => Scale::whole(values),
                _ => Scale::to_values(values, ticks),
            }
        };
        let fits = |scale: &Scale| {
            let ticks = scale.ticks();
            let widest = ticks
                .iter()
                .map(|(_, t)| width(t, LABEL_SIZE, Typeface::Plain))
                .fold(0.0, f64::max);
            (widest + 24.0) * ticks.len() as f64 <= room
        };
        [10, 7, 5].into_iter().map(with).find(fits).unwrap_or_else(|| with(3))
    }

    fn color_index(&self, n: usize) -> usize {
        self.series.get(n).and_then(|series| series.color_index).unwrap_or(n)
    }
}

impl Chart for LineChart {
    fn render(&self) -> Result<String, ReportError> {
        self.check()?;
        let (x_label, y_label) = (self.x.label(), self.y.label());
        let mut layout = Layout::new(ChartParts {
            title: &self.title,
            command: &self.command,
            legend: self
                .series
                .iter()
                .enumerate()
                .filter(|(_, series)| series.listed)
                .map(|(n, series)| series.legend_entry(self.color_index(n)))
                .collect(),
            x_label: &x_label,
            y_label: &y_label,
            y: self.y_scale(),
            references: &self.references,
        });
        let (left, right, bottom) = (layout.left, layout.right, layout.bottom);
        let scale = self.x_scale(right - left);
        let x = |value: f64| left + scale.fraction(value) * (right - left);
        layout.draw_references();
        layout.x_axis_line(bottom);
        for (value, label) in scale.ticks() {
            layout.canvas.path(vec![(x(value), bottom), (x(value), bottom + 10.0)], Rgba::DARK, 2);
            let format = TextFormat::new(LABEL_SIZE, Rgba::DARK, TextAnchor::TopMiddle);
            layout.canvas.text((x(value), bottom + TICK_GAP), &label, format);
        }
        let mut order: Vec<(usize, &PlotSeries)> = self.series.iter().enumerate().collect();
        order.sort_by_key(|(_, series)| series.style);
        let in_pixels: Vec<SeriesInPixels> = order
            .into_iter()
            .map(|(n, series)| {
                let at = |i: usize, sign: f64| {
                    let (px, py) = series.points.get(i).copied().unwrap_or_default();
                    (x(px), layout.y(series.limits.cut(py + sign * series.half_width(i))))
                };
                let line = |sign: f64| (0..series.points.len()).map(|i| at(i, sign)).collect();
                SeriesInPixels {
                    points: line(0.0),
                    upper: line(1.0),
                    lower: line(-1.0),
                    series,
                    color_index: self.color_index(n),
                }
            })
            .collect();
        in_pixels.iter().for_each(|p| p.draw_band(&mut layout.canvas));
        in_pixels.iter().for_each(|p| p.draw_points(&mut layout.canvas));
        layout.finish(bottom + TICK_GAP + LINE_HEIGHT)
    }
}

/// A series in pixels.
struct SeriesInPixels<'a> {
    points: Vec<Point>,
    upper: Vec<Point>,
    lower: Vec<Point>,
    series: &'a PlotSeries,
    color_index: usize,
}

impl SeriesInPixels<'_> {
    fn draw_band(&self, canvas: &mut Canvas) {
        let color = series_color(self.color_index);
        if self.series.band.is_none() {
            return;
        }
        if self.series.is_dots() {
            for (upper, lower) in self.upper.iter().zip(&self.lower) {
                canvas.error_bar(upper.0, lower.1, upper.1, 8.0, color);
            }
        } else {
            canvas.area(
                self.upper.iter().chain(self.lower.iter().rev()).copied().collect(),
                color.with_opacity(BAND_OPACITY),
            );
        }
    }

    fn draw_points(&self, canvas: &mut Canvas) {
        let color = series_color(self.color_index);
        if self.series.markers && !self.series.is_dots() {
            self.points.iter().for_each(|&at| canvas.dot(at, MARKER_RADIUS, color));
        }
        match self.series.style {
            _ if self.series.is_dots() => {
                self.points.iter().for_each(|&at| canvas.dot(at, DOT_RADIUS, color))
            }
            SeriesStyle::Faint => {
                canvas.path(self.points.clone(), color.with_opacity(FAINT_OPACITY), FAINT_WIDTH)
            }
            _ if self.color_index >= SERIES_COLORS => {
                canvas.dashes(&self.points, color, LINE_WIDTH)
            }
            _ => canvas.path(self.points.clone(), color, LINE_WIDTH),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(points: &[(f64, f64)]) -> LineChart {
        LineChart::new(
            "Equity",
            Axis::new("games learned", "games"),
            Axis::new("equity", "points per game"),
        )
        .series(PlotSeries::line("ours", points.iter().copied()))
    }

    #[test]
    fn a_chart_names_both_axes_and_their_units_and_escapes_its_text() {
        let chart = curve(&[(0.0, -0.2), (1e5, 0.3)])
            .command("nonet train --out \"a&b\" <x>")
            .reference(0.0, "parity");
        let svg = chart.render().unwrap();
        for words in [
            "equity (points per game)",
            "games learned",
            "parity",
            "100k",
            "&quot;a&amp;b&quot; &lt;x&gt;",
        ] {
            assert!(svg.contains(words), "{words}");
        }
        assert!(!svg.contains("<x>"));
        assert_eq!(svg, chart.clone().render().unwrap(), "same input, same bytes");
    }

    #[test]
    fn a_chart_that_cannot_be_drawn_is_an_error_that_says_why() {
        let (x, y) = (Axis::new("games", "games"), Axis::new("equity", "ppg"));
        let empty = LineChart::new("Loss", x.clone(), y).render().unwrap_err();
        assert_eq!(empty.to_string(), "the chart 'Loss' is empty: it needs at least one series");
        assert!(curve(&[]).render().unwrap_err().to_string().contains("has 0 entries, expected 1"));
        let nan = curve(&[(0.0, 1.0), (1.0, f64::NAN)]).render().unwrap_err();
        assert_eq!(
            nan.to_string(),
            "entry 1 of 'ours' in the chart 'Equity' is NaN, which cannot be drawn"
        );
        let band = |widths: &[f64]| {
            let series =
                PlotSeries::line("ours", [(0.0, 1.0)]).band("± 1 s.e.", widths.iter().copied());
            curve(&[(0.0, 0.0)]).series(series).render()
        };
        assert!(matches!(band(&[0.1, 0.1]), Err(ReportError::Count { found: 2, wanted: 1, .. })));
        assert!(matches!(band(&[-0.1]), Err(ReportError::Number { .. })));
        assert!(band(&[0.1]).is_ok());
        let bare = LineChart::new("Loss", x, Axis::new("loss", ""))
            .series(PlotSeries::line("a", [(0.0, 0.0)]));
        assert!(matches!(bare.render(), Err(ReportError::Unnamed { what: "unit of an axis", .. })));
        let many = (0..=LineChart::MOST_SERIES)
            .fold(curve(&[(0.0, 0.0)]), |c, _| c.series(PlotSeries::dots("a", [(0.0, 0.0)])));
        assert!(matches!(many.render(), Err(ReportError::Crowded { .. })));
    }

    #[test]
    fn a_band_and_a_reference_never_lie_outside_the_drawn_range() {
        for (y, half) in [(0.5, 0.013), (0.0, 0.0), (-3.0, 100.0), (1e-9, 1.0)] {
            let series = PlotSeries::line("ours", [(0.0, y), (1.0, y)]).band("± 2 s.e.", [half; 2]);
            let scale = curve(&[(0.0, 0.1)]).series(series).reference(-0.7, "far").y_scale();
            for value in [y - half, y + half, -0.7] {
                assert!(
                    (-1e-9..=1.0 + 1e-9).contains(&scale.fraction(value)),
                    "{value} in {scale:?}"
                );
            }
        }
    }

    #[test]
    fn the_axis_of_shares_ends_at_0_and_1_and_so_do_their_bands() {
        let shares =
            PlotSeries::line("ours", [(0.0, 0.003), (1.0, 0.99)]).band("± 2 s.e.", [0.6; 2]);
        let low = curve(&[(0.0, 0.5)]).series(shares.clone()).y_scale().ticks();
        assert!(low[0].0 < 0.0, "{low:?}");
        let cut = curve(&[(0.0, 0.5)]).series(shares.within(0.0, 1.0));
        let labels: Vec<String> = cut.y_scale().ticks().into_iter().map(|tick| tick.1).collect();
        assert_eq!(labels, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        let svg = cut.render().unwrap();
        let (_, band) = svg.split_once("<polygon").expect("a band");
        let (_, points) = band.split_once("points=\"").expect("its points");
        let points = points.split('"').next().expect("a text").split_whitespace();
        let heights: Vec<i32> = points
            .map(|point| point.split_once(',').expect("two numbers").1.parse().expect("a number"))
            .collect();
        let (top, bottom) = (heights.iter().min().unwrap(), heights.iter().max().unwrap());
        assert_eq!(bottom - top, 720, "as high as the plot");
    }

    #[test]
    fn a_logarithmic_axis_gives_each_power_of_ten_the_same_room() {
        let chart = curve(&[(100.0, -1.8), (1000.0, -0.5), (1e5, 0.4)]).logarithmic_x();
        let scale = chart.x_scale(1400.0);
        assert!((scale.fraction(1000.0) - 1.0 / 3.0).abs() < 1e-9);
        assert!((scale.fraction(10_000.0) - 2.0 / 3.0).abs() < 1e-9);
        let svg = chart.label(0.4, "+0.400", 0).render().unwrap();
        for label in ["100", "1k", "10k", "100k", "+0.400"] {
            assert!(svg.contains(&format!("\n{label}\n")), "{label}");
        }
        let zero = curve(&[(0.0, 0.0), (1.0, 0.0)]).logarithmic_x().render();
        assert!(matches!(zero, Err(ReportError::Number { index: 0, .. })));
    }

    #[test]
    fn a_logarithmic_y_axis_ends_at_ticks() {
        let chart = curve(&[(0.0, 42.6), (1.0, 12.5), (2.0, 2.05)]).logarithmic_y();
        let ticks: Vec<String> = chart.y_scale().ticks().into_iter().map(|tick| tick.1).collect();
        assert_eq!(ticks, ["2", "5", "10", "20", "50"]);
        assert!((chart.y_scale().fraction(10.0) - 0.5).abs() < 1e-9);
        assert!(chart.clone().reference(4.3, "gnubg").render().is_ok());
        let negative = chart.reference(-0.1, "below").render();
        assert!(matches!(negative, Err(ReportError::Number { .. })));
        let zero = curve(&[(0.0, 1.0), (1.0, 0.0)]).logarithmic_y().render();
        assert!(matches!(zero, Err(ReportError::Number { index: 2 | 3, .. })));
    }

    #[test]
    fn whole_numbers_have_the_only_ticks_and_unlisted_series_no_place_in_the_legend() {
        let dots = |x: f64| PlotSeries::dots("theirs", [(x, 0.1)]);
        let chart = curve(&[(0.9, 0.0), (3.1, 0.2)]).whole_x();
        let labels: Vec<String> = chart.x_scale(1400.0).ticks().into_iter().map(|t| t.1).collect();
        assert_eq!(labels, ["1", "2", "3"]);
        let many = (0..40).fold(chart, |chart, _| chart.series(dots(1.0).unlisted()));
        let svg = many.series(dots(2.0)).render().unwrap();
        assert_eq!(svg.matches("\ntheirs\n").count(), 1);
    }

    #[test]
    fn a_single_point_is_a_dot_and_a_flat_line_has_room() {
        assert!(curve(&[(1000.0, 0.5)]).render().unwrap().contains("<circle"));
        assert!(!curve(&[(0.0, 0.5), (9.0, 0.5)]).render().unwrap().contains("NaN"));
    }
}
