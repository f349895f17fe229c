//! The one-sided bearoff database: for each home board, the distribution of rolls until it is empty
//! and until its first checker is off.

use rayon::prelude::*;

use super::home_board_index::{Home, board, homes, number, pips, plays};
use crate::backgammon::{CHECKERS, Dice, Results};

/// The number of home boards of up to 15 checkers.
pub const HOMES: usize = homes(CHECKERS.unsigned_abs());

/// The length of a distribution, for 0 to 31 rolls. 15 checkers have at most 90 pips and a roll at
/// least 3, so that 30 rolls always suffice.
pub const ROLLS: usize = 32;

/// The probability of each number of rolls.
type Rolls<T> = [T; ROLLS];

/// The one-sided database: for each home board the probability of needing 0, 1, ... 31 rolls, when
/// every play minimizes the expected number of rolls.
#[derive(Clone, Debug, PartialEq)]
pub struct OneSided<T = f32> {
    /// All checkers off; one row for each of the [`HOMES`].
    off: Vec<Rolls<T>>,
    /// The first checker off; one row for each board of 15 checkers, which are the last ones.
    first: Vec<Rolls<T>>,
}

/// A number that stands for a probability.
pub trait Chance: Copy + Default + Send + Sync {
    /// Certainty.
    const ONE: Self;
    /// Its value, in units of this type.
    fn get(self) -> f64;
    /// The mean over 36 throws, from the sums over them.
    fn mean(sums: &Rolls<f64>) -> Rolls<Self>;
}

impl Chance for f32 {
    const ONE: f32 = 1.0;

    fn get(self) -> f64 {
        self.into()
    }

    fn mean(sums: &Rolls<f64>) -> Rolls<f32> {
        sums.map(|sum| (sum / 36.0) as f32)
    }
}

/// Boards with fewer than 15 checkers.
const FEWER: usize = homes(CHECKERS.unsigned_abs() - 1);

impl<T: Chance> OneSided<T> {
    /// Computes all boards, in the order of their pip counts, on the current thread pool.
    #[must_use]
    pub fn generate() -> OneSided<T> {
        let mut levels: Vec<Vec<usize>> = Vec::new();
        for i in 1..HOMES {
            let level = pips(&board(i));
            levels.resize_with(levels.len().max(level + 1), Vec::new);
            levels[level].push(i);
        }
        let mut done = [T::default(); ROLLS];
        done[0] = T::ONE;
        let mut table = RollTable {
            off: vec![done; HOMES],
            first: vec![done; HOMES],
            off_mean: vec![0.0; HOMES],
            first_mean: vec![0.0; HOMES],
        };
        for level in &levels {
            let rows: Vec<_> = level
                .par_iter()
                .map_init(Results::default, |results, &i| (i, table.row(&board(i), results)))
                .collect();
            for (i, (off, first)) in rows {
                (table.off_mean[i], table.off[i]) = (mean(&off), off);
                if let Some(first) = first {
                    (table.first_mean[i], table.first[i]) = (mean(&first), first);
                }
            }
        }
        OneSided { off: table.off, first: table.first.split_off(FEWER) }
    }

    /// All rows.
    ///
    /// First come those of all checkers off, one for each board by number. Then come those of the
    /// first checker off, one for each board of 15 checkers.
    pub fn rows(&self) -> impl Iterator<Item = &Rolls<T>> {
        self.off.iter().chain(&self.first)
    }

    /// Restores the database from [`OneSided::rows`]; `None` if their number is wrong.
    #[must_use]
    pub fn from_rows(mut rows: Vec<Rolls<T>>) -> Option<OneSided<T>> {
        if rows.len() != HOMES + HOMES - FEWER {
            return None;
        }
        let first = rows.split_off(HOMES);
        Some(OneSided { off: rows, first })
    }

    /// For board `number`, the distributions of rolls until it is empty and until its first checker
    /// is off. The second one is `None` for boards of fewer than 15 checkers.
    pub(super) fn of(&self, number: usize) -> (&Rolls<T>, Option<&Rolls<T>>) {
        (&self.off[number], number.checked_sub(FEWER).map(|i| &self.first[i]))
    }
}

impl OneSided {
    /// The probabilities that `home`, the checkers on points 1 to 6, at most 15, needs 0, 1, ... 31
    /// rolls.
    #[must_use]
    pub fn off(&self, home: &[u8; 6]) -> &[f32; ROLLS] {
        self.of(number(home)).0
    }
}

/// A board during the computation; `first` is certainly 0 rolls for boards of fewer than 15
/// checkers.
struct RollTable<T> {
    off: Vec<Rolls<T>>,
    first: Vec<Rolls<T>>,
    off_mean: Vec<f64>,
    first_mean: Vec<f64>,
}

impl<T: Chance> RollTable<T> {
    fn row(&self, home: &Home, results: &mut Results) -> (Rolls<T>, Option<Rolls<T>>) {
        let full = home.iter().sum::<u8>() == CHECKERS.unsigned_abs();
        let (mut off, mut first) = ([0.0; ROLLS], [0.0; ROLLS]);
        for dice in Dice::ALL {
            let (mut soonest, mut soonest_first) = ((f64::INFINITY, 0), (f64::INFINITY, 0));
            for next in plays(home, dice, results) {
                let lower = |best: (f64, usize), mean: f64| {
                    let better = mean < best.0 || mean == best.0 && is_behind(best.1, next);
                    if better { (mean, next) } else { best }
                };
                soonest = lower(soonest, self.off_mean[next]);
                soonest_first = lower(soonest_first, self.first_mean[next]);
            }
            add(&mut off, &self.off[soonest.1], dice);
            add(&mut first, &self.first[soonest_first.1], dice);
        }
        (T::mean(&off), full.then(|| T::mean(&first)))
    }
}

/// Ties are broken in favour of the play that leaves fewer checkers on the 6 point, then on the 5
/// point and so on. In 16-bit arithmetic ties are common, and this is GNU Backgammon's choice.
fn is_behind(number: usize, other: usize) -> bool {
    board(number).iter().rev().gt(board(other).iter().rev())
}

/// Adds a distribution, shifted by one roll.
fn add<T: Chance>(sums: &mut Rolls<f64>, next: &Rolls<T>, dice: Dice) {
    for (sum, chance) in sums[1..].iter_mut().zip(next) {
        *sum += f64::from(dice.weight()) * chance.get();
    }
}

fn mean<T: Chance>(row: &Rolls<T>) -> f64 {
    row.iter().zip(0u8..).map(|(chance, rolls)| f64::from(rolls) * chance.get()).sum()
}
