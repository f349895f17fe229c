//! The two-sided bearoff database: exact equities of positions with a few checkers a side, with and
//! without a cube.

use rayon::prelude::*;

use super::home_board_index::{board, homes, plays};
use crate::backgammon::{Dice, Results};
use crate::eval::Cubeful;
use crate::progress::Progress;

/// A number that stands for an equity.
pub trait Equity: Copy + Default + PartialOrd + Send + Sync {
    /// A game won.
    const WON: Self;
    /// A game lost.
    const LOST: Self;
    /// Its value, in units of this type.
    fn get(self) -> f64;
    /// The same equity for the other player.
    fn opposite(self) -> Self;
    /// The value with the option to double. `self` is the value of not doubling, `opponent` that of
    /// playing on with the cube on the other side. A double is worth twice `opponent`, or a game
    /// won if the other player passes.
    fn or_double(self, opponent: Self) -> Self;
    /// The mean over 36 throws, from the sum over them.
    fn mean(sum: f64) -> Self;
}

impl Equity for f32 {
    const WON: f32 = 1.0;
    const LOST: f32 = -1.0;

    fn get(self) -> f64 {
        self.into()
    }

    fn opposite(self) -> f32 {
        -self
    }

    fn or_double(self, opponent: f32) -> f32 {
        self.max((2.0 * opponent).min(1.0))
    }

    fn mean(sum: f64) -> f32 {
        (sum / 36.0) as f32
    }
}

impl Equity for f64 {
    const WON: f64 = 1.0;
    const LOST: f64 = -1.0;

    fn get(self) -> f64 {
        self
    }

    fn opposite(self) -> f64 {
        -self
    }

    fn or_double(self, opponent: f64) -> f64 {
        self.max((2.0 * opponent).min(1.0))
    }

    fn mean(sum: f64) -> f64 {
        sum / 36.0
    }
}

fn larger<T: PartialOrd>(a: T, b: T) -> T {
    if b > a { b } else { a }
}

impl<T: Equity> Cubeful<T> {
    pub(crate) fn all(equity: T) -> Cubeful<T> {
        Cubeful { cubeless: equity, owned: equity, centred: equity, opponent: equity }
    }

    /// The equities with the right to double now, used when it is correct: for money, without
    /// beavers.
    #[must_use]
    pub fn with_double(self) -> Cubeful<T> {
        Cubeful {
            owned: self.owned.or_double(self.opponent),
            centred: self.centred.or_double(self.opponent),
            ..self
        }
    }

    /// The same equities for the other player, who is on roll in `self`.
    pub(crate) fn opposite(self) -> Cubeful<T> {
        Cubeful {
            cubeless: self.cubeless.opposite(),
            owned: self.opponent.opposite(),
            centred: self.centred.opposite(),
            opponent: self.owned.opposite(),
        }
    }

    /// The better of two values for each owner of the cube.
    pub(crate) fn larger(self, other: Cubeful<T>) -> Cubeful<T> {
        Cubeful {
            cubeless: larger(self.cubeless, other.cubeless),
            owned: larger(self.owned, other.owned),
            centred: larger(self.centred, other.centred),
            opponent: larger(self.opponent, other.opponent),
        }
    }
}

/// The two-sided database for up to a fixed number of checkers a side.
///
/// ```
/// use nonet_engine::bearoff::TwoSided;
///
/// let two_sided = TwoSided::<f32>::generate(1);
/// assert_eq!(two_sided.equities().len(), 7 * 7); // one checker on 6 points, or off
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TwoSided<T = f32> {
    checkers: u8,
    /// Row by row: the board of the player on roll, and in it that of the opponent.
    equities: Vec<Cubeful<T>>,
}

impl<T: Equity> TwoSided<T> {
    /// Computes all positions of up to `checkers` checkers a side, 1..=11, on the current thread
    /// pool. Every play lowers the number of the player's board, so positions are computed in the
    /// order of the sum of their two numbers.
    ///
    /// # Panics
    /// If `checkers` is above 11: that database would not fit into memory.
    #[must_use]
    pub fn generate(checkers: u8) -> TwoSided<T> {
        TwoSided::generate_with(checkers, &Progress::default()).expect("nobody stops it")
    }

