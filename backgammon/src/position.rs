//! What stands on the board, and which arrangements can stand there at all.

use std::fmt;

use crate::Side;

/// Checkers of each side.
pub const CHECKERS: i8 = 15;

/// The checkers of both sides, seen by the player on roll.
///
/// `points[1..=24]` holds own checkers as positive and the opponent's as negative numbers; own home
/// board is 1 to 6. `points[25]` is the own bar (never negative), `points[0]` the opponent's bar
/// (never positive). Checkers missing to [`Position::checkers_at_start`], mostly 15, have been
/// borne off. These rules hold for every value of this type. A side has at most that many checkers,
/// and at least one side has one or more.
///
/// ```
/// use backgammon::Position;
///
/// let start = Position::START;
/// assert_eq!((start.pips(), start.opponent_pips()), (167, 167));
/// assert_eq!(start.flipped(), start);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(align(32))]
pub struct Position {
    /// The 26 entries, five zeros, and at [`FEWER`] how many checkers fewer than 15 each side began
    /// the game with: one AVX register.
    points: [i8; PADDED],
}

const PADDED: usize = 32;
/// The last entry; the same seen by both players.
const FEWER: usize = PADDED - 1;

const fn padded(points: [i8; 26]) -> [i8; PADDED] {
    let mut room = [0; PADDED];
    let mut i = 0;
    while i < 26 {
        room[i] = points[i];
        i += 1;
    }
    room
}

/// Why an arrangement of checkers is not a position.
///
/// ```
/// use backgammon::{Position, PositionError};
///
/// let both_on_six = Position::from_sides(&[(6, 2)], &[(19, 2)]);
/// assert_eq!(both_on_six, Err(PositionError::SharedPoint(6)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// More than 15 checkers of one side.
    #[error("invalid number of checkers {checkers} of {side}: expected at most {CHECKERS}")]
    TooMany {
        /// The side of the checkers.
        side: Side,
        /// How many stand on the board.
        checkers: u32,
    },
    /// A bar holds checkers of the wrong side.
    #[error("invalid bar of {0}: expected checkers of that side only")]
    WrongBar(Side),
    /// Both sides have checkers on one point, counted by the player on roll.
    #[error("invalid point {0} of the player on roll: expected checkers of one side, found both")]
    SharedPoint(usize),
    /// Neither side has a checker left.
    #[error("invalid position: expected checkers of at least one side, found none")]
    BothFinished,
}

impl Position {
    /// The start of a game.
    pub const START: Position = Position {
        points: padded([
            0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0,
        ]),
    };

    /// Checks an arrangement in the layout of the type.
    ///
    /// # Errors
    /// [`PositionError`] names the rule that is broken.
    pub fn new(points: [i8; 26]) -> Result<Position, PositionError> {
        if points[25] < 0 {
            return Err(PositionError::WrongBar(Side::Own));
        }
        if points[0] > 0 {
            return Err(PositionError::WrongBar(Side::Opponent));
        }
        let own: u32 = points.iter().map(|&n| u32::from(n.max(0).unsigned_abs())).sum();
        let opponent: u32 = points.iter().map(|&n| u32::from(n.min(0).unsigned_abs())).sum();
        for (side, checkers) in [(Side::Own, own), (Side::Opponent, opponent)] {
            check_number(side, checkers)?;
        }
        if own == 0 && opponent == 0 {
            return Err(PositionError::BothFinished);
        }
        Ok(Position { points: padded(points) })
    }

    /// A position from `(point, checkers)` pairs, each side counting from its own home board, bar
    /// 25.
    ///
    /// # Errors
    /// As [`Position::new`], and when both sides claim one point. A negative number of checkers
    /// stands for those of the other side, which have no place in the pairs of this one.
    ///
    /// # Panics
    /// If a point is not in 1..=25.
    pub fn from_sides(
        own: &[(usize, i8)],
        opponent: &[(usize, i8)],
    ) -> Result<Position, PositionError> {
        for &(point, _) in own.iter().chain(opponent) {
            assert!((1..=25).contains(&point), "points run from 1 to 25 (the bar), not {point}");
        }
        let mut points = [0i8; 26];
        for (side, counts) in [(Side::Own, own), (Side::Opponent, opponent)] {
            let all = counts.iter().map(|&(_, n)| u32::from(n.max(0).unsigned_abs())).sum();
            check_number(side, all)?;
            for &(point, checkers) in counts {
                let (place, sign) = if side == Side::Own { (point, 1) } else { (25 - point, -1) };
                if checkers < 0 && point == 25 {
                    return Err(PositionError::WrongBar(side));
                }
                if checkers < 0 || points[place] * sign < 0 {
                    return Err(PositionError::SharedPoint(place));
                }
                points[place] += sign * checkers;
            }
        }
        Position::new(points)
    }

