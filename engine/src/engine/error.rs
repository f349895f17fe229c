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
    /// The game is over: by the checkers, a refused double or a resignation.
    #[error("the game is over: expected a game in progress")]
    GameOver,
    /// There is no roll to play.
    #[error("the dice have not been rolled: expected a position with a roll")]
    NotRolled,
    /// A beaver or raccoon has turned the cube already.
    #[error("a beaver or raccoon has turned the cube: expected the position before the double")]
    CubeTurned,
    /// The operating system gave no threads.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// The requested number of threads.
        threads: usize,
        /// The error of the thread pool.
        reason: String,
    },
}
