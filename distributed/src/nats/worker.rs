//! A worker: takes parts from the queue, does them, and sends the results.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_nats::jetstream::{self, AckKind, consumer};
use futures_util::StreamExt;

use super::connection::{ACK_WAIT, Streams, runtime};
use super::login::{ConnectError, NatsLogin, Say};
use super::message::{
    HELLO, JobMessage, MOST_WORDS, PRESENCE, PartOutcome, Presence, ResultBytes, ResultMessage,
    Welcome, digest, plain, results_of,
};
use super::presence::EVERY;
use super::worker_tasks::{NotOpen, WorkerTasks};
use crate::same_program::Build;
use nonet_engine::progress::{Progress, from_bytes, to_bytes};

/// How a worker works.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// The server.
    pub login: NatsLogin,
    /// The name of the worker in messages; no other worker should have it.
    pub name: String,
    /// How many parts it does at the same time, each on a thread of its own.
    pub threads: usize,
    /// The program it is; that of its dispatchers must be the same.
    pub build: Build,
}

/// What a worker has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerReport {
    /// Parts with results that were sent.
    pub parts: u64,
    /// Parts that were given back.
    pub given_back: u64,
}

/// Why a worker ended.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// There is no connection.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// Those who need workers run another program.
    #[error("refused: {0}; install the same program on both machines")]
    Refused(String),
    /// A thread cannot be started.
    #[error("cannot start a thread of the worker: {0}; start it with fewer --threads")]
    Thread(#[from] rayon::ThreadPoolBuildError),
    /// A thread has ended before the worker.
    #[error("a thread of the worker has ended by a fault of the program; start the worker again")]
    Fault,
}

/// How often a server that does not answer is tried, for a result or for a net.
const MOST_TRIES: u32 = 60;

/// How long a worker waits at its end for parts that are nearly done.
const LAST_WAIT: Duration = Duration::from_secs(10);

struct Worker {
    options: WorkerOptions,
    streams: Streams,
    tasks: WorkerTasks,
    say: Say,
    stop: Progress,
    parts: AtomicU64,
    given_back: AtomicU64,
}

/// Works until `stop` is stopped: then it hands back what it cannot finish in a few seconds. `say`
/// is told what a person should know. `stop` counts parts.
///
/// # Errors
/// [`WorkerError`] if the server cannot be reached at the start, or all who need workers run
/// another program.
pub fn run_worker(
    options: WorkerOptions,
    stop: &Progress,
    say: impl Fn(&str) + Send + Sync + 'static,
) -> Result<WorkerReport, WorkerError> {
    let runtime = runtime()?;
    let say: Say = Arc::new(move |words: &str| say(&plain(words, MOST_WORDS)));
    let report = runtime.block_on(work(options, stop, say));
    // A part that still runs is not waited for: it was handed back.
    runtime.shutdown_background();
    report
}

async fn work(
    options: WorkerOptions,
    stop: &Progress,
    say: Say,
) -> Result<WorkerReport, WorkerError> {
    let name = format!("nonet worker {}", options.name);
    let client = options.login.connect(&name, &say).await?;
    let streams = Streams::open(client, &options.login.place()).await?;
    greet(&options, &streams, &say).await?;
    let worker = Arc::new(Worker {
        tasks: WorkerTasks::default(),
        stop: stop.part(),
        parts: AtomicU64::new(0),
        given_back: AtomicU64::new(0),
        options,
        streams,
        say,
    });
    let mut slots = tokio::task::JoinSet::new();
    for _ in 0..worker.options.threads {
        slots.spawn(Arc::clone(&worker).slot());
    }
    let mut beat = tokio::time::interval(EVERY);
    let mut last = worker.parts.load(Ordering::Relaxed);
    let mut failed = None;
    while !stop.is_stopped() && failed.is_none() {
        tokio::select! {
            _ = beat.tick() => worker.present(worker.options.threads).await,
            // A worker that loses a thread ends: others count on the number that it has said.
            Some(ended) = slots.join_next() => {
                failed = ended.unwrap_or(Err(WorkerError::Fault)).err();
            }
            () = tokio::time::sleep(Duration::from_millis(100)) => {}
        }
        let done = worker.parts.load(Ordering::Relaxed);
        stop.add(done - last);
        last = done;
    }
    worker.stop.stop();
    worker.present(0).await;
    let _ =
        tokio::time::timeout(LAST_WAIT, async { while slots.join_next().await.is_some() {} }).await;
    let _ = tokio::time::timeout(Duration::from_secs(2), worker.streams.client.flush()).await;
    let report = WorkerReport {
        parts: worker.parts.load(Ordering::Relaxed),
        given_back: worker.given_back.load(Ordering::Relaxed),
    };
    failed.map_or(Ok(report), Err)
}

