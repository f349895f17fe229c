//! Bearoff databases in the cache folder: read if they are there, generated and kept if not.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::bearoff::BearoffDatabases;
use crate::store::{StoreError, read_bearoff, write_bearoff};

/// The environment variable that names the file of the bearoff databases.
const VARIABLE: &str = "NONET_BEAROFF";

/// Bearoff databases, and where they come from.
#[derive(Debug)]
pub struct CachedBearoff {
    /// The databases.
    pub databases: Arc<BearoffDatabases>,
    /// Where they come from.
    pub origin: BearoffOrigin,
}

/// Where bearoff databases come from.
#[derive(Debug)]
pub enum BearoffOrigin {
    /// They were read from this file.
    File(PathBuf),
    /// They were generated and written to this file.
    Generated(PathBuf),
    /// They were generated and could not be kept: there is no cache folder, or it cannot be written to. They will be
    /// generated again the next time, which takes a second or two.
    NotKept(Option<StoreError>),
}

/// The bearoff databases from the file that the environment variable `NONET_BEAROFF` names, else from
/// [`bearoff_cache_path`]. Where there is no readable file in the cache folder, they are generated on the current thread
/// pool and written there.
///
/// # Errors
/// [`StoreError`] if `NONET_BEAROFF` names a file that cannot be read.
pub fn cached_bearoff() -> Result<CachedBearoff, StoreError> {
    if let Some(path) = std::env::var_os(VARIABLE).map(PathBuf::from) {
        // A file that was named must be right.
        let databases = Arc::new(read_bearoff(&path)?);
        return Ok(CachedBearoff { databases, origin: BearoffOrigin::File(path) });
    }
    let path = bearoff_cache_path();
    if let Some(path) = &path
        && let Ok(databases) = read_bearoff(path)
    {
        let origin = BearoffOrigin::File(path.clone());
        return Ok(CachedBearoff { databases: Arc::new(databases), origin });
    }
    let databases = BearoffDatabases::generate();
    let origin = match path {
        None => BearoffOrigin::NotKept(None),
        Some(path) => match write(&path, &databases) {
            Ok(()) => BearoffOrigin::Generated(path),
            Err(error) => BearoffOrigin::NotKept(Some(error)),
        },
    };
    Ok(CachedBearoff { databases: Arc::new(databases), origin })
}

fn write(path: &Path, databases: &BearoffDatabases) -> Result<(), StoreError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(StoreError::io("create", folder))?;
    }
    write_bearoff(path, databases).map(drop)
}

/// `nonet/bearoff.nonet` in the user's cache folder, as the operating system names it (`~/.cache` on Linux); `None` where
/// there is no such folder.
#[must_use]
pub fn bearoff_cache_path() -> Option<PathBuf> {
    let folders = directories::BaseDirs::new()?;
    Some(folders.cache_dir().join("nonet").join("bearoff.nonet"))
}
