//! The file format of checkpoints: the complete state of a run, from which it resumes with
//! identical results.
//!
//! The payload is bincode with fixed-size integers (its `legacy` layout). The development of
//! bincode has ended; other crates can read this layout, should it have to be replaced.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::file_container::{Kind, decode, encode};
use super::{NetFile, StoreError, files, write_atomic};
use crate::features::Inputs;

/// The state of a run. The trainer defines two types: `P`, the results so far, and `L`, the
/// learner's state without the weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint<P, L> {
    /// The results so far.
    pub progress: P,
    /// The team in training.
    pub team: NetFile,
    /// The team with the moving average of the weights, if the run keeps one.
    pub ema: Option<NetFile>,
    /// The best team so far.
    pub best: Option<NetFile>,
    /// The team that the tests of a gated run are played against.
    pub incumbent: Option<NetFile>,
    /// The state of the learner without the weights.
    pub net_learners: L,
}

/// The format of the payload; 1 had no header, 2 no play-off, 3 neither knowledge nor several
/// opponents, 4 no second hidden layer, 5 no groups of examples.
const FORMAT: u32 = 6;

/// The header of the file.
#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(default = "first_format")]
    format: u32,
}

fn first_format() -> u32 {
    1
}

/// The payload, with nets as net files.
#[derive(Serialize, Deserialize)]
struct Stored<P, L> {
    progress: P,
    team: Vec<u8>,
    ema: Option<Vec<u8>>,
    best: Option<Vec<u8>>,
    incumbent: Option<Vec<u8>>,
    net_learners: L,
}

/// Most bytes that decoding may allocate, far above the size of any checkpoint: a guard against
/// damaged lengths.
const LIMIT: usize = 1 << 30;

/// Writes a checkpoint atomically.
///
/// # Errors
/// [`StoreError`].
pub fn write_checkpoint<P: Serialize, L: Serialize>(
    path: &Path,
    checkpoint: &Checkpoint<P, L>,
) -> Result<(), StoreError> {
    let stored = Stored {
        progress: &checkpoint.progress,
        team: checkpoint.team.to_bytes(),
        ema: checkpoint.ema.as_ref().map(NetFile::to_bytes),
        best: checkpoint.best.as_ref().map(NetFile::to_bytes),
        incumbent: checkpoint.incumbent.as_ref().map(NetFile::to_bytes),
        net_learners: &checkpoint.net_learners,
    };
    let failed = |reason: String| StoreError::Header { path: path.to_owned(), reason };
    let header = serde_json::to_vec(&Header { format: FORMAT })
        .map_err(|error| failed(error.to_string()))?;
    let payload = bincode::serde::encode_to_vec(&stored, bincode::config::legacy())
        .map_err(|error| failed(error.to_string()))?;
    write_atomic(path, &encode(Kind::Checkpoint, &header, &payload))
}

/// Reads a checkpoint.
///
/// # Errors
/// [`StoreError`] if the file cannot be read or is not a complete checkpoint of this format.
pub fn read_checkpoint<P: DeserializeOwned, L: DeserializeOwned>(
    path: &Path,
) -> Result<Checkpoint<P, L>, StoreError> {
    read_checkpoint_with(path, &[])
}

/// Reads a checkpoint; its nets may have the custom inputs `own`.
///
/// # Errors
/// As [`read_checkpoint`].
pub fn read_checkpoint_with<P: DeserializeOwned, L: DeserializeOwned>(
    path: &Path,
    own: &[&'static dyn Inputs],
) -> Result<Checkpoint<P, L>, StoreError> {
    let bytes = files::read(path).map_err(StoreError::io("read", path))?;
    let (header, payload) = decode(&bytes, Kind::Checkpoint, path)?;
    let failed = |reason: String| StoreError::Header { path: path.to_owned(), reason };
    let Header { format } =
        serde_json::from_slice(header).map_err(|error| failed(error.to_string()))?;
    if format != FORMAT {
        return Err(StoreError::CheckpointFormat {
            path: path.to_owned(),
            found: format,
            known: FORMAT,
        });
    }
    let config = bincode::config::legacy().with_limit::<LIMIT>();
    // The checksum is right, so the file is not damaged.
    let other = |error| {
        failed(format!(
            "it was written by another version of nonet ({error}); resume the run with that version"
        ))
    };
    let (stored, _): (Stored<P, L>, usize) =
        bincode::serde::decode_from_slice(payload, config).map_err(other)?;
    let net = |bytes: Vec<u8>| NetFile::from_bytes_with(&bytes, path, own);
    Ok(Checkpoint {
        progress: stored.progress,
        team: net(stored.team)?,
        ema: stored.ema.map(net).transpose()?,
        best: stored.best.map(net).transpose()?,
        incumbent: stored.incumbent.map(net).transpose()?,
        net_learners: stored.net_learners,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_of_another_format_is_refused_with_what_to_do() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("checkpoint.nonet");
        for (header, found) in [("{}", 1), ("{\"format\":3}", 3), ("{\"format\":9}", 9)] {
            write_atomic(&path, &encode(Kind::Checkpoint, header.as_bytes(), b""))
                .expect("written");
            let error = read_checkpoint::<u64, u64>(&path).expect_err("refused").to_string();
            let says = format!(
                "has checkpoint format {found}, but this version of nonet reads format {FORMAT}: resume the run with the version \
                 that started it, or start a new run"
            );
            assert!(error.ends_with(&says), "{error}");
        }
    }
}
