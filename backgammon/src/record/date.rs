//! The date of a match in its record.

/// A date is looked for in this number of bytes at the start.
const DATED: usize = 4096;

/// The date in a record, as year, month and day: `EventDate "2025.11.25"` in match text,
/// `DT[2025-11-25` in SGF.
///
/// ```
/// use backgammon::record::date_in;
///
/// assert_eq!(date_in(b"; [EventDate \"2025.11.25\"]").as_deref(), Some("2025-11-25"));
/// ```
#[must_use]
pub fn date_in(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(DATED)]);
    let after = |mark: &str| head.split_once(mark).map(|(_, rest)| rest);
    let text: String = after("EventDate \"").or_else(|| after("DT["))?.chars().take(10).collect();
    let parts: Vec<&str> = text.split(['.', '-']).collect();
    let [year, month, day] = parts.as_slice() else { return None };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let long = (year.len(), month.len(), day.len()) == (4, 2, 2);
    (long && parts.iter().all(|part| digits(part))).then(|| parts.join("-"))
}

#[cfg(test)]
mod tests {
    use super::date_in;

    #[test]
    fn the_date_of_a_record_is_found_or_left_out() {
        let date = |text: &str| date_in(text.as_bytes());
        assert_eq!(date("; [EventDate \"2025.11.25\"]").as_deref(), Some("2025-11-25"));
        assert_eq!(date("(;FF[4]DT[2024-01-02]").as_deref(), Some("2024-01-02"));
        for none in ["", "EventDate \"", "EventDate \"????.??.??\"]", "DT[2024", "DT[24-01-002"] {
            assert_eq!(date(none), None, "{none}");
        }
    }
}
