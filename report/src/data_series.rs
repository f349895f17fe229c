//! Series: the named numbers, with their uncertainty, that line charts and bar charts draw.

use super::ReportError;
use super::chart_checks::{LARGEST, check_count, check_name, check_numbers};
use super::legend::{LegendEntry, LegendMark};
use super::palette::{SERIES_COLORS, series_color};

/// How the points of a series are joined, in the order in which they are drawn over each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SeriesStyle {
    Faint,
    Dots,
    Line,
}

/// The numbers at which a series is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    low: f64,
    high: f64,
}

impl Limits {
    const NONE: Limits = Limits { low: f64::NEG_INFINITY, high: f64::INFINITY };

    pub(super) fn cut(self, value: f64) -> f64 {
        value.max(self.low).min(self.high)
    }
}

/// A named list of points (x, y), drawn in the order given.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotSeries {
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
    pub(super) style: SeriesStyle,
    pub(super) band: Option<(String, Vec<f64>)>,
    pub(super) color_index: Option<usize>,
    /// Whether each point of the line has a dot.
    pub(super) markers: bool,
    /// Whether it stands in the legend.
    pub(super) listed: bool,
    pub(super) limits: Limits,
}

impl PlotSeries {
    /// Points joined by a plain line, in the units of the axes.
    #[must_use]
    pub fn line(
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> PlotSeries {
        PlotSeries {
            name: name.into(),
            points: points.into_iter().collect(),
            style: SeriesStyle::Line,
            band: None,
            color_index: None,
            markers: false,
            listed: true,
            limits: Limits::NONE,
        }
    }

    /// Points joined by a thin faint line, for example single measurements behind a smoothed curve.
    #[must_use]
    pub fn faint(
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> PlotSeries {
        PlotSeries { style: SeriesStyle::Faint, ..PlotSeries::line(name, points) }
    }

    /// Points as dots.
    #[must_use]
    pub fn dots(
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> PlotSeries {
        PlotSeries { style: SeriesStyle::Dots, ..PlotSeries::line(name, points) }
    }

    /// An error band from y - h to y + h.
    ///
    /// There is one half-width h >= 0 for each point, in the unit of the y axis. The legend shows
    /// `meaning`, as in "± 1 s.e.". Dots and single points have error bars instead.
    #[must_use]
    pub fn band(
        mut self,
        meaning: impl Into<String>,
        half_widths: impl IntoIterator<Item = f64>,
    ) -> PlotSeries {
        self.band = Some((meaning.into(), half_widths.into_iter().collect()));
        self
    }

    /// Cuts points and error band at `low` and `high`: 0 and 1 for shares, which lie between them.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> PlotSeries {
        PlotSeries { limits: Limits { low, high }, ..self }
    }

    /// Marks each point of the line by a dot, so that the measured points are told from the line
    /// between them.
    #[must_use]
    pub fn markers(mut self) -> PlotSeries {
        self.markers = true;
        self
    }

    /// Leaves the series out of the legend: its colour and its kind of mark are explained by
    /// another one.
    #[must_use]
    pub fn unlisted(mut self) -> PlotSeries {
        self.listed = false;
        self
    }

    /// Uses colour `n`, which the n-th series (from 0) of a chart has by default: for series that
    /// belong together.
    #[must_use]
    pub fn color_index(mut self, n: usize) -> PlotSeries {
        self.color_index = Some(n);
        self
    }

    pub(super) fn half_width(&self, i: usize) -> f64 {
        self.band.as_ref().and_then(|(_, widths)| widths.get(i)).copied().unwrap_or(0.0)
    }

    /// The least and the greatest y of each point, band included.
    pub(super) fn y_extent(&self) -> impl Iterator<Item = f64> {
        self.points
            .iter()
            .enumerate()
            .flat_map(|(i, p)| [p.1 - self.half_width(i), p.1 + self.half_width(i)])
            .map(|y| self.limits.cut(y))
    }

    /// Whether the points are drawn as dots; a single point is too, since a line could not show it.
    pub(super) fn is_dots(&self) -> bool {
        self.style == SeriesStyle::Dots || self.points.len() == 1
    }

    /// The legend's entry, in colour `color_index`.
    pub(super) fn legend_entry(&self, color_index: usize) -> LegendEntry {
        let mark = match self.style {
            _ if self.is_dots() => LegendMark::Dots,
            SeriesStyle::Faint => LegendMark::Faint,
            _ if color_index < SERIES_COLORS => LegendMark::Line,
            _ => LegendMark::Dashes,
        };
        let name = name_with_meaning(&self.name, self.band.as_ref());
        LegendEntry { name, mark, color: series_color(color_index), band: self.band.is_some() }
    }

    pub(super) fn check(&self, chart: &str) -> Result<(), ReportError> {
        check_name(chart, "series", &self.name)?;
        if self.points.is_empty() {
            check_count(chart, &self.name, "list of points", 0, 1)?;
        }
        check_numbers(chart, &self.name, -LARGEST, self.points.iter().map(|p| p.0))?;
        check_numbers(chart, &self.name, -LARGEST, self.points.iter().map(|p| p.1))?;
        if let Some((meaning, widths)) = &self.band {
            check_name(chart, "error band", meaning)?;
            check_count(chart, &self.name, "error band", widths.len(), self.points.len())?;
            check_numbers(chart, &self.name, 0.0, widths.iter().copied())?;
        }
        Ok(())
    }
}

/// A named list of values, one for each category.
#[derive(Clone, Debug, PartialEq)]
pub struct BarSeries {
    name: String,
    pub(super) values: Vec<Option<f64>>,
    pub(super) errors: Option<(String, Vec<f64>)>,
    limits: Limits,
}

impl BarSeries {
    /// One value for each category, in the unit of the value axis; `None` where there is none,
    /// which leaves a gap.
    #[must_use]
    pub fn new<V: Into<Option<f64>>>(
        name: impl Into<String>,
        values: impl IntoIterator<Item = V>,
    ) -> BarSeries {
        BarSeries {
            name: name.into(),
            values: values.into_iter().map(Into::into).collect(),
            errors: None,
            limits: Limits::NONE,
        }
    }

    /// Error bars from v - h to v + h, one half-width h >= 0 for each category. The legend shows
    /// `meaning`, as in "95% interval".
    #[must_use]
    pub fn error_bars(
        mut self,
        meaning: impl Into<String>,
        half_widths: impl IntoIterator<Item = f64>,
    ) -> BarSeries {
        self.errors = Some((meaning.into(), half_widths.into_iter().collect()));
        self
    }

    /// Cuts values and error bars at `low` and `high`: 0 and 1 for shares, which lie between them.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> BarSeries {
        BarSeries { limits: Limits { low, high }, ..self }
    }

    pub(super) fn half_width(&self, i: usize) -> f64 {
        self.errors.as_ref().and_then(|(_, widths)| widths.get(i)).copied().unwrap_or(0.0)
    }

    /// The categories that have a value, with that value and the ends of its error bar:
    /// (category, (value, low, high)).
    pub(super) fn bars(&self) -> impl Iterator<Item = (usize, (f64, f64, f64))> {
        self.values.iter().enumerate().filter_map(|(i, value)| {
            let (value, half) = ((*value)?, self.half_width(i));
            let cut = |end| self.limits.cut(end);
            Some((i, (cut(value), cut(value - half), cut(value + half))))
        })
    }

    /// The legend's entry, in colour `color_index`.
    pub(super) fn legend_entry(&self, color_index: usize) -> LegendEntry {
        let name = name_with_meaning(&self.name, self.errors.as_ref());
        LegendEntry { name, mark: LegendMark::Box, color: series_color(color_index), band: false }
    }

    pub(super) fn check(&self, chart: &str, categories: usize) -> Result<(), ReportError> {
        check_name(chart, "series", &self.name)?;
        check_count(chart, &self.name, "list of values", self.values.len(), categories)?;
        check_numbers(chart, &self.name, -LARGEST, self.values.iter().map(|v| v.unwrap_or(0.0)))?;
        if let Some((meaning, widths)) = &self.errors {
            check_name(chart, "error bars", meaning)?;
            check_count(chart, &self.name, "list of error bars", widths.len(), categories)?;
            check_numbers(chart, &self.name, 0.0, widths.iter().copied())?;
        }
        Ok(())
    }
}

/// A name with the meaning of its band or error bars.
fn name_with_meaning(name: &str, band: Option<&(String, Vec<f64>)>) -> String {
    match band {
        Some((meaning, _)) => format!("{name}, {meaning}"),
        None => name.to_owned(),
    }
}
