//! The fast move generator: every distinct position a roll can lead to, without the moves,
//! allocation or duplicates.
//!
//! The engine calls it about a million times a second. Notation, records and servers use a second
//! generator, which plays die by die (`checker_moves`). This one does not record moves: without
//! them it can order the moves so that most duplicates never arise. A property test compares both
//! generators with rules written for tests (`tests/all/rules.rs`).

use super::board_view::own_and_blocked;
use super::{Dice, Position};

/// The bar of the player who moves.
const BAR: u32 = 25;
/// Points 1 to 6.
const HOME: u32 = 0b111_1110;

/// A buffer that holds the distinct results of one roll and is used again for the next.
///
/// ```
/// use backgammon::{Dice, Position, Results};
///
/// let mut results = Results::default();
/// let mut total = 0;
/// for dice in Dice::ALL {
///     total += results.of(&Position::START, dice).len();
/// }
/// assert_eq!(total, 447);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Results {
    found: Vec<Position>,
    keys: Vec<u128>,
}

impl Results {
    /// All positions that a legal play of `dice` leads to, each once, **with the opponent on
    /// roll**.
    ///
    /// The order depends on nothing but the arguments. A roll that cannot be played leads to the
    /// same board with the opponent on roll. So there is always at least one result.
    ///
    /// The position must not be finished: a player with no checkers left "plays" nothing.
    pub fn of(&mut self, position: &Position, dice: Dice) -> &[Position] {
        self.found.clear();
        self.keys.clear();
        let turn = TurnMoves::new(position);
        if dice.is_double() {
            let mut best = 0;
            self.doubles(&turn, u32::from(dice.high()), BAR, 0, &mut best);
        } else {
            self.two_dice(&turn, u32::from(dice.high()), u32::from(dice.low()));
        }
        if self.found.is_empty() {
            self.found.push(position.flipped());
        }
        &self.found
    }

    /// The results of the last call.
    #[must_use]
    pub fn as_slice(&self) -> &[Position] {
        &self.found
    }

    #[inline(always)]
    fn push_once(&mut self, turn: &TurnMoves) {
        if !self.keys.contains(&turn.key) {
            self.keys.push(turn.key);
            self.found.push(turn.position());
        }
    }

    /// Equal moves commute. So playing them from the rearmost checker forward meets every result
    /// exactly once. It also finds the largest number of moves that can be made.
    fn doubles(&mut self, turn: &TurnMoves, die: u32, rearmost: u32, made: u32, best: &mut u32) {
        let mut sources = if made == 4 { 0 } else { turn.sources(die) & ((2 << rearmost) - 1) };
        if sources == 0 {
            if made > *best {
                *best = made;
                self.found.clear();
            }
            if made == *best && made > 0 {
                self.found.push(turn.position());
            }
            return;
        }
        while sources != 0 {
            let from = 31 - sources.leading_zeros();
            sources ^= 1 << from;
            let mut next = *turn;
            next.step(from, die);
            self.doubles(&next, die, from, made + 1, best);
        }
    }

    fn two_dice(&mut self, turn: &TurnMoves, high: u32, low: u32) {
        let first_high = turn.sources(high);
        let first_low = turn.sources(low);
        for from in bits(first_high) {
            let mut half = *turn;
            half.step(from, high);
            for then in bits(half.sources(low)) {
                let mut full = half;
                full.step(then, low);
                self.push_once(&full);
            }
        }
        for from in bits(first_low) {
            let mut half = *turn;
            half.step(from, low);
            let mut second = half.sources(high);
            if turn.moves_commute() {
                // A checker that could have played the higher die first was met above, with this
                // lower die after it. Only the checker just moved, or the last one of this point,
                // can lead to something new.
                second &= !(first_high & !(1 << from));
            }
            for then in bits(second) {
                let mut full = half;
                full.step(then, high);
                self.push_once(&full);
            }
        }
        if self.found.is_empty() {
            // Only one die can be played: the higher one if it can be.
            let (sources, die) =
                if first_high != 0 { (first_high, high) } else { (first_low, low) };
            for from in bits(sources) {
                let mut only = *turn;
                only.step(from, die);
                self.push_once(&only);
            }
        }
    }
}

