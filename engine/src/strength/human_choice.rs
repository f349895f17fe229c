//! How people choose a play: by what it loses, and by what it looks like.

use crate::backgammon::{BoardView, Dice, Position};

/// A legal play as a player compares it with others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparedPlay {
    /// The board after it, seen by the opponent.
    pub after: Position,
    /// Its equity, in points on a cube at 1.
    pub equity: f32,
}

/// What speaks for a play in the eyes of people.
struct Weight {
    /// What is counted.
    name: &'static str,
    /// How the figure reads.
    reason: &'static str,
    /// The logarithm of the odds that one unit adds.
    weight: f64,
}

const fn weight(name: &'static str, reason: &'static str, weight: f64) -> Weight {
    Weight { name, reason, weight }
}

/// The weights, fitted to 2963 plays of people in 11 matches: `reports/human-levels.md`.
#[allow(clippy::approx_constant, reason = "a fitted weight is near 1/pi by chance")]
const WEIGHTS: [Weight; 24] = [
    weight("points lost", "people see large losses", -4.555),
    weight("ln(1 + loss / 0.02)", "and small ones less sharply", -1.341),
    weight("the same by strength", "weaker players see less of both", 0.518),
    weight("the same in a race", "races are easy to count", -3.746),
    weight("hits", "a hit is seen first, even a wrong one", 1.159),
    weight("hits loose at home", "people hit in their home board", 0.318),
    weight("points on a blot", "and there best with two checkers", 0.589),
    weight("home points made", "a new home point looks solid", 0.372),
    weight("far points made", "points beyond the 12 that are no anchor look idle", -0.822),
    weight("home points given up", "people keep their board too long", -0.874),
    weight("outer points given up", "they clear their outfield instead", 0.459),
    weight("points 13 to 17 given up", "and leave the midpoint", 0.230),
    weight("blots in direct shots at home", "they fear shots", -0.729),
    weight("blots in direct shots outside", "and most of all in the outfield", -0.991),
    weight("blots in direct shots in front", "less with the rear checkers", -0.536),
    weight("blots", "loose checkers look untidy", -0.168),
    weight("checkers above three on a point", "stacks look ugly", -0.235),
    weight("checkers that leave the back", "escaping looks good", 0.780),
    weight("splits from the 24 point", "a habit of openings", 1.249),
    weight("checkers from the midpoint", "they are at hand", 0.497),
    weight("checkers borne off", "taking off looks like progress", 1.877),
    weight("one checker moves both dice", "one movement is found first", 0.382),
    weight("doubles in pairs", "so are two pairs", 0.485),
    weight("points in a row", "primes are taught", 0.538),
];

/// The unit of a loss in its logarithm, in points.
const SMALL_LOSS: f64 = 0.02;
/// The strength that adds nothing.
const MIDDLE: f64 = 6.0;
/// Pairs of a PR and its strength (`reports/human-levels.md`), between which logarithms are linear.
///
/// The PR of the choices rises more slowly than the strength that the weights were fitted with.
const STRENGTHS: [(f64, f64); 5] =
    [(3.03, 2.0), (4.0, 3.22), (6.0, 6.17), (8.0, 9.53), (11.0, 15.22)];

/// Chooses plays as people of a strength do.
///
/// ```
/// use nonet_engine::strength::{ComparedPlay, HumanChoice};
/// use nonet_engine::{Engine, GameState, Plies};
///
/// let engine = Engine::champion().with_plies(Plies::ONE);
/// let state: GameState = "4HPwATDgc/ABMA".parse()?;
/// let state = state.with_dice("31".parse()?);
/// let plays: Vec<ComparedPlay> = engine.moves(&state)?.iter().map(ComparedPlay::from).collect();
/// let chances = HumanChoice::of_pr(9.0).chances(&state.position, "31".parse()?, &plays);
/// assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
/// assert!(chances[0] > 0.5); // 8/5 6/5
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HumanChoice {
    /// The logarithm of their strength over that of the middle.
    strength: f64,
}

