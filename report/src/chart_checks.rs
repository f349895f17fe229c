//! Checks of the names and numbers of a chart before it is drawn.

use super::{Axis, ReportError};

/// The largest magnitude that is drawn; with larger ones the span of an axis would overflow.
pub(super) const LARGEST: f64 = 1e300;

/// An error if the name is empty.
pub(super) fn check_name(chart: &str, what: &'static str, name: &str) -> Result<(), ReportError> {
    if name.trim().is_empty() {
        Err(ReportError::Unnamed { chart: chart.to_owned(), what })
    } else {
        Ok(())
    }
}

/// An error if the axis has no name or no unit.
pub(super) fn check_axis(chart: &str, axis: &Axis) -> Result<(), ReportError> {
    check_name(chart, "axis", &axis.what)?;
    check_name(chart, "unit of an axis", &axis.unit)
}

/// An error if a chart has no title, an axis without name or unit, no series, or too many.
pub(super) fn check_chart(
    chart: &str,
    axes: &[&Axis],
    series: usize,
    most: usize,
) -> Result<(), ReportError> {
    check_name(chart, "title", chart)?;
    axes.iter().try_for_each(|axis| check_axis(chart, axis))?;
    check_series_count(chart, series, most)
}

/// An error if a number lies outside `least..=LARGEST`.
pub(super) fn check_numbers(
    chart: &str,
    series: &str,
    least: f64,
    values: impl IntoIterator<Item = f64>,
) -> Result<(), ReportError> {
    match values.into_iter().enumerate().find(|(_, v)| !(least..=LARGEST).contains(v)) {
        Some((index, value)) => Err(ReportError::Number {
            chart: chart.to_owned(),
            series: series.to_owned(),
            index,
            value,
        }),
        None => Ok(()),
    }
}

/// An error if a list has the wrong length.
pub(super) fn check_count(
    chart: &str,
    series: &str,
    part: &'static str,
    found: usize,
    wanted: usize,
) -> Result<(), ReportError> {
    if found == wanted {
        return Ok(());
    }
    Err(ReportError::Count {
        chart: chart.to_owned(),
        series: series.to_owned(),
        part,
        found,
        wanted,
    })
}

/// An error if there is no series, or more than `most`.
pub(super) fn check_series_count(
    chart: &str,
    found: usize,
    most: usize,
) -> Result<(), ReportError> {
    match found {
        0 => Err(ReportError::Empty { chart: chart.to_owned(), what: "series" }),
        n if n > most => Err(ReportError::Crowded { chart: chart.to_owned(), found, most }),
        _ => Ok(()),
    }
}
