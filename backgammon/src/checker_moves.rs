//! The generator of plays die by die: every sequence of single checker moves, which notation,
//! records and servers need.

use super::{CheckerMove, Dice, Position};

/// Receives the sequences of single moves that [`walk_steps`] meets.
pub(super) trait StepSink {
    /// Whether a sequence of at most `longest` moves is still of interest; if not, the branch is
    /// left.
    fn may_improve(&self, _longest: usize) -> bool {
        true
    }

    /// A sequence that cannot be continued. It may be shorter than the longest that the roll
    /// allows.
    ///
    /// - `steps`: its moves.
    /// - `position`: the board after them, seen by the player who made them.
    /// - `blocked`: the die that could not be played, `None` if all were.
    fn end(&mut self, steps: &[CheckerMove], position: &Position, blocked: Option<u8>);
}

/// Meets every sequence of single moves of a roll, until no die can be played.
///
/// A sequence uses each die once (a double four times). The sequences that begin with the higher
/// die come first, then those that begin with the lower die. Rearmost checkers come before the
/// others.
pub(super) fn walk_steps(position: &Position, dice: Dice, sink: &mut impl StepSink) {
    let (high, low) = (dice.high(), dice.low());
    let mut steps = Vec::with_capacity(4);
    if dice.is_double() {
        walk(position, &[high; 4], &mut steps, sink);
    } else {
        walk(position, &[high, low], &mut steps, sink);
        walk(position, &[low, high], &mut steps, sink);
    }
}

fn walk(position: &Position, dice: &[u8], steps: &mut Vec<CheckerMove>, sink: &mut impl StepSink) {
    if !sink.may_improve(steps.len() + dice.len()) {
        return;
    }
    let Some((&die, rest)) = dice.split_first() else { return sink.end(steps, position, None) };
    let mut stuck = true;
    for from in (1..=25).rev() {
        if let Some((step, next)) = position.step(from, die) {
            stuck = false;
            steps.push(step);
            walk(&next, rest, steps, sink);
            steps.pop();
        }
    }
    if stuck {
        sink.end(steps, position, Some(die));
    }
}

impl Position {
    /// The single checker moves of a play that leads to `after`, one for each die played.
    ///
    /// If several orders are possible, the higher die comes before the lower one, and then checkers
    /// further from home come before the others. `after` is a result of a legal play, as in
    /// [`candidates`]. `None` if no moves lead there; an empty list if the roll cannot be played.
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
        let mut search = StepSearch { target: after.flipped(), best: None };
        walk_steps(self, dice, &mut search);
        search.best
    }

    /// The position after single checker moves (from, to) in this order, each with a die that is
    /// left, the opponent on roll; `None` if one of them is illegal. Whether the dice left over
    /// could be played too is not checked.
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
        // A die that is larger than needed bears off too, so the points do not tell which die was
        // played first.
        play(&[high, low]).or_else(|| play(&[low, high]))
    }
}

/// Looks for the first of the longest sequences of moves that lead to one position.
struct StepSearch {
    /// The position after the play, seen by the player who makes it.
    target: Position,
    best: Option<Vec<CheckerMove>>,
}

impl StepSink for StepSearch {
    fn may_improve(&self, longest: usize) -> bool {
        self.best.as_ref().is_none_or(|best| best.len() < longest)
    }

    fn end(&mut self, steps: &[CheckerMove], position: &Position, _blocked: Option<u8>) {
        if *position == self.target && self.may_improve(steps.len()) {
            self.best = Some(steps.to_vec());
        }
    }
}

impl Position {
    /// One checker of the player on roll moved by one die, if the rules allow that single move.
    pub(super) fn step(&self, from: u8, die: u8) -> Option<(CheckerMove, Position)> {
        let mut points = *self.points();
        let (start, die) = (usize::from(from), usize::from(die));
        if start > 25 || points[start] <= 0 || (points[25] > 0 && start != 25) {
            return None;
        }
        points[start] -= 1;
        let to = start.saturating_sub(die);
        let mut hits = false;
        if to == 0 {
            let behind = |first: usize| self.points()[first..].iter().any(|&n| n > 0);
            if behind(7) || (die > start && behind(start + 1)) {
                return None;
            }
        } else {
            match points[to] {
                ..=-2 => return None,
                -1 => {
                    hits = true;
                    points[to] = 1;
                    points[0] -= 1;
                }
                _ => points[to] += 1,
            }
        }
        // Both sides keep their checkers but the one borne off. So the invariant holds unless no
        // checker is left. In a legal turn the opponent is not finished.
        let next = Position::new(points).ok()?.in_game_of(self.checkers_at_start())?;
        Some((CheckerMove { from, to: to as u8, hits }, next))
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