    /// The same; `progress` counts the finished positions. `None` if it is stopped before the end.
    ///
    /// # Panics
    /// As [`TwoSided::generate`].
    #[must_use]
    pub fn generate_with(checkers: u8, progress: &Progress) -> Option<TwoSided<T>> {
        assert!(checkers <= 11, "a two-sided database of {checkers} checkers: expected at most 11");
        let boards = homes(checkers);
        let successors = Successors::new(boards);
        // A side without checkers has won.
        let mut equities = vec![Cubeful::all(T::WON); boards * boards];
        for own in 1..boards {
            equities[own * boards] = Cubeful::all(T::LOST);
        }
        // The positions in which a side has no checkers.
        progress.add(2 * boards as u64 - 1);
        for sum in 2..2 * boards - 1 {
            if progress.is_stopped() {
                return None;
            }
            let rows = sum.saturating_sub(boards - 1).max(1)..sum.min(boards);
            let found: Vec<Cubeful<T>> = rows
                .clone()
                .into_par_iter()
                .with_min_len(16)
                .map(|own| {
                    let replies = &equities[(sum - own) * boards..][..boards];
                    no_double(&successors, own, replies)
                })
                .collect();
            progress.add(found.len() as u64);
            for (own, value) in rows.zip(found) {
                equities[own * boards + sum - own] = value;
            }
        }
        Some(TwoSided { checkers, equities })
    }

    /// The largest number of checkers a side.
    #[must_use]
    pub const fn checkers(&self) -> u8 {
        self.checkers
    }

    /// All equities, row by row: the board of the player on roll by number, and in it that of the
    /// opponent.
    #[must_use]
    pub fn equities(&self) -> &[Cubeful<T>] {
        &self.equities
    }

    /// Restores the database from [`TwoSided::equities`]; `None` if their number is wrong.
    #[must_use]
    pub fn from_equities(checkers: u8, equities: Vec<Cubeful<T>>) -> Option<TwoSided<T>> {
        let fits = checkers <= 11 && equities.len() == homes(checkers).pow(2);
        fits.then_some(TwoSided { checkers, equities })
    }

    /// The equities of two boards by number; `None` if the database does not hold them.
    pub(super) fn of(&self, own: usize, opponent: usize) -> Option<Cubeful<T>> {
        let boards = homes(self.checkers);
        (own < boards && opponent < boards).then(|| self.equities[own * boards + opponent])
    }
}

/// The mean over the rolls of the best play of each; `replies` are the positions with the opponent
/// on roll, by the player's board.
fn no_double<T: Equity>(successors: &Successors, own: usize, replies: &[Cubeful<T>]) -> Cubeful<T> {
    let mut sums = RollSums::default();
    for dice in Dice::ALL {
        let after = successors.of(own, dice).iter().map(|&next| replies[usize::from(next)]);
        sums.add_best(after, dice);
    }
    sums.mean()
}

/// The sums over the 36 throws of the equities after the best play of each.
#[derive(Default)]
pub(super) struct RollSums(Cubeful<f64>);

impl RollSums {
    /// Adds the best play of a roll. `after` are the equities of the opponent, who is on roll then.
    #[inline]
    pub(super) fn add_best<T: Equity>(
        &mut self,
        after: impl Iterator<Item = Cubeful<T>>,
        dice: Dice,
    ) {
        let best = after
            .map(|equities| equities.with_double().opposite())
            .fold(Cubeful::all(T::LOST), Cubeful::larger);
        let weight = f64::from(dice.weight());
        self.0.cubeless += weight * best.cubeless.get();
        self.0.owned += weight * best.owned.get();
        self.0.centred += weight * best.centred.get();
        self.0.opponent += weight * best.opponent.get();
    }

    /// The means over the throws.
    pub(super) fn mean<T: Equity>(self) -> Cubeful<T> {
        Cubeful {
            cubeless: T::mean(self.0.cubeless),
            owned: T::mean(self.0.owned),
            centred: T::mean(self.0.centred),
            opponent: T::mean(self.0.opponent),
        }
    }
}

/// The numbers of the boards that the plays of each board and roll lead to.
struct Successors {
    next: Vec<u16>,
    ends: Vec<u32>,
}

impl Successors {
    fn new(boards: usize) -> Successors {
        let (mut next, mut ends, mut results) = (Vec::new(), vec![0], Results::default());
        for own in 0..boards {
            for dice in Dice::ALL {
                if own > 0 {
                    next.extend(plays(&board(own), dice, &mut results).map(|next| next as u16));
                }
                ends.push(next.len() as u32);
            }
        }
        Successors { next, ends }
    }

    fn of(&self, own: usize, dice: Dice) -> &[u16] {
        let high = usize::from(dice.high());
        let place = own * Dice::ALL.len() + high * (high - 1) / 2 + usize::from(dice.low()) - 1;
        &self.next[self.ends[place] as usize..self.ends[place + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_counts_and_stopped_work_leaves_no_database() {
        let progress = Progress::default();
        let whole = TwoSided::<f32>::generate_with(2, &progress).expect("nobody stops it");
        assert_eq!(progress.done(), whole.equities().len() as u64);
        assert_eq!(whole, TwoSided::<f32>::generate(2));
        progress.stop();
        assert_eq!(TwoSided::<f32>::generate_with(2, &progress), None);
    }
}
