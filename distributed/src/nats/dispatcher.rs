//! The dispatcher that sends parts of tasks to workers over NATS.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;

use super::connection::{Streams, runtime};
use super::login::{ConnectError, NatsLogin, Say};
use super::message::{MOST_WORDS, plain};
use super::objects::RecentObjects;
use super::own_threads::own_threads;
use super::presence::{Workers, watch};
use super::task_run::TaskRun;
use super::worth::RecentTasks;
use crate::same_program::Build;
use nonet_engine::progress::{DispatchError, Dispatcher, Job};

/// How work is sent to workers.
#[derive(Clone, Debug)]
pub struct NatsOptions {
    /// The server.
    pub login: NatsLogin,
    /// The share of results that are computed again here and compared, 0..=1.
    pub verify: f64,
    /// After this time without a worker, or with a server that takes no parts, what it was sent is
    /// done here.
    pub alone_after: Duration,
    /// Whether this machine's threads leave the parts to the workers, as long as there are some.
    pub only_coordinate: bool,
}

/// What a dispatcher has seen so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DispatcherStatus {
    /// Workers that are there.
    pub workers: u64,
    /// Parts that they do at the same time.
    pub slots: u64,
    /// Parts that wait to be sent, of the task that told last; 0 when a task ends.
    pub waiting: u64,
    /// Parts that were sent and are not done, likewise.
    pub sent: u64,
    /// Parts that workers have done.
    pub done: u64,
    /// Parts that were done here.
    pub done_here: u64,
    /// Parts that the queue gave to a second worker, as the first one was silent.
    pub redelivered: u64,
    /// Parts that were sent again, as their result took long.
    pub sent_again: u64,
    /// Results that were computed again here and were the same.
    pub verified: u64,
    /// Results that were refused.
    pub refused: u64,
    /// Bytes of parts, results and nets that were sent and received.
    pub bytes: u64,
}

impl fmt::Display for DispatcherStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DispatcherStatus { workers, slots, waiting, sent, .. } = self;
        let [worker, thread] = [(workers, "worker"), (slots, "thread")]
            .map(|(n, word)| if *n == 1 { format!("1 {word}") } else { format!("{n} {word}s") });
        write!(f, "{worker}, {thread}; parts: {waiting} wait, {sent} in work, {} done", self.done)?;
        for (n, what) in [
            (self.done_here, "here"),
            (self.redelivered, "redelivered"),
            (self.sent_again, "sent again"),
            (self.refused, "refused"),
        ] {
            if n > 0 {
                write!(f, ", {n} {what}")?;
            }
        }
        Ok(())
    }
}

/// Sends parts of tasks to workers over NATS JetStream. Several tasks may be in work at the same
/// time.
///
/// Whatever happens to workers and server, the work ends: parts that no worker does are done here.
pub struct NatsDispatcher {
    runtime: Runtime,
    shared: Shared,
    failure: Mutex<Option<String>>,
}

/// What all tasks of a dispatcher share.
pub(super) struct Shared {
    pub(super) streams: Streams,
    pub(super) build: Build,
    pub(super) options: NatsOptions,
    pub(super) workers: Workers,
    pub(super) say: Say,
    pub(super) started: Instant,
    /// Chooses the results that are computed again; workers cannot know it.
    pub(super) secret: u64,
    state: Mutex<State>,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) status: DispatcherStatus,
    /// Refused results by worker.
    pub(super) faults: BTreeMap<String, u32>,
    pub(super) objects: RecentObjects,
    pub(super) recent: RecentTasks,
    said: Said,
}

/// How long the same words are not said again.
const SAY_AGAIN: Duration = Duration::from_secs(60);

/// In that time, at most this many different words are said: some come from other machines.
const MOST_SAID: usize = 100;

/// Words that were said a short time ago, and when.
#[derive(Default)]
struct Said(BTreeMap<String, Instant>);

