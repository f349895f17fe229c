//! Where games come from. A source knows nothing of gradients.

use std::ops::Range;

use rayon::prelude::*;

use crate::eval::Specialists;
use crate::play::{Domain, Game, Greedy, Player, Table, stream};

/// Games of one batch, in order.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Those that ended.
    pub games: Vec<Game>,
    /// How many were given up as endless.
    pub endless: u64,
}

/// Why there are no more games.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// All games have been seen.
    #[error("the source has no more games")]
    Exhausted,
}

/// Where games come from.
pub trait GameSource: Send {
    /// The games with the given numbers, all played against one snapshot of the learner. Game `i` depends on `i`, the
    /// snapshot and the source's own seed alone, not on threads or on earlier calls.
    ///
    /// # Errors
    /// [`SourceError`] when games cannot be had.
    fn games(&mut self, numbers: Range<u64>, learner: &Specialists) -> Result<Batch, SourceError>;
}

/// The learner plays itself: greedy at 1-ply, no exploration but the dice.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlay {
    /// The seed of the dice.
    pub seed: u64,
}

impl GameSource for SelfPlay {
    fn games(&mut self, numbers: Range<u64>, learner: &Specialists) -> Result<Batch, SourceError> {
        let player = Greedy(learner);
        Ok(play(self.seed, numbers, |_| [&player, &player]))
    }
}

/// Plays games on the current thread pool; `seats` says who sits where in each.
fn play<'a>(
    seed: u64,
    numbers: Range<u64>,
    seats: impl Fn(u64) -> [&'a dyn Player; 2] + Sync,
) -> Batch {
    let games: Vec<Option<Game>> = numbers
        .into_par_iter()
        .map_init(Table::default, |table, number| {
            let mut dice = stream(seed, Domain::Training, number);
            let mut choices = stream(seed ^ Domain::Training as u64, Domain::Choice, number);
            table.play(seats(number), &mut dice, &mut choices)
        })
        .collect();
    let endless = games.iter().filter(|game| game.is_none()).count() as u64;
    Batch { games: games.into_iter().flatten().collect(), endless }
}
