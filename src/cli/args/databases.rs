//! The bearoff databases of a command.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use nonet::bearoff::BearoffDatabases;
use nonet::engine::{BearoffOrigin, bearoff_for_play};
use nonet::store::{HypergammonFile, StoreError};

use crate::cli::error::usage;
use crate::cli::output::shell_word::shell_word;

/// The databases of players, with the file that NONET_TWO_SIDED names.
///
/// The cache folder keeps them from the first time on.
pub(crate) fn databases() -> anyhow::Result<Arc<BearoffDatabases>> {
    let cached = bearoff_for_play().map_err(usage)?;
    note(&cached.origin)?;
    Ok(cached.databases)
}

/// The solved values of hypergammon in a file.
pub(crate) fn hypergammon(path: &Path) -> anyhow::Result<HypergammonFile> {
    HypergammonFile::open(path).map_err(|error| match error {
        // It says itself what makes such a file.
        StoreError::NoHypergammon { .. } => usage(error),
        error => usage(format!(
            "{error}; `nonet bearoff --gnubg hypergammon --threshold 1e-4 --out {}` solves hypergammon in eight minutes",
            shell_word(path)
        )),
    })
}

/// Says where new databases are.
pub(crate) fn note(origin: &BearoffOrigin) -> anyhow::Result<()> {
    let note = match origin {
        BearoffOrigin::File(_) | BearoffOrigin::NotKept(None) => None,
        BearoffOrigin::Generated(path) => Some(format!(
            "note: generated the bearoff databases and kept them in {}",
            path.display()
        )),
        BearoffOrigin::NotKept(Some(error)) => {
            Some(format!("note: the bearoff databases cannot be kept: {error}"))
        }
    };
    if let Some(note) = note {
        writeln!(std::io::stderr(), "{note}")?;
    }
    Ok(())
}
