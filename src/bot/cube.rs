//! Decisions about the cube and about giving up: the one place where they are made.
//!
//! A plain rule from the outcome probabilities of a net. For money it is Rick Janowski's model of a cube that is alive
//! by x = 0.68 ("Take-Points in Money Games", 1993): with p the chance to win, W and L the mean points of a game won and
//! lost, the equity of the cube's owner is p(W + L + x/2) - L, without access to it p(W + L + x/2) - L - x/2, and with the
//! cube in the middle 4/(4 - x) (p(W + L + x/2) - L - x/4). In matches the same value of owning the cube is added to the
//! chances of winning the match that follow without it.

use crate::backgammon::{Position, Session, Stake, View};
use crate::value::Evaluation;

/// How alive the cube is: 0 for a dead one, 1 for one that is always turned at the perfect moment.
const X: f64 = 0.68;

/// A position before the roll, seen by the player on roll, and what it is played for.
#[derive(Clone, Copy, Debug)]
pub struct Stakes {
    /// Money, or the score, "own" being the player on roll.
    pub session: Session,
    /// What the cube shows, 1..=32768.
    pub cube: u32,
    /// Whether it stands in the middle.
    pub centred: bool,
}

/// The three numbers of the model.
#[derive(Clone, Copy, Debug)]
struct Chances {
    /// Chance to win, 0..=1.
    win: f64,
    /// Mean points of a game won, 1..=3.
    won: f64,
    /// Mean points of a game lost, 1..=3.
    lost: f64,
}

impl Chances {
    fn of(value: &Evaluation) -> Chances {
        let [w, wg, wb, l, lg, lb] = value.outcomes.map(|p| f64::from(p.clamp(0.0, 1.0)));
        let (wins, losses) = ((w + wg + wb).max(1e-9), (l + lg + lb).max(1e-9));
        Chances {
            win: wins / (wins + losses),
            won: (w + 2.0 * wg + 3.0 * wb) / wins,
            lost: (l + 2.0 * lg + 3.0 * lb) / losses,
        }
    }

    /// Equity for money without a cube that may still be turned.
    fn dead(self) -> f64 {
        self.win * (self.won + self.lost) - self.lost
    }

    fn owned(self) -> f64 {
        self.dead() + 0.5 * X * self.win
    }

    fn unavailable(self) -> f64 {
        self.dead() - 0.5 * X * (1.0 - self.win)
    }

    fn centred(self) -> f64 {
        4.0 / (4.0 - X) * (self.dead() + 0.5 * X * self.win - 0.25 * X)
    }
}

/// Chance to win a match, 0..=1, with so many points to go.
///
/// P. Janowski's formula, 1/2 + 0.85 lead / (trailer's away + 6); at one point away, where it is poor, the Crawford row
/// of Kit Woolsey's table.
#[must_use]
pub fn match_chance(own_away: i32, other_away: i32) -> f64 {
    /// The trailer's chance with 1, 2, 3, ... points to go against a leader with 1, the Crawford game to be played.
    const CRAWFORD: [f64; 12] =
        [0.50, 0.30, 0.25, 0.17, 0.15, 0.09, 0.09, 0.06, 0.05, 0.03, 0.03, 0.02];
    if own_away <= 0 {
        return 1.0;
    }
    if other_away <= 0 {
        return 0.0;
    }
    let behind =
        |away: i32| CRAWFORD.get(away.unsigned_abs() as usize - 1).copied().unwrap_or(0.01);
    match (own_away, other_away) {
        (1, away) => 1.0 - behind(away),
        (away, 1) => behind(away),
        (own, other) => {
            let lead = f64::from(other - own);
            (0.5 + 0.85 * lead / (f64::from(own.max(other)) + 6.0)).clamp(0.01, 0.99)
        }
    }
}

/// Match chances after a game on a cube of `points`, for `multiple` times its points won (or lost, if negative).
fn after(away: (u16, u16), multiple: i32, points: u32) -> f64 {
    let won = multiple * i32::try_from(points).unwrap_or(i32::MAX / 4);
    let (own, other) = (i32::from(away.0), i32::from(away.1));
    if won > 0 { match_chance(own - won, other) } else { match_chance(own, other + won) }
}

