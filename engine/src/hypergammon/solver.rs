//! Modified policy iteration (Puterman and Shin, 1978) over all positions of a few checkers. It is
//! proved to converge for one player. With two it has converged for each number of checkers. The
//! end test does not depend on that: it looks at a sweep over all plays.
//!
//! A round begins with a sweep over all plays. Its best plays are kept. In the sweeps that follow
//! both sides choose among these alone: that needs no moves, and less than a tenth of the time.
//!
//! Positions are computed in the order of both sides' pips together. Without a hit a play lowers
//! that number, so most values that a position needs are new in the same sweep. A hit raises it,
//! and its value is the one of the sweep before. Values without contact are exact after one sweep.
//! Results do not depend on the number of threads: positions of one pip count do not see each
//! other's new values.

use rayon::prelude::*;

use super::MOST_CHECKERS;
use super::exact::{ENTRY, EQUITIES, Exact, header};
use super::policy::{self, Policy};
use super::side_number::SideNumbers;
use crate::backgammon::{Dice, Position, Results};
use crate::eval::Cubeful;

/// Pips of both sides together when each has a checker on the ace point.
const FEWEST_PIPS: usize = 2;
/// Sweeps of a round: one over all plays, the others over those that it found best.
const SWEEPS: u32 = 9;

/// Computes the exact values of backgammon with one to three checkers a side.
///
/// With three checkers it needs 2 GB of memory.
#[derive(Debug)]
pub struct Solver {
    checkers: u8,
    sides: SideNumbers,
    /// Row by row: the arrangement of the player on roll, and in it that of the opponent.
    values: Vec<Exact>,
    policy: Policy,
    at: SolverState,
}

/// How far a [`Solver`] has come.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolverState {
    /// Rounds that are done.
    pub rounds: u32,
    /// Sweeps of the present round that are done.
    pub sweeps: u32,
    /// Pip counts of the next sweep that are done.
    pub pips: u32,
    /// The largest change in the first sweep of the present round, in points.
    pub change: f64,
}

impl Solver {
    /// All values unknown.
    ///
    /// # Panics
    /// If the number of checkers is not 1 to [`MOST_CHECKERS`].
    #[must_use]
    pub fn new(checkers: u8) -> Solver {
        assert!(
            (1..=MOST_CHECKERS).contains(&checkers),
            "{checkers} checkers: expected 1 to {MOST_CHECKERS}"
        );
        let sides = SideNumbers::new(checkers);
        let policy = Policy::new(steps_of(&sides));
        let mut values = vec![Exact::UNKNOWN; sides.len() * sides.len()];
        // The row and the column of a side that is off: the game is over.
        for other in 1..sides.len() {
            for index in [other, other * sides.len()] {
                let over = sides.position(index).and_then(|over| over.outcome());
                values[index] = over.map_or(Exact::UNKNOWN, Exact::of_outcome);
            }
        }
        Solver { checkers, sides, values, policy, at: SolverState::default() }
    }

    /// One round, on the current thread pool. Returns the largest change of an equity in its sweep
    /// over all plays, in points; the values are as exact as it is small.
    pub fn round(&mut self) -> f64 {
        loop {
            if let Some(change) = self.step() {
                return change;
            }
        }
    }

