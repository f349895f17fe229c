//! The exact value of a position, and its entry in a file.
//!
//! Files have GNU Backgammon's format for hypergammon, as read from the files that its `makehyper`
//! writes:
//!
//! - a line of 40 bytes, `gnubg-H3` filled with `x`.
//! - then 28 bytes for each position:
//!   - five probabilities (win, gammon or more, backgammon, gammon or more lost, backgammon lost).
//!   - four money equities (cube owned, centred, centred with the Jacoby rule, the opponent's).
//!   - a zero.
//!
//! Numbers have 24 bits, little-endian. A probability of 1 is 2^24 - 1, equities run from -3 to +3.
//! Rows are the arrangements of the player on roll.
//!
//! Where both sides claim one point there is no position. There nonet's entries are zeros, and
//! those of `makehyper` have equities of 0.
//!
//! `makehyper -c 2` and nonet agree on all equities without a cube within 1e-5. The equities with a
//! cube differ by up to 0.02. Those of `makehyper` put an owned cube more than 1e-4 below the
//! centred one in 187 of 107,252 positions. An owned cube cannot be worth less than a centred one.

use super::MOST_CHECKERS;
use super::side_number::SideNumbers;
use crate::backgammon::Outcome;
use crate::bearoff::Equity;
use crate::eval::{Cubeful, Evaluation};

/// Bytes before the first entry.
pub const HEADER: usize = 40;
/// Bytes of an entry.
pub const ENTRY: usize = 28;
/// Equities of an [`Exact`].
pub(super) const EQUITIES: usize = 5;
/// A probability of 1.
const ONE: f64 = 0xff_ffff as f64;

/// The exact value of a position for the player on roll, before the roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exact {
    /// Probability of each outcome, in the order of [`Outcome::ALL`], when both sides play for the
    /// largest equity without a cube.
    pub outcomes: [f64; 6],
    /// Money equities in points on a cube at 1, without doubling now.
    pub cubeful: Cubeful<f64>,
    /// The same with the cube in the middle and the Jacoby rule: gammons count after a double
    /// alone.
    pub jacoby: f64,
}

impl Exact {
    /// Nothing yet, as the start of a sum.
    pub(super) const ZERO: Exact = Exact {
        outcomes: [0.0; 6],
        cubeful: Cubeful { cubeless: 0.0, owned: 0.0, centred: 0.0, opponent: 0.0 },
        jacoby: 0.0,
    };

    /// Before the first sweep. The chances sum to 1, and go on doing so.
    pub(super) const UNKNOWN: Exact =
        Exact { outcomes: [0.5, 0.0, 0.0, 0.5, 0.0, 0.0], ..Exact::ZERO };

    pub(super) fn of_outcome(outcome: Outcome) -> Exact {
        let mut outcomes = [0.0; 6];
        outcomes[outcome.index()] = 1.0;
        let points = f64::from(outcome.points());
        Exact { outcomes, cubeful: Cubeful::all(points), jacoby: points.signum() }
    }

    /// The cubeless values as an evaluation.
    #[must_use]
    pub fn evaluation(&self) -> Evaluation {
        let outcomes = self.outcomes.map(|chance| chance as f32);
        Evaluation { average: self.cubeful.cubeless as f32, outcomes }
    }

    /// The value for the player who has just played: the other one is on roll in `self`, and
    /// doubles when that is right.
    #[must_use]
    pub fn of_play(&self) -> Exact {
        let [a, b, c, d, e, f] = self.outcomes;
        Exact {
            outcomes: [d, e, f, a, b, c],
            cubeful: self.cubeful.with_double().opposite(),
            jacoby: -self.jacoby.or_double(self.cubeful.opponent),
        }
    }

    /// The better of two plays, for each state of the cube by itself.
    pub(super) fn or_better(self, other: Exact) -> Exact {
        let cubeless = if other.cubeful.cubeless > self.cubeful.cubeless { &other } else { &self };
        Exact {
            outcomes: cubeless.outcomes,
            cubeful: self.cubeful.larger(other.cubeful),
            jacoby: self.jacoby.max(other.jacoby),
        }
    }

