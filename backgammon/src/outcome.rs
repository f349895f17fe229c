//! How a game ends.

use super::Position;

/// The six natural ends of a game, for the player on roll, in the order of a net's outcome heads.
///
/// ```
/// use backgammon::{Outcome, Position};
///
/// let over = Position::from_sides(&[], &[(3, 15)])?;
/// assert_eq!(over.outcome(), Some(Outcome::WinGammon));
/// assert_eq!(Outcome::WinGammon.flipped().points(), -2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Outcome {
    /// A single game won, +1.
    Win,
    /// Won before the loser bore off a checker, +2.
    WinGammon,
    /// A gammon with a loser's checker on the bar or in the winner's home board, +3.
    WinBackgammon,
    /// A single game lost, -1.
    Lose,
    /// A gammon lost, -2.
    LoseGammon,
    /// A backgammon lost, -3.
    LoseBackgammon,
}

impl Outcome {
    /// All six, so that `ALL[i].index() == i`.
    pub const ALL: [Outcome; 6] = [
        Outcome::Win,
        Outcome::WinGammon,
        Outcome::WinBackgammon,
        Outcome::Lose,
        Outcome::LoseGammon,
        Outcome::LoseBackgammon,
    ];

    /// Index in [`Outcome::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Points won on a 1-cube: 1, 2, 3, -1, -2, -3.
    #[must_use]
    pub const fn points(self) -> i32 {
        match self {
            Outcome::Win => 1,
            Outcome::WinGammon => 2,
            Outcome::WinBackgammon => 3,
            Outcome::Lose => -1,
            Outcome::LoseGammon => -2,
            Outcome::LoseBackgammon => -3,
        }
    }

    /// The same end, seen by the other player.
    #[must_use]
    pub const fn flipped(self) -> Outcome {
        match self {
            Outcome::Win => Outcome::Lose,
            Outcome::WinGammon => Outcome::LoseGammon,
            Outcome::WinBackgammon => Outcome::LoseBackgammon,
            Outcome::Lose => Outcome::Win,
            Outcome::LoseGammon => Outcome::WinGammon,
            Outcome::LoseBackgammon => Outcome::WinBackgammon,
        }
    }
}

impl Position {
    /// The end of the game for the player on roll, or `None` while both sides have checkers to
    /// play.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if self.opponent_left() == 0 { Some(self.flipped().won()?.flipped()) } else { self.won() }
    }

    fn won(&self) -> Option<Outcome> {
        if self.own_left() != 0 {
            return None;
        }
        let points = self.points();
        Some(if self.opponent_left() < self.checkers_at_start() {
            Outcome::Win
        } else if points[0] < 0 || points[1..=6].iter().any(|&n| n < 0) {
            Outcome::WinBackgammon
        } else {
            Outcome::WinGammon
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(opponent: &[(usize, i8)]) -> Option<Outcome> {
        Position::from_sides(&[], opponent).expect("legal").outcome()
    }

    #[test]
    fn a_checker_off_saves_the_gammon() {
        assert_eq!(lost(&[(25, 14)]), Some(Outcome::Win));
        assert_eq!(lost(&[(7, 15)]), Some(Outcome::WinGammon));
    }

    #[test]
    fn a_checker_on_the_bar_or_in_the_winners_home_makes_it_a_backgammon() {
        assert_eq!(lost(&[(1, 14), (25, 1)]), Some(Outcome::WinBackgammon));
        assert_eq!(lost(&[(1, 14), (19, 1)]), Some(Outcome::WinBackgammon));
        assert_eq!(lost(&[(1, 14), (18, 1)]), Some(Outcome::WinGammon));
    }

    #[test]
    fn a_flip_gives_the_same_end_for_the_other_player() {
        for outcome in Outcome::ALL {
            assert_eq!(outcome.flipped().points(), -outcome.points());
            assert_eq!(Outcome::ALL[outcome.index()], outcome);
        }
        let p = Position::from_sides(&[(24, 15)], &[]).expect("legal");
        assert_eq!(p.outcome(), Some(Outcome::LoseBackgammon));
        assert_eq!(Position::START.outcome(), None);
    }
}
