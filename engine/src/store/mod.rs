//! Files: net files, checkpoints, run folders, bearoff databases, rollouts, and the game records
//! under a path. The only module that uses bincode.
//!
//! Every file is written to a temporary file in the same folder, flushed to disk and renamed. So at
//! any time the complete old or the complete new file exists. Files in nonet's own formats start
//! with a magic number and a format version and end with a checksum.

#[cfg(not(target_family = "wasm"))]
mod atomic;
#[cfg(target_family = "wasm")]
#[path = "atomic_in_memory.rs"]
mod atomic;
mod bearoff_file;
mod checkpoint;
mod file_container;
mod file_name;
pub mod files;
mod gnubg_two_sided;
mod hypergammon_file;
mod match_file;
mod net_file;
mod new_file;
mod puretd_file;
mod record_files;
mod rollout_file;
pub mod run_file;
mod run_folder;

pub use atomic::{AtomicFile, write_atomic, write_new};
pub use bearoff_file::{read_bearoff, write_bearoff};
pub use checkpoint::{Checkpoint, read_checkpoint, read_checkpoint_with, write_checkpoint};
pub use file_container::file_checksum;
pub use file_name::{LONGEST_NAME, is_file_name};
pub use gnubg_two_sided::GnubgTwoSided;
pub use hypergammon_file::{HypergammonFile, read_solver, write_solver};
pub use match_file::{save_match, save_new_match};
pub use net_file::{
    MeasuredResult, NetFile, Provenance, read_net, read_net_with, read_provenance, write_net,
};
pub use new_file::{numbered_path, write_numbered};
pub use puretd_file::{puretd_from_bytes, read_puretd};
pub use record_files::{
    RecordFiles, existing_records, record_files, recorded_games, standard_input,
};
pub use rollout_file::SavedRollouts;
pub use run_folder::RunFolder;

use std::io;
use std::path::{Path, PathBuf};

use crate::backgammon::record::RecordError;
use crate::eval::{PureTd, TeamError};

/// Why a file or folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum StoreError {
    #[error("cannot {doing} {}: {cause}", path.display())]
    Io { doing: &'static str, path: PathBuf, cause: io::Error },
    #[error("{} solves games of {checkers} checkers a side, and a position has more", path.display())]
    MoreCheckers { path: PathBuf, checkers: u8 },
    #[error("{}: not a nonet file: it does not begin with 'NONET'", path.display())]
    Foreign { path: PathBuf },
    #[error("{} is a nonet {found}, expected a {expected}", path.display())]
    OtherKind { path: PathBuf, found: &'static str, expected: &'static str },
    #[error("{} has format version {found}; this program reads version {known}", path.display())]
    Version { path: PathBuf, found: u32, known: u32 },
    #[error(
        "{} has checkpoint format {found}, but this version of nonet reads format {known}: resume the run with the version \
         that started it, or start a new run", path.display()
    )]
    CheckpointFormat { path: PathBuf, found: u32, known: u32 },
    #[error("{} is truncated: {bytes} bytes, expected {expected}", path.display())]
    Truncated { path: PathBuf, bytes: usize, expected: u64 },
    #[error(
        "{} is no two-sided bearoff database of GNU Backgammon (six points, 1 to 11 checkers, with the cube): `nonet bearoff --gnubg \
         two-sided --checkers 8 --out FILE` makes one", path.display()
    )]
    NoTwoSided { path: PathBuf },
    #[error(
        "{} is no hypergammon database: `nonet bearoff --gnubg hypergammon --out FILE` makes one",
        path.display()
    )]
    NoHypergammon { path: PathBuf },
    #[error(
        "{} is not PureTD's net, the file cubeless_prob5_512_512_256_128.pt with the layers {}: {reason}",
        path.display(), PureTd::units()
    )]
    NoPureTd { path: PathBuf, reason: String },
    #[error("{} has {bytes} bytes, expected {expected}: make it again", path.display())]
    OtherLength { path: PathBuf, bytes: u64, expected: u64 },
    #[error("{} is damaged: the checksum does not match", path.display())]
    Damaged { path: PathBuf },
    #[error("cannot read the header of {}: {reason}", path.display())]
    Header { path: PathBuf, reason: String },
    #[error("{} holds no usable team: {cause}", path.display())]
    Team { path: PathBuf, cause: TeamError },
    #[error("{} already holds a run: continue it with --resume {}, or choose another folder", path.display(), path.display())]
    HoldsARun { path: PathBuf },
    #[error("{} holds other files ({example}): choose an empty or new folder", path.display())]
    NotEmpty { path: PathBuf, example: String },
    #[error("{} holds no run to resume: {missing} is missing", path.display())]
    NoRun { path: PathBuf, missing: &'static str },
    #[error("{} is locked by another program: wait until its run ends", path.display())]
    Locked { path: PathBuf },
    #[error("invalid configuration {}: {reason}", path.display())]
    Config { path: PathBuf, reason: String },
    #[error("unknown records '{}': expected an existing file or folder", path.display())]
    NoRecords { path: PathBuf },
    #[error("standard input is a terminal; send records to it")]
    Terminal,
    #[error(transparent)]
    Records(#[from] RecordError),
    #[error("{} holds no rollout: {reason}", path.display())]
    NoRollout { path: PathBuf, reason: String },
    #[error("{} holds a rollout of another question: {question}", path.display())]
    OtherRollout { path: PathBuf, question: String },
}

impl StoreError {
    /// Converts an error of the operating system. `doing` is the action on the file, such as
    /// "read".
    pub fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.to_owned();
        move |cause| StoreError::Io { doing, path, cause: bare(cause) }
    }
}

/// The operating system's error, without the text that a library may have wrapped around it.
fn bare(error: io::Error) -> io::Error {
    let inner = error
        .get_ref()
        .and_then(|wrapped| wrapped.source())
        .and_then(|source| source.downcast_ref());
    match inner.and_then(io::Error::raw_os_error) {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error,
    }
}
