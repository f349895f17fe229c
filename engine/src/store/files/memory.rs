//! Files in memory, for programs that have no others. Whoever runs the program keeps them: it takes
//! what has changed ([`take_changes`]), and gives it back at the next start ([`apply`]).

use std::collections::{BTreeMap, BTreeSet};
use std::fs::TryLockError;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing any more.
    Nothing,
    /// A folder.
    Folder,
    /// A file.
    File(Vec<u8>),
}

/// What is at a path now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The path.
    pub path: PathBuf,
    /// What is there.
    pub content: Content,
}

/// Files in memory know no other programs.
#[derive(Debug)]
pub struct Lock;

/// What a path holds.
enum Entry {
    Folder,
    File { bytes: Vec<u8>, written: u64 },
}

#[derive(Default)]
struct Files {
    entries: BTreeMap<PathBuf, Entry>,
    changed: BTreeSet<PathBuf>,
    /// Counts the writes: a clock for [`modified`].
    writes: u64,
}

static FILES: Mutex<Files> =
    Mutex::new(Files { entries: BTreeMap::new(), changed: BTreeSet::new(), writes: 0 });

fn files() -> MutexGuard<'static, Files> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Files {
    fn is_folder(&self, path: &Path) -> bool {
        // The root, and the folder of names without one.
        path.parent().is_none()
            || path.as_os_str().is_empty()
            || matches!(self.entries.get(path), Some(Entry::Folder))
    }

    fn needs_folder_of(&self, path: &Path) -> io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new(""));
        if self.is_folder(folder) { Ok(()) } else { Err(ErrorKind::NotFound.into()) }
    }

    fn put(&mut self, path: &Path, content: Content) {
        self.writes += 1;
        let written = self.writes;
        let entry = match content {
            Content::Nothing => return drop(self.entries.remove(path)),
            Content::Folder => Entry::Folder,
            Content::File(bytes) => Entry::File { bytes, written },
        };
        self.entries.insert(path.to_owned(), entry);
    }

    fn change(&mut self, path: &Path, content: Content) {
        self.put(path, content);
        self.changed.insert(path.to_owned());
    }
}

/// What has changed since the last call, each path once, folders before what is in them.
#[must_use]
pub fn take_changes() -> Vec<Change> {
    let mut files = files();
    let changed = std::mem::take(&mut files.changed);
    let content = |path: &Path| match files.entries.get(path) {
        None => Content::Nothing,
        Some(Entry::Folder) => Content::Folder,
        Some(Entry::File { bytes, .. }) => Content::File(bytes.clone()),
    };
    changed.into_iter().map(|path| Change { content: content(&path), path }).collect()
}

/// Makes a change that was taken elsewhere; it is no change of this program.
pub fn apply(change: Change) {
    files().put(&change.path, change.content);
}

/// The content of a file.
///
/// # Errors
/// There is no such file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    match files().entries.get(path) {
        Some(Entry::File { bytes, .. }) => Ok(bytes.clone()),
        Some(Entry::Folder) => Err(ErrorKind::IsADirectory.into()),
        None => Err(ErrorKind::NotFound.into()),
    }
}

/// The text of a file.
///
/// # Errors
/// There is no such file, or it is no text.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| ErrorKind::InvalidData.into())
}

/// Whether there is a file or a folder.
#[must_use]
pub fn exists(path: &Path) -> bool {
    files().entries.contains_key(path)
}

/// Whether there is a file.
#[must_use]
pub fn is_file(path: &Path) -> bool {
    matches!(files().entries.get(path), Some(Entry::File { .. }))
}

/// Whether there is a folder.
#[must_use]
pub fn is_dir(path: &Path) -> bool {
    files().is_folder(path)
}

/// The paths of what is in a folder, in order.
///
/// # Errors
/// There is no such folder.
pub fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let files = files();
    if !files.is_folder(folder) {
        return Err(ErrorKind::NotFound.into());
    }
    let inside = files.entries.keys().filter(|path| path.parent() == Some(folder));
    Ok(inside.cloned().collect())
}

/// Makes a folder.
///
/// # Errors
/// There is something already, or no folder around it.
pub fn make_folder(path: &Path) -> io::Result<()> {
    let mut files = files();
    if files.entries.contains_key(path) {
        return Err(ErrorKind::AlreadyExists.into());
    }
    files.needs_folder_of(path)?;
    files.change(path, Content::Folder);
    Ok(())
}

/// Makes a folder and those around it, where they are missing.
///
/// # Errors
/// A file is in the way.
pub fn make_folders(path: &Path) -> io::Result<()> {
    let mut files = files();
    let around: Vec<&Path> = path.ancestors().collect();
    for folder in around.into_iter().rev() {
        if !files.is_folder(folder) {
            if files.entries.contains_key(folder) {
                return Err(ErrorKind::NotADirectory.into());
            }
            files.change(folder, Content::Folder);
        }
    }
    Ok(())
}

/// Removes a file.
///
/// # Errors
/// There is no such file.
pub fn remove_file(path: &Path) -> io::Result<()> {
    let mut files = files();
    match files.entries.get(path) {
        Some(Entry::File { .. }) => files.change(path, Content::Nothing),
        Some(Entry::Folder) => return Err(ErrorKind::IsADirectory.into()),
        None => return Err(ErrorKind::NotFound.into()),
    }
    Ok(())
}

/// Removes a folder with all that is in it.
///
/// # Errors
/// There is no such folder.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    let mut files = files();
    if !files.is_folder(path) {
        return Err(ErrorKind::NotFound.into());
    }
    let inside: Vec<PathBuf> =
        files.entries.keys().filter(|inner| inner.starts_with(path)).cloned().collect();
    for inner in inside {
        files.change(&inner, Content::Nothing);
    }
    Ok(())
}

/// Gives a file another name.
///
/// # Errors
/// There is no such file, or no folder for the new name.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    let bytes = read(from)?;
    let mut files = files();
    files.needs_folder_of(to)?;
    files.change(from, Content::Nothing);
    files.change(to, Content::File(bytes));
    Ok(())
}

/// When a file was last written: there is no clock, so that only the order is true.
///
/// # Errors
/// There is no such file.
pub fn modified(path: &Path) -> io::Result<SystemTime> {
    match files().entries.get(path) {
        Some(Entry::File { written, .. }) => {
            Ok(SystemTime::UNIX_EPOCH + Duration::from_secs(*written))
        }
        _ => Err(ErrorKind::NotFound.into()),
    }
}

/// Locks nothing: no other program has these files.
///
/// # Errors
/// Never.
pub fn lock(_: &Path) -> Result<Lock, TryLockError> {
    Ok(Lock)
}

/// Whether a program has locked a file: there is no other.
#[must_use]
pub fn is_locked(_: &Path) -> bool {
    false
}

/// Writes a file as a whole.
///
/// # Errors
/// There is no folder for it, or it is a folder.
pub(in crate::store) fn write_atomic_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut files = files();
    if files.is_folder(path) {
        return Err(ErrorKind::IsADirectory.into());
    }
    files.needs_folder_of(path)?;
    files.change(path, Content::File(bytes.to_vec()));
    Ok(())
}
