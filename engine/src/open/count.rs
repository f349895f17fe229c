//! A number of games as people write it.

/// Reads a whole number: `100000`, `100_000`, `100k`, `1.5M` or `1e6`.
///
/// ```
/// use nonet_engine::open::count;
///
/// assert_eq!(["250", "100k", "1.5M", "1e6"].map(count), [250, 100_000, 1_500_000, 1_000_000].map(Ok));
/// assert!(count("1.5").is_err());
/// ```
///
/// # Errors
/// What is expected, if it is something else. With a unit or an exponent the number is at most
/// 2^53, without either it is any `u64`.
pub fn count(text: &str) -> Result<u64, String> {
    let wrong = || format!("expected a whole number, such as 5000, 100k or 1e6, not '{text}'");
    let plain = text.replace('_', "");
    if let Ok(number) = plain.parse() {
        return Ok(number);
    }
    if !plain.starts_with(|first: char| first.is_ascii_digit()) {
        return Err(wrong());
    }
    let (digits, unit) = match plain.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 3),
        None => plain.strip_suffix('M').map_or((plain.as_str(), 0), |digits| (digits, 6)),
    };
    // As one decimal number: the nearest f64 to 4.1, times a million, is not whole.
    let (digits, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let exponent = exponent.parse::<i32>().map_err(|_| wrong())?.saturating_add(unit);
    let number: f64 = format!("{digits}e{exponent}").parse().map_err(|_| wrong())?;
    let whole = number.fract() == 0.0 && number <= (1_u64 << 53) as f64;
    if whole { Ok(number as u64) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_whole_number_is_refused_in_words() {
        let wrong = ["", "k", "-3", "+5k", "1.5", "1e-3", "nan", "inf", "1e300", "100kk", "0x10"];
        let fractions = ["4.1000001M", "2.0105k", "1e", "1e1e1", "1e2147483647M"];
        for wrong in wrong.into_iter().chain(fractions) {
            let error = count(wrong).expect_err(wrong);
            assert!(error.contains("such as 5000, 100k or 1e6"), "{error}");
        }
        assert_eq!(["0", "1_000", "2K", "0.5k"].map(count), [0, 1000, 2000, 500].map(Ok));
        let decimals = ["4.1M", "8.2M", "2.01M", "16.1k"].map(count);
        assert_eq!(decimals, [4_100_000, 8_200_000, 2_010_000, 16_100].map(Ok));
        assert_eq!(["4.1e6", "1.5e3k", "1e+2"].map(count), [4_100_000, 1_500_000, 100].map(Ok));
    }
}
