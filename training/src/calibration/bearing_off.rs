//! Plays in the bearoff: is the most always taken off, and what would a rule to do so cost?

use serde::{Deserialize, Serialize};

use nonet_engine::backgammon::{Position, Results};
use nonet_engine::bearoff::{BearoffDatabases, both_home};
use nonet_engine::game::PlayedTurn;

/// Plays with a choice, with all checkers of both sides in their home boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BearingOff {
    /// Plays with two or more results.
    pub plays: u64,
    /// Those that took off fewer checkers than another play could have.
    pub fewer: u64,
    /// Those of them that lost more than a thousandth of a point by the databases; `None` if the
    /// databases judged none, and in files that were written before it was counted.
    #[serde(default)]
    pub mistakes: Option<u64>,
    /// Those that lost more than a hundredth, and more than two hundredths; `None` as above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub larger_mistakes: Option<[u64; 2]>,
    /// Plays that the databases judge.
    pub judged: u64,
    /// Points that the plays lost against the best ones.
    pub lost: f64,
    /// Points that the best of the plays that take off most would have lost: the cost of the rule.
    pub rule_lost: f64,
    /// Plays in which that rule leaves out every best play.
    pub rule_wrong: u64,
}

/// The smallest loss of a mistake, in points.
const MISTAKE: f64 = 0.001;

/// The smallest losses of larger ones.
pub const LARGER_MISTAKES: [f64; 2] = [0.01, 0.02];

impl BearingOff {
    pub(super) fn add(&mut self, turn: &PlayedTurn, databases: Option<&BearoffDatabases>) {
        if !both_home(turn.before) {
            return;
        }
        let mut results = Results::default();
        let results = results.of(turn.before, turn.dice);
        if results.len() < 2 {
            return;
        }
        let left = |after: &Position| after.opponent_left();
        let fewest = results.iter().map(left).min().expect("there are results");
        self.plays += 1;
        self.fewer += u64::from(left(turn.after) > fewest);
        let Some(databases) = databases else { return };
        // A result is seen by the opponent, so its value for the player has the other sign.
        let value = |after: &Position| match after.outcome() {
            Some(outcome) => Some(-f64::from(outcome.points())),
            None => databases.evaluation(after).map(|value| -f64::from(value.average)),
        };
        let best_of = |accepted: &dyn Fn(&Position) -> bool| {
            let values = results.iter().filter(|after| accepted(after)).filter_map(value);
            values.max_by(f64::total_cmp)
        };
        let (Some(best), Some(most_off), Some(played)) =
            (best_of(&|_| true), best_of(&|after| left(after) == fewest), value(turn.after))
        else {
            return;
        };
        self.judged += 1;
        self.lost += best - played;
        let loses = |more: f64| u64::from(left(turn.after) > fewest && best - played > more);
        *self.mistakes.get_or_insert(0) += loses(MISTAKE);
        let larger = self.larger_mistakes.get_or_insert_default();
        larger.iter_mut().zip(LARGER_MISTAKES).for_each(|(count, more)| *count += loses(more));
        self.rule_lost += best - most_off;
        self.rule_wrong += u64::from(best - most_off > 1e-6);
    }

    pub(super) fn merge(&mut self, other: &BearingOff) {
        self.plays += other.plays;
        self.fewer += other.fewer;
        if let Some(more) = other.mistakes {
            *self.mistakes.get_or_insert(0) += more;
        }
        if let Some(more) = other.larger_mistakes {
            let larger = self.larger_mistakes.get_or_insert_default();
            larger.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        }
        self.judged += other.judged;
        self.lost += other.lost;
        self.rule_lost += other.rule_lost;
        self.rule_wrong += other.rule_wrong;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::backgammon::Seat;

    fn turn<'a>(before: &'a Position, after: &'a Position, dice: &str) -> PlayedTurn<'a> {
        let dice = dice.parse().expect("a roll");
        PlayedTurn { player: Seat::X, before, dice, after, opening: false, context: None }
    }

    #[test]
    fn a_play_that_takes_off_fewer_is_counted() {
        // With 21 from points 3, 2 and 1: two checkers can be taken off.
        let before = Position::from_sides(&[(3, 1), (2, 1), (1, 1)], &[(1, 2)]).expect("legal");
        let mut results = Results::default();
        let found = results.of(&before, "21".parse().expect("a roll")).to_vec();
        let most = found.iter().min_by_key(|after| after.opponent_left()).expect("results");
        let fewer = found.iter().max_by_key(|after| after.opponent_left()).expect("results");
        assert!(fewer.opponent_left() > most.opponent_left());
        let mut sums = BearingOff::default();
        sums.add(&turn(&before, most, "21"), None);
        sums.add(&turn(&before, fewer, "21"), None);
        assert_eq!((sums.plays, sums.fewer, sums.judged), (2, 1, 0));
    }

    #[test]
    fn a_play_loses_what_the_opponent_has_more_than_after_the_best_one() {
        let databases = &crate::SMALL_BEAROFF;
        let before = Position::from_sides(&[(6, 1), (3, 1)], &[(6, 1), (5, 1)]).expect("legal");
        let mut results = Results::default();
        let found = results.of(&before, "21".parse().expect("a roll")).to_vec();
        let opponents = |after: &Position| {
            f64::from(databases.evaluation(after).expect("both are home").average)
        };
        let least = found.iter().map(opponents).min_by(f64::total_cmp).expect("results");
        let (mut most_lost, mut mistakes) = (0.0_f64, 0);
        for after in &found {
            let mut sums = BearingOff::default();
            sums.add(&turn(&before, after, "21"), Some(databases));
            assert_eq!((sums.judged, sums.fewer), (1, u64::from(after.opponent_left() == 2)));
            assert!((sums.lost - (opponents(after) - least)).abs() < 1e-9);
            let mistake = sums.fewer == 1 && sums.lost > 0.001;
            assert_eq!(sums.mistakes, Some(u64::from(mistake)));
            let larger = LARGER_MISTAKES.map(|more| u64::from(sums.fewer == 1 && sums.lost > more));
            assert_eq!(sums.larger_mistakes, Some(larger));
            mistakes += u64::from(mistake);
            most_lost = most_lost.max(sums.lost);
        }
        assert!(most_lost > 0.01, "{most_lost}");
        assert!(mistakes > 0);
    }

    #[test]
    fn positions_with_checkers_outside_do_not_count() {
        let mut results = Results::default();
        let after = results.of(&Position::START, "31".parse().expect("a roll"))[0];
        let mut sums = BearingOff::default();
        sums.add(&turn(&Position::START, &after, "31"), None);
        assert_eq!(sums, BearingOff::default());
    }
}
