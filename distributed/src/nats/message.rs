//! What dispatcher and workers tell each other, and the names of things in NATS.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::parts::Digest;
use crate::same_program::Build;

pub(super) const JOBS: &str = "NONET_JOBS";
pub(super) const JOBS_SUBJECTS: &str = "nonet.jobs.>";
pub(super) const RESULTS: &str = "NONET_RESULTS";
pub(super) const RESULTS_SUBJECTS: &str = "nonet.results.>";
pub(super) const OBJECTS: &str = "NONET_OBJECTS";
/// Workers ask here who needs them.
pub(super) const HELLO: &str = "nonet.hello";
/// Workers say here that they are there.
pub(super) const PRESENCE: &str = "nonet.presence";

/// The subject of a task's parts.
pub(super) fn jobs_of(build: &Build, task: &Digest) -> String {
    format!("nonet.jobs.{}.{}", build.word(), hex(&task[..16]))
}

/// The subject of a task's results.
pub(super) fn results_of(task: &Digest) -> String {
    format!("nonet.results.{}", hex(&task[..16]))
}

/// A part of a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct JobMessage {
    pub(super) task: Digest,
    pub(super) kind: String,
    pub(super) settings: Vec<u8>,
    /// Where the attachments lie in the object store.
    pub(super) attachments: Vec<Digest>,
    pub(super) numbers: Range<u64>,
    pub(super) input: Vec<u8>,
}

/// What came of a part.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ResultMessage {
    pub(super) task: Digest,
    pub(super) numbers: Range<u64>,
    pub(super) worker: String,
    pub(super) build: Build,
    /// How long it took, in seconds.
    pub(super) seconds: f64,
    /// How often the part was delivered to workers.
    pub(super) deliveries: u64,
    pub(super) outcome: PartOutcome,
}

/// The result of a part.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum PartOutcome {
    /// It is done.
    Done {
        /// The checksum of the bytes.
        digest: Digest,
        /// Where they are.
        bytes: ResultBytes,
    },
    /// It cannot be done there, and why.
    Impossible(String),
    /// The object store does not hold an attachment.
    Missing(Digest),
}

/// Where the bytes of a result are.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum ResultBytes {
    /// In the message.
    Here(Vec<u8>),
    /// In the object store by their checksum, as they are too large for a message.
    Stored,
}

/// A worker that is there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Presence {
    pub(super) worker: String,
    pub(super) build: Build,
    /// How many parts it does at the same time; 0 when it leaves.
    pub(super) slots: u32,
}

/// The answer to a worker's hello.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Welcome {
    pub(super) build: Build,
}

/// The checksum of some bytes.
pub(super) fn digest(bytes: &[u8]) -> Digest {
    Sha256::digest(bytes).into()
}

/// The name of a task: the checksum of everything that its results depend on, but the input of its
/// parts, which `input` stands for.
pub(super) fn task_digest(
    kind: &str,
    settings: &[u8],
    attachments: &[Digest],
    input: &Digest,
) -> Digest {
    let mut sum = Sha256::new();
    for piece in [kind.as_bytes(), settings] {
        sum.update((piece.len() as u64).to_le_bytes());
        sum.update(piece);
    }
    attachments.iter().chain([input]).for_each(|digest| sum.update(digest));
    sum.finalize().into()
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_that_differ_in_anything_have_different_names() {
        let none = digest(&[]);
        let name = |kind: &str, settings: &[u8], attachments: &[Digest]| {
            task_digest(kind, settings, attachments, &none)
        };
        let all = [
            name("series", b"ab", &[]),
            name("seriesa", b"b", &[]),
            name("series", b"ab", &[none]),
            task_digest("series", b"ab", &[], &digest(b"x")),
        ];
        for (i, one) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|other| other != one));
        }
        assert_eq!(all[0], name("series", b"ab", &[]));
        assert_eq!(hex(&[1, 0xab]), "01ab");
    }
}
