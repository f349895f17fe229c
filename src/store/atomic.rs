//! Writing a file so that it is never half there.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

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
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes).map_err(StoreError::io("write", path))?;
    file.commit()
}

/// A file that is written piece by piece and stands at its place only when it is whole. Dropped before
/// [`AtomicFile::commit`], it leaves nothing.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl AtomicFile {
    /// Begins the file that is to stand at `path`, beside it.
    ///
    /// # Errors
    /// [`StoreError::Io`] where its folder does not exist or cannot be written to, and for a path that is a folder.
    pub fn create(path: &Path) -> Result<AtomicFile, StoreError> {
        let failed = StoreError::io("write", path);
        if path.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        // Asked for itself, as the temporary file would be named for it in the error.
        std::fs::metadata(folder(path)).map_err(StoreError::io("write", path))?;
        let builder =
            tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder(path));
        Ok(AtomicFile { path: path.to_owned(), file: BufWriter::new(builder.map_err(failed)?) })
    }

    /// Flushes it to the disk and renames it to its place.
    ///
    /// # Errors
    /// [`StoreError::Io`]; what stood at the path before is then still there.
    pub fn commit(self) -> Result<(), StoreError> {
        let AtomicFile { path, file } = self;
        let failed = || StoreError::io("write", &path);
        let file = file.into_inner().map_err(|error| failed()(error.into_error()))?;
        readable(file.as_file()).map_err(failed())?;
        file.as_file().sync_all().map_err(failed())?;
        file.persist(&path).map_err(|error| failed()(error.error))?;
        // The new name itself is safe once the folder is flushed; where folders cannot be opened there is no such call.
        if let Ok(folder) = File::open(folder(&path)) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
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
    fn a_file_that_is_given_up_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut file = AtomicFile::create(&folder.path().join("a")).expect("begun");
        file.write_all(b"half").expect("written");
        drop(file);
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
        assert!(AtomicFile::create(folder.path()).is_err(), "a folder is no file");
    }

    #[test]
    fn a_write_that_fails_leaves_the_old_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("missing").join("a");
        let error = write_atomic(&path, b"one").expect_err("no folder").to_string();
        assert!(error.starts_with("cannot write ") && error.contains("missing"), "{error}");
        assert!(!error.contains(PREFIX), "{error}");
    }
}
