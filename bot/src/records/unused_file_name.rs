//! Names of new files in the folders of matches.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Characters of a label in a file's name: the server chooses names of players, and no file system
/// takes any length.
const LONGEST_LABEL: usize = 60;

/// A path in `folder` at which there is no file: `20261121-063415-bob-5.jsonl` for the labels `bob`
/// and `5`, with `-1`, `-2` and so on behind the labels if there is one already.
///
/// `time` is in Unix seconds and written in UTC. Characters of the labels other than ASCII letters
/// and digits become `_`, and a label ends after [`LONGEST_LABEL`] characters.
#[must_use]
pub(crate) fn fresh_path(folder: &Path, time: f64, labels: &[&str], extension: &str) -> PathBuf {
    let timestamp = Timestamp::from_second(time as i64)
        .expect("the clock shows a year between -9999 and 9999")
        .to_zoned(TimeZone::UTC);
    let mut stem = timestamp.strftime("%Y%m%d-%H%M%S").to_string();
    for label in labels {
        stem.push('-');
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        stem.extend(label.chars().take(LONGEST_LABEL).map(plain));
    }
    let mut path = folder.join(format!("{stem}.{extension}"));
    let mut number = 0_u64;
    while path.exists() {
        number += 1;
        path = folder.join(format!("{stem}-{number}.{extension}"));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let name = |time| fresh_path(Path::new("none"), time, &[], "mat");
        assert_eq!(name(0.0), Path::new("none/19700101-000000.mat"));
        assert_eq!(name(951_782_400.9), Path::new("none/20000229-000000.mat"));
        assert_eq!(name(1_795_242_855.0), Path::new("none/20261121-063415.mat"));
    }

    #[test]
    fn a_fresh_path_is_never_that_of_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a_b-5.mat", "a_b-5-1.mat", "a_b-5-2.mat"] {
            let path = fresh_path(folder.path(), 0.0, &["a/b", "5"], "mat");
            assert_eq!(path, folder.path().join(format!("19700101-000000-{name}")));
            std::fs::write(&path, "").expect("written");
        }
    }

    #[test]
    fn a_long_name_makes_a_file_that_can_be_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let name = "é".repeat(1000);
        let path = fresh_path(folder.path(), 0.0, &[&name, &name], "mat");
        std::fs::write(&path, "").expect("written");
    }
}