/// The set bits of a mask in ascending order.
#[inline(always)]
fn bits(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros();
            mask &= mask - 1;
            bit
        })
    })
}

/// A turn in progress.
///
/// The board is as the *opponent* sees it, because the opponent plays on from every result. The
/// mover's checkers are a mask in the mover's own numbering.
#[derive(Clone, Copy)]
struct TurnMoves {
    after: [i8; 32],
    own: u32,
    /// Points the opponent holds with two or more; a turn cannot change them.
    blocked: u32,
    /// Names the result. Four bits count the own checkers on each of the points 1 to 25. One bit
    /// for each of the 24 points says whether a checker was hit there. Together with the position
    /// before the roll that is the whole board.
    key: u128,
}

impl TurnMoves {
    #[inline(always)]
    fn new(position: &Position) -> TurnMoves {
        let (own, blocked) = own_and_blocked(position);
        let mut key = 0;
        for from in bits(own) {
            key |= u128::from(position.own(from as usize)) << (4 * from);
        }
        TurnMoves {
            after: *position.flipped().padded_points(),
            own: own & !1,
            blocked: blocked & !1,
            key,
        }
    }

    #[inline(always)]
    fn position(&self) -> Position {
        Position::from_padded_unchecked(self.after)
    }

    /// Whether no checker is on the bar, and checkers stand on two points outside the home board.
    /// One of them is still outside after the first die, so nothing is borne off. Then two
    /// different dice can move their checkers in either order.
    #[inline(always)]
    fn moves_commute(&self) -> bool {
        self.own & (1 << BAR) == 0 && (self.own & !HOME).count_ones() > 1
    }

    /// The points from which one checker can legally move `die` pips.
    #[inline(always)]
    fn sources(&self, die: u32) -> u32 {
        if self.own & (1 << BAR) != 0 {
            let enters = self.blocked & (1 << (BAR - die)) == 0;
            return u32::from(enters) << BAR;
        }
        let on_board = self.own & !(self.blocked << die) & (!0 << (die + 1));
        if self.own & !HOME != 0 || self.own == 0 {
            return on_board;
        }
        let rearmost = 31 - self.own.leading_zeros();
        // An exact checker may always go; a higher die takes the rearmost one.
        let off = if rearmost < die { 1 << rearmost } else { self.own & (1 << die) };
        on_board | off
    }

