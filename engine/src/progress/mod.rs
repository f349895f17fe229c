//! Long work: counting and stopping it, and sharing it out.
//!
//! Work on numbered items (games, trials, decisions) is a [`Task`]. [`Progress::share`] hands it to
//! the [`Dispatcher`] at hand: [`Threads`], the current thread pool, or one that sends parts of it
//! to other machines. Whoever has work to do does not know which one does it.

mod dispatcher;
mod message;
mod progress;
mod task;

pub use dispatcher::{Attachments, Description, DispatchError, Dispatcher, Job, Threads};
pub use message::{MessageError, from_bytes, to_bytes};
pub use progress::Progress;
pub use task::{RemoteTask, Task};
