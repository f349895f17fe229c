//! A two-sided database that is too large to be read whole.

use std::fmt::Debug;

use crate::eval::{Cubeful, ExternalFailure};

/// A two-sided database that stays where it is stored: a position is looked up when it is asked
/// for.
pub trait StoredTwoSided: Debug + Send + Sync {
    /// The largest number of checkers a side.
    fn checkers(&self) -> u8;

    /// The equities at a place.
    ///
    /// A place is the number of the own board, times the number of boards, plus the number of the
    /// opponent's board. The own board is that of the player on roll.
    ///
    /// # Errors
    /// If the place cannot be read.
    fn equities(&self, place: usize) -> Result<Cubeful, ExternalFailure>;

    /// The checksum (CRC-32) of the whole database; computing it reads all of it.
    ///
    /// # Errors
    /// If it cannot be read.
    fn checksum(&self) -> Result<u32, ExternalFailure>;
}
