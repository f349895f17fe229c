//! Work over NATS JetStream: the dispatcher of the machine that needs the work done, and the
//! workers. The only module that uses async-nats.
//!
//! | what | where in NATS |
//! |---|---|
//! | parts of tasks | stream `NONET_JOBS`, a work queue: `nonet.jobs.BUILD.TASK` |
//! | results | stream `NONET_RESULTS`, kept for a day: `nonet.results.TASK` |
//! | nets | object store `NONET_OBJECTS`, by their SHA-256 |
//! | who is there | plain messages: `nonet.presence.BUILD`, `nonet.hello` |
//!
//! A task is named by the SHA-256 of its description, so a dispatcher that starts again finds the
//! results of the same task. A part may be done any number of times: its first result that passes
//! the checks counts, and all results are the same.

mod connection;
mod dispatcher;
mod login;
mod message;
mod objects;
mod own_threads;
mod presence;
mod task_results;
mod task_run;
mod worker;
mod worker_tasks;
mod worth;

pub use dispatcher::{DispatcherStatus, NatsDispatcher, NatsOptions};
pub use login::{ConnectError, NatsLogin};
pub use worker::{WorkerError, WorkerOptions, WorkerReport, run_worker};