impl Said {
    /// Whether these words should be said; they then count as said.
    fn is_new(&mut self, words: &str) -> bool {
        self.0.retain(|_, when| when.elapsed() <= SAY_AGAIN);
        let is_new = self.0.len() < MOST_SAID && !self.0.contains_key(words);
        if is_new {
            self.0.insert(words.to_owned(), Instant::now());
        }
        is_new
    }
}

impl Shared {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says something, unless it was said a short time ago.
    pub(super) fn say(&self, words: &str) {
        let is_new = self.state().said.is_new(words);
        if is_new {
            (self.say)(words);
        }
    }
}

impl fmt::Debug for NatsDispatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NatsDispatcher({:?})", self.shared.options.login)
    }
}

impl NatsDispatcher {
    /// Connects to the server; `say` is told what a person should know.
    ///
    /// # Errors
    /// [`ConnectError`] if the server cannot be reached or has no JetStream.
    pub fn connect(
        options: NatsOptions,
        say: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<NatsDispatcher, ConnectError> {
        let runtime = runtime()?;
        let say: Say = Arc::new(move |words: &str| say(&plain(words, MOST_WORDS)));
        let (build, workers) = (Build::own(), Workers::default());
        let place = options.login.place();
        let streams = runtime.block_on(async {
            let client = options.login.connect("nonet coordinator", &say).await?;
            let streams = Streams::open(client.clone(), &place).await?;
            let watching = watch(client, build.clone(), workers.clone(), Arc::clone(&say)).await;
            watching.map_err(|reason| ConnectError::Server { place: place.clone(), reason })?;
            Ok(streams)
        })?;
        let (started, state) = (Instant::now(), Mutex::default());
        let secret = RandomState::new().hash_one(0_u8);
        let shared = Shared { streams, build, options, workers, say, started, secret, state };
        Ok(NatsDispatcher { runtime, shared, failure: Mutex::default() })
    }

    /// Why the work was given up, if it was.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What has happened so far.
    #[must_use]
    pub fn status(&self) -> DispatcherStatus {
        let (workers, slots) = self.shared.workers.count();
        DispatcherStatus { workers, slots, ..self.shared.state().status.clone() }
    }
}

impl Dispatcher for NatsDispatcher {
    fn dispatch(&self, job: &dyn Job, numbers: Range<u64>) -> Result<(), DispatchError> {
        if numbers.is_empty() {
            return Ok(());
        }
        let here = |numbers| if job.here(numbers) { Ok(()) } else { Err(DispatchError::Stopped) };
        let items = numbers.end - numbers.start;
        let grain = job.grain();
        if !self.shared.streams.is_connected()
            || !self.shared.state().recent.is_worth_sending(job.kind(), items, grain)
        {
            return here(numbers);
        }
        let Some(description) = job.describe() else {
            self.shared.say(&format!(
                "this machine does the work by itself: other machines cannot make what a task of the kind '{}' needs here \
                 (an engine in another process, a watched player, or a match equity table of one's own)",
                job.kind()
            ));
            return here(numbers);
        };
        let (own_work, own_threads) = own_threads();
        let run = TaskRun::new(&self.shared, job, &description, numbers, own_work);
        // This thread belongs to the pool of whoever asked, so it works, and another one handles
        // the messages.
        let ended = std::thread::scope(|scope| {
            let messages = scope.spawn(|| self.runtime.block_on(run.run()));
            own_threads.run(job);
            messages.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        if let Err(DispatchError::Failed(reason)) = &ended {
            self.failure
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .get_or_insert_with(|| reason.clone());
        }
        ended
    }

    fn slots(&self) -> u64 {
        self.shared.workers.count().1 + rayon::current_num_threads() as u64
    }

    fn status(&self) -> Option<String> {
        Some(NatsDispatcher::status(self).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_are_said_once_and_a_flood_of_others_ends() {
        let mut said = Said::default();
        assert!(said.is_new("no worker is there"));
        assert!(!said.is_new("no worker is there"), "a short time ago");
        let all = (0..1000).filter(|number| said.is_new(&number.to_string()));
        assert_eq!(all.count(), MOST_SAID - 1);
    }
}
