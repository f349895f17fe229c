//! Matches as `.mat` files.

use std::path::Path;

use super::{StoreError, write_atomic};
use crate::backgammon::record::{MatWriter, RecordedGame};

/// Writes the games of a match to `path` as `.mat`, in place of the file that is there. The file is written atomically.
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
