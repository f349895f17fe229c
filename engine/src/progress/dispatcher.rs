//! The seam between work and those who do it: the current thread pool, or other machines.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Large pieces of data that a task needs on every machine, such as nets: each travels once.
#[derive(Clone, Debug, Default)]
pub struct Attachments(Vec<Arc<[u8]>>);

impl Attachments {
    /// Adds a piece; its number, by which descriptions name it. A piece that is there already is
    /// not added again.
    pub fn add(&mut self, bytes: &Arc<[u8]>) -> u32 {
        let same = |other: &Arc<[u8]>| Arc::ptr_eq(other, bytes) || other == bytes;
        let place = self.0.iter().position(same).unwrap_or_else(|| {
            self.0.push(Arc::clone(bytes));
            self.0.len() - 1
        });
        u32::try_from(place).expect("a task has a few attachments")
    }

    /// The pieces in order.
    #[must_use]
    pub fn pieces(&self) -> &[Arc<[u8]>] {
        &self.0
    }
}

/// The description of work, from which another machine does the same work.
#[derive(Clone, Debug)]
pub struct Description {
    /// Everything that the results depend on, but the attachments.
    pub settings: Vec<u8>,
    /// The attachments that the settings name.
    pub attachments: Attachments,
}

/// Work on numbered items as a [`Dispatcher`] sees it. [`Progress::share`](super::Progress::share)
/// makes it of a [`Task`](super::Task).
pub trait Job: Sync {
    /// The kind of the task.
    fn kind(&self) -> &'static str;

    /// What another machine needs; `None` if only this process can do the work, with an engine in
    /// another process for example.
    fn describe(&self) -> Option<Description>;

    /// How many items are worth a message.
    fn grain(&self) -> u64;

    /// The time limit of a part on a slow machine, in seconds, before any part was timed.
    fn longest(&self) -> f64;

    /// The input of these items for another machine, in addition to the description.
    fn input(&self, numbers: &Range<u64>) -> Vec<u8>;

    /// Does these items on the current thread pool and keeps the result. Returns whether it was
    /// done to the end.
    fn here(&self, numbers: Range<u64>) -> bool;

    /// Does these items on the current thread pool and returns the bytes of the result without
    /// keeping it.
    ///
    /// The bytes are compared with what another machine says. `None` if the work was stopped.
    fn again(&self, numbers: Range<u64>) -> Option<Vec<u8>>;

    /// Checks the result of another machine for these items, and keeps it.
    ///
    /// # Errors
    /// The error in the result.
    fn accept(&self, numbers: Range<u64>, bytes: &[u8]) -> Result<(), String>;

    /// Whether the work was asked to stop.
    fn is_stopped(&self) -> bool;

    /// Asks the work to stop: it was given up, and parts that are in work here need not end.
    fn stop(&self);
}

/// Why work was given up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DispatchError {
    /// It was asked to stop.
    #[error("stopped")]
    Stopped,
    /// Those who do it cannot be trusted or reached.
    #[error("{0}")]
    Failed(String),
}

/// Sees to it that work is done: every item once, wherever.
pub trait Dispatcher: Send + Sync + fmt::Debug {
    /// Has the items with these numbers done. When it returns, each of them was done by
    /// [`Job::here`] or accepted by [`Job::accept`], once.
    ///
    /// # Errors
    /// [`DispatchError`] if the work was stopped or given up.
    fn dispatch(&self, job: &dyn Job, numbers: Range<u64>) -> Result<(), DispatchError>;

    /// How many parts can be done at the same time; 1 for the threads of this process, which share
    /// one part. Whoever works in rounds may do several rounds at once, as long as the result stays
    /// the same.
    fn slots(&self) -> u64 {
        1
    }

    /// Where the work stands, in a line for people, if there is more to say than a count.
    fn status(&self) -> Option<String> {
        None
    }
}

/// The current thread pool: all items are one part.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threads;

impl Dispatcher for Threads {
    fn dispatch(&self, job: &dyn Job, numbers: Range<u64>) -> Result<(), DispatchError> {
        if job.here(numbers) { Ok(()) } else { Err(DispatchError::Stopped) }
    }
}
