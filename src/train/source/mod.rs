//! Where games come from. A source knows nothing of gradients.

mod generated;
pub(super) mod recorded;

use std::ops::Range;

use crate::backgammon::record::RecordError;
use crate::eval::{ExternalFailure, Specialists};
use crate::game::Game;
pub use generated::{GeneratedGames, Seats};
pub use recorded::{GameStream, OpenRecords, RecordStats, RecordedGames, Unfinished};

/// Games of one batch, in order.
#[derive(Debug, Default)]
pub struct GameBatch {
    /// Those that can be learned from.
    pub games: Vec<Game>,
    /// How many were given up as endless.
    pub endless: u64,
    /// What was met in records besides.
    pub record_stats: RecordStats,
    /// Why something in records was of no use: the first thousand reasons.
    pub reasons: Vec<RecordError>,
}

/// Why there are no more games.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// All games have been seen.
    #[error("the source has no more games")]
    Exhausted,
    /// Records that can be read only once end before the game that is wanted next.
    #[error(
        "the run has learned from {wanted} games, but only {found} come this time: give it the records it began with"
    )]
    TooFew {
        /// The number of the next game.
        wanted: u64,
        /// How many games there are.
        found: u64,
    },
    /// Records have been read through, and nothing in them can be learned from.
    #[error("the records hold no usable game")]
    NoGames,
    /// An external engine that plays the games has failed.
    #[error(transparent)]
    External(#[from] ExternalFailure),
}

/// Where games come from.
pub trait GameSource: Send {
    /// The games with the given numbers, all played against one snapshot of the learner, whose opinions
    /// alone they may bring. Game `i` depends on `i`, the
    /// snapshot and the source's own seed alone, not on threads or on earlier calls.
    ///
    /// A batch with fewer games than numbers, endless ones counted, is the last one.
    ///
    /// # Errors
    /// [`SourceError`] when games cannot be had.
    fn games(
        &mut self,
        numbers: Range<u64>,
        learner: &Specialists,
    ) -> Result<GameBatch, SourceError>;
}