/// Asks who needs workers. Refused if there are some and all of them run another program.
async fn greet(options: &WorkerOptions, streams: &Streams, say: &Say) -> Result<(), WorkerError> {
    let client = &streams.client;
    let inbox = client.new_inbox();
    let Ok(mut answers) = client.subscribe(inbox.clone()).await else { return Ok(()) };
    let hello = to_bytes(&Presence {
        worker: options.name.clone(),
        build: options.build.clone(),
        slots: 0,
    });
    if client.publish_with_reply(HELLO, inbox, hello.into()).await.is_err() {
        return Ok(());
    }
    let (mut welcome, mut refused, end) = (0, None, Instant::now() + Duration::from_millis(500));
    while let Some(left) = end.checked_duration_since(Instant::now()) {
        let Ok(Some(answer)) = tokio::time::timeout(left, answers.next()).await else { break };
        let Ok(Welcome { build }) = from_bytes(&answer.payload) else { continue };
        match options.build.difference(&build) {
            None => welcome += 1,
            Some(difference) => {
                refused = Some(format!(
                    "the work is for {build}, this is {}: {difference}",
                    options.build
                ))
            }
        }
    }
    match refused {
        Some(reason) if welcome == 0 => return Err(WorkerError::Refused(reason)),
        Some(reason) => say(&format!("some of the work is not for this worker: {reason}")),
        None if welcome == 0 => say("nobody needs workers yet: waiting"),
        None => {}
    }
    Ok(())
}

impl Worker {
    /// Says that the worker is there with this number of slots.
    async fn present(&self, slots: usize) {
        let WorkerOptions { name, build, .. } = &self.options;
        let (worker, build) = (name.clone(), build.clone());
        let subject = format!("{PRESENCE}.{}", build.word());
        let slots = u32::try_from(slots).unwrap_or(u32::MAX);
        let presence = to_bytes(&Presence { worker, build, slots });
        // Without a connection, what is sent waits in a queue, which fills up.
        let sent = self.streams.client.publish(subject, presence.into());
        let _ = tokio::time::timeout(EVERY, sent).await;
    }

    /// Does one part after another until the worker is stopped.
    async fn slot(self: Arc<Worker>) -> Result<(), WorkerError> {
        let pool = Arc::new(rayon::ThreadPoolBuilder::new().num_threads(1).build()?);
        let mut queue: Option<consumer::PullConsumer> = None;
        while !self.stop.is_stopped() {
            let Some(consumer) = &queue else {
                match self.streams.queue(&self.options.build).await {
                    Ok(found) => queue = Some(found),
                    Err(_) => {
                        let _ = self.streams.mend().await;
                        tokio::time::sleep(Duration::from_millis(500)).await;
                    }
                }
                continue;
            };
            match self.fetch(consumer).await {
                Ok(Some(message)) => self.part(&message, &pool).await,
                Ok(None) => {}
                Err(()) => {
                    // The server was restarted, or has lost the queue.
                    queue = None;
                    tokio::time::sleep(Duration::from_millis(300)).await;
                }
            }
        }
        Ok(())
    }

    /// The next part of the queue; `None` if none came for a while.
    async fn fetch(
        &self,
        queue: &consumer::PullConsumer,
    ) -> Result<Option<jetstream::Message>, ()> {
        let expires = Duration::from_secs(5);
        let batch = queue.batch().max_messages(1).expires(expires).messages().await;
        let mut batch = batch.map_err(drop)?;
        let next = async {
            tokio::select! {
                next = tokio::time::timeout(2 * expires, batch.next()) => next.map_err(drop),
                () = self.stopped() => Ok(None),
            }
        };
        match next.await? {
            Some(Ok(message)) => Ok(Some(message)),
            Some(Err(_)) => Err(()),
            None => Ok(None),
        }
    }

