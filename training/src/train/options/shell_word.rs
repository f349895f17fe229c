//! Words of a command line that a person may copy.

/// A text as one word of a command line of this system, quoted where a shell needs it.
///
/// ```
/// let word = nonet_training::train::shell_word("my match.mat");
/// assert_eq!(word, if cfg!(windows) { "\"my match.mat\"" } else { "'my match.mat'" });
/// assert_eq!(nonet_training::train::shell_word("runs/small-1"), "runs/small-1");
/// ```
#[must_use]
pub fn shell_word(text: &str) -> String {
    if cfg!(windows) { windows_word(text) } else { unix_word(text) }
}

/// A word of a shell of Unix: single quotes keep everything but themselves.
fn unix_word(text: &str) -> String {
    if is_plain(text, "._/,:@+=-") {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A word of cmd and of PowerShell: both read double quotes, which no path has. PowerShell takes
/// commas and `@` for signs of its own.
fn windows_word(text: &str) -> String {
    if is_plain(text, "\\/._-+:") {
        return text.to_owned();
    }
    // A program takes a quote behind a backslash for a part of the word.
    let ending = text.len() - text.trim_end_matches('\\').len();
    format!("\"{text}{}\"", "\\".repeat(ending))
}

/// Whether a shell takes a word as it is; `marks` are the signs without a meaning of their own.
fn is_plain(text: &str, marks: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || marks.contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_of_unix_needs_it() {
        for plain in [
            "a/b-1.mat",
            "128-16/128-16/512-32+by-encoding",
            "0.1,0.03@50000",
            "gnubg:2",
            "-",
            "2026=x",
        ] {
            assert_eq!(unix_word(plain), plain);
        }
        assert_eq!(unix_word("my match.mat"), "'my match.mat'");
        assert_eq!(unix_word("it's"), "'it'\\''s'");
        assert_eq!(unix_word("a\\b"), "'a\\b'");
        assert_eq!(unix_word("~ann"), "'~ann'");
        assert_eq!(unix_word(""), "''");
    }

    #[test]
    fn words_of_windows_have_double_quotes() {
        assert_eq!(windows_word(r"C:\a\b-1.mat"), r"C:\a\b-1.mat");
        assert_eq!(windows_word(r"C:\my match.mat"), r#""C:\my match.mat""#);
        assert_eq!(windows_word(r"C:\my matches\"), r#""C:\my matches\\""#);
        assert_eq!(windows_word("it's"), "\"it's\"");
        assert_eq!(windows_word("a,b"), "\"a,b\"");
        assert_eq!(windows_word(""), "\"\"");
    }
}
