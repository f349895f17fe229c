//! Evaluations: the seven numbers that a net gives for a position, and the equities that follow
//! from them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::backgammon::{Outcome, PossibleOutcomes};

/// What the rounding of `f32` may add to sums of chances and results.
const ROUNDING: f32 = 1e-5;

/// The number of heads (outputs) of an evaluation.
pub const HEADS: usize = 7;

/// A cubeless evaluation of a position for the player on roll.
///
/// The seven heads are those of Wiering, Patist & Mannen, section 4.1: the average result, and the
/// six outcomes one by one. The outcomes are not cumulative, unlike the five numbers that gnubg
/// prints.
///
/// Probabilities from linear outputs may lie slightly below 0 or above 1. They are not clamped,
/// because a clamp would hide these errors from learning. Outcomes that the rules exclude are 0 in
/// every answer of an evaluator of this crate: see [`Evaluation::within`].
///
/// ```
/// use nonet_engine::Evaluation;
///
/// let value = Evaluation::of_win_chance(0.75);
/// assert_eq!(value.equity(), 0.5);
/// assert_eq!(value.cumulative()[0], 0.75);
/// assert_eq!(value.flipped().equity(), -0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// Average result in points per game, -3..3.
    pub average: f32,
    /// Probability of each [`Outcome`], in the order of [`Outcome::ALL`], about 0..1.
    pub outcomes: [f32; 6],
}

impl Evaluation {
    /// Every head 0: the start of sums, and a placeholder.
    pub const ZERO: Evaluation = Evaluation { average: 0.0, outcomes: [0.0; 6] };

    /// The exact evaluation of a finished game.
    #[must_use]
    pub fn of_outcome(outcome: Outcome) -> Evaluation {
        let mut outcomes = [0.0; 6];
        outcomes[outcome.index()] = 1.0;
        Evaluation { average: outcome.points() as f32, outcomes }
    }

    /// The evaluation of a game without gammons that the player on roll wins with this chance,
    /// 0..1.
    #[must_use]
    pub fn of_win_chance(chance: f32) -> Evaluation {
        let outcomes = [chance, 0.0, 0.0, 1.0 - chance, 0.0, 0.0];
        Evaluation { average: 2.0 * chance - 1.0, outcomes }
    }

    /// Makes an evaluation of the seven heads of a net in order: average, then win, win gammon, win
    /// backgammon and the three losses.
    #[inline(always)]
    #[must_use]
    pub fn from_heads(heads: &[f32; HEADS]) -> Evaluation {
        let [average, outcomes @ ..] = *heads;
        Evaluation { average, outcomes }
    }

    /// The seven heads of a net in order.
    #[inline(always)]
    #[must_use]
    pub fn heads(&self) -> [f32; HEADS] {
        let [a, b, c, d, e, f] = self.outcomes;
        [self.average, a, b, c, d, e, f]
    }

    /// The equity that the six outcomes give, in points per game, -3..3.
    #[inline(always)]
    #[must_use]
    pub fn outcome_equity(&self) -> f32 {
        let [win, win_gammon, win_backgammon, lose, lose_gammon, lose_backgammon] = self.outcomes;
        (win - lose) + 2.0 * (win_gammon - lose_gammon) + 3.0 * (win_backgammon - lose_backgammon)
    }

    /// The cubeless equity in points per game, -3..3: the mean of the average head and
    /// [`Evaluation::outcome_equity`] (Wiering, Patist & Mannen, section 4.1).
    #[inline(always)]
    #[must_use]
    pub fn equity(&self) -> f32 {
        0.5 * (self.average + self.outcome_equity())
    }

