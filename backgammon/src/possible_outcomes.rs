//! Which ends of a game the rules still allow.

use super::board_view::{BoardView, SideView, zone};
use super::{Outcome, Position};

/// A set of outcomes: those that some dice and some legal plays can still lead to.
///
/// The set never leaves out an outcome that can happen. Three rules shrink it:
///
/// - A side that has borne off a checker loses no gammon and no backgammon.
/// - Without contact no checker is hit. So a side loses a backgammon only with a checker that is
///   still in the winner's home board.
/// - Without contact the number of turns that a side needs has bounds. The fewest come from rolls
///   of 66, the most from rolls of 21 and the shortest moves. If even the slow side is home first,
///   the other side cannot win. If even the quick loser is too late, the gammon is certain.
///
/// With contact a checker can always be hit, so only the first rule holds there.
///
/// ```
/// use backgammon::{Outcome, Position, PossibleOutcomes};
///
/// assert_eq!(Position::START.possible_outcomes(), PossibleOutcomes::ALL);
/// // The opponent has one checker left, on the ace point, and has borne off fourteen.
/// let position = Position::from_sides(&[(6, 2)], &[(1, 1)])?;
/// let possible = position.possible_outcomes();
/// assert!(possible.contains(Outcome::Lose) && !possible.contains(Outcome::WinGammon));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PossibleOutcomes(u8);

/// The outcomes of one side, by their place in [`Outcome::ALL`] less that of the side's first.
const PLAIN: u8 = 1;
const GAMMON: u8 = 2;
const BACKGAMMON: u8 = 4;
/// The place of the first loss in [`Outcome::ALL`].
const LOSSES: u8 = 3;

impl PossibleOutcomes {
    /// Every outcome.
    pub const ALL: PossibleOutcomes = PossibleOutcomes(0b11_1111);

    /// One outcome alone.
    #[must_use]
    pub const fn only(outcome: Outcome) -> PossibleOutcomes {
        PossibleOutcomes(1 << outcome.index())
    }

    /// Whether the outcome is in the set.
    #[inline(always)]
    #[must_use]
    pub const fn contains(self, outcome: Outcome) -> bool {
        self.0 >> outcome.index() & 1 != 0
    }

    /// Whether every outcome is in the set.
    #[inline(always)]
    #[must_use]
    pub const fn is_all(self) -> bool {
        self.0 == PossibleOutcomes::ALL.0
    }

    /// The outcomes of the set, in the order of [`Outcome::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Outcome> {
        Outcome::ALL.into_iter().filter(move |outcome| self.contains(*outcome))
    }

    /// The fewest and the most points that a side can win: the player on roll is side 0, the
    /// opponent side 1. `None` if that side cannot win.
    #[inline]
    #[must_use]
    pub const fn points_of_side(self, side: usize) -> Option<(u8, u8)> {
        let ways = if side == 0 { self.0 & 0b111 } else { self.0 >> LOSSES };
        match ways {
            0 => None,
            ways => Some((ways.trailing_zeros() as u8 + 1, 8 - ways.leading_zeros() as u8)),
        }
    }

    /// The lowest and the highest result, in points for the player on roll.
    #[inline]
    #[must_use]
    pub const fn points(self) -> (i8, i8) {
        match (self.points_of_side(0), self.points_of_side(1)) {
            (Some((_, most)), Some((_, lost))) => (-(lost as i8), most as i8),
            (Some((least, most)), None) => (least as i8, most as i8),
            (None, Some((least, lost))) => (-(lost as i8), -(least as i8)),
            (None, None) => (0, 0),
        }
    }

    /// The same set, seen by the other player.
    #[must_use]
    pub const fn flipped(self) -> PossibleOutcomes {
        PossibleOutcomes((self.0 >> LOSSES | self.0 << LOSSES) & PossibleOutcomes::ALL.0)
    }
}

