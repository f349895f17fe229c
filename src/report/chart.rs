//! Curves over a number: learning curves, losses, rates.

use super::canvas::{Anchor, Canvas, Ink, Lettering, Point};
use super::check::{LARGEST, drawable, named, named_axis, not_too_many};
use super::frame::{Frame, LABEL, LINE, Reference, Surroundings, TICK_GAP};
use super::legend::{BAND, DOT, FAINT, THICK, THIN};
use super::scale::Scale;
use super::series::{PlotSeries, SeriesStyle};
use super::text::{Face, width};
use super::{Axis, Chart, ReportError};

/// Curves over a number, with their error bands and lines to compare with.
#[derive(Clone, Debug, PartialEq)]
pub struct LineChart {
    title: String,
    command: String,
    x: Axis,
    y: Axis,
    series: Vec<PlotSeries>,
    references: Vec<Reference>,
}

impl LineChart {
    /// The most series of one chart: a solid and a dashed line in each colour.
    pub const MOST_SERIES: usize = 2 * Ink::HUES;

    /// A chart without series, which would be refused; the axes choose their ranges after the data.
    #[must_use]
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> LineChart {
        LineChart {
            title: title.into(),
            command: String::new(),
            x,
            y,
            series: Vec::new(),
            references: Vec::new(),
        }
    }

    /// The command that made the data, in small letters at the foot.
    #[must_use]
    pub fn command(mut self, command: impl Into<String>) -> LineChart {
        self.command = command.into();
        self
    }

    /// One more series; the n-th has the n-th colour unless it says otherwise.
    #[must_use]
    pub fn series(mut self, series: PlotSeries) -> LineChart {
        self.series.push(series);
        self
    }

    /// A dashed horizontal line at `value` of the y axis, as for parity; an empty label is none.
    #[must_use]
    pub fn reference(mut self, value: f64, label: impl Into<String>) -> LineChart {
        self.references.push(Reference { value, label: label.into() });
        self
    }

    fn check(&self) -> Result<(), ReportError> {
        let chart = self.title.as_str();
        named(chart, "title", chart)?;
        named_axis(chart, &self.x)?;
        named_axis(chart, &self.y)?;
        not_too_many(chart, self.series.len(), LineChart::MOST_SERIES)?;
        for reference in &self.references {
            drawable(chart, &reference.label, -LARGEST, [reference.value])?;
        }
        self.series.iter().try_for_each(|series| series.check(chart))
    }

    fn y_scale(&self) -> Scale {
        let reach = self.series.iter().flat_map(PlotSeries::reach);
        Scale::rounded(reach.chain(self.references.iter().map(|r| r.value)), 7)
    }

    /// The range of x with as many ticks as have room for their labels in `room` pixels.
    fn x_scale(&self, room: f64) -> Scale {
        let with = |ticks| {
            Scale::snug(self.series.iter().flat_map(|s| s.points.iter().map(|p| p.0)), ticks)
        };
        let fits = |scale: &Scale| {
            let ticks = scale.ticks();
            let widest =
                ticks.iter().map(|(_, t)| width(t, LABEL, Face::Plain)).fold(0.0, f64::max);
            (widest + 24.0) * ticks.len() as f64 <= room
        };
        [10, 7, 5].into_iter().map(with).find(fits).unwrap_or_else(|| with(3))
    }

    fn hue(&self, n: usize) -> usize {
        self.series.get(n).and_then(|series| series.hue).unwrap_or(n)
    }
}

