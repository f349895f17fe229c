//! Numbers under one name, with their uncertainty: what line charts and bar charts draw.

use super::ReportError;
use super::canvas::Ink;
use super::check::{LARGEST, counted, drawable, named};
use super::legend::{LegendEntry, LegendMark};

/// How the points of a series are joined, in the order in which they are drawn over each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SeriesStyle {
    Faint,
    Dots,
    Line,
}

/// Points (x, y) under one name, drawn in the order given.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotSeries {
    name: String,
    pub(super) points: Vec<(f64, f64)>,
    pub(super) look: SeriesStyle,
    pub(super) band: Option<(String, Vec<f64>)>,
    pub(super) hue: Option<usize>,
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
            look: SeriesStyle::Line,
            band: None,
            hue: None,
        }
    }

    /// Points joined by a thin faint line, as for the noise behind a smoothed curve.
    #[must_use]
    pub fn faint(
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> PlotSeries {
        PlotSeries { look: SeriesStyle::Faint, ..PlotSeries::line(name, points) }
    }

    /// Points as dots.
    #[must_use]
    pub fn dots(
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> PlotSeries {
        PlotSeries { look: SeriesStyle::Dots, ..PlotSeries::line(name, points) }
    }

    /// An error band from y - h to y + h, one half-width h >= 0 a point, in the unit of the y axis. `meaning` tells the
    /// legend what it is, as in "± 1 s.e.". Dots and single points have error bars instead.
    #[must_use]
    pub fn band(
        mut self,
        meaning: impl Into<String>,
        half_widths: impl IntoIterator<Item = f64>,
    ) -> PlotSeries {
        self.band = Some((meaning.into(), half_widths.into_iter().collect()));
        self
    }

    /// The colour that the n-th series of a chart has by itself, from 0: for series that belong together.
    #[must_use]
    pub fn hue(mut self, n: usize) -> PlotSeries {
        self.hue = Some(n);
        self
    }

    pub(super) fn half_width(&self, i: usize) -> f64 {
        self.band.as_ref().and_then(|(_, widths)| widths.get(i)).copied().unwrap_or(0.0)
    }

    /// The least and the greatest y of each point, band included.
    pub(super) fn reach(&self) -> impl Iterator<Item = f64> {
        self.points
            .iter()
            .enumerate()
            .flat_map(|(i, p)| [p.1 - self.half_width(i), p.1 + self.half_width(i)])
    }

    /// Dots, and a point on its own, which no line could show.
    pub(super) fn is_dots(&self) -> bool {
        self.look == SeriesStyle::Dots || self.points.len() == 1
    }

    /// The legend's entry, in the colour of hue `hue`.
    pub(super) fn entry(&self, hue: usize) -> LegendEntry {
        let mark = match self.look {
            _ if self.is_dots() => LegendMark::Dots,
            SeriesStyle::Faint => LegendMark::Faint,
            _ if hue < Ink::HUES => LegendMark::Line,
            _ => LegendMark::Dashes,
        };
        let name = explained(&self.name, self.band.as_ref());
        LegendEntry { name, mark, ink: Ink::of_series(hue), band: self.band.is_some() }
    }

    pub(super) fn check(&self, chart: &str) -> Result<(), ReportError> {
        named(chart, "series", &self.name)?;
        if self.points.is_empty() {
            counted(chart, &self.name, "list of points", 0, 1)?;
        }
        drawable(chart, &self.name, -LARGEST, self.points.iter().map(|p| p.0))?;
        drawable(chart, &self.name, -LARGEST, self.points.iter().map(|p| p.1))?;
        if let Some((meaning, widths)) = &self.band {
            named(chart, "error band", meaning)?;
            counted(chart, &self.name, "error band", widths.len(), self.points.len())?;
            drawable(chart, &self.name, 0.0, widths.iter().copied())?;
        }
        Ok(())
    }
}

/// One value a category under one name.
#[derive(Clone, Debug, PartialEq)]
pub struct BarSeries {
    name: String,
    pub(super) values: Vec<Option<f64>>,
    pub(super) errors: Option<(String, Vec<f64>)>,
}

impl BarSeries {
    /// One value a category, in the unit of the value axis; `None` where there is none, which leaves a gap.
    #[must_use]
    pub fn new<V: Into<Option<f64>>>(
        name: impl Into<String>,
        values: impl IntoIterator<Item = V>,
    ) -> BarSeries {
        BarSeries {
            name: name.into(),
            values: values.into_iter().map(Into::into).collect(),
            errors: None,
        }
    }

    /// Error bars from v - h to v + h, one half-width h >= 0 a category. `meaning` tells the legend what they are, as in
    /// "95% interval".
    #[must_use]
    pub fn error_bars(
        mut self,
        meaning: impl Into<String>,
        half_widths: impl IntoIterator<Item = f64>,
    ) -> BarSeries {
        self.errors = Some((meaning.into(), half_widths.into_iter().collect()));
        self
    }

    pub(super) fn half_width(&self, i: usize) -> f64 {
        self.errors.as_ref().and_then(|(_, widths)| widths.get(i)).copied().unwrap_or(0.0)
    }

    /// The categories that have a value, with that value and the ends of its error bar:
    /// (category, (value, low, high)).
    pub(super) fn bars(&self) -> impl Iterator<Item = (usize, (f64, f64, f64))> {
        self.values.iter().enumerate().filter_map(|(i, value)| {
            let (value, half) = ((*value)?, self.half_width(i));
            Some((i, (value, value - half, value + half)))
        })
    }

    /// The legend's entry, in the colour of hue `hue`.
    pub(super) fn entry(&self, hue: usize) -> LegendEntry {
        let name = explained(&self.name, self.errors.as_ref());
        LegendEntry { name, mark: LegendMark::Box, ink: Ink::of_series(hue), band: false }
    }

    pub(super) fn check(&self, chart: &str, categories: usize) -> Result<(), ReportError> {
        named(chart, "series", &self.name)?;
        counted(chart, &self.name, "list of values", self.values.len(), categories)?;
        drawable(chart, &self.name, -LARGEST, self.values.iter().map(|v| v.unwrap_or(0.0)))?;
        if let Some((meaning, widths)) = &self.errors {
            named(chart, "error bars", meaning)?;
            counted(chart, &self.name, "list of error bars", widths.len(), categories)?;
            drawable(chart, &self.name, 0.0, widths.iter().copied())?;
        }
        Ok(())
    }
}

/// A name with the meaning of its band or error bars.
fn explained(name: &str, band: Option<&(String, Vec<f64>)>) -> String {
    match band {
        Some((meaning, _)) => format!("{name}, {meaning}"),
        None => name.to_owned(),
    }
}
