//! The rules that a server has to know: which plays a roll allows. Written to be obviously right, not to be fast.

use std::fmt;

/// Where checkers enter from, in own points.
pub const BAR: u8 = 25;
/// Where checkers are borne off to, in own points.
pub const OFF: u8 = 0;
/// Checkers of each side.
pub const CHECKERS: u8 = 15;

/// Two dice in the order in which they fell.
#[derive(Clone, Copy, Debug)]
pub struct Dice([u8; 2]);

impl Dice {
    /// Two dice that show 1 to 6.
    #[must_use]
    pub fn new(a: u8, b: u8) -> Option<Dice> {
        ((1..=6).contains(&a) && (1..=6).contains(&b)).then_some(Dice([a, b]))
    }

    /// Both dice as they fell, each 1..=6.
    #[must_use]
    pub const fn both(self) -> [u8; 2] {
        self.0
    }

    /// Both alike.
    #[must_use]
    pub const fn is_double(self) -> bool {
        self.0[0] == self.0[1]
    }

    fn sorted(self) -> [u8; 2] {
        [self.0[0].max(self.0[1]), self.0[0].min(self.0[1])]
    }
}

/// The order in which they fell makes no difference.
impl PartialEq for Dice {
    fn eq(&self, other: &Dice) -> bool {
        self.sorted() == other.sorted()
    }
}

impl Eq for Dice {}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0[0], self.0[1])
    }
}

/// What a finished or resigned game counts on a 1-cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stake {
    /// 1 point.
    Single,
    /// 2 points.
    Gammon,
    /// 3 points.
    Backgammon,
}

impl Stake {
    /// All three, in ascending order.
    pub const ALL: [Stake; 3] = [Stake::Single, Stake::Gammon, Stake::Backgammon];

    /// Points on a 1-cube, 1..=3.
    #[must_use]
    pub const fn points(self) -> u32 {
        self as u32 + 1
    }

    /// The stake of so many points on a cube.
    #[must_use]
    pub fn of_points(points: u32, cube: u32) -> Option<Stake> {
        Stake::ALL.into_iter().find(|stake| stake.points() * cube == points)
    }
}

/// One checker moved by one die, in the points of whoever moves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// 1..=24, or [`BAR`].
    pub from: u8,
    /// 1..=24, or [`OFF`].
    pub to: u8,
}

/// A whole turn, step by step in an order in which each step is legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    /// None to four.
    pub steps: Vec<Step>,
    /// The board afterwards, the other player on roll.
    pub after: Checkers,
}

/// The checkers of both sides, seen by the player on roll.
///
/// `points[1..=24]` holds own checkers as positive and the other side's as negative numbers, own home board 1 to 6;
/// `points[25]` is the own bar, `points[0]` the other side's (never positive). What is missing to 15 is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Checkers {
    points: [i8; 26],
}

impl Checkers {
    /// The start of a game.
    pub const START: Checkers = Checkers {
        points: [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0],
    };

    /// Checks an arrangement: at most 15 checkers a side, the right ones on each bar.
    #[must_use]
    pub fn new(points: [i8; 26]) -> Option<Checkers> {
        let sum = |sign: i32| points.iter().map(|&n| (i32::from(n) * sign).max(0)).sum::<i32>();
        let most = i32::from(CHECKERS);
        let fits = points[25] >= 0 && points[0] <= 0 && sum(1) <= most && sum(-1) <= most;
        fits.then_some(Checkers { points })
    }

    /// All 26 entries in the layout of the type.
    #[must_use]
    pub const fn points(&self) -> &[i8; 26] {
        &self.points
    }

    /// The same board seen by the other player.
    #[must_use]
    pub fn flipped(&self) -> Checkers {
        let mut points = self.points;
        points.reverse();
        Checkers { points: points.map(|n| -n) }
    }

