//! Why an engine cannot be built or cannot answer.

use crate::cube::MetError;
use crate::store::StoreError;

/// Why an engine cannot be built or cannot answer a question.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// A file (net, bearoff databases) cannot be used.
    #[error(transparent)]
    File(#[from] StoreError),
    /// The match equity table does not reach the score.
    #[error(transparent)]
    MatchEquity(#[from] MetError),
    /// The operating system gave no threads.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the thread pool says.
        reason: String,
    },
}
