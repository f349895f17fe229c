//! The range of numbers that an axis shows, and its ticks.

use super::text::decimal;

/// The range of one axis and its ticks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    ticks: Ticks,
}

/// Where the ticks of an axis are.
#[derive(Clone, Debug, PartialEq)]
enum Ticks {
    /// At the multiples of this number.
    Multiples(f64),
    /// At these multiples of the powers of ten; places on the axis are logarithms.
    Powers(&'static [f64]),
}

impl Scale {
    /// A range that holds all `values` and ends at ticks, with about `ticks` ticks.
    pub(super) fn to_ticks(values: impl IntoIterator<Item = f64>, ticks: u32) -> Scale {
        let (low, high) = range_of(values);
        let step = step(high - low, ticks);
        Scale {
            low: (low / step).floor() * step,
            high: (high / step).ceil() * step,
            ticks: Ticks::Multiples(step),
        }
    }

    /// The range of the `values`; it starts at 0 if that makes it at most 15 % longer.
    pub(super) fn to_values(values: impl IntoIterator<Item = f64>, ticks: u32) -> Scale {
        let (low, high) = range_of(values);
        let low = if low > 0.0 && low < 0.15 * high { 0.0 } else { low };
        Scale { low, high, ticks: Ticks::Multiples(step(high - low, ticks)) }
    }

    /// A range with ticks at whole numbers.
    ///
    /// The least and the greatest of the `values` are rounded to whole numbers. The range goes from
    /// half a unit below the first to half a unit above the second.
    pub(super) fn whole(values: impl IntoIterator<Item = f64>) -> Scale {
        let (low, high) = range_of(values);
        let (low, high) = (low.round() - 0.5, high.round() + 0.5);
        Scale { low, high, ticks: Ticks::Multiples(step(high - low, 10).max(1.0)) }
    }

    /// The range of the `values`, which are above 0, on a logarithmic axis.
    ///
    /// It has at most `ticks` ticks, or one for each power of ten.
    pub(super) fn logarithmic(values: impl IntoIterator<Item = f64>, ticks: u32) -> Scale {
        // Without values the range starts at 0, which has no logarithm.
        let (low, high) = match range_of(values) {
            (low, high) if low > 0.0 => (low, high),
            _ => (1.0, 10.0),
        };
        let with = |multiples| Scale { low, high, ticks: Ticks::Powers(multiples) };
        let few = |scale: &Scale| scale.ticks().len() <= ticks as usize;
        let dense: [&[f64]; 2] = [&[1.0, 2.0, 5.0], &[1.0, 3.0]];
        dense.map(with).into_iter().find(few).unwrap_or_else(|| with(&[1.0]))
    }

    /// The same from a tick at or below the `values` to one at or above them.
    pub(super) fn logarithmic_to_ticks(values: impl IntoIterator<Item = f64>, ticks: u32) -> Scale {
        let ends = match range_of(values) {
            (low, high) if low > 0.0 => {
                let near = |value: f64| {
                    let power = 10f64.powi(value.log10().floor() as i32);
                    [1.0, 2.0, 5.0, 10.0].map(|multiple| multiple * power)
                };
                let below = near(low).into_iter().rev().find(|tick| *tick <= low);
                let above = near(high).into_iter().find(|tick| *tick >= high);
                [below.unwrap_or(low), above.unwrap_or(high)]
            }
            ends => ends.into(),
        };
        Scale::logarithmic(ends, ticks)
    }

    /// The place of a number within the range: 0 at the low end, 1 at the high end.
    pub(super) fn fraction(&self, value: f64) -> f64 {
        match self.ticks {
            Ticks::Multiples(_) => (value - self.low) / (self.high - self.low),
            Ticks::Powers(_) => (value / self.low).ln() / (self.high / self.low).ln(),
        }
    }

    /// Ticks with their labels, ascending.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        match self.ticks {
            Ticks::Multiples(step) => {
                // A tolerance of a thousandth of a step, for the rounding of the division.
                let first = (self.low / step - 1e-3).ceil();
                let count = ((self.high / step + 1e-3).floor() - first).clamp(0.0, 100.0) as u32;
                let values = (0..=count).map(|i| (first + f64::from(i)) * step);
                values.map(|value| (value, self.label(value, step))).collect()
            }
            Ticks::Powers(multiples) => {
                let powers = self.low.log10().floor() as i32..=self.high.log10().floor() as i32;
                let values =
                    powers.flat_map(|power| multiples.iter().map(move |m| m * 10f64.powi(power)));
                let inside = |value: &f64| {
                    (self.low * (1.0 - 1e-9)..=self.high * (1.0 + 1e-9)).contains(value)
                };
                values.filter(inside).map(|value| (value, short(value))).collect()
            }
        }
    }

    fn label(&self, value: f64, step: f64) -> String {
        let largest = self.low.abs().max(self.high.abs());
        if value.abs() < step / 2.0 && (largest >= 1e4 || step >= 1.0) {
            return "0".to_owned();
        }
        if largest >= 1e13 || step < 1e-7 {
            return format!("{value:.1e}").replace('-', "\u{2212}");
        }
        if largest < 1e4 {
            return decimal(value, decimals(step));
        }
        let (unit, letter) = unit_of(value);
        let number = decimal(value / unit, decimals(step / unit));
        format!("{}{letter}", without_zeros(&number))
    }
}

