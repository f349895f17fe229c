//! Bar charts over categories: nets, classes, methods.

use super::canvas::{Rgba, TextAnchor, TextFormat};
use super::chart_checks::{LARGEST, check_axis, check_name, check_numbers, check_series_count};
use super::data_series::BarSeries;
use super::layout::{ChartParts, LABEL_SIZE, LINE_HEIGHT, Layout, ReferenceLine, TICK_GAP};
use super::palette::{SERIES_COLORS, series_color};
use super::scale::Scale;
use super::text::{Typeface, decimal, width, wrap};
use super::{Axis, Chart, ReportError};

/// The widest bar, in pixels.
const MAX_BAR_WIDTH: f64 = 130.0;
/// The share of a category that its bars fill.
const BAR_SHARE: f64 = 0.74;

/// Bars side by side over named categories; they start at 0, upward or downward.
///
/// ```
/// use nonet_report::{Axis, BarChart, BarSeries, Chart};
///
/// let share = Axis::new("share of positions", "%");
/// let chart = BarChart::new("Classes", "class", ["race", "contact"], share)
///     .series(BarSeries::new("measured", [30.0, 70.0]).error_bars("95% interval", [1.0, 2.0]))
///     .show_values(0);
/// assert!(chart.render()?.contains("contact"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BarChart {
    title: String,
    command: String,
    category_label: String,
    value: Axis,
    categories: Vec<String>,
    series: Vec<BarSeries>,
    references: Vec<ReferenceLine>,
    decimals: Option<usize>,
}

impl BarChart {
    /// The most series of one chart: one in each colour.
    pub const MOST_SERIES: usize = SERIES_COLORS;

    /// A chart over `categories` without series, which does not render until one is added.
    /// `category_label` says what the categories are.
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

    /// The command that made the data, in small type at the bottom.
    #[must_use]
    pub fn command(mut self, command: impl Into<String>) -> BarChart {
        self.command = command.into();
        self
    }

    /// Adds a series, right of the others in each category.
    #[must_use]
    pub fn series(mut self, series: BarSeries) -> BarChart {
        self.series.push(series);
        self
    }

    /// Adds a dashed horizontal line at `value` of the value axis. The label may be empty.
    #[must_use]
    pub fn reference(mut self, value: f64, label: impl Into<String>) -> BarChart {
        let (label, color) = (label.into(), Rgba::GREY);
        self.references.push(ReferenceLine { value, label, color, drawn: true });
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
        check_name(chart, "title", chart)?;
        check_name(chart, "axis", &self.category_label)?;
        check_axis(chart, &self.value)?;
        if self.categories.is_empty() {
            return Err(ReportError::Empty { chart: self.title.clone(), what: "category" });
        }
        self.categories.iter().try_for_each(|category| check_name(chart, "category", category))?;
        check_series_count(chart, self.series.len(), BarChart::MOST_SERIES)?;
        for reference in &self.references {
            check_numbers(chart, &reference.label, -LARGEST, [reference.value])?;
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
            Scale::to_ticks([0.0, 1.0], 7)
        } else {
            Scale::to_ticks(all, 7)
        }
    }

    /// Draws the bars of one series; `middle` is the centre of its bar in a category and `wide` the
    /// bar's width.
    fn draw(
        &self,
        layout: &mut Layout<'_>,
        n: usize,
        series: &BarSeries,
        wide: f64,
        middle: impl Fn(usize) -> f64,
    ) {
        let cap = (wide / 4.0).min(14.0);
        for (i, (value, low, high)) in series.bars() {
            let x = middle(i);
            let (base, end) = (layout.y(0.0), layout.y(value));
            layout.canvas.fill((x - wide / 2.0, base), (x + wide / 2.0, end), series_color(n));
            if series.errors.is_some() {
                layout.canvas.error_bar(x, layout.y(low), layout.y(high), cap, Rgba::DARK);
            }
        }
    }

    /// Writes the values beyond the bars and their error bars, in letters for which each has `room`
    /// pixels; `middle(n, i)` is the centre of the n-th series' bar in category i.
    fn write_values(
        &self,
        layout: &mut Layout<'_>,
        room: f64,
        middle: impl Fn(usize, usize) -> f64,
    ) {
        let Some(decimals) = self.decimals else { return };
        let values = self.series.iter().flat_map(|series| series.values.iter().flatten());
        let texts: Vec<String> = values.map(|&value| decimal(value, decimals)).collect();
        let widest =
            |size: f64| texts.iter().map(|t| width(t, size, Typeface::Plain)).fold(0.0, f64::max);
        let fits = |size: &f64| widest(*size) + 10.0 <= room;
        let Some(size) = [24.0, 21.0, 18.0].into_iter().find(fits) else { return };
        for (n, series) in self.series.iter().enumerate() {
            for (i, (value, low, high)) in series.bars() {
                let (x, text) = (middle(n, i), decimal(value, decimals));
                let y = if value < 0.0 { layout.y(low) + 20.0 } else { layout.y(high) - 20.0 };
                let (w, h) = (width(&text, size, Typeface::Plain) / 2.0 + 2.0, size / 2.0);
                // A white box, so that no grid line runs through the digits.
                layout.canvas.fill((x - w, y - h), (x + w, y + h), Rgba::WHITE);
                layout.canvas.text(
                    (x, y),
                    &text,
                    TextFormat::new(size, Rgba::DARK, TextAnchor::Middle),
                );
            }
        }
    }