    /// The five cumulative probabilities that gnubg and other programs show, each 0..1.
    ///
    /// They are win, win gammon or more, win backgammon, lose gammon or more, lose backgammon. The
    /// six outcomes are first clamped to 0..1 and normalized to a sum of 1.
    #[must_use]
    pub fn cumulative(&self) -> [f32; 5] {
        let inside = self.outcomes.map(|p| p.clamp(0.0, 1.0));
        let sum: f32 = inside.iter().sum();
        let shares =
            if sum > 0.0 { inside.map(|p| p / sum) } else { [0.5, 0.0, 0.0, 0.5, 0.0, 0.0] };
        let [win, win_gammon, win_backgammon, _, lose_gammon, lose_backgammon] = shares;
        [
            (win + win_gammon + win_backgammon).min(1.0),
            win_gammon + win_backgammon,
            win_backgammon,
            lose_gammon + lose_backgammon,
            lose_backgammon,
        ]
    }

    /// The same evaluation for the other player: each head is that of the mirrored outcome.
    #[inline(always)]
    #[must_use]
    pub fn flipped(&self) -> Evaluation {
        let [a, b, c, d, e, f] = self.outcomes;
        Evaluation { average: -self.average, outcomes: [d, e, f, a, b, c] }
    }

    /// The evaluation without what the rules exclude. The chance of an excluded outcome moves to
    /// the nearest outcome of the same side that is possible. Chances lie between 0 and 1. They sum
    /// to 1 at most, and to exactly 1 if only one side can win. The average moves by as much as the
    /// outcomes' equity does. It stays between the lowest and the highest possible result.
    ///
    /// An evaluation that obeys the rules up to rounding stays as it is, so a second call changes
    /// nothing.
    ///
    /// ```
    /// use nonet_engine::{Evaluation, Position};
    ///
    /// // Both sides have borne off checkers, so no gammon is possible.
    /// let possible = Position::from_sides(&[(25, 1), (3, 2)], &[(6, 2)])?.possible_outcomes();
    /// let value = Evaluation { average: 0.5, outcomes: [0.5, 0.25, 0.0, 0.25, 0.0, 0.0] };
    /// let allowed = Evaluation { average: 0.25, outcomes: [0.75, 0.0, 0.0, 0.25, 0.0, 0.0] };
    /// assert_eq!(value.within(possible), allowed);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn within(self, possible: PossibleOutcomes) -> Evaluation {
        if possible.is_all() { self } else { self.without_the_impossible(possible) }
    }

    /// Kept out of the hot path: in most positions every outcome is possible.
    #[inline(never)]
    fn without_the_impossible(self, possible: PossibleOutcomes) -> Evaluation {
        if self.obeys(possible) {
            return self;
        }
        let mut outcomes = self.outcomes.map(|chance| chance.clamp(0.0, 1.0));
        let mut sides = [true; 2];
        for (side, chances) in outcomes.as_chunks_mut::<3>().0.iter_mut().enumerate() {
            let Some((least, most)) = possible.points_of_side(side) else {
                *chances = [0.0; 3];
                sides[side] = false;
                continue;
            };
            let [mut single, mut gammon, mut backgammon] = *chances;
            match most {
                1 => (single, gammon, backgammon) = (single + gammon + backgammon, 0.0, 0.0),
                2 => (gammon, backgammon) = (gammon + backgammon, 0.0),
                _ => {}
            }
            match least {
                2 => (single, gammon) = (0.0, gammon + single),
                3 => (single, gammon, backgammon) = (0.0, 0.0, backgammon + single + gammon),
                _ => {}
            }
            *chances = [single, gammon, backgammon];
        }
        let sum: f32 = outcomes.iter().sum();
        if sides != [true; 2] || sum > 1.0 + ROUNDING {
            if sum > 0.0 {
                outcomes = outcomes.map(|chance| chance / sum);
            } else if let Some(certain) = possible.iter().next() {
                outcomes[certain.index()] = 1.0;
            }
        }
        let moved = Evaluation { average: self.average, outcomes };
        let average = self.average + (moved.outcome_equity() - self.outcome_equity());
        let (lowest, highest) = possible.points();
        Evaluation { average: average.clamp(f32::from(lowest), f32::from(highest)), outcomes }
    }

    /// Whether the evaluation is one that [`Evaluation::within`] makes, up to rounding.
    fn obeys(&self, possible: PossibleOutcomes) -> bool {
        let lawful = |(outcome, chance): (Outcome, f32)| {
            let most = if possible.contains(outcome) { 1.0 + ROUNDING } else { 0.0 };
            (0.0..=most).contains(&chance)
        };
        if !Outcome::ALL.into_iter().zip(self.outcomes).all(lawful) {
            return false;
        }
        let (lowest, highest) = possible.points();
        let one_sided = lowest > 0 || highest < 0;
        let (lowest, highest) = (f32::from(lowest) - ROUNDING, f32::from(highest) + ROUNDING);
        let sum: f32 = self.outcomes.iter().sum();
        sum < 1.0 + ROUNDING
            && (!one_sided || sum > 1.0 - ROUNDING)
            && (lowest..=highest).contains(&self.average)
    }

    /// Head by head, `self` plus `weight` times `other`.
    #[inline(always)]
    #[must_use]
    pub fn plus(&self, other: &Evaluation, weight: f32) -> Evaluation {
        let (own, other) = (self.heads(), other.heads());
        Evaluation::from_heads(&std::array::from_fn(|i| own[i] + weight * other[i]))
    }

    /// Head by head, `self` times `1 - share` plus `other` times `share`; share 0..1.
    #[inline(always)]
    #[must_use]
    pub fn mixed(&self, other: &Evaluation, share: f32) -> Evaluation {
        let (own, other) = (self.heads(), other.heads());
        Evaluation::from_heads(&std::array::from_fn(|i| (1.0 - share) * own[i] + share * other[i]))
    }
}

