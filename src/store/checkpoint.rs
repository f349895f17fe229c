//! Everything that a run needs to go on as if it had never stopped.
//!
//! The payload is bincode with fixed-size integers (its `legacy` layout, which other crates read too, should bincode,
//! whose development has ended, ever have to go).

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::container::{Kind, decode, encode};
use super::{NetFile, StoreError, write_atomic};

/// A run at rest. What has been counted and measured is the trainer's own affair: `P`.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint<P> {
    /// What has been counted and measured.
    pub progress: P,
    /// The nets in training.
    pub team: NetFile,
    /// The running average of their weights, if the run keeps one.
    pub average: Option<NetFile>,
    /// The best team so far.
    pub best: Option<NetFile>,
    /// The team that tests are played against, if it came out of the run itself.
    pub incumbent: Option<NetFile>,
    /// What the nets have besides their weights: the trainer's own affair, too.
    pub net_learners: Vec<u8>,
}

/// What stands in the file: nets as net files.
#[derive(Serialize, Deserialize)]
struct Stored<P> {
    progress: P,
    team: Vec<u8>,
    average: Option<Vec<u8>>,
    best: Option<Vec<u8>>,
    incumbent: Option<Vec<u8>>,
    net_learners: Vec<u8>,
}

/// No checkpoint of ours comes near this size; a damaged length must not ask for more memory.
const LIMIT: usize = 1 << 30;

/// Writes a checkpoint, whole or not at all.
///
/// # Errors
/// [`StoreError`].
pub fn write_checkpoint<P: Serialize>(
    path: &Path,
    checkpoint: &Checkpoint<P>,
) -> Result<(), StoreError> {
    let stored = Stored {
        progress: &checkpoint.progress,
        team: checkpoint.team.to_bytes(),
        average: checkpoint.average.as_ref().map(NetFile::to_bytes),
        best: checkpoint.best.as_ref().map(NetFile::to_bytes),
        incumbent: checkpoint.incumbent.as_ref().map(NetFile::to_bytes),
        net_learners: checkpoint.net_learners.clone(),
    };
    let payload = bincode::serde::encode_to_vec(&stored, bincode::config::legacy())
        .map_err(|error| StoreError::Header { path: path.to_owned(), reason: error.to_string() })?;
    write_atomic(path, &encode(Kind::Checkpoint, b"{}", &payload))
}

/// Reads a checkpoint.
///
/// # Errors
/// [`StoreError`] says in words what is wrong with it.
pub fn read_checkpoint<P: DeserializeOwned>(path: &Path) -> Result<Checkpoint<P>, StoreError> {
    let bytes = std::fs::read(path).map_err(StoreError::io("read", path))?;
    let (_, payload) = decode(&bytes, Kind::Checkpoint, path)?;
    let config = bincode::config::legacy().with_limit::<LIMIT>();
    // The checksum was right, so nothing is damaged.
    let other = |error| StoreError::Header {
        path: path.to_owned(),
        reason: format!(
            "it was written by another version of this program, which alone can go on with it ({error})"
        ),
    };
    let (stored, _): (Stored<P>, usize) =
        bincode::serde::decode_from_slice(payload, config).map_err(other)?;
    let net = |bytes: Vec<u8>| NetFile::from_bytes(&bytes, path);
    Ok(Checkpoint {
        progress: stored.progress,
        team: net(stored.team)?,
        average: stored.average.map(net).transpose()?,
        best: stored.best.map(net).transpose()?,
        incumbent: stored.incumbent.map(net).transpose()?,
        net_learners: stored.net_learners,
    })
}
