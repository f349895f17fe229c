//! The threads of a command.

use crate::cli::error::usage;

/// A pool of the requested number of threads, by default as many as the machine has.
pub(crate) fn pool(threads: Option<usize>) -> anyhow::Result<rayon::ThreadPool> {
    if threads == Some(0) {
        return Err(usage("--threads must be at least 1"));
    }
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build()?)
}