impl HumanChoice {
    /// People who play at this PR. It is kept between 3 and 11, because the fit has seen no
    /// others.
    #[must_use]
    pub fn of_pr(pr: f32) -> HumanChoice {
        let (least, most) = (STRENGTHS[0].0, STRENGTHS[STRENGTHS.len() - 1].0);
        let pr = f64::from(pr).clamp(least, most);
        let above = STRENGTHS.iter().skip(1).position(|(above, _)| pr <= *above).unwrap_or(0);
        let [(low, weaker), (high, stronger)] = [STRENGTHS[above], STRENGTHS[above + 1]];
        let part = (pr / low).ln() / (high / low).ln();
        let strength = weaker * (stronger / weaker).powf(part);
        HumanChoice { strength: (strength / MIDDLE).ln() }
    }

    /// Name, reason and weight of each count. A unit of it multiplies the odds of a play by e to
    /// the power of the weight.
    pub fn weights() -> impl Iterator<Item = (&'static str, &'static str, f64)> {
        WEIGHTS.iter().map(|weight| (weight.name, weight.reason, weight.weight))
    }

    /// The chance of each of all legal plays, in their order; the sum is 1.
    #[must_use]
    pub fn chances(&self, position: &Position, dice: Dice, plays: &[ComparedPlay]) -> Vec<f64> {
        let best = plays.iter().map(|play| play.equity).fold(f32::MIN, f32::max);
        let appeal = |play: &ComparedPlay| {
            let lost = f64::from(best - play.equity);
            let counts = self.counts(position, dice, &play.after.flipped(), lost);
            WEIGHTS.iter().zip(counts).map(|(weight, count)| weight.weight * count).sum::<f64>()
        };
        let appeals: Vec<f64> = plays.iter().map(appeal).collect();
        let highest = appeals.iter().copied().fold(f64::MIN, f64::max);
        let odds: Vec<f64> = appeals.iter().map(|appeal| (appeal - highest).exp()).collect();
        let sum: f64 = odds.iter().sum();
        odds.into_iter().map(|odds| odds / sum).collect()
    }

    /// The index of the play at this place of all chances, 0 to 1; `None` without a play.
    #[must_use]
    pub(super) fn at(
        &self,
        position: &Position,
        dice: Dice,
        plays: &[ComparedPlay],
        place: f64,
    ) -> Option<usize> {
        let mut sum = 0.0;
        let mut below = |chance: f64| {
            sum += chance;
            sum <= place
        };
        let chances = self.chances(position, dice, plays);
        let chosen = chances.into_iter().take_while(|&chance| below(chance)).count();
        // Rounding may leave the last sum below 1.
        Some(chosen.min(plays.len().checked_sub(1)?))
    }

    /// What `WEIGHTS` weighs, in its order. Both boards are seen by the player who makes the play.
    fn counts(&self, before: &Position, dice: Dice, after: &Position, lost: f64) -> [f64; 24] {
        let [was, is] = [before, after].map(Position::points);
        let contact = BoardView::of(before).contact();
        let in_contact = |count: i32| if contact { f64::from(count) } else { 0.0 };
        let yes = |holds: bool| f64::from(u8::from(holds));
        let small = (lost / SMALL_LOSS).ln_1p();
        let has = |points: &[i8; 26], point: usize, n: i8| points[point] >= n;
        // Points of a range with this change.
        let made = |range: std::ops::RangeInclusive<usize>| {
            range.filter(|&point| has(is, point, 2) && !has(was, point, 2)).count() as f64
        };
        let broken = |range: std::ops::RangeInclusive<usize>| {
            range.filter(|&point| has(was, point, 2) && !has(is, point, 2)).count() as f64
        };
        let hit = |point: &usize| was[*point] == -1 && is[*point] >= 1;
        let in_shot = |range: std::ops::RangeInclusive<usize>| {
            range.filter(|&point| is[point] == 1 && in_direct_shot(is, point)).count() as f64
        };
        let back = |points: &[i8; 26]| (19..=24).map(|p| i32::from(points[p].max(0))).sum::<i32>();
        let moved = |point: usize| was[point].max(0) - is[point].max(0);
        let left = || (1..=25).map(moved).filter(|&n| n > 0);
        let row = (1..=24).fold((0, 0), |(best, row), point| {
            let row = if has(is, point, 2) { row + 1 } else { 0 };
            (best.max(row), row)
        });
        let blots = (1..=24).filter(|&point| is[point] == 1).count() as i32;
        let stacked = (1..=24).map(|point| i32::from((is[point] - 3).max(0))).sum();
        [
            lost,
            small,
            small * self.strength,
            if contact { 0.0 } else { small },
            yes(is[0] < was[0]),
            yes((1..=6).filter(hit).any(|point| is[point] == 1)),
            yes((1..=24).filter(hit).any(|point| is[point] >= 2)),
            made(1..=6),
            made(13..=17) + made(23..=24),
            broken(1..=6),
            broken(7..=12),
            broken(13..=17),
            in_shot(1..=6),
            in_shot(7..=17),
            in_shot(18..=24),
            in_contact(blots),
            in_contact(stacked),
            in_contact((back(was) - back(is)).max(0)),
            yes(was[24] == 2 && is[24] == 1),
            f64::from(moved(13).max(0)),
            f64::from(before.own_left()) - f64::from(after.own_left()),
            yes(contact && !dice.is_double() && left().sum::<i8>() == 1),
            yes(dice.is_double() && left().all(|n| n % 2 == 0)),
            in_contact(row.0),
        ]
    }
}

