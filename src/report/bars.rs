//! Bars over categories: nets, classes, methods.

use super::canvas::{Anchor, Ink, Lettering};
use super::check::{LARGEST, drawable, named, named_axis, not_too_many};
use super::frame::{Frame, LABEL, LINE, Reference, Surroundings, TICK_GAP};
use super::scale::Scale;
use super::series::BarSeries;
use super::text::{Face, fixed, width, wrap};
use super::{Axis, Chart, ReportError};

/// The widest bar, in pixels.
const WIDEST: f64 = 130.0;
/// The share of a category that its bars fill.
const FILLED: f64 = 0.74;

/// Bars side by side over named categories; they start at 0, upward or downward.
#[derive(Clone, Debug, PartialEq)]
pub struct BarChart {
    title: String,
    command: String,
    category_label: String,
    value: Axis,
    categories: Vec<String>,
    series: Vec<BarSeries>,
    references: Vec<Reference>,
    decimals: Option<usize>,
}

impl BarChart {
    /// The most series of one chart: one in each colour.
    pub const MOST_SERIES: usize = Ink::HUES;

    /// A chart over `categories` without series, which would be refused. `category_label` says what the categories are.
    #[must_use]
    pub fn new<C: Into<String>>(
        title: impl Into<String>,
        category_label: impl Into<String>,
        categories: impl IntoIterator<Item = C>,
        value: Axis,
    ) -> BarChart {
        BarChart {
            title: title.into(),
            command: String::new(),
            category_label: category_label.into(),
            value,
            categories: categories.into_iter().map(Into::into).collect(),
            series: Vec::new(),
            references: Vec::new(),
            decimals: None,
        }
    }

    /// The command that made the data, in small letters at the foot.
    #[must_use]
    pub fn command(mut self, command: impl Into<String>) -> BarChart {
        self.command = command.into();
        self
    }

    /// One more series, right of the others in each category.
    #[must_use]
    pub fn series(mut self, series: BarSeries) -> BarChart {
        self.series.push(series);
        self
    }

    /// A dashed horizontal line at `value` of the value axis; an empty label is none.
    #[must_use]
    pub fn reference(mut self, value: f64, label: impl Into<String>) -> BarChart {
        self.references.push(Reference { value, label: label.into() });
        self
    }

    /// Writes the values at the ends of the bars where they have room.
    #[must_use]
    pub fn show_values(mut self, decimals: usize) -> BarChart {
        self.decimals = Some(decimals);
        self
    }

    fn check(&self) -> Result<(), ReportError> {
        let chart = self.title.as_str();
        named(chart, "title", chart)?;
        named(chart, "axis", &self.category_label)?;
        named_axis(chart, &self.value)?;
        if self.categories.is_empty() {
            return Err(ReportError::Empty { chart: self.title.clone(), what: "category" });
        }
        self.categories.iter().try_for_each(|category| named(chart, "category", category))?;
        not_too_many(chart, self.series.len(), BarChart::MOST_SERIES)?;
        for reference in &self.references {
            drawable(chart, &reference.label, -LARGEST, [reference.value])?;
        }
        self.series.iter().try_for_each(|series| series.check(chart, self.categories.len()))
    }

    fn scale(&self) -> Scale {
        let bars = self.series.iter().flat_map(BarSeries::bars);
        let ends: Vec<f64> = bars.flat_map(|(_, (_, low, high))| [low, high]).collect();
        let (low, high) =
            ends.iter().fold((0.0f64, 0.0f64), |(low, high), &v| (low.min(v), high.max(v)));
        // Room for the values beyond the bars' ends.
        let room = if self.decimals.is_some() { (high - low) * 0.07 } else { 0.0 };
        let low = if low < 0.0 { low - room } else { 0.0 };
        let upward = self.series.iter().flat_map(BarSeries::bars).any(|(_, (v, ..))| v >= 0.0);
        let high = if upward { high + room } else { high };
        let all = [low, high].into_iter().chain(self.references.iter().map(|r| r.value));
        if low == high && self.references.is_empty() {
            Scale::rounded([0.0, 1.0], 7)
        } else {
            Scale::rounded(all, 7)
        }
    }

    /// Draws the bars of one series; `middle` is the centre of its bar in a category and `wide` the bar's width.
    fn draw(
        &self,
        frame: &mut Frame<'_>,
        n: usize,
        series: &BarSeries,
        wide: f64,
        middle: impl Fn(usize) -> f64,
    ) {
        let cap = (wide / 4.0).min(14.0);
        for (i, (value, low, high)) in series.bars() {
            let x = middle(i);
            let (base, end) = (frame.y(0.0), frame.y(value));
            frame.canvas.fill((x - wide / 2.0, base), (x + wide / 2.0, end), Ink::of_series(n));
            if series.errors.is_some() {
                frame.canvas.whisker(x, frame.y(low), frame.y(high), cap, Ink::DARK);
            }
        }
    }

