//! Writing a recorded match to a `.mat` file.

use std::path::{Path, PathBuf};

use super::{StoreError, write_atomic, write_numbered};
use crate::backgammon::record::{MatWriter, RecordedGame};

/// Writes the games of a match to `path` in `.mat` format, atomically; an existing file is
/// replaced.
///
/// # Errors
/// [`StoreError::Io`].
pub fn save_match(path: &Path, games: &[RecordedGame]) -> Result<(), StoreError> {
    write_atomic(path, &text_of(path, games)?)
}

/// The same in a new file in `folder`, as [`write_numbered`] names it. Returns its path.
///
/// # Errors
/// [`StoreError::Io`].
pub fn save_new_match(
    folder: &Path,
    stem: &str,
    games: &[RecordedGame],
) -> Result<PathBuf, StoreError> {
    write_numbered(folder, stem, "mat", &text_of(folder, games)?)
}

/// The games in `.mat` format; an error names `path`.
fn text_of(path: &Path, games: &[RecordedGame]) -> Result<Vec<u8>, StoreError> {
    let mut writer = MatWriter::new(Vec::new());
    for game in games {
        writer.write(game).map_err(StoreError::io("write", path))?;
    }
    Ok(writer.into_inner())
}