    /// Own checkers not yet off, 0..=15.
    #[must_use]
    pub fn left(&self) -> u8 {
        self.points.iter().map(|&n| n.max(0).unsigned_abs()).sum()
    }

    /// What the player on roll has lost, if the other one has borne off everything.
    #[must_use]
    pub fn lost(&self) -> Option<Stake> {
        if self.flipped().left() > 0 {
            return None;
        }
        Some(if self.left() < CHECKERS {
            Stake::Single
        } else if self.points[19..=25].iter().any(|&n| n > 0) {
            Stake::Backgammon
        } else {
            Stake::Gammon
        })
    }

    /// The least that may still be lost at once: nothing below a gammon before the first checker is off, for whoever is
    /// on roll.
    #[must_use]
    pub fn most_to_lose(&self) -> Stake {
        if self.left() < CHECKERS {
            Stake::Single
        } else if self.points[19..=25].iter().any(|&n| n > 0) {
            Stake::Backgammon
        } else {
            Stake::Gammon
        }
    }

    /// The board after one checker of the player on roll moved by one die, if that is legal by itself.
    fn step(&self, from: u8, die: u8) -> Option<(Step, Checkers)> {
        let own = |point: u8| self.points[usize::from(point)] > 0;
        if !own(from) || (from != BAR && own(BAR)) {
            return None;
        }
        let to = from.saturating_sub(die);
        let mut points = self.points;
        if to == OFF {
            let home = (7..=BAR).all(|point| !own(point));
            let exact = from == die;
            let rearmost = (from + 1..=6).all(|point| !own(point));
            if !home || !(exact || rearmost) {
                return None;
            }
        } else {
            match points[usize::from(to)] {
                n if n < -1 => return None,
                -1 => {
                    points[usize::from(to)] = 1;
                    points[0] -= 1;
                }
                _ => points[usize::from(to)] += 1,
            }
        }
        points[usize::from(from)] -= 1;
        Some((Step { from, to }, Checkers { points }))
    }

    /// The board after steps in their order, each with one die that is left; `None` if one of them is illegal.
    #[must_use]
    pub fn after_steps(&self, dice: Dice, steps: &[Step]) -> Option<Checkers> {
        // An overlarge die can stand for a smaller one when bearing off: try the dice in both orders.
        let [a, b] = dice.both();
        let orders = if a == b { vec![vec![a; 4]] } else { vec![vec![a, b], vec![b, a]] };
        orders.into_iter().find_map(|order| {
            let mut board = *self;
            let mut dice = order.into_iter();
            for step in steps {
                let (made, next) = board.step(step.from, dice.next()?)?;
                if made != *step {
                    return None;
                }
                board = next;
            }
            Some(board.flipped())
        })
    }

    /// Every distinct board that a roll can lead to, each with one play; empty if the roll cannot be played.
    ///
    /// As many dice as possible are used, and the higher one if only one of the two can be.
    #[must_use]
    pub fn plays(&self, dice: Dice) -> Vec<Play> {
        let [high, low] = dice.sorted();
        let mut lines: Vec<(Vec<Step>, Vec<u8>, Checkers)> = Vec::new();
        if high == low {
            self.collect(&[high; 4], &mut Vec::new(), &mut Vec::new(), &mut lines);
        } else {
            self.collect(&[high, low], &mut Vec::new(), &mut Vec::new(), &mut lines);
            self.collect(&[low, high], &mut Vec::new(), &mut Vec::new(), &mut lines);
        }
        let most = lines.iter().map(|line| line.0.len()).max().unwrap_or(0);
        lines.retain(|line| most > 0 && line.0.len() == most);
        if most == 1 && lines.iter().any(|line| line.1 == [high]) {
            lines.retain(|line| line.1 == [high]);
        }
        let mut plays: Vec<Play> = Vec::new();
        for (steps, _, board) in lines {
            let after = board.flipped();
            if plays.iter().all(|play| play.after != after) {
                plays.push(Play { steps, after });
            }
        }
        plays
    }

