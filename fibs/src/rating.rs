//! The rating formula of FIBS.
//!
//! Source: the server's page `help formula`; checked there against the figures in the client
//! protocol's specification.

/// A player's rating and experience.
///
/// ```
/// use fibs::rating::{Standing, chance, changes};
///
/// let (won, lost) = changes(Standing::NEW, Standing::NEW, 5);
/// assert_eq!((won, chance(1500.0, 1500.0, 5)), (-lost, 0.5));
/// let winner = Standing::NEW.after(won, 5);
/// assert!(winner.rating > 1500.0 && winner.experience == 5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "server", derive(serde::Serialize, serde::Deserialize))]
pub struct Standing {
    /// Rating; new accounts have 1500.
    pub rating: f64,
    /// Points of all matches played, won or lost.
    pub experience: u32,
}

impl Standing {
    /// A new account.
    pub const NEW: Standing = Standing { rating: 1500.0, experience: 0 };

    /// K of the formula: 5 for a new account, falling to 1 at an experience of 400.
    #[must_use]
    pub fn factor(self) -> f64 {
        (5.0 - f64::from(self.experience) / 100.0).max(1.0)
    }

    /// The standing after a match, which changes the rating by `change`.
    #[must_use]
    pub fn after(self, change: f64, length: u32) -> Standing {
        let experience = self.experience.saturating_add(length);
        Standing { rating: self.rating + change, experience }
    }
}

/// Pu of the formula: the probability, 0..=1/2, that the lower rated player wins a match of
/// `length` points.
#[must_use]
pub fn upset(difference: f64, length: u32) -> f64 {
    1.0 / (10f64.powf(difference.abs() * f64::from(length).sqrt() / 2000.0) + 1.0)
}

/// The probability, 0..=1, that a player rated `own` wins a match of `length` points against one
/// rated `other`.
#[must_use]
pub fn chance(own: f64, other: f64, length: u32) -> f64 {
    let upset = upset(own - other, length);
    if own >= other { 1.0 - upset } else { upset }
}

/// Rating changes of a match of `length` points: the winner's (positive) and the loser's
/// (negative), from their standings before the match.
#[must_use]
pub fn changes(winner: Standing, loser: Standing, length: u32) -> (f64, f64) {
    let unexpected = 1.0 - chance(winner.rating, loser.rating, length);
    let even = 4.0 * f64::from(length).sqrt() * unexpected;
    (winner.factor() * even, -loser.factor() * even)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_gives_the_figures_of_the_protocols_specification() {
        // "rating difference D=155.634835, match length N=3, Experience: ann 2761 - bob 187": the
        // favourite won.
        let ann = Standing { rating: 1500.0 + 155.634835, experience: 2761 };
        let bob = Standing { rating: 1500.0, experience: 187 };
        assert!((upset(155.634835, 3) - 0.423029).abs() < 1e-6);
        let (won, lost) = changes(ann, bob, 3);
        assert!((won - 2.930831).abs() < 1e-5, "{won}");
        assert!((lost + 9.173502).abs() < 1e-5, "{lost}");
    }

    #[test]
    fn an_even_point_moves_a_new_account_by_ten() {
        assert_eq!(changes(Standing::NEW, Standing::NEW, 1), (10.0, -10.0));
    }
}