    /// The same board in a game that each side began with this number of checkers, as in
    /// hypergammon. `None` if a side has more, or if it is above 15.
    ///
    /// ```
    /// use backgammon::{Outcome, Position};
    ///
    /// let board = Position::from_sides(&[(1, 1)], &[(1, 3)])?;
    /// let hypergammon = board.in_game_of(3).expect("three checkers at most");
    /// assert!(!board.possible_outcomes().contains(Outcome::WinGammon));
    /// assert!(hypergammon.possible_outcomes().contains(Outcome::WinGammon));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn in_game_of(mut self, checkers: u8) -> Option<Position> {
        let most = self.own_left().max(self.opponent_left());
        if !(most..=CHECKERS.unsigned_abs()).contains(&checkers) {
            return None;
        }
        self.points[FEWER] = CHECKERS - checkers.cast_signed();
        Some(self)
    }

    /// Checkers that each side began the game with: 15, in hypergammon 3.
    #[inline(always)]
    #[must_use]
    pub const fn checkers_at_start(&self) -> u8 {
        (CHECKERS - self.points[FEWER]).cast_unsigned()
    }

    /// For generators that keep the invariant by construction.
    #[inline(always)]
    pub(super) fn from_padded_unchecked(points: [i8; PADDED]) -> Position {
        let position = Position { points };
        debug_assert!(
            Position::new(*position.points()).is_ok() && points[26..FEWER] == [0; 5],
            "{points:?}"
        );
        position
    }

    /// The same board seen by the other player: the one place where sides change.
    #[inline(always)]
    #[must_use]
    pub fn flipped(&self) -> Position {
        let mut points = [0i8; PADDED];
        for (point, n) in points.iter_mut().zip(self.points().iter().rev()) {
            *point = -n;
        }
        points[FEWER] = self.points[FEWER];
        Position { points }
    }

    /// All 26 entries in the layout of the type.
    #[inline(always)]
    #[must_use]
    pub const fn points(&self) -> &[i8; 26] {
        match self.points.first_chunk() {
            Some(points) => points,
            None => unreachable!(),
        }
    }

    /// The same and six more, for vectors of 32. What they hold is the same in the whole game, and
    /// 0 if it began with 15 checkers.
    #[inline(always)]
    #[must_use]
    pub const fn padded_points(&self) -> &[i8; PADDED] {
        &self.points
    }

    /// Own checkers on each point, bar 25.
    #[inline(always)]
    #[must_use]
    pub(super) fn own_counts(&self) -> [u8; PADDED] {
        let mut counts = self.points.map(|n| n.max(0).unsigned_abs());
        counts[FEWER] = 0;
        counts
    }

    /// The opponent's checkers on each point, in the opponent's numbering.
    #[inline(always)]
    #[must_use]
    pub(super) fn opponent_counts(&self) -> [u8; PADDED] {
        self.flipped().own_counts()
    }

    /// Own checkers on a point, 0..=15: 1 to 24, or 25 for the bar. The number is 0 for point 0 and
    /// means nothing for 26 to 31.
    ///
    /// # Panics
    /// If the point is above 31.
    #[inline(always)]
    #[must_use]
    pub fn own(&self, point: usize) -> u8 {
        self.points[point].max(0).unsigned_abs()
    }

    /// Own checkers still on the board or the bar, 0..=15.
    #[inline(always)]
    #[must_use]
    pub fn own_left(&self) -> u8 {
        let all = self.points.iter().map(|&n| n.max(0)).sum::<i8>();
        (all - self.points[FEWER]).unsigned_abs()
    }

    /// The opponent's checkers still on the board or the bar, 0..=15.
    #[inline(always)]
    #[must_use]
    pub fn opponent_left(&self) -> u8 {
        self.points.iter().map(|&n| n.min(0)).sum::<i8>().unsigned_abs()
    }

    /// Pip count of the player on roll, 0..=375.
    #[inline(always)]
    #[must_use]
    pub fn pips(&self) -> u16 {
        let weigh = |(i, &n): (usize, &i8)| i as i16 * i16::from(n.max(0));
        self.points().iter().enumerate().map(weigh).sum::<i16>().unsigned_abs()
    }

    /// Pip count of the opponent, 0..=375.
    #[inline(always)]
    #[must_use]
    pub fn opponent_pips(&self) -> u16 {
        let weigh = |(i, &n): (usize, &i8)| (25 - i as i16) * i16::from(-n.min(0));
        self.points().iter().enumerate().map(weigh).sum::<i16>().unsigned_abs()
    }
}