    fn collect(
        &self,
        dice: &[u8],
        steps: &mut Vec<Step>,
        used: &mut Vec<u8>,
        lines: &mut Vec<(Vec<Step>, Vec<u8>, Checkers)>,
    ) {
        let before = lines.len();
        if let Some((&die, rest)) = dice.split_first() {
            for from in (1..=BAR).rev() {
                if let Some((step, next)) = self.step(from, die) {
                    steps.push(step);
                    used.push(die);
                    next.collect(rest, steps, used, lines);
                    steps.pop();
                    used.pop();
                }
            }
        }
        let known = |line: &(Vec<Step>, Vec<u8>, Checkers)| line.2 == *self && line.1 == *used;
        if lines.len() == before && !lines.iter().any(known) {
            lines.push((steps.clone(), used.clone(), *self));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(own: &[(usize, i8)], other: &[(usize, i8)]) -> Checkers {
        let mut points = [0i8; 26];
        own.iter().for_each(|&(point, n)| points[point] += n);
        other.iter().for_each(|&(point, n)| points[25 - point] -= n);
        Checkers::new(points).expect("a board")
    }

    fn dice(a: u8, b: u8) -> Dice {
        Dice::new(a, b).expect("dice")
    }

    fn words(board: Checkers, a: u8, b: u8) -> Vec<String> {
        let text = |play: Play| {
            let steps = play.steps.iter().map(|s| format!("{}-{}", s.from, s.to));
            steps.collect::<Vec<_>>().join(" ")
        };
        let mut plays: Vec<String> = board.plays(dice(a, b)).into_iter().map(text).collect();
        plays.sort();
        plays
    }

    #[test]
    fn the_higher_die_is_played_when_only_one_can_be() {
        // From the 14, both the 6 and the 5 can be played, but neither after the other.
        let blocked = board(&[(14, 1)], &[(22, 2), (6, 2)]);
        assert_eq!(words(blocked, 6, 5), ["14-8"]);
    }

    #[test]
    fn both_dice_are_played_when_they_can_be() {
        // The 6 first would leave no 5.
        let one_way = board(&[(12, 1)], &[(19, 2), (6, 2)]);
        assert_eq!(words(one_way, 6, 5), ["12-7 7-1"]);
    }

    #[test]
    fn whoever_is_on_the_bar_enters_first() {
        let shut = board(&[(25, 1), (6, 2)], &[(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2)]);
        assert!(shut.plays(dice(6, 6)).is_empty());
        let open = board(&[(25, 1), (13, 2)], &[(6, 2)]);
        assert!(open.plays(dice(3, 1)).iter().all(|play| play.steps[0].from == BAR));
    }

    #[test]
    fn a_checker_is_borne_off_by_a_higher_die_from_the_rearmost_point_alone() {
        assert_eq!(words(board(&[(2, 1), (1, 1)], &[(6, 2)]), 6, 5), ["2-0 1-0"]);
        assert_eq!(words(board(&[(5, 1), (2, 1)], &[(6, 2)]), 4, 3), ["5-1 2-0", "5-2 2-0"]);
        assert!(words(board(&[(7, 1), (2, 1)], &[(6, 2)]), 5, 2).contains(&"7-2 2-0".to_owned()));
    }

    #[test]
    fn a_loss_counts_by_what_is_left() {
        assert_eq!(board(&[(6, 14)], &[]).lost(), Some(Stake::Single));
        assert_eq!(board(&[(6, 15)], &[]).lost(), Some(Stake::Gammon));
        assert_eq!(board(&[(6, 14), (19, 1)], &[]).lost(), Some(Stake::Backgammon));
        assert_eq!(board(&[(6, 14), (25, 1)], &[]).lost(), Some(Stake::Backgammon));
        assert_eq!(Checkers::START.lost(), None);
    }
}
