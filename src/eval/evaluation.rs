//! What a judgement of a position is: seven numbers, the equity that they give, and what points are worth in a match.

use serde::{Deserialize, Serialize};

use crate::backgammon::Outcome;

/// How many numbers an evaluation consists of.
pub const HEADS: usize = 7;

/// A judgement of a position, for the player on roll, cubeless.
///
/// The seven heads of Wiering, Patist & Mannen, section 4.1: the average result, and the six outcomes one by one (not
/// cumulative, unlike the five numbers that gnubg prints). Linear nets give probabilities that may stray slightly below 0
/// or above 1; they are kept as they are, because a clamp would hide them from learning.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// Average result in points per game, -3..3.
    pub average: f32,
    /// Probability of each [`Outcome`], in the order of [`Outcome::ALL`], about 0..1.
    pub outcomes: [f32; 6],
}

impl Evaluation {
    /// Nothing known: every head 0.
    pub const ZERO: Evaluation = Evaluation { average: 0.0, outcomes: [0.0; 6] };

    /// The exact judgement of a finished game.
    #[must_use]
    pub fn of_outcome(outcome: Outcome) -> Evaluation {
        let mut outcomes = [0.0; 6];
        outcomes[outcome.index()] = 1.0;
        Evaluation { average: outcome.points() as f32, outcomes }
    }

    /// From the seven heads of a net in order: average, then win, win gammon, win backgammon and the three losses.
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

    /// The cubeless equity in points per game, -3..3: the mean of the average head and of what the six outcomes give
    /// (Wiering, Patist & Mannen, section 4.1).
    #[inline(always)]
    #[must_use]
    pub fn equity(&self) -> f32 {
        0.5 * (self.average + self.outcome_equity())
    }

    /// The five probabilities that other programs show, each 0..1 and including the next: win, win gammon or more, win
    /// backgammon, lose gammon or more, lose backgammon. What strays outside 0..1 is brought back, and the six outcomes
    /// then make up 1.
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

    /// The same judgement as the other player's: every head comes from its mirror.
    #[inline(always)]
    #[must_use]
    pub fn flipped(&self) -> Evaluation {
        let [a, b, c, d, e, f] = self.outcomes;
        Evaluation { average: -self.average, outcomes: [d, e, f, a, b, c] }
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

/// Equities of the player on roll, in points on a cube at 1, **without doubling now**: -1..1 where nobody can lose
/// a gammon.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cubeful<T = f32> {
    /// Without a cube.
    pub cubeless: T,
    /// He owns the cube.
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
    fn a_finished_game_is_worth_its_points_to_both() {
        for outcome in Outcome::ALL {
            let value = Evaluation::of_outcome(outcome);
            assert_eq!(value.equity(), outcome.points() as f32);
            assert_eq!(value.flipped(), Evaluation::of_outcome(outcome.flipped()));
        }
    }

    #[test]
    fn mixing_goes_from_one_to_the_other() {
        let (a, b) =
            (Evaluation::of_outcome(Outcome::Win), Evaluation::of_outcome(Outcome::LoseGammon));
        assert_eq!(a.mixed(&b, 0.0), a);
        assert_eq!(a.mixed(&b, 1.0), b);
        assert_eq!(a.mixed(&b, 0.5).equity(), -0.5);
    }
}