/// The unit in which a large number is written: thousands, millions, billions.
fn unit_of(value: f64) -> (f64, &'static str) {
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")];
    units.into_iter().find(|(unit, _)| value.abs() >= unit * 0.9995).unwrap_or((1.0, ""))
}

/// A decimal number without zeros at its end.
fn without_zeros(number: &str) -> &str {
    match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.'),
        false => number,
    }
}

/// A tick of a logarithmic axis: 100, 3k, 1M.
fn short(value: f64) -> String {
    if !(1e-4..1e13).contains(&value) {
        return format!("{value:.0e}").replace('-', "\u{2212}");
    }
    let (unit, letter) = unit_of(value);
    format!("{}{letter}", without_zeros(&decimal(value / unit, 4)))
}

/// Shorter spans count as empty: their step would be a subnormal number, which has fewer digits.
const TINY: f64 = 1e-290;

/// The least and the greatest value, moved apart when they are (nearly) the same.
fn range_of(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values
        .into_iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if low > high {
        return (0.0, 1.0);
    }
    let size = low.abs().max(high.abs());
    if high - low > (size * 1e-9).max(TINY) {
        return (low, high);
    }
    let room = if size > TINY { size * 0.1 } else { 1.0 };
    (low - room, high + room)
}

/// 1, 2 or 5 times a power of ten, so that `span` holds about `ticks` of it.
fn step(span: f64, ticks: u32) -> f64 {
    let rough = span / f64::from(ticks.max(1));
    let power = 10f64.powi(rough.log10().floor() as i32);
    let factor = match rough / power {
        r if r < 1.4 => 1.0,
        r if r < 3.2 => 2.0,
        r if r < 7.1 => 5.0,
        _ => 10.0,
    };
    factor * power
}

/// How many decimals tell multiples of `step` apart.
fn decimals(step: f64) -> usize {
    // A tolerance of a thousandth, since log10(0.001) is slightly less than -3.
    (-(step.log10() + 1e-3).floor()).clamp(0.0, 9.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: &Scale) -> Vec<String> {
        scale.ticks().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn thousands_and_millions_are_short() {
        let games = Scale::to_values([0.0, 500e3], 5);
        assert_eq!(labels(&games), ["0", "100k", "200k", "300k", "400k", "500k"]);
        let games = Scale::to_values([10e3, 2e6], 4);
        assert_eq!(labels(&games), ["0", "500k", "1M", "1.5M", "2M"]);
        assert_eq!(labels(&Scale::to_values([0.0, 2000.0], 2)), ["0", "1000", "2000"]);
    }

    #[test]
    fn a_logarithmic_axis_has_ticks_at_powers_of_ten() {
        let games = Scale::logarithmic([100.0, 500e3], 10);
        assert_eq!(labels(&games), ["100", "300", "1k", "3k", "10k", "30k", "100k", "300k"]);
        let few = Scale::logarithmic([100.0, 2.5e6], 5);
        assert_eq!(labels(&few), ["100", "1k", "10k", "100k", "1M"]);
        let short = Scale::logarithmic([8.0, 32.0], 10);
        assert_eq!(labels(&short), ["10", "20"]);
        for scale in
            [games, few, short, Scale::logarithmic([7.0, 7.0], 5), Scale::logarithmic([], 5)]
        {
            assert!(scale.fraction(scale.low).abs() < 1e-9, "{scale:?}");
            assert!((scale.fraction(scale.high) - 1.0).abs() < 1e-9, "{scale:?}");
        }
    }

    #[test]
    fn ticks_have_the_decimals_of_their_step() {
        let ppg = Scale::to_ticks([-0.21, 0.38], 6);
        assert_eq!(
            labels(&ppg),
            ["\u{2212}0.3", "\u{2212}0.2", "\u{2212}0.1", "0.0", "0.1", "0.2", "0.3", "0.4"]
        );
    }

    #[test]
    fn every_value_lies_inside_and_ticks_are_few_and_differ() {
        let cases = [
            [0.0, 0.0],
            [3.0, 3.0],
            [-1e-9, 1e-9],
            [1e12, 1e12 + 1.0],
            [-1e300, 1e300],
            [-7.0, 0.1],
            [0.1, 0.1 + 1e-15],
            [5e-324, 5e-324],
            [99_990.0, 100_010.0],
            [1e6, 1.001e6],
        ];
        for values in cases {
            for scale in [Scale::to_ticks(values, 6), Scale::to_values(values, 6)] {
                for v in values {
                    assert!(
                        (-1e-9..=1.0 + 1e-9).contains(&scale.fraction(v)),
                        "{values:?} {scale:?}"
                    );
                }
                let mut ticks = labels(&scale);
                assert!((1..=16).contains(&ticks.len()), "{values:?} {ticks:?}");
                let all = ticks.len();
                ticks.dedup();
                assert_eq!(ticks.len(), all, "{values:?} {ticks:?}");
            }
        }
    }
}
