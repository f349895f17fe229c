//! [`RolloutSums`]: the sums over the games of a rollout, and their result.

use serde::{Deserialize, Serialize};

use super::dice::BLOCK;
use super::game::RolloutOutcome;
use crate::eval::Evaluation;
use crate::stats::Estimate;

/// The result of a rollout, for the player on roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RolloutResult {
    /// Games played.
    pub games: u64,
    /// The cubeless evaluation. In a cubeful rollout, games with a refused double are played on for
    /// it.
    pub value: Evaluation,
    /// The equity in points per game on a cube at 1, cubeful if the rollout was.
    ///
    /// The standard error is that of the dice alone. It leaves out the errors of play and, in a
    /// truncated rollout, those of the evaluations at the horizon.
    pub equity: Estimate,
    /// The standard error of the equity without variance reduction, by the same games.
    pub plain_stderr: f64,
}

/// The sums over the games played so far. A rollout continues from them, in this process or
/// another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RolloutSums {
    games: u64,
    heads: [f64; 7],
    equity: BlockSums,
    plain: BlockSums,
}

/// The sum over each block of 36 games, the last of which may be incomplete, and the sum of all
/// squares.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct BlockSums {
    blocks: Vec<f64>,
    squares: f64,
}

/// With fewer blocks than this the standard error is that of independent games: the spread of few
/// blocks is a rough guess.
const MIN_BLOCKS: usize = 8;

impl BlockSums {
    fn add(&mut self, game: u64, value: f64) {
        if game.is_multiple_of(BLOCK) {
            self.blocks.push(0.0);
        }
        if let Some(block) = self.blocks.last_mut() {
            *block += value;
        }
        self.squares += value * value;
    }

    fn sum(&self) -> f64 {
        self.blocks.iter().sum()
    }

    /// The mean of `games` games.
    ///
    /// Stratified dice make the sum of a block vary less than that of 36 independent games. So the
    /// error is taken from the spread of the blocks.
    fn estimate(&self, games: u64) -> Estimate {
        let independent = Estimate::from_sums(games, self.sum(), self.squares);
        let stderr = stderr_of_blocks(games, self.whole(games).iter().copied());
        Estimate { stderr: stderr.unwrap_or(independent.stderr), ..independent }
    }

    /// The sums of the complete blocks.
    fn whole(&self, games: u64) -> &[f64] {
        &self.blocks[..(games / BLOCK) as usize]
    }
}

/// The standard error of a mean over `games` games from the sums of their complete blocks, if these
/// are enough.
fn stderr_of_blocks(games: u64, sums: impl ExactSizeIterator<Item = f64> + Clone) -> Option<f64> {
    let blocks = sums.len();
    (blocks >= MIN_BLOCKS).then(|| {
        let of_a_block = Estimate::from_values(sums.map(|sum| sum / BLOCK as f64)).stderr;
        of_a_block * (blocks as f64 * BLOCK as f64 / games as f64).sqrt()
    })
}

impl RolloutSums {
    pub(super) fn add(&mut self, game: &RolloutOutcome) {
        for (sum, head) in self.heads.iter_mut().zip(game.value.heads()) {
            *sum += f64::from(head);
        }
        self.equity.add(self.games, game.equity);
        self.plain.add(self.games, game.plain);
        self.games += 1;
    }

    /// Games played.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Whether enough games have been played for a stop rule to trust the standard error: 288.
    #[must_use]
    pub const fn has_reliable_error(&self) -> bool {
        self.games >= MIN_BLOCKS as u64 * BLOCK
    }

    /// Whether the sums could be those of a rollout: a file may say anything.
    #[must_use]
    pub fn are_consistent(&self) -> bool {
        let blocks = self.games.div_ceil(BLOCK);
        [&self.equity, &self.plain].iter().all(|sums| {
            sums.blocks.len() as u64 == blocks
                && sums.blocks.iter().chain([&sums.squares]).all(|sum| sum.is_finite())
        })
    }

    /// The result of the games played so far, at least one.
    #[must_use]
    pub fn result(&self) -> RolloutResult {
        let n = self.games as f64;
        RolloutResult {
            games: self.games,
            value: Evaluation::from_heads(&self.heads.map(|sum| (sum / n) as f32)),
            equity: self.equity.estimate(self.games),
            plain_stderr: self.plain.estimate(self.games).stderr,
        }
    }

    /// How much higher the equity is than that of `other`, which was rolled out with the same dice.
    ///
    /// The error is that of the differences, block by block. If one has more games, the errors of
    /// both are taken as independent.
    #[must_use]
    pub fn difference(&self, other: &RolloutSums) -> Estimate {
        let (own, their) = (self.result().equity, other.result().equity);
        let independent = own.minus(their);
        let n = independent.n;
        let paired = (self.games == other.games).then(|| {
            let (own, their) = (self.equity.whole(n), other.equity.whole(n));
            stderr_of_blocks(n, own.iter().zip(their).map(|(own, their)| own - their))
        });
        let stderr = paired.flatten().unwrap_or(independent.stderr);
        Estimate { stderr, ..independent }
    }
}
