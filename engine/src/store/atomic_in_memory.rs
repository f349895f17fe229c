//! Atomic file writing where files are in memory: as `atomic.rs`, without a disk.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{StoreError, files};

/// Whether `name` is that of a temporary file: there are none in memory.
pub(super) fn is_unfinished(_: &str) -> bool {
    false
}

/// Writes `bytes` to `path`.
///
/// # Errors
/// [`StoreError::Io`]; the previous file at `path` is then unchanged.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    files::write_atomic_bytes(path, bytes).map_err(StoreError::io("write", path))
}

/// The same for a new file: `false`, and nothing is changed, if there is a file at `path` already.
///
/// # Errors
/// [`StoreError::Io`], as [`write_atomic`].
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<bool, StoreError> {
    if files::exists(path) { Ok(false) } else { write_atomic(path, bytes).map(|()| true) }
}

/// A file that is written piece by piece and appears at its path only when it is complete.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl AtomicFile {
    /// Begins a file.
    ///
    /// # Errors
    /// [`StoreError::Io`] if `path` is a folder.
    pub fn create(path: &Path) -> Result<AtomicFile, StoreError> {
        if files::is_dir(path) {
            return Err(StoreError::io("write", path)(io::ErrorKind::IsADirectory.into()));
        }
        Ok(AtomicFile { path: path.to_owned(), bytes: Vec::new() })
    }

    /// Puts the file at its path.
    ///
    /// # Errors
    /// [`StoreError::Io`]; the previous file at the path is then unchanged.
    pub fn commit(self) -> Result<(), StoreError> {
        write_atomic(&self.path, &self.bytes)
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
