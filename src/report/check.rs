//! What a chart refuses to draw.

use super::{Axis, ReportError};

/// The largest magnitude drawn: beyond it the span of an axis would overflow.
pub(super) const LARGEST: f64 = 1e300;

/// Refuses what has no name.
pub(super) fn named(chart: &str, what: &'static str, name: &str) -> Result<(), ReportError> {
    if name.trim().is_empty() {
        Err(ReportError::Unnamed { chart: chart.to_owned(), what })
    } else {
        Ok(())
    }
}

/// Refuses an axis without a name or a unit.
pub(super) fn named_axis(chart: &str, axis: &Axis) -> Result<(), ReportError> {
    named(chart, "axis", &axis.what)?;
    named(chart, "unit of an axis", &axis.unit)
}

/// Refuses numbers that cannot be drawn, which are those outside `least..=LARGEST`.
pub(super) fn drawable(
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

/// Refuses a list of the wrong length.
pub(super) fn counted(
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

/// Refuses no series at all, and more than `most`.
pub(super) fn not_too_many(chart: &str, found: usize, most: usize) -> Result<(), ReportError> {
    match found {
        0 => Err(ReportError::Empty { chart: chart.to_owned(), what: "series" }),
        n if n > most => Err(ReportError::Crowded { chart: chart.to_owned(), found, most }),
        _ => Ok(()),
    }
}