    async fn stopped(&self) {
        while !self.stop.is_stopped() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Does one part and sends its result.
    async fn part(self: &Arc<Worker>, message: &jetstream::Message, pool: &Arc<rayon::ThreadPool>) {
        let Ok(job) = from_bytes::<JobMessage>(&message.payload) else {
            (self.say)("a message came that is no part of a task: it is left out");
            let _ = message.ack_with(AckKind::Term).await;
            return;
        };
        let began = Instant::now();
        let deliveries = message.info().map_or(1, |info| info.delivered.max(1).cast_unsigned());
        let (numbers, task, most) = (job.numbers.clone(), job.task, job.most_time());
        let doing = self.outcome(job, pool);
        tokio::pin!(doing);
        let mut quiet = tokio::time::interval(ACK_WAIT / 3);
        quiet.tick().await;
        let outcome = loop {
            tokio::select! {
                outcome = &mut doing => break outcome,
                _ = quiet.tick() => {
                    if began.elapsed() < most {
                        let _ = message.ack_with(AckKind::Progress).await;
                    }
                }
            }
        };
        let Some(outcome) = outcome else {
            self.give_back(message, Duration::ZERO).await;
            return;
        };
        let (worker, build) = (self.options.name.clone(), self.options.build.clone());
        let seconds = began.elapsed().as_secs_f64();
        let result = ResultMessage { task, numbers, worker, build, seconds, deliveries, outcome };
        if self.send(result, message).await {
            self.parts.fetch_add(1, Ordering::Relaxed);
            // If this is lost, the part is done a second time, which changes nothing.
            let _ = message.ack().await;
        } else {
            self.give_back(message, Duration::from_secs(1)).await;
        }
    }

    async fn give_back(&self, message: &jetstream::Message, delay: Duration) {
        self.given_back.fetch_add(1, Ordering::Relaxed);
        let delay = (!delay.is_zero()).then_some(delay);
        let _ = message.ack_with(AckKind::Nak(delay)).await;
    }

    /// What comes of a part; `None` if it was stopped.
    async fn outcome(
        self: &Arc<Worker>,
        job: JobMessage,
        pool: &Arc<rayon::ThreadPool>,
    ) -> Option<PartOutcome> {
        if let Err(reason) = job.check() {
            return Some(PartOutcome::Impossible(reason));
        }
        let mut tries = 0;
        let task = loop {
            match self.tasks.open(&job, &self.streams).await {
                Ok(task) => break task,
                Err(NotOpen::Say(outcome)) => return Some(outcome),
                Err(NotOpen::Later(reason)) => {
                    (self.say)(&format!("a net could not be fetched: {reason}; trying again"));
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    tries += 1;
                    if self.stop.is_stopped() || tries == MOST_TRIES {
                        return None;
                    }
                }
            }
        };
        let (pool, stop) = (Arc::clone(pool), self.stop.part());
        let JobMessage { numbers, input, .. } = job;
        let working =
            tokio::task::spawn_blocking(move || pool.install(|| task.run(numbers, &input, &stop)));
        let done = tokio::select! {
            done = working => done,
            () = async { self.stopped().await; tokio::time::sleep(LAST_WAIT / 2).await } => return None,
        };
        match done {
            Ok(Ok(Some(bytes))) => {
                let digest = digest(&bytes);
                Some(PartOutcome::Done { digest, bytes: ResultBytes::Here(bytes) })
            }
            Ok(Ok(None)) => None,
            Ok(Err(reason)) => Some(PartOutcome::Impossible(reason)),
            Err(_) => {
                Some(PartOutcome::Impossible("the worker failed while it did the part".to_owned()))
            }
        }
    }

    /// Sends a result; whether the server has it.
    async fn send(&self, mut result: ResultMessage, message: &jetstream::Message) -> bool {
        let most = self.streams.client.server_info().max_payload;
        let subject = results_of(&result.task);
        for attempt in 0..MOST_TRIES {
            if attempt > 0 {
                let _ = message.ack_with(AckKind::Progress).await;
                tokio::time::sleep(Duration::from_secs(1)).await;
                if self.stop.is_stopped() {
                    return false;
                }
                let _ = self.streams.mend().await;
            }
            let mut payload = to_bytes(&result);
            if payload.len() + 1024 > most
                && let PartOutcome::Done { digest, bytes } = &mut result.outcome
                && let ResultBytes::Here(large) = bytes
            {
                if self.streams.put(digest, large).await.is_err() {
                    continue;
                }
                *bytes = ResultBytes::Stored;
                payload = to_bytes(&result);
            }
            // A result that is sent twice changes nothing.
            let sent = self.streams.context.publish(subject.clone(), payload.into()).await;
            let Ok(ack) = sent else { continue };
            match ack.await {
                Ok(_) => return true,
                Err(error) if attempt == 0 => {
                    (self.say)(&format!(
                        "the server does not take a result: {error}; trying again"
                    ));
                }
                Err(_) => {}
            }
        }
        false
    }
}
