//! Text: its estimated width, line breaks, escaping, and formats of numbers and times.

/// The typefaces that charts use; the width of a letter depends on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Typeface {
    Plain,
    Bold,
    Mono,
}

/// The width of `text` in pixels when letters are `size` pixels high.
///
/// An estimate from DejaVu Sans, which is wider than the other fonts that browsers use for
/// "sans-serif". So a text that fits by this estimate fits with those too.
pub(super) fn width(text: &str, size: f64, typeface: Typeface) -> f64 {
    let ems: f64 = text.chars().map(|c| em(c, typeface)).sum();
    ems * size
}

fn em(c: char, typeface: Typeface) -> f64 {
    if !c.is_ascii() {
        // Latin letters, dashes and signs stay below 0.84; from the CJK radicals on, glyphs fill a
        // square.
        return if c >= '\u{2e80}' { 1.0 } else { 0.84 };
    }
    if typeface == Typeface::Mono {
        return 0.602;
    }
    let plain = match c {
        'i' | 'j' | 'l' | '\'' => 0.28,
        ' ' | '.' | ',' | 'I' | '/' | ':' | ';' | '|' | '\\' => 0.34,
        'f' | 'r' | 't' | '(' | ')' | '-' | '[' | ']' | '!' => 0.4,
        'm' | '%' | 'W' | '@' => 0.99,
        'w' | 'M' | '+' | '=' | '<' | '>' | '~' | '#' => 0.86,
        'A'..='Z' => 0.77,
        _ => 0.637,
    };
    if typeface == Typeface::Bold { plain * 1.13 } else { plain }
}

/// `text` in lines of at most `limit` pixels, broken at white space and inside words that are
/// longer than a line.
pub(super) fn wrap(text: &str, size: f64, typeface: Typeface, limit: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let gap = if line.is_empty() { "" } else { " " };
        if width(&line, size, typeface) + width(gap, size, typeface) + width(word, size, typeface)
            <= limit
        {
            line.push_str(gap);
            line.push_str(word);
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for c in word.chars() {
            if !line.is_empty() && width(&line, size, typeface) + em(c, typeface) * size > limit {
                lines.push(std::mem::take(&mut line));
            }
            line.push(c);
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// `text` with spaces in place of control characters, which XML forbids.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// `text` escaped for element content and attributes of HTML and XML; line ends are kept.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' => out.push('\n'),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A number with a fixed count of decimals and the true minus sign; a zero has no sign.
pub(super) fn decimal(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let zero = text.bytes().all(|b| matches!(b, b'0' | b'.'));
    if value < 0.0 && !zero { format!("\u{2212}{text}") } else { text }
}

/// A measured time in two units at most, as `24 s`, `1 min 24 s` or `1 h 02 min`.
#[must_use]
pub fn time_taken(seconds: f64) -> String {
    match seconds.round() as u64 {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        seconds => hours(seconds),
    }
}

/// An estimated time in round figures, as `84 s`, `2 min`, `2 h 30 min` or `10 days`.
#[must_use]
pub fn time_estimate(seconds: f64) -> String {
    match seconds.round() as u64 {
        seconds @ 0..=99 => format!("{seconds} s"),
        seconds @ 100..=5999 => format!("{} min", seconds.div_ceil(60)),
        seconds @ 6000..=172_799 => hours(seconds),
        seconds => format!("{} days", seconds / 86_400),
    }
}

fn hours(seconds: u64) -> String {
    format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measured_time_has_two_units_at_most_and_an_estimate_is_round() {
        let taken = [3.4, 84.0, 3720.0].map(time_taken);
        assert_eq!(taken, ["3 s", "1 min 24 s", "1 h 02 min"]);
        let estimates = [0.4, 99.0, 100.0, 3600.0, 7500.0, 9000.0, 864_000.0].map(time_estimate);
        let words = ["0 s", "99 s", "2 min", "60 min", "2 h 05 min", "2 h 30 min", "10 days"];
        assert_eq!(estimates, words);
    }

    #[test]
    fn text_is_escaped_and_control_characters_go() {
        assert_eq!(escape("<a href=\"x\">&'\u{7}\n"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39; \n");
        assert_eq!(printable("a\tb\u{0}"), "a b ");
    }

    #[test]
    fn no_line_is_wider_than_the_limit_and_no_letter_is_lost() {
        let text = "nonet train --out runs/a-very-long-path-that-no-line-can-hold/checkpoint.net --games 500000";
        let lines = wrap(text, 20.0, Typeface::Mono, 300.0);
        assert!(lines.iter().all(|line| width(line, 20.0, Typeface::Mono) <= 300.0), "{lines:?}");
        let letters = |s: &str| s.split_whitespace().collect::<String>();
        assert_eq!(letters(&lines.concat()), letters(text));
        assert!(wrap(" ", 20.0, Typeface::Plain, 300.0).is_empty());
    }

    #[test]
    fn a_zero_has_no_sign() {
        assert_eq!(
            [decimal(-0.25, 2), decimal(-0.001, 2), decimal(1.0, 0)],
            ["\u{2212}0.25", "0.00", "1"]
        );
    }
}
