//! Which blots the next roll can hit: all 21 rolls at once, one bit a point.

use crate::backgammon::SideView;
use crate::backgammon::zone::{BAR, BOARD, HOME};

/// The blots that each roll can hit, in the **attacker's** numbering: bit `p` is his point `p`.
///
/// Every way to play the roll is followed for each checker, blocked points and the bar included. The one thing left
/// out is the rule that both dice, or the higher one, must be played, which forbids a hit for about 0.2 % of blots.
#[derive(Clone, Copy, Debug)]
pub struct Hits {
    /// The 15 rolls of two different dice, two throws each; the last lane is always 0.
    mixed: [u32; 16],
    /// The 6 doubles, one throw each; the last two lanes are always 0.
    doubles: [u32; 8],
}

const fn lanes() -> [[u32; 16]; 2] {
    let mut dice = [[31; 16]; 2]; // a shift by 31 leaves no point: the unused lane hits nothing
    let (mut lane, mut high) = (0, 2);
    while high <= 6 {
        let mut low = 1;
        while low < high {
            dice[0][lane] = high;
            dice[1][lane] = low;
            lane += 1;
            low += 1;
        }
        high += 1;
    }
    dice
}
const MIXED: [[u32; 16]; 2] = lanes();
const DOUBLES: [u32; 8] = [1, 2, 3, 4, 5, 6, 31, 31];

impl Hits {
    /// What `attacker` can hit of `defender`.
    #[inline(always)]
    #[must_use]
    pub fn on(defender: &SideView, attacker: &SideView) -> Hits {
        let open = !SideView::across(defender.made) & BOARD;
        let blots = SideView::across(defender.blots());
        let mut hits = Hits { mixed: [0; 16], doubles: [0; 8] };
        match attacker.count(25) {
            0 => {
                let own = attacker.held;
                for (lane, hit) in hits.mixed.iter_mut().enumerate() {
                    let (high, low) = (MIXED[0][lane], MIXED[1][lane]);
                    let a = (own >> high) & open;
                    let b = (own >> low) & open;
                    let both = ((a >> low) | (b >> high)) & open;
                    *hit = (a | b | both) & blots;
                }
                for (hit, die) in hits.doubles.iter_mut().zip(DOUBLES) {
                    let one = (own >> die) & open;
                    let two = (one >> die) & open;
                    let three = (two >> die) & open;
                    let four = (three >> die) & open;
                    *hit = (one | two | three | four) & blots;
                }
            }
            1 => {
                let own = attacker.held & BOARD;
                for (lane, hit) in hits.mixed.iter_mut().enumerate() {
                    let (high, low) = (MIXED[0][lane], MIXED[1][lane]);
                    let a = (BAR >> high) & open;
                    let b = (BAR >> low) & open;
                    // A checker that entered lets any other one, or itself, play the second die.
                    let after_a = ((own | a) >> low) & open & all_if(a != 0);
                    let after_b = ((own | b) >> high) & open & all_if(b != 0);
                    *hit = (a | b | after_a | after_b) & blots;
                }
                hits.enter_doubles(own, open, blots, 1);
            }
            entering => {
                for (lane, hit) in hits.mixed.iter_mut().enumerate() {
                    *hit = ((BAR >> MIXED[0][lane]) | (BAR >> MIXED[1][lane])) & blots;
                }
                hits.enter_doubles(attacker.held & BOARD, open, blots, entering.into());
            }
        }
        hits
    }

    #[inline(always)]
    fn enter_doubles(&mut self, own: u32, open: u32, blots: u32, entering: usize) {
        for (hit, die) in self.doubles.iter_mut().zip(DOUBLES) {
            let entered = (BAR >> die) & open;
            let mut reached = entered;
            let mut moving = own | entered;
            for made in 1..4 {
                let free = all_if(entered != 0 && made >= entering);
                moving = (moving >> die) & open & free;
                // Before all have entered nobody moves, but the checkers keep their places.
                reached |= moving;
                moving = if made >= entering { moving } else { own | entered };
            }
            *hit = reached & blots;
        }
    }

    /// Throws of 36, those that count once by lane.
    #[inline(always)]
    fn throws(&self, count: impl Fn(u32) -> u32) -> f32 {
        // Lane by lane over all three vectors, so that only one is summed across.
        let (first, second) = (&self.mixed[..8], &self.mixed[8..]);
        let lanes = first.iter().zip(second).zip(&self.doubles);
        lanes.map(|((&a, &b), &c)| 2 * (count(a) + count(b)) + count(c)).sum::<u32>() as f32
    }

    /// Chance that the blot on the attacker's `point` can be hit, 0..1.
    #[inline(always)]
    #[must_use]
    pub fn chance(&self, point: u32) -> f32 {
        self.throws(|lane| (lane >> point) & 1) * (1.0 / 36.0)
    }

