//! Plays die by die: the single checker moves that servers and boards are told, one for each die.

use super::{CheckerMove, Dice, Position};

impl Position {
    /// The single checker moves of a play that leads to `after`, one for each die played.
    ///
    /// Of all orders that are possible the first one is given where the higher die is played before the lower one and
    /// checkers further from home before the others. `after` is a result of a legal play, as [`candidates`] lists
    /// them. `None` if no moves lead there; no moves where the roll cannot be played.
    ///
    /// ```
    /// use backgammon::{Dice, Position, candidates};
    ///
    /// let dice: Dice = "61".parse()?;
    /// let point = Position::START.read_play("13/7 8/7", dice)?;
    /// let steps = Position::START.steps_to(dice, &point.after).expect("legal");
    /// let steps: Vec<(u8, u8)> = steps.iter().map(|step| (step.from, step.to)).collect();
    /// assert_eq!(steps, [(13, 7), (8, 7)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// [`candidates`]: crate::candidates
    #[must_use]
    pub fn steps_to(&self, dice: Dice, after: &Position) -> Option<Vec<CheckerMove>> {
        let mut search = StepSearch { target: after.flipped(), steps: Vec::new(), best: None };
        if dice.is_double() {
            search.go(self, &[dice.high(); 4]);
        } else {
            search.go(self, &[dice.high(), dice.low()]);
            search.go(self, &[dice.low(), dice.high()]);
        }
        search.best
    }

    /// The position after single checker moves (from, to) in this order, each with a die that is left, the opponent on
    /// roll; `None` if one of them is illegal. Whether the dice left over could be played too is not checked.
    #[must_use]
    pub fn after_steps(&self, dice: Dice, steps: &[(u8, u8)]) -> Option<Position> {
        let (high, low) = (dice.high(), dice.low());
        let play = |order: &[u8]| {
            let mut position = *self;
            let mut dice = order.iter();
            for &(from, to) in steps {
                let (step, next) = position.step(from, *dice.next()?)?;
                if step.to != to {
                    return None;
                }
                position = next;
            }
            Some(position.flipped())
        };
        if dice.is_double() {
            return play(&[high; 4]);
        }
        // A die that is larger than needed bears off too, so the points do not tell which die was played first.
        play(&[high, low]).or_else(|| play(&[low, high]))
    }
}

/// Looks for the first of the longest sequences of moves that lead to one position.
struct StepSearch {
    /// The position after the play, seen by the player who makes it.
    target: Position,
    steps: Vec<CheckerMove>,
    best: Option<Vec<CheckerMove>>,
}

impl StepSearch {
    fn go(&mut self, position: &Position, dice: &[u8]) {
        let longest = self.steps.len() + dice.len();
        if self.best.as_ref().is_some_and(|best| best.len() >= longest) {
            return;
        }
        let mut stuck = true;
        if let Some((&die, rest)) = dice.split_first() {
            for from in (1..=25).rev() {
                if let Some((step, next)) = position.step(from, die) {
                    stuck = false;
                    self.steps.push(step);
                    self.go(&next, rest);
                    self.steps.pop();
                }
            }
        }
        let longer = self.best.as_ref().is_none_or(|best| self.steps.len() > best.len());
        if stuck && longer && *position == self.target {
            self.best = Some(self.steps.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates;

    fn position(own: &[(usize, i8)], opponent: &[(usize, i8)]) -> Position {
        Position::from_sides(own, opponent).expect("legal")
    }

    fn words(position: &Position, dice: &str) -> Vec<String> {
        let dice = dice.parse().expect("a roll");
        let text = |after: &Position| {
            let steps = position.steps_to(dice, after).expect("reached");
            let words = steps.iter().map(|step| format!("{}-{}", step.from, step.to));
            words.collect::<Vec<_>>().join(" ")
        };
        let mut plays: Vec<_> = candidates(position, dice).iter().map(|c| text(&c.after)).collect();
        plays.sort();
        plays
    }

    #[test]
    fn every_die_is_a_move_and_the_moves_lead_to_the_position() {
        let boards = [
            Position::START,
            position(&[(25, 2), (8, 3), (6, 4)], &[(20, 1), (6, 2), (4, 1)]),
            position(&[(6, 1), (4, 2), (1, 1)], &[(23, 1), (3, 1)]),
            position(&[(3, 1)], &[(3, 1)]),
        ];
        for (before, dice) in boards.iter().flat_map(|b| Dice::ALL.map(|dice| (b, dice))) {
            let plays = candidates(before, dice);
            let lengths: Vec<usize> = plays
                .iter()
                .map(|play| {
                    let steps = before.steps_to(dice, &play.after).expect("reached");
                    let pairs: Vec<(u8, u8)> = steps.iter().map(|s| (s.from, s.to)).collect();
                    assert_eq!(before.after_steps(dice, &pairs), Some(play.after));
                    steps.len()
                })
                .collect();
            assert!(lengths.iter().all(|&n| n == lengths[0]), "{dice}{before:?}");
        }
    }

    #[test]
    fn the_higher_die_is_played_when_only_one_can_be() {
        // From the 14, both the 6 and the 5 can be played, but neither after the other.
        assert_eq!(words(&position(&[(14, 1)], &[(22, 2), (6, 2)]), "65"), ["14-8"]);
    }

    #[test]
    fn both_dice_are_played_when_they_can_be() {
        // The 6 first would leave no 5.
        assert_eq!(words(&position(&[(12, 1)], &[(19, 2), (6, 2)]), "65"), ["12-7 7-1"]);
    }

    #[test]
    fn a_checker_is_borne_off_by_a_higher_die_from_the_rearmost_point_alone() {
        assert_eq!(words(&position(&[(2, 1), (1, 1)], &[(6, 2)]), "65"), ["2-0 1-0"]);
        assert_eq!(words(&position(&[(5, 1), (2, 1)], &[(6, 2)]), "43"), ["5-1 2-0", "5-2 2-0"]);
        let words = words(&position(&[(7, 1), (2, 1)], &[(6, 2)]), "52");
        assert!(words.contains(&"7-2 2-0".to_owned()), "{words:?}");
    }

    #[test]
    fn moves_that_no_die_makes_lead_nowhere() {
        let dice: Dice = "31".parse().expect("a roll");
        for steps in [&[(8, 4)][..], &[(8, 5), (8, 5)], &[(0, 0)], &[(99, 96)], &[(25, 22)]] {
            assert_eq!(Position::START.after_steps(dice, steps), None, "{steps:?}");
        }
        assert_eq!(Position::START.steps_to(dice, &Position::START), None);
    }
}