    /// Computes the positions of one pip count, a part of [`Solver::round`]. Returns the largest
    /// change if a round ends with it.
    pub fn step(&mut self) -> Option<f64> {
        let (found, plays): (Vec<_>, Vec<_>) = if self.at.sweeps == 0 {
            let pips = self.at.pips as usize + FEWEST_PIPS;
            let most = self.sides.most_pips();
            let own_pips = pips.saturating_sub(most).max(1)..=(pips - 1).min(most);
            let rows: Vec<usize> = own_pips.flat_map(|own| self.sides.with_pips(own)).collect();
            let rows = rows.into_par_iter();
            rows.map_init(Results::default, |results, own| self.row(own, pips, results)).unzip()
        } else {
            let rows = self.policy.rows(self.at.pips).par_iter();
            (rows.map(|row| policy::values(row, &self.values)).collect(), Vec::new())
        };
        for (index, value) in found.into_iter().flatten() {
            if self.at.sweeps == 0 {
                self.at.change = self.at.change.max(value.distance(&self.values[index]));
            }
            self.values[index] = value;
        }
        if self.at.sweeps == 0 {
            self.policy.put(self.at.pips, plays);
        }
        self.at.pips += 1;
        if self.at.pips < self.steps() {
            return None;
        }
        self.at = SolverState { sweeps: self.at.sweeps + 1, pips: 0, ..self.at };
        if self.at.sweeps < SWEEPS {
            return None;
        }
        let SolverState { rounds, change, .. } = self.at;
        self.at = SolverState { rounds: rounds + 1, ..SolverState::default() };
        // The next round finds its own plays.
        self.policy = Policy::new(self.steps());
        Some(change)
    }

    /// Steps of a sweep.
    #[must_use]
    pub fn steps(&self) -> u32 {
        steps_of(&self.sides)
    }

    /// Steps of a round.
    #[must_use]
    pub fn steps_of_round(&self) -> u32 {
        SWEEPS * self.steps()
    }

    /// How far the work has come.
    #[must_use]
    pub fn state(&self) -> SolverState {
        self.at
    }

    /// Checkers of each side.
    #[must_use]
    pub fn checkers(&self) -> u8 {
        self.checkers
    }

    /// The new values of positions, and the best plays of those with contact.
    ///
    /// The positions have one arrangement of the player on roll, and `pips` pips of both sides
    /// together.
    fn row(
        &self,
        own: usize,
        pips: usize,
        results: &mut Results,
    ) -> (Vec<(usize, Exact)>, Vec<u32>) {
        let side = self.sides.get(own);
        let (mut found, mut plays) = (Vec::new(), Vec::new());
        for opponent in self.sides.with_pips(pips - side.pips) {
            let index = own * self.sides.len() + opponent;
            let contact = side.meets(self.sides.get(opponent));
            let changes = self.at.rounds == 0 || contact;
            if let Some(position) = self.sides.position(index).filter(|_| changes) {
                let begin = plays.len();
                plays.push(index as u32);
                found.push((index, self.value(&position, results, &mut plays)));
                if !contact {
                    plays.truncate(begin);
                }
            }
        }
        plays.shrink_to_fit();
        (found, plays)
    }

    /// The mean over the 21 rolls of the best play's value. Adds the results of the best plays to
    /// `kept`.
    fn value(&self, position: &Position, results: &mut Results, kept: &mut Vec<u32>) -> Exact {
        let mut sum = Exact::ZERO;
        for dice in Dice::ALL {
            let mut plays = results.of(position, dice).iter().map(|it| self.sides.index(it));
            let Some(first) = plays.next() else { continue };
            let mut best = self.values[first].of_play();
            let mut kept_of_roll = [first as u32; EQUITIES];
            for index in plays {
                let better = best.or_better(self.values[index].of_play());
                let changes = better.equities().into_iter().zip(best.equities());
                for (kept, (new, old)) in kept_of_roll.iter_mut().zip(changes) {
                    if new > old {
                        *kept = index as u32;
                    }
                }
                best = better;
            }
            policy::keep(kept_of_roll, kept);
            sum.add(&best, f64::from(dice.weight()));
        }
        sum.over_throws()
    }

    /// The value of a position after the sweeps so far; `None` if a side has too many checkers.
    #[must_use]
    pub fn get(&self, position: &Position) -> Option<&Exact> {
        let most = position.own_left().max(position.opponent_left());
        (most <= self.checkers).then(|| &self.values[self.sides.index(position)])
    }