    /// Writes the categories below the plot, rotated if a word is wider than its slot, and returns
    /// where they end.
    fn write_categories(&self, layout: &mut Layout<'_>, slot: f64) -> f64 {
        let (left, top) = (layout.left, layout.bottom + TICK_GAP);
        let middle = |i: usize| left + (i as f64 + 0.5) * slot;
        let wide = |text: &str| width(text, LABEL_SIZE, Typeface::Plain);
        let words = self.categories.iter().flat_map(|c| c.split_whitespace());
        if words.map(wide).fold(0.0, f64::max) > slot - 16.0 {
            for (i, category) in self.categories.iter().enumerate() {
                let format = TextFormat::new(LABEL_SIZE, Rgba::DARK, TextAnchor::Right).rotated();
                layout.canvas.text((middle(i), top), category, format);
            }
            return top + self.categories.iter().map(|c| wide(c)).fold(0.0, f64::max);
        }
        let mut most = 1;
        for (i, category) in self.categories.iter().enumerate() {
            let lines = wrap(category, LABEL_SIZE, Typeface::Plain, slot - 16.0);
            most = most.max(lines.len());
            for (row, line) in lines.iter().enumerate() {
                let format = TextFormat::new(LABEL_SIZE, Rgba::DARK, TextAnchor::TopMiddle);
                layout.canvas.text((middle(i), top + row as f64 * LINE_HEIGHT), line, format);
            }
        }
        top + most as f64 * LINE_HEIGHT
    }
}

impl Chart for BarChart {
    fn render(&self) -> Result<String, ReportError> {
        self.check()?;
        let y_label = self.value.label();
        let mut layout = Layout::new(ChartParts {
            title: &self.title,
            command: &self.command,
            legend: self
                .series
                .iter()
                .enumerate()
                .map(|(n, series)| series.legend_entry(n))
                .collect(),
            x_label: &self.category_label,
            y_label: &y_label,
            y: self.scale(),
            references: &self.references,
        });
        let (left, count) = (layout.left, self.series.len() as f64);
        let slot = (layout.right - left) / self.categories.len() as f64;
        let pitch = (slot * BAR_SHARE / count).min(MAX_BAR_WIDTH);
        let middle = |n: usize, i: usize| {
            left + (i as f64 + 0.5) * slot + (n as f64 - (count - 1.0) / 2.0) * pitch
        };
        for (n, series) in self.series.iter().enumerate() {
            self.draw(&mut layout, n, series, (pitch - 3.0).max(1.0), |i| middle(n, i));
        }
        layout.draw_references();
        self.write_values(&mut layout, if count > 1.0 { pitch } else { slot }, middle);
        layout.x_axis_line(layout.y(0.0));
        let below = self.write_categories(&mut layout, slot);
        layout.finish(below)
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
                assert!((-1e-9..=1.0 + 1e-9).contains(&scale.fraction(at)), "{at} in {scale:?}");
            }
        }
    }

    #[test]
    fn the_axis_of_small_shares_begins_at_0() {
        let share = BarSeries::new("ours", [0.003]).error_bars("95% interval", [0.011]);
        let of = |series| {
            let all = Axis::new("share", "0.5 is parity");
            BarChart::new("Shares", "net", ["a"], all).series(series).show_values(3).scale()
        };
        assert!(of(share.clone()).fraction(0.0) > 0.1);
        assert!(of(share.within(0.0, 1.0)).fraction(0.0).abs() < 1e-9);
    }

    #[test]
    fn an_empty_or_uneven_chart_is_an_error_that_says_why() {
        let none = bars(&[], &[]).render().unwrap_err();
        assert_eq!(none.to_string(), "the chart 'Equity' is empty: it needs at least one category");
        assert!(matches!(bars(&[1.0], &[]).render(), Err(ReportError::Count { .. })));
        assert!(matches!(bars(&[f64::INFINITY], &[0.0]).render(), Err(ReportError::Number { .. })));
        let gap =
            bars(&[1.0, 2.0], &[0.0; 2]).series(BarSeries::new("the paper's", [Some(1.0), None]));
        assert!(gap.render().is_ok(), "a value that the paper does not give leaves a gap");
    }
}