impl Chart for LineChart {
    fn render(&self) -> Result<String, ReportError> {
        self.check()?;
        let (x_label, y_label) = (self.x.label(), self.y.label());
        let mut frame = Frame::new(Surroundings {
            title: &self.title,
            command: &self.command,
            legend: self
                .series
                .iter()
                .enumerate()
                .map(|(n, series)| series.entry(self.hue(n)))
                .collect(),
            x_label: &x_label,
            y_label: &y_label,
            y: self.y_scale(),
            references: &self.references,
        });
        let (left, right, bottom) = (frame.left, frame.right, frame.bottom);
        let scale = self.x_scale(right - left);
        let x = |value: f64| left + scale.place(value) * (right - left);
        frame.references();
        frame.rule(bottom);
        for (value, label) in scale.ticks() {
            frame.canvas.path(vec![(x(value), bottom), (x(value), bottom + 10.0)], Ink::DARK, 2);
            let lettering = Lettering::new(LABEL, Ink::DARK, Anchor::TopMiddle);
            frame.canvas.text((x(value), bottom + TICK_GAP), &label, lettering);
        }
        let mut order: Vec<(usize, &PlotSeries)> = self.series.iter().enumerate().collect();
        order.sort_by_key(|(_, series)| series.look);
        let placed: Vec<Placed> = order
            .into_iter()
            .map(|(n, series)| {
                let at = |i: usize, sign: f64| {
                    let (px, py) = series.points.get(i).copied().unwrap_or_default();
                    (x(px), frame.y(py + sign * series.half_width(i)))
                };
                let line = |sign: f64| (0..series.points.len()).map(|i| at(i, sign)).collect();
                Placed {
                    points: line(0.0),
                    upper: line(1.0),
                    lower: line(-1.0),
                    series,
                    hue: self.hue(n),
                }
            })
            .collect();
        placed.iter().for_each(|p| p.draw_band(&mut frame.canvas));
        placed.iter().for_each(|p| p.draw_points(&mut frame.canvas));
        frame.finish(bottom + TICK_GAP + LINE)
    }
}

/// A series in pixels.
struct Placed<'a> {
    points: Vec<Point>,
    upper: Vec<Point>,
    lower: Vec<Point>,
    series: &'a PlotSeries,
    hue: usize,
}

impl Placed<'_> {
    fn draw_band(&self, canvas: &mut Canvas) {
        let ink = Ink::of_series(self.hue);
        if self.series.band.is_none() {
            return;
        }
        if self.series.is_dots() {
            for (upper, lower) in self.upper.iter().zip(&self.lower) {
                canvas.whisker(upper.0, lower.1, upper.1, 8.0, ink);
            }
        } else {
            canvas.area(
                self.upper.iter().chain(self.lower.iter().rev()).copied().collect(),
                ink.faded(BAND),
            );
        }
    }

    fn draw_points(&self, canvas: &mut Canvas) {
        let ink = Ink::of_series(self.hue);
        match self.series.look {
            _ if self.series.is_dots() => {
                self.points.iter().for_each(|&at| canvas.dot(at, DOT, ink))
            }
            SeriesStyle::Faint => canvas.path(self.points.clone(), ink.faded(FAINT), THIN),
            _ if self.hue >= Ink::HUES => canvas.dashes(&self.points, ink, THICK),
            _ => canvas.path(self.points.clone(), ink, THICK),
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
    fn what_cannot_be_drawn_is_refused_in_words() {
        let (x, y) = (Axis::new("games", "games"), Axis::new("equity", "ppg"));
        let empty = LineChart::new("Loss", x.clone(), y).render().unwrap_err();
        assert_eq!(empty.to_string(), "the chart 'Loss' is empty: it wants at least one series");
        assert!(
            curve(&[])
                .render()
                .unwrap_err()
                .to_string()
                .contains("has 0 entries where 1 are wanted")
        );
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
                assert!((-1e-9..=1.0 + 1e-9).contains(&scale.place(value)), "{value} in {scale:?}");
            }
        }
    }

    #[test]
    fn a_single_point_is_a_dot_and_a_flat_line_has_room() {
        assert!(curve(&[(1000.0, 0.5)]).render().unwrap().contains("<circle"));
        assert!(!curve(&[(0.0, 0.5), (9.0, 0.5)]).render().unwrap().contains("NaN"));
    }
}