    /// All numbers of the work: with [`Solver::state`] they are enough to go on.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = f64> {
        self.values.iter().flat_map(|value| {
            let Exact { outcomes: [a, b, c, d, e, f], cubeful, jacoby } = *value;
            let Cubeful { cubeless, owned, centred, opponent } = cubeful;
            [a, b, c, d, e, f, cubeless, owned, centred, opponent, jacoby]
        })
    }

    /// Goes on with the numbers of an earlier solver; `None` if they do not fit.
    pub(crate) fn resume(checkers: u8, rounds: u32, numbers: &[f64]) -> Option<Solver> {
        let mut solver = Solver::new(checkers);
        let rows = numbers.as_chunks::<11>();
        if rows.0.len() != solver.values.len() || !rows.1.is_empty() {
            return None;
        }
        for (value, row) in solver.values.iter_mut().zip(rows.0) {
            let [a, b, c, d, e, f, cubeless, owned, centred, opponent, jacoby] = *row;
            let cubeful = Cubeful { cubeless, owned, centred, opponent };
            *value = Exact { outcomes: [a, b, c, d, e, f], cubeful, jacoby };
        }
        solver.at.rounds = rounds;
        Some(solver)
    }

    /// The file of the values, 28 bytes for each position: see [`Exact::of_entry`].
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = header(self.checkers);
        bytes.reserve_exact(self.values.len() * ENTRY);
        for (index, value) in self.values.iter().enumerate() {
            let entry = self.sides.position(index).map(|_| value.to_entry());
            bytes.extend(entry.unwrap_or([0; ENTRY]));
        }
        bytes
    }
}

/// Pip counts of positions that are not over.
fn steps_of(sides: &SideNumbers) -> u32 {
    (2 * sides.most_pips() + 1 - FEWEST_PIPS) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::Outcome;

    fn solved(checkers: u8) -> Solver {
        let mut solver = Solver::new(checkers);
        while solver.round() > 1e-9 {
            assert!(solver.state().rounds < 100, "the values do not settle");
        }
        solver
    }

    #[test]
    fn each_value_is_that_of_its_best_plays() {
        let solver = solved(1);
        for index in 0..26 * 26 {
            let Some(position) = solver.sides.position(index) else { continue };
            let exact = solver.values[index];
            let sum: f64 = exact.outcomes.iter().sum();
            assert!((sum - 1.0).abs() < 1e-12, "{position} {exact:?}");
            let points = |outcome: Outcome| f64::from(outcome.points());
            let mean: f64 =
                Outcome::ALL.iter().map(|&it| points(it) * exact.outcomes[it.index()]).sum();
            assert!((mean - exact.cubeful.cubeless).abs() < 1e-8, "{position} {exact:?}");
            // Owning the cube is worth at least as much as any other state of it.
            assert!(exact.cubeful.owned >= exact.cubeful.centred - 1e-8, "{position} {exact:?}");
            assert!(exact.cubeful.centred >= exact.cubeful.opponent - 1e-8, "{position} {exact:?}");
            let entry = Exact::of_entry(&exact.to_entry()).expect("a value");
            assert!(entry.distance(&exact) < 4e-7, "{entry:?} {exact:?}");
        }
    }

    #[test]
    fn two_checkers_home_agree_with_the_bearoff_database() {
        // Once a checker of each side is off, no gammon is possible. One round is exact without
        // contact: a play lowers the pips.
        let (mut solver, bearoff) = (Solver::new(2), &crate::bearoff::SMALL);
        solver.round();
        for own in 1..=6 {
            for opponent in 1..=6 {
                let position =
                    Position::from_sides(&[(own, 1)], &[(opponent, 1)]).expect("a position");
                let exact = solver.get(&position).expect("two checkers").cubeful;
                let known = bearoff.cubeful(&position).expect("home");
                assert!((exact.cubeless - f64::from(known.cubeless)).abs() < 1e-6, "{position}");
                assert!((exact.centred - f64::from(known.centred)).abs() < 1e-6, "{position}");
                assert!((exact.owned - f64::from(known.owned)).abs() < 1e-6, "{position}");
            }
        }
    }
}
