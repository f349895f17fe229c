//! Words of a command line that a person may copy.

use std::path::Path;

/// A path as a word of a command line of this system.
pub(crate) fn shell_word(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { windows_word(&text) } else { unix_word(&text) }
}

/// A word of a shell of Unix: single quotes keep everything but themselves.
fn unix_word(text: &str) -> String {
    if is_plain(text, "/._-+=:@,") {
        return text.to_owned();
    }
    format!("'{}'", no_option(text).replace('\'', "'\\''"))
}

/// A word of cmd and of PowerShell: both read double quotes, which no path has. PowerShell takes
/// commas and `@` for signs of its own.
fn windows_word(text: &str) -> String {
    if is_plain(text, "\\/._-+:") {
        return text.to_owned();
    }
    let word = no_option(text);
    // A program takes a quote behind a backslash for a part of the word.
    let ending = word.len() - word.trim_end_matches('\\').len();
    format!("\"{word}{}\"", "\\".repeat(ending))
}

/// Whether a shell takes a word as it is; `marks` are the signs without a meaning of their own.
fn is_plain(text: &str, marks: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || marks.contains(c);
    !text.is_empty() && !text.starts_with('-') && text.chars().all(plain)
}

/// A path that no program takes for an option.
fn no_option(text: &str) -> String {
    if text.starts_with('-') { format!("./{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted_where_a_shell_needs_it() {
        assert_eq!(unix_word("a/b-1.mat"), "a/b-1.mat");
        assert_eq!(unix_word("my match.mat"), "'my match.mat'");
        assert_eq!(unix_word("it's"), "'it'\\''s'");
        assert_eq!(unix_word("a\\b"), "'a\\b'");
        assert_eq!(unix_word("-x"), "'./-x'");
    }

    #[test]
    fn paths_of_windows_have_double_quotes() {
        assert_eq!(windows_word(r"C:\a\b-1.mat"), r"C:\a\b-1.mat");
        assert_eq!(windows_word(r"C:\my match.mat"), r#""C:\my match.mat""#);
        assert_eq!(windows_word(r"C:\my matches\"), r#""C:\my matches\\""#);
        assert_eq!(windows_word("it's"), "\"it's\"");
        assert_eq!(windows_word("a,b"), "\"a,b\"");
        assert_eq!(windows_word("-x"), "\"./-x\"");
        assert_eq!(windows_word(""), "\"\"");
    }

    #[test]
    fn the_word_is_that_of_this_system() {
        let quote = if cfg!(windows) { '"' } else { '\'' };
        let expected = format!("{quote}my match.mat{quote}");
        assert_eq!(shell_word(Path::new("my match.mat")), expected);
    }
}
