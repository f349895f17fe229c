//! Home boards: the checkers of one side on its six home points, numbered for use as an index.

use crate::backgammon::{CHECKERS, Dice, Position, Results};

/// Points of a home board.
pub(super) const POINTS: usize = 6;

/// Checkers on the points 1 to 6.
pub(super) type Home = [u8; POINTS];

/// `CHOOSE[n][k]`: the binomial coefficient n over k.
const CHOOSE: [[u32; POINTS + 1]; 22] = {
    let mut table = [[0; POINTS + 1]; 22];
    let mut n = 0;
    while n < 22 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= POINTS && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of home boards of up to `checkers` (at most 15) checkers, the empty board included.
pub(super) const fn homes(checkers: u8) -> usize {
    CHOOSE[checkers as usize + POINTS][POINTS] as usize
}

/// The number of a home board: the sum of C(s + k - 1, k) for k = 1..=6.
///
/// Here s checkers stand on the k highest points. This is the combinatorial number system; GNU
/// Backgammon uses the same numbers.
///
/// No sum grows when a checker moves forward or off. So every play leads to a lower number, and
/// boards with fewer checkers have lower numbers.
#[inline(always)]
pub(super) fn number(home: &Home) -> usize {
    let (mut sum, mut number) = (0, 0);
    for k in 1..=POINTS {
        sum += home[POINTS - k] as usize;
        number += CHOOSE[(sum + k - 1) % 22][k];
    }
    number as usize
}

/// The home board of a number below [`homes`]`(15)`.
pub(super) fn board(number: usize) -> Home {
    let (mut home, mut rest, mut above) = ([0; POINTS], number as u32, None);
    for k in (1..=POINTS).rev() {
        let mut sum = 0;
        while sum < 15 && CHOOSE[sum + k][k] <= rest {
            sum += 1;
        }
        rest -= CHOOSE[sum + k - 1][k];
        // `above` checkers stand on the k + 1 highest points: the difference on the lowest of them.
        if let Some(above) = above.replace(sum) {
            home[POINTS - 1 - k] = (above - sum) as u8;
        }
    }
    home[POINTS - 1] = above.unwrap_or(0) as u8;
    home
}

/// The pip count.
pub(super) fn pips(home: &Home) -> usize {
    home.iter().zip(1..).map(|(&n, point)| usize::from(n) * point).sum()
}

/// The numbers of the home boards that the legal plays of a roll lead to, by the ordinary move
/// generator.
pub(super) fn plays<'a>(
    home: &Home,
    dice: Dice,
    results: &'a mut Results,
) -> impl Iterator<Item = usize> + 'a {
    let mut points = [0i8; 26];
    for (point, &n) in points[1..=POINTS].iter_mut().zip(home) {
        *point = n.cast_signed();
    }
    // The opponent has no influence: their last checker is on their own 1 point.
    points[24] = -1;
    let found = Position::new(points).map(|position| results.of(&position, dice)).unwrap_or(&[]);
    found.iter().map(|after| number(&theirs(after)))
}

/// The home board of the player on roll.
#[inline(always)]
pub(super) fn own(position: &Position) -> Home {
    std::array::from_fn(|i| position.points()[i + 1].max(0).unsigned_abs())
}

/// The home board of the opponent.
#[inline(always)]
pub(super) fn theirs(position: &Position) -> Home {
    std::array::from_fn(|i| position.points()[24 - i].min(0).unsigned_abs())
}

/// Whether both sides have checkers left, all of them in their home boards, in a game of 15
/// checkers. In a game of fewer checkers other gammons are possible.
#[inline(always)]
#[must_use]
pub fn both_home(position: &Position) -> bool {
    let points = position.points();
    let outside = |n: &i8| *n == 0;
    position.checkers_at_start() == CHECKERS.unsigned_abs()
        && points[0] == 0
        && points[25] == 0
        && points[7..=18].iter().all(outside)
        && points[1..=6].iter().all(|&n| n >= 0)
        && points[19..=24].iter().all(|&n| n <= 0)
        && points[1..=6].iter().any(|&n| n > 0)
        && points[19..=24].iter().any(|&n| n < 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_one_board() {
        assert_eq!((homes(15), homes(6)), (54_264, 924));
        for i in 0..homes(15) {
            let home = board(i);
            assert_eq!(number(&home), i, "{home:?}");
            assert!((home.iter().sum::<u8>() <= 6) == (i < homes(6)));
        }
    }

    #[test]
    fn every_play_leads_to_a_lower_number() {
        let mut results = Results::default();
        for i in (1..homes(15)).step_by(501) {
            for dice in Dice::ALL {
                assert!(plays(&board(i), dice, &mut results).all(|next| next < i));
            }
        }
        let last: Vec<usize> = plays(&[1, 0, 0, 0, 0, 0], Dice::ALL[0], &mut results).collect();
        assert_eq!(last, [0]);
    }
}
