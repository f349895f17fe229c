//! Names that people give, and that become names of files and folders.

/// Letters of the longest name.
pub const LONGEST_NAME: usize = 60;

/// Whether a name is one that nonet may give to a file or folder.
///
/// It has 1 to [`LONGEST_NAME`] letters, digits, `-` and `_` of ASCII, and no `-` at the beginning.
/// So it leads to no other folder, and is no option.
///
/// ```
/// use nonet_engine::store::is_file_name;
///
/// assert!(is_file_name("small-1"));
/// assert!(!is_file_name("../x") && !is_file_name("-x") && !is_file_name(""));
/// ```
#[must_use]
pub fn is_file_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(plain) && !name.starts_with('-')
}