impl fmt::Display for Evaluation {
    /// Equity and chances: `+0.228, wins 55.5 %, 17.1 % gammon, 1.0 % backgammon; loses 12.4 %
    /// gammon, 0.5 % backgammon`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] =
            self.cumulative().map(|chance| 100.0 * chance);
        write!(
            f,
            "{:+.3}, wins {win:.1} %, {gammon:.1} % gammon, {backgammon:.1} % backgammon; loses {lost_gammon:.1} % gammon, \
             {lost_backgammon:.1} % backgammon",
            self.equity()
        )
    }
}

/// Equities of the player on roll, in points on a cube at 1, **without doubling now**: -1..1 if
/// gammons are impossible.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cubeful<T = f32> {
    /// Without a cube.
    pub cubeless: T,
    /// The player on roll owns the cube.
    pub owned: T,
    /// The cube is in the middle.
    pub centred: T,
    /// The opponent owns the cube.
    pub opponent: T,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_equity_of_a_finished_game_is_its_points_for_either_player() {
        for outcome in Outcome::ALL {
            let value = Evaluation::of_outcome(outcome);
            assert_eq!(value.equity(), outcome.points() as f32);
            assert_eq!(value.flipped(), Evaluation::of_outcome(outcome.flipped()));
        }
    }

    #[test]
    fn one_possible_outcome_is_certain_whatever_the_heads_say() {
        for outcome in Outcome::ALL {
            for heads in [[0.0; HEADS], [-0.3; HEADS], [0.9; HEADS]] {
                let value = Evaluation::from_heads(&heads).within(PossibleOutcomes::only(outcome));
                assert_eq!(value, Evaluation::of_outcome(outcome));
            }
        }
        let value = Evaluation::from_heads(&[2.5, 0.1, 0.2, 0.3, 0.2, 0.1, 0.1]);
        assert_eq!(value.within(PossibleOutcomes::ALL), value);
    }

    #[test]
    fn mixed_interpolates_between_two_evaluations() {
        let (a, b) =
            (Evaluation::of_outcome(Outcome::Win), Evaluation::of_outcome(Outcome::LoseGammon));
        assert_eq!(a.mixed(&b, 0.0), a);
        assert_eq!(a.mixed(&b, 1.0), b);
        assert_eq!(a.mixed(&b, 0.5).equity(), -0.5);
    }
}