/// The mean of the match chances over the six outcomes on a cube of `points`.
fn expected(value: &Evaluation, away: (u16, u16), points: u32) -> f64 {
    let [w, wg, wb, l, lg, lb] = value.outcomes.map(|p| f64::from(p.clamp(0.0, 1.0)));
    let all = [(w, 1), (wg, 2), (wb, 3), (l, -1), (lg, -2), (lb, -3)];
    let sum: f64 = all.iter().map(|(p, _)| p).sum();
    all.iter().map(|&(p, n)| p * after(away, n, points)).sum::<f64>() / sum.max(1e-9)
}

/// What the cube decisions come to, in points for money and in match chances else.
struct Worth {
    no_double: f64,
    taken: f64,
    dropped: f64,
}

impl Stakes {
    fn worth(&self, value: &Evaluation) -> Worth {
        let chances = Chances::of(value);
        let Some(away) = self.session.away() else {
            let no_double = if self.centred { chances.centred() } else { chances.owned() };
            return Worth { no_double, taken: 2.0 * chances.unavailable(), dropped: 1.0 };
        };
        let (now, then) = (self.cube, 2 * self.cube);
        // Half of what lies between a game won and a game lost: the unit of the model at this score.
        let unit = |points| 0.5 * (after(away, 1, points) - after(away, -1, points));
        let held = if self.centred { chances.centred() } else { chances.owned() } - chances.dead();
        // A cube that would win more than its owner needs is dead in his hands.
        let theirs =
            if u32::from(away.1) > then { chances.unavailable() - chances.dead() } else { 0.0 };
        Worth {
            no_double: expected(value, away, now) + held * unit(now),
            taken: expected(value, away, then) + theirs * unit(then),
            dropped: after(away, 1, now),
        }
    }

    /// Whether the player on roll, of whose position `value` speaks before the roll, should turn the cube.
    #[must_use]
    pub fn should_double(&self, value: &Evaluation) -> bool {
        if let Some((own, other)) = self.session.away() {
            let dead = u32::from(own) <= self.cube;
            if dead || !self.session.may_use_cube() {
                return false;
            }
            // Whoever trails after the Crawford game has nothing to lose by playing for more.
            if other == 1 && own > 1 {
                return Chances::of(value).win < 0.999;
            }
        }
        let worth = self.worth(value);
        worth.taken.min(worth.dropped) > worth.no_double
    }

    /// Whether the other player should take; `value` is still that of the player who doubles.
    #[must_use]
    pub fn should_take(&self, value: &Evaluation) -> bool {
        let worth = self.worth(value);
        worth.taken <= worth.dropped
    }

    /// Whether to accept so much from an opponent who gives up; `value` is of our position, whoever is on roll.
    #[must_use]
    pub fn should_accept(&self, value: &Evaluation, stake: Stake) -> bool {
        let points = match stake {
            Stake::Single => 1,
            Stake::Gammon => 2,
            Stake::Backgammon => 3,
        };
        match self.session.away() {
            None => f64::from(points) + 0.01 >= Chances::of(value).dead(),
            Some(away) => {
                after(away, points, self.cube) + 0.003 >= expected(value, away, self.cube)
            }
        }
    }
}

