//! Atomic file writing: a file is replaced as a whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, PersistError};

use super::StoreError;

const PREFIX: &str = ".writing-";
const SUFFIX: &str = ".tmp";

/// Whether `name` is that of a temporary file, left behind by a program that was killed while it
/// wrote.
pub(super) fn is_unfinished(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// Writes `bytes` to `path`: into a temporary file in the same folder, which is flushed to disk and
/// then renamed.
///
/// # Errors
/// [`StoreError::Io`]; the previous file at `path` is then unchanged, and the temporary file is
/// removed.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let mut file = AtomicFile::create(path)?;
    file.file.write_all(bytes).map_err(StoreError::io("write", path))?;
    file.commit()
}

/// The same for a new file: `false`, and nothing is changed, if there is a file at `path` already.
///
/// # Errors
/// [`StoreError::Io`], as [`write_atomic`].
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<bool, StoreError> {
    let mut file = AtomicFile::create(path)?;
    file.file.write_all(bytes).map_err(StoreError::io("write", path))?;
    file.commit_by(|file, path| file.persist_noclobber(path)).map_or_else(
        |error| match error {
            StoreError::Io { cause, .. } if cause.kind() == io::ErrorKind::AlreadyExists => {
                Ok(false)
            }
            error => Err(error),
        },
        |()| Ok(true),
    )
}

/// A file that is written piece by piece and appears at its path only when it is complete. If it is
/// dropped before [`AtomicFile::commit`], it is removed.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    file: BufWriter<Temporary>,
}

/// A temporary file with the errors of the operating system alone: the library adds its name, which
/// means nothing to people.
#[derive(Debug)]
struct Temporary(NamedTempFile);

impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.as_file_mut().flush()
    }
}

impl AtomicFile {
    /// Opens a temporary file in the folder of `path`.
    ///
    /// # Errors
    /// [`StoreError::Io`] if that folder does not exist or cannot be written to, or if `path` is a
    /// folder.
    pub fn create(path: &Path) -> Result<AtomicFile, StoreError> {
        let failed = StoreError::io("write", path);
        if path.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        // Checked first: otherwise the error would name the temporary file.
        std::fs::metadata(folder(path)).map_err(StoreError::io("write", path))?;
        let builder =
            tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder(path));
        // The library's error names the temporary file.
        let file = builder.map_err(|error| failed(error.kind().into()))?;
        Ok(AtomicFile { path: path.to_owned(), file: BufWriter::new(Temporary(file)) })
    }

    /// Flushes the file to disk and renames it to its path.
    ///
    /// # Errors
    /// [`StoreError::Io`]; the previous file at the path is then unchanged.
    pub fn commit(self) -> Result<(), StoreError> {
        self.commit_by(|file, path| file.persist(path))
    }

    fn commit_by(
        self,
        persist: impl FnOnce(NamedTempFile, &Path) -> Result<File, PersistError>,
    ) -> Result<(), StoreError> {
        let AtomicFile { path, file } = self;
        let failed = || StoreError::io("write", &path);
        let Temporary(file) = file.into_inner().map_err(|error| failed()(error.into_error()))?;
        readable(file.as_file()).map_err(failed())?;
        file.as_file().sync_all().map_err(failed())?;
        persist(file, &path).map_err(|error| failed()(error.error))?;
        // The rename is on disk once the folder is flushed. Systems that cannot open folders have
        // no such call.
        if let Ok(folder) = File::open(folder(&path)) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(|error| self.named(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(|error| self.named(error))
    }
}

impl AtomicFile {
    /// An error of writing that names the file: callers that write line by line pass it on as it
    /// is.
    fn named(&self, error: io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("cannot write {}: {error}", self.path.display()))
    }
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Lets everybody read the finished file; temporary files are readable for their owner alone.
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
    fn a_new_file_replaces_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        assert!(write_new(&path, b"one").expect("written"));
        assert!(!write_new(&path, b"two").expect("no error"));
        assert_eq!(std::fs::read(&path).expect("there"), b"one");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
        assert!(write_new(&folder.path().join("none/a"), b"").is_err());
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_and_the_temporary_file_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        write_atomic(&path, b"one").expect("written");
        write_atomic(&path, b"two").expect("written");
        assert_eq!(std::fs::read(&path).expect("there"), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_file_dropped_before_commit_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut file = AtomicFile::create(&folder.path().join("a")).expect("begun");
        file.write_all(b"half").expect("written");
        drop(file);
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
        assert!(AtomicFile::create(folder.path()).is_err(), "the path is a folder");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_takes_no_files_is_named_by_the_file_that_was_meant() {
        // No user, not even root, can make a file there.
        let error = write_atomic(Path::new("/proc/x.mat"), b"x").expect_err("refused").to_string();
        assert!(error.starts_with("cannot write /proc/x.mat: "), "{error}");
        assert!(!error.contains(PREFIX), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_error_of_a_line_that_was_not_written_names_the_file() {
        let full = File::options().write(true).open("/dev/full").expect("the full device");
        let folder = tempfile::tempdir().expect("a folder");
        let mut file = AtomicFile::create(&folder.path().join("games.mat")).expect("begun");
        file.file = BufWriter::new(Temporary(NamedTempFile::from_parts(
            full,
            tempfile::NamedTempFile::new_in(folder.path()).expect("a file").into_temp_path(),
        )));
        let error = file.write_all(&[0; 20_000]).expect_err("full").to_string();
        assert!(error.starts_with("cannot write "), "{error}");
        assert!(error.ends_with("games.mat: No space left on device (os error 28)"), "{error}");
    }

    #[test]
    fn the_error_of_a_failed_write_names_the_path_and_not_the_temporary_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("missing").join("a");
        let error = write_atomic(&path, b"one").expect_err("no folder").to_string();
        assert!(error.starts_with("cannot write ") && error.contains("missing"), "{error}");
        assert!(!error.contains(PREFIX), "{error}");
    }
}
