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
        Some(digits) => (digits, 1e3),
        None => plain.strip_suffix('M').map_or((plain.as_str(), 1.0), |digits| (digits, 1e6)),
    };
    let number = digits.parse::<f64>().map_err(|_| wrong())? * unit;
    let whole = number.fract() == 0.0 && number <= (1_u64 << 53) as f64;
    if whole { Ok(number as u64) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_whole_number_is_refused_in_words() {
        for wrong in ["", "k", "-3", "+5k", "1.5", "1e-3", "nan", "inf", "1e300", "100kk", "0x10"] {
            let error = count(wrong).expect_err(wrong);
            assert!(error.contains("such as 5000, 100k or 1e6"), "{error}");
        }
        assert_eq!(["0", "1_000", "2K", "0.5k"].map(count), [0, 1000, 2000, 500].map(Ok));
    }
}