/// Whether to give up, and how much: only in a race that is as good as lost, and what would be lost anyway.
#[must_use]
pub fn gives_up(position: &Position, value: &Evaluation) -> Option<Stake> {
    const CERTAIN: f64 = 0.999;
    let [.., l, lg, lb] = value.outcomes.map(f64::from);
    let lost = 1.0 - Chances::of(value).win;
    if View::of(position).contact() || lost < CERTAIN {
        return None;
    }
    // With a checker off no gammon is left.
    if position.own_left() < 15 || lg + lb < 1.0 - CERTAIN {
        Some(Stake::Single)
    } else if lg > CERTAIN && lb < 1.0 - CERTAIN && l < 1.0 - CERTAIN {
        Some(Stake::Gammon)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position without gammons that is won with chance `p`.
    fn race(p: f32) -> Evaluation {
        Evaluation { average: 2.0 * p - 1.0, outcomes: [p, 0.0, 0.0, 1.0 - p, 0.0, 0.0] }
    }

    fn money(centred: bool) -> Stakes {
        Stakes { session: Session::Money { jacoby: false, beavers: false }, cube: 1, centred }
    }

    fn at(length: u16, own: u16, other: u16, crawford: bool, cube: u32) -> Stakes {
        let session = Session::of_match(length, own, other, crawford).expect("a score");
        Stakes { session, cube, centred: cube == 1 }
    }

    #[test]
    fn a_money_game_without_gammons_is_taken_from_janowskis_take_point_on() {
        // (L - 1/2) / (W + L + x/2) = 0.2137.
        assert!(money(true).should_take(&race(1.0 - 0.215)));
        assert!(!money(true).should_take(&race(1.0 - 0.212)));
    }

    #[test]
    fn a_redouble_waits_longer_than_a_first_double() {
        let first =
            |centred| (1..1000).find(|&i| money(centred).should_double(&race(i as f32 / 1000.0)));
        let (centred, owned) = (first(true).expect("some"), first(false).expect("some"));
        assert!(
            (660..720).contains(&centred) && centred < owned && owned < 760,
            "{centred} {owned}"
        );
    }

    #[test]
    fn gammons_are_played_for() {
        let gammonish = Evaluation { average: 1.4, outcomes: [0.3, 0.65, 0.0, 0.05, 0.0, 0.0] };
        assert!(!money(true).should_double(&gammonish));
    }

    #[test]
    fn nobody_doubles_in_the_crawford_game_or_with_a_dead_cube() {
        for p in [0.5, 0.7, 0.8, 0.95] {
            assert!(!at(5, 4, 2, true, 1).should_double(&race(p)));
            assert!(!at(5, 2, 4, true, 1).should_double(&race(p)));
            assert!(!at(5, 4, 2, false, 1).should_double(&race(p)), "one point is enough");
            assert!(!at(5, 3, 3, false, 2).should_double(&race(p)), "the cube of 2 is enough");
        }
    }

    #[test]
    fn whoever_trails_after_the_crawford_game_doubles_at_once() {
        assert!(at(5, 2, 4, false, 1).should_double(&race(0.5)));
    }

    #[test]
    fn at_two_away_each_a_race_is_doubled_early_and_taken_late() {
        // Either way the game decides the match: a take needs what is left after a drop, 30 %.
        assert!(at(5, 3, 3, false, 1).should_take(&race(0.69)));
        assert!(!at(5, 3, 3, false, 1).should_take(&race(0.72)));
        assert!(at(5, 3, 3, false, 1).should_double(&race(0.7)));
    }

    #[test]
    fn giving_up_wants_certainty_and_the_right_class() {
        let race_lost = Position::from_sides(&[(6, 10)], &[(1, 1)]).expect("legal");
        assert_eq!(gives_up(&race_lost, &race(0.0)), Some(Stake::Single));
        assert_eq!(gives_up(&race_lost, &race(0.01)), None);
        assert_eq!(gives_up(&Position::START, &race(0.0)), None, "there is contact");
        let gammon = Position::from_sides(&[(12, 15)], &[(1, 1)]).expect("legal");
        let lost = Evaluation { average: -2.0, outcomes: [0.0, 0.0, 0.0, 0.0, 1.0, 0.0] };
        assert_eq!(gives_up(&gammon, &lost), Some(Stake::Gammon));
    }

    #[test]
    fn what_is_offered_is_taken_if_the_game_gives_no_more() {
        let money = money(true);
        assert!(money.should_accept(&race(0.9), Stake::Single));
        let gammon = Evaluation { average: 1.8, outcomes: [0.2, 0.8, 0.0, 0.0, 0.0, 0.0] };
        assert!(!money.should_accept(&gammon, Stake::Single));
        assert!(money.should_accept(&gammon, Stake::Gammon));
    }
}
