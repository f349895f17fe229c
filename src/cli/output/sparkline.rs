//! A series of numbers as a line of small bars.

/// Bars from the lowest to the highest.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The last `most` values as bars, the least of them as the lowest bar and the greatest as the
/// highest.
pub(crate) fn sparkline(values: &[f64], most: usize) -> String {
    let shown = &values[values.len().saturating_sub(most)..];
    let low = shown.iter().copied().fold(f64::INFINITY, f64::min);
    let high = shown.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let top = (BARS.len() - 1) as f64;
    let bar = |value: &f64| {
        let share = if high > low { (value - low) / (high - low) } else { 0.0 };
        BARS[(share * top).round() as usize]
    };
    shown.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_value_is_the_lowest_bar_and_the_greatest_the_highest() {
        assert_eq!(sparkline(&[-1.8, -0.4, 0.2, 0.5], 10), "▁▅▇█");
        assert_eq!(sparkline(&[9.0, 0.0, 1.0], 2), "▁█", "the last ones");
        assert_eq!(sparkline(&[0.5, 0.5], 10), "▁▁");
        assert_eq!(sparkline(&[], 10), "");
    }
}
