//! Writing a recorded match to a `.mat` file.

use std::path::Path;

use super::{StoreError, write_atomic};
use crate::backgammon::record::{MatWriter, RecordedGame};

/// Writes the games of a match to `path` in `.mat` format, atomically; an existing file is
/// replaced.
///
/// # Errors
/// [`StoreError::Io`].
pub fn save_match(path: &Path, games: &[RecordedGame]) -> Result<(), StoreError> {
    let mut writer = MatWriter::new(Vec::new());
    for game in games {
        writer.write(game).map_err(StoreError::io("write", path))?;
    }
    write_atomic(path, &writer.into_inner())
}
