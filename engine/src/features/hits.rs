//! The blots that the next roll can hit.
//!
//! They are computed for all 21 rolls, with one bit for each point and one lane for each position.

use pulp::Simd;

use super::side::SideLanes;
use super::simd::lanes::{F32Lanes, U32Lanes};
use crate::backgammon::zone::BOARD;

/// Rolls of two different dice.
const MIXED: usize = 15;

/// How many of the 36 throws of two dice can hit blots of the defender. All points are in the
/// defender's numbering.
///
/// Every way to play the roll is tried for each checker, with blocked points and the bar. One rule
/// is ignored: that both dice, or otherwise the higher one, must be played if possible. It forbids
/// a hit for about 0.2 % of blots.
pub(super) struct Hits<S: Simd> {
    /// Throws that hit the blot on each point, in bit planes: bit `p` of `by_point[k]` is worth
    /// `2^k`.
    by_point: [U32Lanes<S>; 6],
    /// The blots that each roll can hit, those of two different dice first.
    rolls: [U32Lanes<S>; 21],
    /// The points on which any of the positions has a blot.
    blots: u32,
}

impl<S: Simd> Hits<S> {
    /// The blots of `defender` that `attacker` can hit.
    ///
    /// In the defender's numbering the attacker's checkers move upward, and enter from 0. While one
    /// is on the bar no other checker moves; when all have entered, every checker may move.
    #[inline(always)]
    pub(super) fn on(defender: &SideLanes<S>, attacker: &SideLanes<S>) -> Hits<S> {
        let blots = defender.blots();
        let open = !defender.made & BOARD;
        let held = attacker.across();
        let first = held & ((held & 1).is_zero() | 1);
        let others = held & BOARD;
        let none = held.splat(0);
        // The open points if the bar is empty after 1, 2 or 3 checkers have entered, else none. The
        // next die may reach these points with any checker.
        let mut free = [none; 3];
        for entered in 1..4 {
            free[entered - 1] =
                open & attacker.on_bar().saturating_sub(held.splat(entered as u32)).is_zero();
        }
        // For each die: `reached` holds the points that it reaches when played first. `moves` tells
        // whether there are any. `follow` holds the points that another die may reach after it.
        let (mut reached, mut moves, mut follow) = ([none; 7], [none; 7], [none; 7]);
        for die in 1..7 {
            reached[die] = first << die as u32 & open;
            moves[die] = !reached[die].is_zero();
            follow[die] = free[0] & moves[die];
        }
        let mut rolls = [none; 21];
        let mut roll = 0;
        for high in 2..7 {
            for low in 1..high {
                let (a, b) = (reached[high], reached[low]);
                let then_low = (others | a) << low as u32 & follow[high];
                let then_high = (others | b) << high as u32 & follow[low];
                rolls[roll] = (a | b | then_low | then_high) & blots;
                roll += 1;
            }
        }
        for die in 1..7 {
            let mut standing = others | reached[die];
            for free in free {
                standing = standing | (standing << die as u32 & free & moves[die]);
            }
            rolls[roll] = standing & blots;
            roll += 1;
        }
        Hits { by_point: by_point(&rolls), rolls, blots: blots.or_of_lanes() }
    }

    /// Chance that the blot on `point` can be hit, 0..1.
    #[inline(always)]
    pub(super) fn chance(&self, point: u32) -> F32Lanes<S> {
        let mut throws = self.rolls[0].splat(0);
        for (k, &plane) in self.by_point.iter().enumerate() {
            throws = throws | (plane >> point & 1) << k as u32;
        }
        chance(throws)
    }

    /// Chance that some blot can be hit, 0..1.
    #[inline(always)]
    pub(super) fn any(&self) -> F32Lanes<S> {
        self.any_of(BOARD)
    }

    /// Chance that some blot within `zone` can be hit, 0..1.
    #[inline(always)]
    pub(super) fn within(&self, zone: u32) -> F32Lanes<S> {
        if self.blots & zone == 0 { self.rolls[0].splat(0).to_f32() } else { self.any_of(zone) }
    }

    #[inline(always)]
    fn any_of(&self, zone: u32) -> F32Lanes<S> {
        let mut throws = self.rolls[0].splat(0);
        for (roll, &blots) in self.rolls.iter().enumerate() {
            throws = throws + (blots & zone).min(1);
            throws = if roll + 1 == MIXED { throws + throws } else { throws };
        }
        chance(throws)
    }

    /// Chance of a roll that can hit any of two or more blots, 0..1.
    #[inline(always)]
    pub(super) fn choice(&self) -> F32Lanes<S> {
        let mut throws = self.rolls[0].splat(0);
        for (roll, &blots) in self.rolls.iter().enumerate() {
            throws = throws + (blots & (blots - 1)).min(1);
            throws = if roll + 1 == MIXED { throws + throws } else { throws };
        }
        chance(throws)
    }
}

/// For each bit, the number of the three masks in which it is set, in bit planes (a full adder).
#[inline(always)]
fn sum_of_3<S: Simd>(a: U32Lanes<S>, b: U32Lanes<S>, c: U32Lanes<S>) -> [U32Lanes<S>; 2] {
    let differ = a ^ b;
    [differ ^ c, a & b | differ & c]
}

/// The same for seven masks.
#[inline(always)]
fn sum_of_7<S: Simd>(masks: &[U32Lanes<S>; 7]) -> [U32Lanes<S>; 3] {
    let [a, b, c, d, e, f, g] = *masks;
    let [a, twos] = sum_of_3(a, b, c);
    let [d, more_twos] = sum_of_3(d, e, f);
    let [ones, carry] = sum_of_3(a, d, g);
    let [twos, fours] = sum_of_3(twos, more_twos, carry);
    [ones, twos, fours]
}

