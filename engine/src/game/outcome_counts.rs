//! Counts of how games ended.

use serde::{Deserialize, Serialize};

use crate::backgammon::Outcome;

/// How the games of one side ended.
///
/// ```
/// use nonet_engine::backgammon::Outcome;
/// use nonet_engine::game::OutcomeCounts;
///
/// let mut counts = OutcomeCounts::default();
/// counts.add(Outcome::WinBackgammon);
/// assert_eq!((counts.wins(), counts.points()), (1, (3, 0)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeCounts {
    /// Games by outcome, in the order of [`Outcome::ALL`].
    pub outcomes: [u64; 6],
}

impl OutcomeCounts {
    /// Counts a game.
    pub fn add(&mut self, outcome: Outcome) {
        self.outcomes[outcome.index()] += 1;
    }

    /// Games won, of any kind.
    #[must_use]
    pub fn wins(&self) -> u64 {
        self.outcomes[..3].iter().sum()
    }

    /// Games lost, of any kind.
    #[must_use]
    pub fn losses(&self) -> u64 {
        self.outcomes[3..].iter().sum()
    }

    /// Points won and points lost.
    #[must_use]
    pub fn points(&self) -> (u64, u64) {
        let [a, b, c, d, e, f] = self.outcomes;
        (a + 2 * b + 3 * c, d + 2 * e + 3 * f)
    }

    /// Share of all points that were won, 0..1: the "equity" of Wiering, Patist & Mannen, where 0.5
    /// is parity.
    #[must_use]
    pub fn share_of_points(&self) -> f64 {
        let (won, lost) = self.points();
        won as f64 / (won + lost) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_equity_is_a_share_of_points() {
        let mut counts = OutcomeCounts::default();
        counts.add(Outcome::WinGammon);
        counts.add(Outcome::Lose);
        assert_eq!((counts.wins(), counts.losses()), (1, 1));
        assert!((counts.share_of_points() - 2.0 / 3.0).abs() < 1e-12);
    }
}