/// Whether a checker of the opponent, on the bar or behind, is at most six points away.
fn in_direct_shot(points: &[i8; 26], blot: usize) -> bool {
    (blot.saturating_sub(6)..blot).any(|point| points[point] < 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::GameState;
    use crate::engine::Engine;
    use crate::search::Plies;

    fn chances(pr: f32, id: &str) -> Vec<(String, f64)> {
        let state: GameState = id.parse().expect("an ID");
        let dice = state.dice().expect("a roll");
        let plays = Engine::champion().with_plies(Plies::ONE).moves(&state).expect("plays");
        let compared: Vec<ComparedPlay> = plays.iter().map(ComparedPlay::from).collect();
        let chances = HumanChoice::of_pr(pr).chances(&state.position, dice, &compared);
        plays.iter().map(|play| play.play().to_string()).zip(chances).collect()
    }

    #[test]
    fn weaker_people_find_the_best_play_less_often() {
        let ids = [
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:64:0:0:0:0:10",
        ];
        for id in ids {
            let first = [3.0, 5.0, 8.0, 11.0].map(|pr| chances(pr, id)[0].1);
            assert!(first.windows(2).all(|pair| pair[0] > pair[1]), "{id}: {first:?}");
        }
    }

    #[test]
    fn each_weight_has_a_name_of_its_own_and_a_reason() {
        let names: std::collections::BTreeSet<_> =
            HumanChoice::weights().map(|(name, ..)| name).collect();
        assert_eq!(names.len(), WEIGHTS.len());
        for (name, reason, weight) in HumanChoice::weights() {
            assert!(!reason.is_empty() && weight.abs() < 10.0, "{name}");
        }
    }

    #[test]
    fn every_place_leads_to_a_play_and_large_chances_take_many() {
        let state: GameState =
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:64:0:0:0:0:10".parse().expect("an ID");
        let dice = state.dice().expect("a roll");
        let plays = Engine::champion().with_plies(Plies::ONE).moves(&state).expect("plays");
        let plays: Vec<ComparedPlay> = plays.iter().map(ComparedPlay::from).collect();
        let choice = HumanChoice::of_pr(9.0);
        let expected = choice.chances(&state.position, dice, &plays)[0];
        let first = (0..1000).filter(|place| {
            let place = f64::from(*place) / 1000.0;
            choice.at(&state.position, dice, &plays, place) == Some(0)
        });
        let share = first.count() as f64 / 1000.0;
        assert!((share - expected).abs() < 0.002, "{share} {expected}");
        assert!(choice.at(&state.position, dice, &plays, 1.0).is_some());
        assert!(choice.at(&state.position, dice, &[], 0.5).is_none());
    }
}
