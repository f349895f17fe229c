//! [`CubeCounts`]: counts of cube actions.

use serde::{Deserialize, Serialize};

/// The number of each cube action of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CubeCounts {
    /// Doubles of a cube in the middle.
    pub doubles: u64,
    /// Doubles of an own cube.
    pub redoubles: u64,
    /// Doubles of the opponent that were taken, beavers included.
    pub takes: u64,
    /// Takes that doubled again at once.
    pub beavers: u64,
    /// Doubles of the opponent that were refused.
    pub drops: u64,
    /// Games won.
    pub won: u64,
    /// The sum of the values of the cube at the end of the games that were won.
    pub won_cubes: u64,
}

impl CubeCounts {
    /// The counts of both.
    #[must_use]
    pub const fn plus(self, other: CubeCounts) -> CubeCounts {
        CubeCounts {
            doubles: self.doubles + other.doubles,
            redoubles: self.redoubles + other.redoubles,
            takes: self.takes + other.takes,
            beavers: self.beavers + other.beavers,
            drops: self.drops + other.drops,
            won: self.won + other.won,
            won_cubes: self.won_cubes + other.won_cubes,
        }
    }

    /// The mean value of the cube at the end of the games that were won; `None` if there are none.
    #[must_use]
    pub fn average_cube_won(&self) -> Option<f64> {
        (self.won > 0).then(|| self.won_cubes as f64 / self.won as f64)
    }
}