    pub(super) fn add(&mut self, other: &Exact, weight: f64) {
        for (sum, chance) in self.outcomes.iter_mut().zip(other.outcomes) {
            *sum += weight * chance;
        }
        self.cubeful.cubeless += weight * other.cubeful.cubeless;
        self.cubeful.owned += weight * other.cubeful.owned;
        self.cubeful.centred += weight * other.cubeful.centred;
        self.cubeful.opponent += weight * other.cubeful.opponent;
        self.jacoby += weight * other.jacoby;
    }

    /// The mean over 36 throws of a sum over them. What is certain stays so to the last bit.
    pub(super) fn over_throws(self) -> Exact {
        let Cubeful { cubeless, owned, centred, opponent } = self.cubeful;
        Exact {
            outcomes: self.outcomes.map(|chance| chance / 36.0),
            cubeful: Cubeful {
                cubeless: cubeless / 36.0,
                owned: owned / 36.0,
                centred: centred / 36.0,
                opponent: opponent / 36.0,
            },
            jacoby: self.jacoby / 36.0,
        }
    }

    /// The equities, each with its own best play.
    pub(super) fn equities(&self) -> [f64; EQUITIES] {
        let Cubeful { cubeless, owned, centred, opponent } = self.cubeful;
        [cubeless, owned, centred, opponent, self.jacoby]
    }

    /// The largest difference of an equity.
    pub(super) fn distance(&self, other: &Exact) -> f64 {
        let pairs = self.equities().into_iter().zip(other.equities());
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    /// The entry of a file.
    pub(super) fn to_entry(self) -> [u8; ENTRY] {
        let [win, gammon, backgammon, _, lost_gammon, lost_backgammon] = self.outcomes;
        let chances = [
            win + gammon + backgammon,
            gammon + backgammon,
            backgammon,
            lost_gammon + lost_backgammon,
            lost_backgammon,
        ];
        let Cubeful { owned, centred, opponent, .. } = self.cubeful;
        let equities = [owned, centred, self.jacoby, opponent].map(|equity| (equity + 3.0) / 6.0);
        let mut entry = [0; ENTRY];
        for (bytes, number) in entry.chunks_exact_mut(3).zip(chances.into_iter().chain(equities)) {
            let number = (number.clamp(0.0, 1.0) * ONE).round() as u32;
            bytes.copy_from_slice(&number.to_le_bytes()[..3]);
        }
        entry
    }

    /// The value that an entry of a file holds; `None` if it holds none.
    #[must_use]
    pub fn of_entry(entry: &[u8; ENTRY]) -> Option<Exact> {
        let mut numbers = [0.0; 9];
        for (number, bytes) in numbers.iter_mut().zip(entry.as_chunks::<3>().0) {
            *number = f64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0])) / ONE;
        }
        let [win, gammon, backgammon, lost_gammon, lost_backgammon, equities @ ..] = numbers;
        if win + lost_gammon == 0.0 && equities == [0.0; 4] {
            return None;
        }
        let outcomes = [
            win - gammon,
            gammon - backgammon,
            backgammon,
            1.0 - win - lost_gammon,
            lost_gammon - lost_backgammon,
            lost_backgammon,
        ];
        let [owned, centred, jacoby, opponent] = equities.map(|equity| 6.0 * equity - 3.0);
        let points = Outcome::ALL.map(|outcome| f64::from(outcome.points()));
        let cubeless = outcomes.iter().zip(points).map(|(chance, points)| chance * points).sum();
        Some(Exact { outcomes, cubeful: Cubeful { cubeless, owned, centred, opponent }, jacoby })
    }
}

/// The number of checkers that the first line of a hypergammon file names; `None` for other files.
pub(crate) fn checkers_of(begin: &[u8; HEADER]) -> Option<u8> {
    (1..=MOST_CHECKERS).find(|&checkers| header(checkers) == begin)
}

/// Bytes of a file.
pub(crate) fn file_len(sides: &SideNumbers) -> u64 {
    (HEADER + sides.len() * sides.len() * ENTRY) as u64
}

/// The first line of a file.
pub(super) fn header(checkers: u8) -> Vec<u8> {
    let mut line = format!("gnubg-H{checkers}").into_bytes();
    line.resize(HEADER - 1, b'x');
    line.push(b'\n');
    line
}
