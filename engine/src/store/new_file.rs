//! New files with a number in their names, where there is one of that name already.

use std::path::{Path, PathBuf};

use super::{StoreError, write_new};

/// The path of a new file in `folder`: `STEM.EXTENSION`, from number 2 on `STEM-NUMBER.EXTENSION`.
#[must_use]
pub fn numbered_path(folder: &Path, stem: &str, extension: &str, number: u64) -> PathBuf {
    match number {
        0 | 1 => folder.join(format!("{stem}.{extension}")),
        number => folder.join(format!("{stem}-{number}.{extension}")),
    }
}

/// Writes `bytes` to the first such path at which there is no file, and returns it. No two programs
/// write the same file.
///
/// # Errors
/// [`StoreError::Io`].
pub fn write_numbered(
    folder: &Path,
    stem: &str,
    extension: &str,
    bytes: &[u8],
) -> Result<PathBuf, StoreError> {
    let mut number = 1;
    loop {
        let path = numbered_path(folder, stem, extension, number);
        if write_new(&path, bytes)? {
            return Ok(path);
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_has_the_first_free_number() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a.mat", "a-2.mat", "a-3.mat"] {
            let path = write_numbered(folder.path(), "a", "mat", name.as_bytes()).expect("written");
            assert_eq!(path, folder.path().join(name));
            assert_eq!(std::fs::read(&path).expect("there"), name.as_bytes());
        }
        assert!(write_numbered(&folder.path().join("none"), "a", "mat", b"").is_err());
        assert_eq!(numbered_path(Path::new(""), "a", "mat", 1), Path::new("a.mat"));
    }
}
