//! Sources of games to learn from: generated games and recorded games.

mod exploration;
mod generated;
mod generated_task;
pub(super) mod recorded;
mod start_kind;
mod starts;

use std::ops::Range;

pub use generated::{GeneratedGames, Seats};
pub use generated_task::{GAMES_TASK, open_games_task};
use nonet_engine::backgammon::record::RecordError;
use nonet_engine::eval::{ExternalFailure, Specialists};
use nonet_engine::game::Game;
use nonet_engine::progress::Progress;
pub use recorded::{GameStream, OpenRecords, RecordStats, RecordedGames, Unfinished};
pub use start_kind::{StartKind, StartKindError};
pub use starts::Starts;

/// Games of one batch, in order.
#[derive(Debug, Default)]
pub struct GameBatch {
    /// The games that can be learned from.
    pub games: Vec<Game>,
    /// Games abandoned because they did not end.
    pub endless: u64,
    /// Counts of unusable and unfinished games of the records.
    pub record_stats: RecordStats,
    /// Why parts of records could not be used: at most the first thousand reasons.
    pub reasons: Vec<RecordError>,
}

/// Why there are no more games.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// All games have been read.
    #[error("the source has no more games")]
    Exhausted,
    /// Records that can be read only once end before the requested game.
    #[error(
        "the run has learned from {expected} games, but the records hold only {found}: resume it with the records it started with"
    )]
    TooFew {
        /// The number of the next game.
        expected: u64,
        /// How many games there are.
        found: u64,
    },
    /// The records were read to their end, and no game in them can be used.
    #[error("the records hold no usable game")]
    NoGames,
    /// The work was stopped, or those who do it gave up.
    #[error("the games were not played to their end")]
    Stopped,
    /// An external engine that plays the games has failed.
    #[error(transparent)]
    External(#[from] ExternalFailure),
}

/// A source of games to learn from.
pub trait GameSource: Send {
    /// The games with the given numbers, all played with one snapshot of the learner. Static
    /// evaluations in the games are those of that snapshot. Game `i` depends only on `i`, the
    /// snapshot and the source's own seed, not on threads or on earlier calls.
    ///
    /// A batch with fewer games than numbers, endless ones included, is the last one.
    ///
    /// # Errors
    /// [`SourceError`] if the games cannot be played or read.
    fn games(
        &mut self,
        numbers: Range<u64>,
        learner: &Specialists,
    ) -> Result<GameBatch, SourceError>;

    /// Who plays the games; `None` if they are not played for this run.
    fn seats(&self) -> Option<&Seats> {
        None
    }

    /// The same games, played by whoever does the work of `progress`; its count is not changed.
    ///
    /// # Errors
    /// [`SourceError`] if the games cannot be played or read, or `progress` was stopped.
    fn shared_games(
        &mut self,
        numbers: Range<u64>,
        learner: &Specialists,
        _progress: &Progress,
    ) -> Result<GameBatch, SourceError> {
        self.games(numbers, learner)
    }
}
