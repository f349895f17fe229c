//! Names of new files in the folders of matches, without ending and number.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Characters of a label in a file's name: the server chooses names of players, and no file system
/// takes any length.
const LONGEST_LABEL: usize = 60;

/// `20261121-063415-bob-5` for the labels `bob` and `5`.
///
/// `time` is in Unix seconds and written in UTC. Characters of the labels other than ASCII letters
/// and digits become `_`, and a label ends after [`LONGEST_LABEL`] characters.
#[must_use]
pub(crate) fn file_stem(time: f64, labels: &[&str]) -> String {
    let timestamp = Timestamp::from_second(time as i64)
        .expect("the clock shows a year between -9999 and 9999")
        .to_zoned(TimeZone::UTC);
    let mut stem = timestamp.strftime("%Y%m%d-%H%M%S").to_string();
    for label in labels {
        stem.push('-');
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        stem.extend(label.chars().take(LONGEST_LABEL).map(plain));
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(file_stem(0.0, &[]), "19700101-000000");
        assert_eq!(file_stem(951_782_400.9, &[]), "20000229-000000");
        assert_eq!(file_stem(1_795_242_855.0, &["a/b", "5"]), "20261121-063415-a_b-5");
    }

    #[test]
    fn a_long_name_makes_a_file_that_can_be_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let name = "é".repeat(1000);
        let stem = file_stem(0.0, &[&name, &name]);
        std::fs::write(folder.path().join(format!("{stem}.jsonl")), "").expect("written");
    }
}