    /// Writes the values beyond the bars and their error bars, in letters for which each has `room`
    /// pixels; `middle(n, i)` is the centre of the n-th series' bar in category i.
    fn write_values(&self, frame: &mut Frame<'_>, room: f64, middle: impl Fn(usize, usize) -> f64) {
        let Some(decimals) = self.decimals else { return };
        let values = self.series.iter().flat_map(|series| series.values.iter().flatten());
        let texts: Vec<String> = values.map(|&value| fixed(value, decimals)).collect();
        let widest =
            |size: f64| texts.iter().map(|t| width(t, size, Face::Plain)).fold(0.0, f64::max);
        let fits = |size: &f64| widest(*size) + 10.0 <= room;
        let Some(size) = [24.0, 21.0, 18.0].into_iter().find(fits) else { return };
        for (n, series) in self.series.iter().enumerate() {
            for (i, (value, low, high)) in series.bars() {
                let (x, text) = (middle(n, i), fixed(value, decimals));
                let y = if value < 0.0 { frame.y(low) + 20.0 } else { frame.y(high) - 20.0 };
                let (w, h) = (width(&text, size, Face::Plain) / 2.0 + 2.0, size / 2.0);
                // A backing, so that no line of the grid runs through the digits.
                frame.canvas.fill((x - w, y - h), (x + w, y + h), Ink::WHITE);
                frame.canvas.text((x, y), &text, Lettering::new(size, Ink::DARK, Anchor::Middle));
            }
        }
    }

    /// Writes the categories below the plot, turned when a word is wider than its place, and returns where they end.
    fn write_categories(&self, frame: &mut Frame<'_>, slot: f64) -> f64 {
        let (left, top) = (frame.left, frame.bottom + TICK_GAP);
        let middle = |i: usize| left + (i as f64 + 0.5) * slot;
        let wide = |text: &str| width(text, LABEL, Face::Plain);
        let words = self.categories.iter().flat_map(|c| c.split_whitespace());
        if words.map(wide).fold(0.0, f64::max) > slot - 16.0 {
            for (i, category) in self.categories.iter().enumerate() {
                let lettering = Lettering::new(LABEL, Ink::DARK, Anchor::Right).turned();
                frame.canvas.text((middle(i), top), category, lettering);
            }
            return top + self.categories.iter().map(|c| wide(c)).fold(0.0, f64::max);
        }
        let mut most = 1;
        for (i, category) in self.categories.iter().enumerate() {
            let lines = wrap(category, LABEL, Face::Plain, slot - 16.0);
            most = most.max(lines.len());
            for (row, line) in lines.iter().enumerate() {
                let lettering = Lettering::new(LABEL, Ink::DARK, Anchor::TopMiddle);
                frame.canvas.text((middle(i), top + row as f64 * LINE), line, lettering);
            }
        }
        top + most as f64 * LINE
    }
}

impl Chart for BarChart {
    fn render(&self) -> Result<String, ReportError> {
        self.check()?;
        let y_label = self.value.label();
        let mut frame = Frame::new(Surroundings {
            title: &self.title,
            command: &self.command,
            legend: self.series.iter().enumerate().map(|(n, series)| series.entry(n)).collect(),
            x_label: &self.category_label,
            y_label: &y_label,
            y: self.scale(),
            references: &self.references,
        });
        let (left, count) = (frame.left, self.series.len() as f64);
        let slot = (frame.right - left) / self.categories.len() as f64;
        let pitch = (slot * FILLED / count).min(WIDEST);
        let middle = |n: usize, i: usize| {
            left + (i as f64 + 0.5) * slot + (n as f64 - (count - 1.0) / 2.0) * pitch
        };
        for (n, series) in self.series.iter().enumerate() {
            self.draw(&mut frame, n, series, (pitch - 3.0).max(1.0), |i| middle(n, i));
        }
        frame.references();
        self.write_values(&mut frame, if count > 1.0 { pitch } else { slot }, middle);
        frame.rule(frame.y(0.0));
        let below = self.write_categories(&mut frame, slot);
        frame.finish(below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bars(values: &[f64], widths: &[f64]) -> BarChart {
        let categories = (0..values.len()).map(|i| format!("net <{i}>"));
        BarChart::new("Equity", "net", categories, Axis::new("equity", "points per game")).series(
            BarSeries::new("ours", values.iter().copied())
                .error_bars("95% interval", widths.iter().copied()),
        )
    }

    #[test]
    fn bars_name_both_axes_and_escape_their_text() {
        let chart = bars(&[0.1, -0.2], &[0.05, 0.05]).show_values(2);
        let svg = chart.render().unwrap();
        for words in ["equity (points per game)", "ours, 95% interval", "&lt;0&gt;", "\u{2212}0.20"]
        {
            assert!(svg.contains(words), "{words}");
        }
        assert_eq!(svg, chart.clone().render().unwrap(), "same input, same bytes");
    }

    #[test]
    fn the_baseline_0_and_every_error_bar_lie_inside_the_drawn_range() {
        for (value, half) in [(0.1, 0.2), (-0.3, 0.1), (0.0, 0.0), (12.0, 0.0)] {
            let scale = bars(&[value], &[half]).scale();
            for at in [0.0, value - half, value + half] {
                assert!((-1e-9..=1.0 + 1e-9).contains(&scale.place(at)), "{at} in {scale:?}");
            }
        }
    }

    #[test]
    fn an_empty_or_uneven_chart_is_refused_in_words() {
        let none = bars(&[], &[]).render().unwrap_err();
        assert_eq!(none.to_string(), "the chart 'Equity' is empty: it wants at least one category");
        assert!(matches!(bars(&[1.0], &[]).render(), Err(ReportError::Count { .. })));
        assert!(matches!(bars(&[f64::INFINITY], &[0.0]).render(), Err(ReportError::Number { .. })));
        let gap =
            bars(&[1.0, 2.0], &[0.0; 2]).series(BarSeries::new("the paper's", [Some(1.0), None]));
        assert!(gap.render().is_ok(), "a value that the paper does not give leaves a gap");
    }
}
