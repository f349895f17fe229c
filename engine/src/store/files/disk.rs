//! The files of the machine.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A file that is locked until this value is dropped.
#[derive(Debug)]
pub struct Lock(#[allow(dead_code, reason = "held")] File);

/// The content of a file.
///
/// # Errors
/// That of the operating system.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    fs::read(path)
}

/// The text of a file.
///
/// # Errors
/// That of the operating system.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    fs::read_to_string(path)
}

/// Whether there is a file or a folder.
#[must_use]
pub fn exists(path: &Path) -> bool {
    path.exists()
}

/// Whether there is a file.
#[must_use]
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// Whether there is a folder.
#[must_use]
pub fn is_dir(path: &Path) -> bool {
    path.is_dir()
}

/// The paths of what is in a folder, in no order.
///
/// # Errors
/// That of the operating system.
pub fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}

/// Makes a folder.
///
/// # Errors
/// That of the operating system; also if it is there already.
pub fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

/// Makes a folder and those around it, where they are missing.
///
/// # Errors
/// That of the operating system.
pub fn make_folders(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Removes a file.
///
/// # Errors
/// That of the operating system.
pub fn remove_file(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}

/// Removes a folder with all that is in it.
///
/// # Errors
/// That of the operating system.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    fs::remove_dir_all(path)
}

/// Gives a file another name.
///
/// # Errors
/// That of the operating system.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)
}

/// When a file was last written.
///
/// # Errors
/// That of the operating system.
pub fn modified(path: &Path) -> io::Result<SystemTime> {
    fs::metadata(path)?.modified()
}

/// Locks a file, which is made; no other program locks it then.
///
/// # Errors
/// [`TryLockError`]: another program has locked it, or the operating system refuses.
pub fn lock(path: &Path) -> Result<Lock, TryLockError> {
    let file = File::options().create(true).truncate(false).write(true).open(path);
    let file = file.map_err(TryLockError::Error)?;
    file.try_lock().map(|()| Lock(file))
}

/// Whether a program has locked a file. Looks do not see each other, but for an instant a look
/// keeps others from locking the file: whoever locks it tries again.
#[must_use]
pub fn is_locked(path: &Path) -> bool {
    let file = File::open(path);
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// For the tests that compare both sides.
#[cfg(test)]
pub(super) fn write_atomic_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use crate::store::{StoreError, write_atomic};
    write_atomic(path, bytes).map_err(|error| match error {
        StoreError::Io { cause, .. } => cause,
        other => io::Error::other(other),
    })
}