    /// Moves one checker; the move must be among [`TurnMoves::sources`].
    #[inline(always)]
    fn step(&mut self, from: u32, die: u32) {
        let at = &mut self.after[(25 - from) as usize];
        *at += 1;
        if *at == 0 {
            self.own ^= 1 << from;
        }
        self.key -= 1 << (4 * from);
        if from > die {
            let to = from - die;
            self.own |= 1 << to;
            self.key += 1 << (4 * to);
            let index = (25 - to) as usize;
            if self.after[index] == 1 {
                self.after[index] = -1;
                self.after[25] += 1;
                self.key += 1 << (103 + to);
            } else {
                self.after[index] -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(own: &[(usize, i8)], opponent: &[(usize, i8)], dice: &str) -> Vec<Position> {
        let position = Position::from_sides(own, opponent).expect("legal");
        Results::default().of(&position, dice.parse().expect("a roll")).to_vec()
    }

    /// The position after a play, as the mover describes it.
    fn after(own: &[(usize, i8)], opponent: &[(usize, i8)]) -> Position {
        Position::from_sides(own, opponent).expect("legal").flipped()
    }

    #[test]
    fn must_play_the_higher_die_when_only_one_can_be_played() {
        // X on 24 and 1; O holds 17 (24/18/17 and 24/23/17 are blocked). Either die can be played
        // alone, not both.
        let o = [(25 - 17, 2)];
        assert_eq!(results(&[(24, 1)], &o, "61"), [after(&[(18, 1)], &o)]);
    }

    #[test]
    fn must_play_the_lower_die_when_the_higher_one_is_blocked() {
        let o = [(25 - 18, 2), (25 - 17, 2)];
        assert_eq!(results(&[(24, 1)], &o, "61"), [after(&[(23, 1)], &o)]);
    }

    #[test]
    fn must_play_both_dice_if_any_order_allows_it() {
        // 13/12 first would leave no 6 (O holds 6 and 7); 13/7 is blocked, so only 8/2 with 13/12
        // or 2/1 uses both.
        let o = [(25 - 7, 2), (25 - 6, 2)];
        let found = results(&[(13, 1), (8, 1)], &o, "61");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.contains(&after(&[(12, 1), (2, 1)], &o)));
        assert!(found.contains(&after(&[(13, 1), (1, 1)], &o)));
    }

    #[test]
    fn a_checker_on_the_bar_enters_before_anything_else_moves() {
        // O holds all of the home board but the 3 point (own 22): only the 3 enters, and then the 5
        // is free.
        let o = [(1, 2), (2, 2), (4, 2), (5, 2), (6, 2)];
        let found = results(&[(25, 1), (6, 2)], &o, "53");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.contains(&after(&[(22, 1), (6, 1), (1, 1)], &o)));
        assert!(found.contains(&after(&[(17, 1), (6, 2)], &o)));
    }

    #[test]
    fn two_checkers_on_the_bar_and_one_entry_leave_the_other_there() {
        let o = [(1, 2), (2, 2), (4, 2), (5, 2), (6, 2)];
        assert_eq!(results(&[(25, 2), (6, 2)], &o, "53"), [after(&[(25, 1), (22, 1), (6, 2)], &o)]);
    }

    #[test]
    fn a_closed_board_leaves_nothing_to_play() {
        let o = [(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2)];
        let mine = [(25, 1), (6, 2)];
        assert_eq!(results(&mine, &o, "66"), [after(&mine, &o)]);
    }

    #[test]
    fn both_bars_occupied_only_the_own_one_matters() {
        let found = results(&[(25, 1), (6, 1)], &[(25, 1), (6, 2)], "21");
        assert!(
            found.iter().all(|p| p.points()[25] == 1),
            "the opponent stays on the bar: {found:?}"
        );
        assert!(found.iter().all(|p| p.points()[0] == 0), "the own checker enters: {found:?}");
    }

    #[test]
    fn bears_off_from_the_rearmost_point_with_a_higher_die_only() {
        // With 6 and 5: the 6 takes the checker on 4 (the rearmost), then the 5 takes the next one.
        let o = [(1, 1)];
        assert_eq!(results(&[(4, 1), (3, 1), (1, 2)], &o, "65"), [after(&[(1, 2)], &o)]);
        // A checker on 6 stops the 5 from bearing off the 4.
        let found = results(&[(6, 1), (4, 1)], &o, "51");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.contains(&after(&[(4, 1)], &o)), "6/1, 1/off: {found:?}");
        assert!(found.contains(&after(&[(1, 1), (3, 1)], &o)), "6/1, 4/3: {found:?}");
    }

    #[test]
    fn the_last_checker_uses_one_die_and_the_other_is_void() {
        let o = [(1, 1)];
        assert_eq!(results(&[(2, 1)], &o, "63"), [after(&[], &o)]);
        assert_eq!(results(&[(1, 2)], &o, "66"), [after(&[], &o)]);
    }

    #[test]
    fn a_checker_may_bear_off_with_the_second_die_after_the_last_one_came_home() {
        let o = [(1, 1)];
        let found = results(&[(7, 1), (3, 1)], &o, "63");
        assert!(found.contains(&after(&[(1, 1)], &o)), "7/1, 3/off: {found:?}");
    }

    #[test]
    fn hitting_on_the_way_and_not_hitting_are_different_results() {
        // O's blots on own 5 (from 8 by the 3) and nothing on 7: 8/5*/4, 8/7/4 differ.
        let o = [(25 - 5, 1), (24, 1)];
        let found = results(&[(8, 1)], &o, "31");
        assert!(found.contains(&after(&[(4, 1)], &o)));
        assert!(found.contains(&after(&[(4, 1)], &[(25, 1), (24, 1)])));
    }

    #[test]
    fn doubles_play_as_many_of_four_moves_as_they_can() {
        let o = [(25 - 12, 2)];
        // 24/20/16, then 12 is held: two moves only; the other checker moves 8/4 and then off is
        // not yet allowed.
        assert_eq!(results(&[(24, 1), (8, 1)], &o, "44"), [after(&[(16, 1), (4, 1)], &o)]);
    }
}
