//! Paths in a command line that a person may copy.

use std::path::Path;

/// A path as a word of a command line of this system. No program takes it for an option.
pub(crate) fn shell_word(path: &Path) -> String {
    let text = path.to_string_lossy();
    match text.starts_with('-') {
        true => nonet::train::shell_word(&format!("./{text}")),
        false => nonet::train::shell_word(&text),
    }
}

/// An option with a value that is no path, behind a blank.
pub(crate) fn option_words(option: &str, value: &str) -> String {
    let between = if value.starts_with('-') { '=' } else { ' ' };
    format!(" {option}{between}{}", nonet::train::shell_word(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_word_and_no_option() {
        assert_eq!(shell_word(Path::new("-x")), "./-x");
        assert_eq!(option_words("--player", "-x"), " --player=-x");
        assert_eq!(option_words("--player", "ann"), " --player ann");
        let quote = if cfg!(windows) { '"' } else { '\'' };
        assert_eq!(shell_word(Path::new("my match.mat")), format!("{quote}my match.mat{quote}"));
    }
}
