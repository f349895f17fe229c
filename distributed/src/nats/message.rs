//! What dispatcher and workers tell each other, and the names of things in NATS.

use std::ops::Range;
use std::time::Duration;

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

/// More items are in no part: a dispatcher sends some hundreds.
const MOST_ITEMS: u64 = 1 << 20;

/// A part may be with a worker for `USUAL_TIME`, or for as long as its dispatcher says, within
/// `LONGEST_TIME`. Then the queue gives it to another worker.
const USUAL_TIME: Duration = Duration::from_secs(30 * 60);
const LONGEST_TIME: Duration = Duration::from_secs(4 * 3600);

/// Words of another machine are cut after `MOST_WORDS` characters, its name after `MOST_NAME`.
pub(super) const MOST_WORDS: usize = 1000;
pub(super) const MOST_NAME: usize = 100;

/// Text of another machine for people: cut after `most` characters, and without those that a
/// terminal obeys.
pub(super) fn plain(text: &str, most: usize) -> String {
    text.chars().take(most).map(|c| if c.is_control() { ' ' } else { c }).collect()
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
    /// How long it may take on a slow machine, in seconds.
    pub(super) seconds: u32,
}

impl JobMessage {
    /// How long a worker tells the queue that it is at work on this part.
    pub(super) fn most_time(&self) -> Duration {
        Duration::from_secs(self.seconds.into()).clamp(USUAL_TIME, LONGEST_TIME)
    }

    /// The name of what a worker opens for this part. It does not depend on the name of the task,
    /// which the sender may have made up.
    pub(super) fn opened(&self) -> Digest {
        task_digest(&self.kind, &self.settings, &self.attachments, &digest(&[]))
    }

    /// Checks the numbers of the items: work makes room for all of them.
    ///
    /// # Errors
    /// If no part can have these numbers.
    pub(super) fn check(&self) -> Result<(), String> {
        let Range { start, end } = self.numbers;
        match end.checked_sub(start) {
            Some(1..=MOST_ITEMS) => Ok(()),
            _ => Err(format!("a part cannot have the items {start}..{end}")),
        }
    }
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

    fn job(numbers: Range<u64>) -> JobMessage {
        let (task, kind, settings) = ([1; 32], "series".to_owned(), vec![1, 2]);
        let (attachments, input, seconds) = (Vec::new(), Vec::new(), 60);
        JobMessage { task, kind, settings, attachments, numbers, input, seconds }
    }

    #[test]
    fn a_part_is_with_a_worker_for_as_long_as_its_kind_may_take_but_not_for_ever() {
        let minutes = |seconds| {
            let job = JobMessage { seconds, ..job(0..1) };
            job.most_time().as_secs() / 60
        };
        assert_eq!([0, 60, 1800, 3600, 14_400].map(minutes), [30, 30, 30, 60, 240]);
        assert_eq!(minutes(u32::MAX), 240, "whatever a dispatcher says");
    }

    #[test]
    fn what_a_worker_opens_is_named_by_what_it_is_made_of() {
        let honest = job(0..4);
        let later = JobMessage { numbers: 4..8, input: vec![5], ..honest.clone() };
        assert_eq!(honest.opened(), later.opened());
        let false_name = JobMessage { settings: vec![1, 3], ..honest.clone() };
        assert_eq!(honest.task, false_name.task);
        assert_ne!(honest.opened(), false_name.opened());
    }

    #[test]
    fn a_part_has_some_items_but_not_any_number() {
        for (start, end) in [(0, 1), (7, 7 + MOST_ITEMS), (u64::MAX - 1, u64::MAX)] {
            assert_eq!(job(start..end).check(), Ok(()));
        }
        for (start, end) in [(3, 3), (4, 3), (0, MOST_ITEMS + 1), (0, u64::MAX)] {
            assert!(job(start..end).check().is_err(), "{start}..{end}");
        }
    }

    #[test]
    fn words_of_other_machines_are_cut_and_do_not_reach_the_terminal() {
        assert_eq!(plain("attic-7", 100), "attic-7");
        assert_eq!(plain("\u{1b}[2J\r\na\u{9b}b", 100), " [2J  a b");
        assert_eq!(plain("ääää", 3), "äää");
    }
}