/// The throws that hit each point, in bit planes: a roll of different dice is two of the 36 throws,
/// a double one.
#[inline(always)]
fn by_point<S: Simd>(rolls: &[U32Lanes<S>; 21]) -> [U32Lanes<S>; 6] {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, doubles @ ..] = *rolls;
    let none = a.splat(0);
    let [u, v, w, x, y, z] = doubles;
    let [one, two, four] = sum_of_7(&[u, v, w, x, y, z, none]);
    let ([a, b, c], [d, e, f]) =
        (sum_of_7(&[a, b, c, d, e, f, g]), sum_of_7(&[h, i, j, k, l, m, n]));
    let [twos, carry] = sum_of_3(a, d, o);
    let [fours, carry] = sum_of_3(b, e, carry);
    let [eights, sixteens] = sum_of_3(c, f, carry);
    let [twos, carry] = sum_of_3(twos, two, none);
    let [fours, carry] = sum_of_3(fours, four, carry);
    let [eights, carry] = sum_of_3(eights, carry, none);
    let [sixteens, more] = sum_of_3(sixteens, carry, none);
    [one, twos, fours, eights, sixteens, more]
}

#[inline(always)]
fn chance<S: Simd>(throws: U32Lanes<S>) -> F32Lanes<S> {
    throws.to_f32() * (1.0 / 36.0)
}

/// Chance that a checker on the bar can enter against a number of points made in the home board,
/// 0..1.
#[inline(always)]
pub(super) fn enters<S: Simd>(made: F32Lanes<S>) -> F32Lanes<S> {
    let open = made.splat(6.0) - made;
    let closed = made.splat(1.0) - open * (1.0 / 6.0);
    made.splat(1.0) - closed * closed
}

#[cfg(test)]
mod tests {
    use crate::backgammon::{Dice, Position, Results};
    use crate::features::{Encoding, SparseInputs};

    /// Chance of each own blot of `position` to be hit, by playing every legal play of the
    /// opponent.
    fn by_legal_plays(position: &Position) -> [f32; 26] {
        let mut results = Results::default();
        let attacker = position.flipped();
        let mut chance = [0.0; 26];
        for dice in Dice::ALL {
            let mut hit = [false; 26];
            for after in results.of(&attacker, dice) {
                for (point, hit) in hit.iter_mut().enumerate().take(25).skip(1) {
                    // A blot that was hit has left its point; no other checker of its side has
                    // moved.
                    *hit |= position.own(point) == 1 && after.own(point) == 0;
                }
            }
            for point in 1..25 {
                chance[point] += if hit[point] { dice.probability() } else { 0.0 };
            }
        }
        chance
    }

    fn by_inputs(position: &Position) -> [f32; 26] {
        let layout = Encoding::Contact.layout();
        let first = layout.iter().position(|input| input.name == "own blot hit on 1");
        let first = first.expect("an input of the table");
        let mut inputs = SparseInputs::default();
        Encoding::Contact.encode(position, &mut inputs);
        let dense = inputs.dense(layout.len());
        std::array::from_fn(|point| match point {
            1..25 => dense[first + point - 1],
            _ => 0.0,
        })
    }

    fn check_all_points(own: &[(usize, i8)], opponent: &[(usize, i8)]) -> [f32; 26] {
        let position = Position::from_sides(own, opponent).expect("legal");
        let (exact, encoded) = (by_legal_plays(&position), by_inputs(&position));
        for point in 1..25 {
            assert!(
                (exact[point] - encoded[point]).abs() < 1e-6,
                "point {point}: {} for {}{position:?}",
                encoded[point],
                exact[point]
            );
        }
        exact
    }

    #[test]
    fn a_direct_shot_six_away_is_hit_by_17_rolls() {
        // The textbook number: 11 direct, 5-1, 4-2, 3-3 and 2-2.
        let chance = check_all_points(&[(7, 1), (20, 2)], &[(24, 1), (1, 2)]);
        assert!((chance[7] - 17.0 / 36.0).abs() < 1e-6);
    }

    #[test]
    fn blocked_points_prevent_combination_shots() {
        check_all_points(&[(7, 1), (6, 2), (3, 2), (20, 2)], &[(24, 1), (1, 2)]);
    }

    #[test]
    fn one_checker_on_the_bar_enters_first_and_may_then_hit() {
        check_all_points(&[(3, 1), (9, 1), (6, 2), (4, 2)], &[(25, 1), (14, 1), (1, 3)]);
    }

    #[test]
    fn two_checkers_on_the_bar_hit_only_where_they_enter() {
        check_all_points(&[(3, 1), (8, 1), (6, 2)], &[(25, 2), (20, 1), (1, 3)]);
        check_all_points(&[(3, 1), (9, 1), (6, 2)], &[(25, 3), (20, 1), (1, 3)]);
        check_all_points(&[(3, 1), (9, 1), (6, 2)], &[(25, 4), (1, 3)]);
    }

    #[test]
    fn the_chance_of_nearly_every_blot_in_random_games_is_exact() {
        use rand::{Rng, SeedableRng};
        let mut rng = rand_pcg::Pcg64::seed_from_u64(7);
        let mut results = Results::default();
        let (mut blots, mut wrong) = (0, 0);
        for _ in 0..40 {
            let mut position = Position::START;
            while position.outcome().is_none() {
                let (exact, encoded) = (by_legal_plays(&position), by_inputs(&position));
                for point in 1..25 {
                    blots += usize::from(position.own(point) == 1);
                    let differs = (exact[point] - encoded[point]).abs() > 1e-6;
                    wrong += usize::from(differs);
                    assert!(
                        !differs || encoded[point] > exact[point],
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
