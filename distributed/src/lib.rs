//! Work on several machines: what one machine describes, another one does, bit for bit.
//!
//! [`open_task`] opens any task that has come from another machine. `NatsDispatcher` (feature
//! `nats`) sends tasks to workers over NATS JetStream, and `run_worker` is such a worker.

mod maker;
#[cfg(feature = "nats")]
mod nats;
#[cfg(any(test, feature = "nats"))]
mod parts;
mod same_program;
mod tasks;

pub use maker::{AttachedMaker, OpenTeams};
#[cfg(feature = "nats")]
pub use nats::{
    ConnectError, DispatcherStatus, NatsDispatcher, NatsLogin, NatsOptions, WorkerError,
    WorkerOptions, WorkerReport, run_worker,
};
pub use same_program::Build;
pub use tasks::open_task;