impl Position {
    /// The outcomes that can still happen, for the player on roll; the one that has, if the game
    /// is over.
    #[must_use]
    pub fn possible_outcomes(&self) -> PossibleOutcomes {
        match self.outcome() {
            Some(outcome) => PossibleOutcomes::only(outcome),
            None => BoardView::of(self).possible_outcomes(),
        }
    }
}

impl BoardView {
    /// The outcomes that can still happen, for the player on roll. The game must not be over.
    #[inline(always)]
    #[must_use]
    pub fn possible_outcomes(&self) -> PossibleOutcomes {
        if self.contact() {
            let [losses, wins] = [self.own.left(), self.opponent.left()].map(|left| {
                if left == self.checkers { PLAIN | GAMMON | BACKGAMMON } else { PLAIN }
            });
            return PossibleOutcomes(wins | losses << LOSSES);
        }
        self.possible_outcomes_of_race()
    }

    /// Kept out of the hot path: most positions have contact.
    #[inline(never)]
    fn possible_outcomes_of_race(&self) -> PossibleOutcomes {
        let (own, opponent, checkers) = (&self.own, &self.opponent, self.checkers);
        // The player on roll ends the game in turn t after t - 1 turns of the opponent. The
        // opponent ends it in turn t after t turns of the player on roll.
        let wins = if fewest_turns(own) > most_turns(opponent) {
            0
        } else {
            won_by([own, opponent], 1, checkers)
        };
        let losses = if fewest_turns(opponent) >= most_turns(own) {
            0
        } else {
            won_by([opponent, own], 0, checkers)
        };
        PossibleOutcomes(wins | losses << LOSSES)
    }
}

/// How the winner can win a race, if the loser has `fewer` turns less until then and began with
/// this number of checkers.
fn won_by([winner, loser]: [&SideView; 2], fewer: u16, checkers: u8) -> u8 {
    if loser.left() < checkers {
        return PLAIN;
    }
    let fewest = fewest_turns(winner) - fewer;
    let most = most_turns(winner) - fewer;
    let mut ways = PLAIN;
    if fewest < most_turns_to_bear_off(loser) {
        ways |= GAMMON;
        if loser.held & zone::BACK != 0 {
            ways |= BACKGAMMON;
        }
    }
    let (left, crossed) = (
        u16::from(loser.crossovers() + 1).div_ceil(4),
        u16::from(loser.checkers(19, 24)).div_ceil(4),
    );
    if left > most {
        ways &= !PLAIN;
    }
    if crossed > most {
        ways &= !GAMMON;
    }
    ways
}

/// A side bears off at most four checkers in a turn, and moves at most 24 pips.
fn fewest_turns(side: &SideView) -> u16 {
    u16::from(side.left()).div_ceil(4).max(side.pips().div_ceil(24))
}

/// In a race every die is played. A turn takes off at least three pips, or two pips and two
/// checkers from the ace point.
fn most_turns(side: &SideView) -> u16 {
    let pairs = u16::from(side.left() / 2);
    pairs + (side.pips() - 2 * pairs).div_ceil(3)
}

