//! Writing a file so that it is never half there.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use super::StoreError;

const PREFIX: &str = ".writing-";
const SUFFIX: &str = ".tmp";

/// Whether a file of this name was being written when its program was killed.
pub(super) fn is_unfinished(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// Puts `bytes` at `path`: written to a temporary file beside it, flushed to the disk, then renamed over it.
///
/// # Errors
/// [`StoreError::Io`]; what stood at `path` before is then still there, and nothing is left beside it.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new()
        .prefix(PREFIX)
        .suffix(SUFFIX)
        .tempfile_in(folder)
        .map_err(StoreError::io("write", path))?;
    file.write_all(bytes).map_err(StoreError::io("write", path))?;
    readable(file.as_file()).map_err(StoreError::io("write", path))?;
    file.as_file().sync_all().map_err(StoreError::io("write", path))?;
    file.persist(path).map_err(|error| StoreError::io("write", path)(error.error))?;
    // The new name itself is safe once the folder is flushed; where folders cannot be opened there is no such call.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Temporary files are for their owner alone; a finished file is for everybody to read.
#[cfg(unix)]
fn readable(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_: &File) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        write_atomic(&path, b"one").expect("written");
        write_atomic(&path, b"two").expect("written");
        assert_eq!(std::fs::read(&path).expect("there"), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_write_that_fails_leaves_the_old_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("missing").join("a");
        let error = write_atomic(&path, b"one").expect_err("no folder").to_string();
        assert!(error.starts_with("cannot write ") && error.contains("missing"), "{error}");
    }
}
