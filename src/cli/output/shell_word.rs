//! Words of a command line that a person may copy.

use std::path::Path;

/// A path as a word of a command line.
pub(crate) fn shell_word(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:@,".contains(c);
    if !text.is_empty() && !text.starts_with('-') && text.chars().all(plain) {
        return text.into_owned();
    }
    let dashed = if text.starts_with('-') { format!("./{text}") } else { text.into_owned() };
    format!("'{}'", dashed.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted_where_a_shell_needs_it() {
        let word = |text: &str| shell_word(Path::new(text));
        assert_eq!(word("a/b-1.mat"), "a/b-1.mat");
        assert_eq!(word("my match.mat"), "'my match.mat'");
        assert_eq!(word("it's"), "'it'\\''s'");
        assert_eq!(word("-x"), "'./-x'");
    }
}