/// Refuses more checkers of a side than a game has.
fn check_number(side: Side, checkers: u32) -> Result<(), PositionError> {
    if checkers > CHECKERS.unsigned_abs().into() {
        return Err(PositionError::TooMany { side, checkers });
    }
    Ok(())
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoardView, Results};

    #[test]
    fn a_flip_is_its_own_inverse_and_swaps_the_pip_counts() {
        let p = Position::from_sides(&[(25, 1), (6, 4)], &[(3, 2), (25, 2)]).expect("legal");
        assert_eq!(p.flipped().flipped(), p);
        assert_eq!((p.pips(), p.opponent_pips()), (49, 56));
        assert_eq!((p.flipped().pips(), p.flipped().opponent_pips()), (56, 49));
        assert_eq!((p.own_left(), p.opponent_left()), (5, 4));
    }

    #[test]
    fn a_board_of_fewer_checkers_differs_in_nothing_that_is_counted() {
        let board = Position::from_sides(&[(25, 1), (3, 2)], &[(25, 1), (6, 2)]).expect("legal");
        assert_eq!(board.in_game_of(2), None, "three are there");
        assert_eq!(board.in_game_of(16), None);
        for checkers in 3..=15 {
            let few = board.in_game_of(checkers).expect("three checkers");
            assert_eq!((few == board, few.checkers_at_start()), (checkers == 15, checkers));
            assert_eq!(few.flipped().flipped(), few);
            assert_eq!(few.flipped().checkers_at_start(), checkers);
            let counted = |p: &Position| {
                let view = BoardView::of(p);
                ([p.own_left(), p.opponent_left()], [p.pips(), p.opponent_pips()], view.own)
            };
            assert_eq!(counted(&few), counted(&board));
            let dice = "31".parse().expect("a roll");
            let all = |p: &Position| Results::default().of(p, dice).to_vec();
            let plays: Vec<Position> = all(&few).into_iter().collect();
            assert!(plays.iter().all(|after| after.checkers_at_start() == checkers));
            let plain = plays.iter().map(|after| after.in_game_of(15).expect("more"));
            assert_eq!(plain.collect::<Vec<_>>(), all(&board));
            let shown = crate::candidates(&few, dice);
            assert!(shown.iter().all(|play| play.after.checkers_at_start() == checkers));
        }
    }

    #[test]
    fn impossible_boards_are_refused_by_name() {
        let sixteen = Position::from_sides(&[(6, 16)], &[(6, 1)]);
        assert_eq!(sixteen, Err(PositionError::TooMany { side: Side::Own, checkers: 16 }));
        assert_eq!(Position::new([0; 26]), Err(PositionError::BothFinished));
        let mut wrong = [0i8; 26];
        wrong[25] = -1;
        assert_eq!(Position::new(wrong), Err(PositionError::WrongBar(Side::Own)));
        assert!(
            Position::from_sides(&[(6, 1)], &[(19, 1)]).is_err(),
            "two sides cannot share a point"
        );
    }

    #[test]
    fn extreme_counts_do_not_overflow() {
        let mut points = [0i8; 26];
        points[3] = i8::MAX;
        points[4] = i8::MAX;
        assert_eq!(
            Position::new(points),
            Err(PositionError::TooMany { side: Side::Own, checkers: 254 })
        );
        let (many, one) = ([(6, 100), (6, 100)], [(1, 1)]);
        for (side, own, opponent) in
            [(Side::Own, &many[..], &one[..]), (Side::Opponent, &one[..], &many[..])]
        {
            let too_many = PositionError::TooMany { side, checkers: 200 };
            assert_eq!(Position::from_sides(own, opponent), Err(too_many));
        }
    }

    #[test]
    fn negative_counts_are_those_of_the_other_side() {
        for (own, opponent, error) in [
            ([(6, -2)], [(6, 2)], PositionError::SharedPoint(6)),
            ([(6, 2)], [(6, i8::MIN)], PositionError::SharedPoint(19)),
            ([(25, -1)], [(6, 2)], PositionError::WrongBar(Side::Own)),
            ([(6, 2)], [(25, -1)], PositionError::WrongBar(Side::Opponent)),
        ] {
            assert_eq!(Position::from_sides(&own, &opponent), Err(error));
        }
    }
}
