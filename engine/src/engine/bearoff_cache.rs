//! Bearoff databases in the cache folder: read if they are there, generated and kept if not.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::bearoff::BearoffDatabases;
use crate::store::{GnubgTwoSided, StoreError, read_bearoff, write_bearoff};

/// The environment variable that names the file of the bearoff databases.
const VARIABLE: &str = "NONET_BEAROFF";
/// The environment variable that names a larger two-sided database in GNU Backgammon's format.
const TWO_SIDED: &str = "NONET_TWO_SIDED";

/// The environment variable that names the solved values of hypergammon.
const HYPERGAMMON: &str = "NONET_HYPERGAMMON";

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
    /// They were generated and could not be kept: there is no cache folder, or it cannot be written
    /// to. They will be generated again the next time, which takes a second or two.
    NotKept(Option<StoreError>),
}

/// The bearoff databases from the file that the environment variable `NONET_BEAROFF` names, else
/// from [`bearoff_cache_path`]. Where there is no readable file in the cache folder, they are
/// generated on the current thread pool and written there.
///
/// # Errors
/// [`StoreError`] if `NONET_BEAROFF` names a file that cannot be read.
pub fn cached_bearoff() -> Result<CachedBearoff, StoreError> {
    let (databases, origin) = read_or_generate()?;
    Ok(CachedBearoff { databases: Arc::new(databases), origin })
}

/// [`cached_bearoff`] for players.
///
/// The environment variable `NONET_TWO_SIDED` may name a two-sided database in GNU Backgammon's
/// format, as [`gnubg::two_sided`](crate::bearoff::gnubg::two_sided) makes it. Positions that only
/// this database holds are looked up in that file.
///
/// Training runs do without it: the bytes of a run depend on its options alone.
///
/// # Errors
/// [`StoreError`] if one of these variables names a file that cannot be used.
pub fn bearoff_for_play() -> Result<CachedBearoff, StoreError> {
    let stored = two_sided_file().map(|path| GnubgTwoSided::open(&path)).transpose()?;
    let (mut databases, origin) = read_or_generate()?;
    if let Some(stored) = stored {
        databases = databases.with_stored(Arc::new(stored));
    }
    Ok(CachedBearoff { databases: Arc::new(databases), origin })
}

/// The file that the environment variable `NONET_TWO_SIDED` names.
#[must_use]
pub fn two_sided_file() -> Option<PathBuf> {
    std::env::var_os(TWO_SIDED).map(PathBuf::from)
}

fn read_or_generate() -> Result<(BearoffDatabases, BearoffOrigin), StoreError> {
    if let Some(path) = std::env::var_os(VARIABLE).map(PathBuf::from) {
        // A file that was named must be right.
        return Ok((read_bearoff(&path)?, BearoffOrigin::File(path)));
    }
    let path = bearoff_cache_path();
    if let Some(path) = &path
        && let Ok(databases) = read_bearoff(path)
    {
        let origin = BearoffOrigin::File(path.clone());
        return Ok((databases, origin));
    }
    let databases = BearoffDatabases::generate();
    let origin = match path {
        None => BearoffOrigin::NotKept(None),
        Some(path) => match write(&path, &databases) {
            Ok(()) => BearoffOrigin::Generated(path),
            Err(error) => BearoffOrigin::NotKept(Some(error)),
        },
    };
    Ok((databases, origin))
}

fn write(path: &Path, databases: &BearoffDatabases) -> Result<(), StoreError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(StoreError::io("create", folder))?;
    }
    write_bearoff(path, databases).map(drop)
}

/// The file of the solved values of hypergammon: the one that the environment variable
/// `NONET_HYPERGAMMON` names, else `nonet/hyper3.bd` in the user's cache folder.
#[must_use]
pub fn hypergammon_path() -> Option<PathBuf> {
    let named = std::env::var_os(HYPERGAMMON).map(PathBuf::from);
    named.or_else(|| Some(bearoff_cache_path()?.with_file_name("hyper3.bd")))
}

/// `nonet/bearoff.nonet` in the user's cache folder, as the operating system names it (`~/.cache`
/// on Linux); `None` where there is no such folder.
#[must_use]
pub fn bearoff_cache_path() -> Option<PathBuf> {
    let folders = directories::BaseDirs::new()?;
    Some(folders.cache_dir().join("nonet").join("bearoff.nonet"))
}
