//! The streams that work needs, made where they are missing.

use std::time::{Duration, Instant};

use async_nats::Client;
use async_nats::jetstream::{self, Context, consumer, object_store, stream};
use tokio::runtime::{Builder, Runtime};

use super::login::ConnectError;
use super::message::{JOBS, JOBS_SUBJECTS, OBJECTS, RESULTS, RESULTS_SUBJECTS};
use super::task_run::MOST_ATTEMPTS;
use crate::same_program::Build;

/// How long a worker may be silent about a part before the queue gives it to another one.
pub(super) const ACK_WAIT: Duration = Duration::from_secs(10);

/// The queue gives a message out so often at most: a part may end every worker that begins it. What
/// it keeps then is sent again by its dispatcher, and done there after [`MOST_ATTEMPTS`].
const MOST_DELIVERIES: i64 = 5 * MOST_ATTEMPTS as i64;

/// The server drops parts, results and stored data after this time. So abandoned runs leave
/// nothing.
const KEPT: Duration = Duration::from_secs(24 * 3600);

/// How long streams that are refused are looked for again, and the pause between.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(200);

/// The threads that wait for messages; work has threads of its own.
pub(super) fn runtime() -> Result<Runtime, ConnectError> {
    Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("nats")
        .enable_all()
        .build()
        .map_err(ConnectError::Threads)
}

/// Streams and the object store.
#[derive(Clone)]
pub(super) struct Streams {
    pub(super) client: Client,
    pub(super) context: Context,
    pub(super) objects: object_store::ObjectStore,
}

impl Streams {
    /// Opens the streams; those that are missing are made.
    pub(super) async fn open(client: Client, place: &str) -> Result<Streams, ConnectError> {
        let context = jetstream::new(client.clone());
        let wrong = |reason: String| ConnectError::JetStream { place: place.to_owned(), reason };
        make(&context).await.map_err(wrong)?;
        let objects =
            context.get_object_store(OBJECTS).await.map_err(|error| wrong(error.to_string()))?;
        Ok(Streams { client, context, objects })
    }

    /// Whether the server can be asked. Without a connection, what is sent waits in a queue, and
    /// whoever sends waits for ever once it is full.
    pub(super) fn is_connected(&self) -> bool {
        self.client.connection_state() == async_nats::connection::State::Connected
    }

    /// Makes the streams again, after a server has lost them.
    pub(super) async fn mend(&self) -> Result<(), String> {
        make(&self.context).await
    }

    /// The queue of the parts that this build can do.
    pub(super) async fn queue(&self, build: &Build) -> Result<consumer::PullConsumer, String> {
        let jobs = self.context.get_stream(JOBS).await.map_err(|error| error.to_string())?;
        let name = format!("workers-{}", build.word());
        let config = consumer::pull::Config {
            durable_name: Some(name.clone()),
            filter_subject: format!("nonet.jobs.{}.*", build.word()),
            ack_policy: consumer::AckPolicy::Explicit,
            ack_wait: ACK_WAIT,
            max_deliver: MOST_DELIVERIES,
            max_ack_pending: 100_000,
            max_waiting: 4096,
            // The queue of a build goes away when no worker runs it any more.
            inactive_threshold: 7 * KEPT,
            ..consumer::pull::Config::default()
        };
        jobs.get_or_create_consumer(&name, config).await.map_err(|error| error.to_string())
    }
}

/// Makes the streams that are missing.
///
/// While another client makes the same ones, the server can refuse a second maker ("subjects
/// overlap with an existing stream"). The second maker then tries again, for [`LOOK_AGAIN`]. A
/// request that times out is not repeated.
async fn make(context: &Context) -> Result<(), String> {
    let began = Instant::now();
    loop {
        let made = try_to_make(context).await;
        if made.is_ok() || began.elapsed() >= LOOK_AGAIN {
            return made;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn try_to_make(context: &Context) -> Result<(), String> {
    let jobs = stream::Config {
        name: JOBS.to_owned(),
        subjects: vec![JOBS_SUBJECTS.to_owned()],
        retention: stream::RetentionPolicy::WorkQueue,
        storage: stream::StorageType::File,
        discard: stream::DiscardPolicy::New,
        max_age: KEPT,
        duplicate_window: Duration::from_secs(120),
        ..stream::Config::default()
    };
    let results = stream::Config {
        name: RESULTS.to_owned(),
        subjects: vec![RESULTS_SUBJECTS.to_owned()],
        retention: stream::RetentionPolicy::Limits,
        ..jobs.clone()
    };
    for config in [jobs, results] {
        context.get_or_create_stream(config).await.map_err(|error| error.to_string())?;
    }
    let config = object_store::Config {
        bucket: OBJECTS.to_owned(),
        max_age: KEPT,
        storage: stream::StorageType::File,
        ..object_store::Config::default()
    };
    if context.get_object_store(OBJECTS).await.is_err() {
        context.create_object_store(config).await.map_err(|error| error.to_string())?;
    }
    Ok(())
}