/// The most turns until the first of all checkers is off. They can give away all pips but one each,
/// at least three a turn, before one must go.
fn most_turns_to_bear_off(side: &SideView) -> u16 {
    (side.pips() - u16::from(side.left())) / 3 + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn possible(own: &[(usize, i8)], opponent: &[(usize, i8)]) -> Vec<Outcome> {
        let position = Position::from_sides(own, opponent).expect("legal");
        let possible = position.possible_outcomes();
        assert_eq!(possible.flipped().flipped(), possible);
        possible.iter().collect()
    }

    #[test]
    fn a_checker_off_excludes_gammons_even_with_contact() {
        use Outcome::{Lose, Win};
        assert_eq!(possible(&[(25, 1), (3, 2)], &[(6, 2), (24, 1)]), [Win, Lose]);
        let fifteen = [(24, 1), (6, 14)];
        assert_eq!(possible(&fifteen, &[(24, 1), (3, 13)]).len(), 4);
        assert_eq!(possible(&fifteen, &[(24, 1), (3, 14)]).len(), 6);
    }

    #[test]
    fn a_race_has_no_backgammon_without_a_checker_in_the_winners_home() {
        let long = [(6, 14), (1, 1)];
        assert!(!possible(&long, &[(18, 1), (6, 14)]).contains(&Outcome::WinBackgammon));
        assert!(
            possible(&[(5, 14), (1, 1)], &[(19, 1), (6, 14)]).contains(&Outcome::WinBackgammon)
        );
    }

    #[test]
    fn what_no_dice_can_change_is_certain() {
        use Outcome::{Lose, Win, WinBackgammon, WinGammon};
        assert_eq!(possible(&[(1, 2)], &[(1, 1)]), [Win]);
        assert_eq!(possible(&[(1, 3)], &[(1, 1)]), [Win, Lose]);
        assert_eq!(possible(&[(6, 5)], &[(1, 2)]), [Lose]);
        assert_eq!(possible(&[(1, 2)], &[(7, 15)]), [WinGammon]);
        assert_eq!(possible(&[(1, 2)], &[(19, 1), (6, 14)]), [WinBackgammon]);
        assert_eq!(possible(&[(1, 2)], &[(6, 15)]), [WinGammon]);
        assert_eq!(possible(&[(1, 4)], &[(6, 15)]), [Win, WinGammon]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        /// Plays games from positions of every kind, short ones above all, by chance to the end.
        /// What happens was possible all the time. Nothing becomes possible again.
        #[test]
        fn no_game_ends_as_its_positions_exclude(
            own in proptest::collection::vec(1usize..=25, 1..=15),
            opponent in proptest::collection::vec(1usize..=25, 1..=15),
            scale in 1usize..=25,
            checkers in prop_oneof![Just(15u8), 1u8..=15],
            seed in any::<u64>(),
        ) {
            let [own, opponent] =
                [own, opponent].map(|all| all[..all.len().min(checkers.into())].to_vec());
            let place = |points: &[usize], taken: &[(usize, i8)]| -> Vec<(usize, i8)> {
                let mut counts = [0i8; 26];
                points.iter().for_each(|p| counts[(p - 1) % scale + 1] += 1);
                let free = |p: &usize| counts[*p] > 0 && taken.iter().all(|(q, _)| p + q != 25);
                (1..26).filter(free).map(|p| (p, counts[p])).collect()
            };
            let own = place(&own, &[]);
            let opponent = place(&opponent, &own);
            let position = Position::from_sides(&own, &opponent);
            prop_assume!(!opponent.is_empty() && position.is_ok());
            let position = position.expect("assumed").in_game_of(checkers);
            let mut position = position.expect("few enough");
            let mut state = seed | 1;
            let mut next = |below: usize| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as usize % below
            };
            let mut seen = Vec::new();
            let mut results = crate::Results::default();
            for turn in 0..2_000 {
                prop_assert_eq!(position.checkers_at_start(), checkers);
                seen.push(position.possible_outcomes());
                if let [.., before, now] = seen[..] {
                    prop_assert!(now.flipped().iter().all(|outcome| before.contains(outcome)));
                }
                if let Some(outcome) = position.outcome() {
                    let (mut outcome, mut left) = (outcome, turn);
                    for possible in seen.iter().rev() {
                        prop_assert!(possible.contains(outcome), "{outcome:?} after {left} turns");
                        outcome = outcome.flipped();
                        left -= left.min(1);
                    }
                    break;
                }
                let dice = crate::Dice::new(next(6) as u8 + 1, next(6) as u8 + 1).expect("dice");
                let all = results.of(&position, dice);
                position = all[next(all.len())];
            }
        }
    }
}