    /// Chance that some blot within `zone` (the attacker's numbering) can be hit, 0..1.
    #[inline(always)]
    #[must_use]
    pub fn any(&self, zone: u32) -> f32 {
        self.throws(|lane| u32::from(lane & zone != 0)) * (1.0 / 36.0)
    }

    /// Chance of a roll that can hit any of two or more blots, 0..1.
    #[inline(always)]
    #[must_use]
    pub fn choice(&self) -> f32 {
        self.throws(|lane| u32::from(lane & lane.wrapping_sub(1) != 0)) * (1.0 / 36.0)
    }

    /// Chance that a checker on the bar can enter against `made` home points of the other side, 0..1.
    #[inline(always)]
    pub(super) fn enters(made: u32) -> f32 {
        let open = 6.0 - (made & HOME).count_ones() as f32;
        1.0 - (1.0 - open * (1.0 / 6.0)) * (1.0 - open * (1.0 / 6.0))
    }
}

#[inline(always)]
const fn all_if(condition: bool) -> u32 {
    (condition as u32).wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::{Dice, Position, Results, View};

    /// Chance of each own blot of `position` to be hit, by playing every legal play of the opponent.
    fn played(position: &Position) -> [f32; 26] {
        let mut results = Results::default();
        let attacker = position.flipped();
        let mut chance = [0.0; 26];
        for dice in Dice::ALL {
            let mut hit = [false; 26];
            for after in results.of(&attacker, dice) {
                for (point, hit) in hit.iter_mut().enumerate().take(25).skip(1) {
                    // A blot that was hit is gone from its point; nobody else of its side has moved.
                    *hit |= position.own(point) == 1 && after.own(point) == 0;
                }
            }
            for point in 1..25 {
                chance[point] += if hit[point] { dice.probability() } else { 0.0 };
            }
        }
        chance
    }

    fn shown(position: &Position) -> [f32; 26] {
        let view = View::of(position);
        let hits = Hits::on(&view.own, &view.opponent);
        let mut chance = [0.0; 26];
        for (point, chance) in chance.iter_mut().enumerate().take(25).skip(1) {
            if position.own(point) == 1 {
                *chance = hits.chance(25 - point as u32);
            }
        }
        chance
    }

    fn agree(own: &[(usize, i8)], opponent: &[(usize, i8)]) -> [f32; 26] {
        let position = Position::from_sides(own, opponent).expect("legal");
        let (truth, fast) = (played(&position), shown(&position));
        for point in 1..25 {
            assert!(
                (truth[point] - fast[point]).abs() < 1e-6,
                "point {point}: {} for {}{position:?}",
                fast[point],
                truth[point]
            );
        }
        truth
    }

    #[test]
    fn a_direct_shot_six_away_is_hit_by_17_rolls() {
        // The textbook number: 11 direct, 5-1, 4-2, 3-3 and 2-2.
        let chance = agree(&[(7, 1), (20, 2)], &[(24, 1), (1, 2)]);
        assert!((chance[7] - 17.0 / 36.0).abs() < 1e-6);
    }

    #[test]
    fn blocks_take_combinations_away() {
        agree(&[(7, 1), (6, 2), (3, 2), (20, 2)], &[(24, 1), (1, 2)]);
    }

    #[test]
    fn one_on_the_bar_must_enter_first_and_may_go_on() {
        agree(&[(3, 1), (9, 1), (6, 2), (4, 2)], &[(25, 1), (14, 1), (1, 3)]);
    }

    #[test]
    fn two_on_the_bar_hit_where_they_enter() {
        agree(&[(3, 1), (8, 1), (6, 2)], &[(25, 2), (20, 1), (1, 3)]);
        agree(&[(3, 1), (9, 1), (6, 2)], &[(25, 3), (20, 1), (1, 3)]);
        agree(&[(3, 1), (9, 1), (6, 2)], &[(25, 4), (1, 3)]);
    }

    #[test]
    fn nearly_every_blot_of_random_games_is_exact() {
        use rand::{Rng, SeedableRng};
        let mut rng = rand_pcg::Pcg64::seed_from_u64(7);
        let mut results = Results::default();
        let (mut blots, mut wrong) = (0, 0);
        for _ in 0..40 {
            let mut position = Position::START;
            while position.outcome().is_none() {
                let (truth, fast) = (played(&position), shown(&position));
                for point in 1..25 {
                    blots += usize::from(position.own(point) == 1);
                    let differs = (truth[point] - fast[point]).abs() > 1e-6;
                    wrong += usize::from(differs);
                    assert!(
                        !differs || fast[point] > truth[point],
                        "only forced dice may differ{position:?}"
                    );
                }
                let found = results.of(&position, Dice::ALL[rng.random_range(0..21)]);
                position = found[rng.random_range(0..found.len())];
            }
        }
        assert!(blots > 3000, "{blots}");
        assert!(wrong * 200 < blots, "{wrong} of {blots} blots differ");
    }
}
