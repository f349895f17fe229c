//! An evaluator that uses the bearoff databases where they apply and an inner evaluator elsewhere.

use std::sync::{Arc, OnceLock};

use super::home_board_index::{both_home, homes, number, own, theirs};
use super::race_solver::{RaceSolver, Sources};
use super::{OneSided, StoredTwoSided, TwoSided};
use crate::backgammon::Position;
use crate::eval::{Cubeful, Evaluation, Evaluator, EvaluatorDescription, ExternalFailure};
use crate::progress::Attachments;

/// The one-sided and the two-sided database, and perhaps another two-sided one for more checkers.
///
/// ```no_run
/// use std::sync::Arc;
///
/// use nonet_engine::Engine;
/// use nonet_engine::bearoff::BearoffDatabases;
///
/// let databases = Arc::new(BearoffDatabases::generate()); // takes seconds
/// let engine = Engine::builder().bearoff(databases).build()?;
/// # Ok::<(), nonet_engine::EngineError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BearoffDatabases {
    one_sided: OneSided,
    two_sided: TwoSided,
    stored: Option<Arc<dyn StoredTwoSided>>,
    /// For some positions that no two-sided database holds.
    races: Arc<RaceSolver>,
    /// The first failure to read the stored database.
    failure: OnceLock<ExternalFailure>,
    /// Once it was asked for: computing it reads all values.
    checksum: OnceLock<u32>,
}

impl PartialEq for BearoffDatabases {
    fn eq(&self, other: &BearoffDatabases) -> bool {
        let same_file = match (&self.stored, &other.stored) {
            (None, None) => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        };
        same_file && self.one_sided == other.one_sided && self.two_sided == other.two_sided
    }
}

impl BearoffDatabases {
    /// Joins two databases: an approximate one-sided one for up to 15 checkers a side, and an exact
    /// two-sided one for fewer checkers.
    #[must_use]
    pub fn new(one_sided: OneSided, two_sided: TwoSided) -> BearoffDatabases {
        BearoffDatabases {
            one_sided,
            two_sided,
            stored: None,
            races: Arc::default(),
            failure: OnceLock::new(),
            checksum: OnceLock::new(),
        }
    }

    /// The same with a stored two-sided database, for positions with more checkers than the other
    /// one holds.
    #[must_use]
    pub fn with_stored(self, stored: Arc<dyn StoredTwoSided>) -> BearoffDatabases {
        let stored = Some(stored);
        BearoffDatabases {
            stored,
            races: Arc::default(),
            failure: OnceLock::new(),
            checksum: OnceLock::new(),
            ..self
        }
    }

    /// The first failure to read the stored database. Since then its positions come from the
    /// one-sided database.
    #[must_use]
    pub fn failure(&self) -> Option<&ExternalFailure> {
        self.failure.get()
    }

    /// Up to 15 checkers a side; approximate.
    #[must_use]
    pub fn one_sided(&self) -> &OneSided {
        &self.one_sided
    }

    /// Up to a few checkers a side; exact.
    #[must_use]
    pub fn two_sided(&self) -> &TwoSided {
        &self.two_sided
    }

    /// Computes both databases, the two-sided one for six checkers a side, on the current thread
    /// pool in one or two seconds.
    #[must_use]
    pub fn generate() -> BearoffDatabases {
        BearoffDatabases::new(OneSided::generate(), TwoSided::generate(6))
    }

    /// The evaluation of a position in which both sides have checkers left, all of them in their
    /// home boards; `None` for other positions. Values from the two-sided database are exact to the
    /// precision of `f32`, those from the stored database to its own precision. All others come
    /// from the two one-sided distributions.
    #[must_use]
    pub fn evaluation(&self, position: &Position) -> Option<Evaluation> {
        if !both_home(position) {
            return None;
        }
        let numbers = (number(&own(position)), number(&theirs(position)));
        let value = match self.exact(numbers.0, numbers.1) {
            Some(Cubeful { cubeless, .. }) => {
                let win = 0.5 * (1.0 + cubeless);
                Evaluation { average: cubeless, outcomes: [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0] }
            }
            None => self.race(numbers.0, numbers.1),
        };
        // Rounding can leave a chance of -1e-8.
        Some(value.within(position.possible_outcomes()))
    }

    /// The checksum (CRC-32) of all values: another machine's databases are the same if theirs is.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        *self.checksum.get_or_init(|| self.compute_checksum())
    }

    fn compute_checksum(&self) -> u32 {
        let mut sum = crc32fast::Hasher::new();
        let mut row = Vec::new();
        for rolls in self.one_sided.rows() {
            row.clear();
            row.extend(rolls.iter().flat_map(|chance| chance.to_le_bytes()));
            sum.update(&row);
        }
        for equities in self.two_sided.equities() {
            let Cubeful { cubeless, owned, centred, opponent } = equities;
            let values = [cubeless, owned, centred, opponent].map(|value| value.to_le_bytes());
            sum.update(values.as_flattened());
        }
        match self.stored.as_ref().map(|stored| stored.checksum()) {
            None => {}
            Some(Ok(checksum)) => sum.update(&checksum.to_le_bytes()),
            Some(Err(failure)) => {
                self.failure.get_or_init(|| failure);
            }
        }
        sum.finalize()
    }

    /// The exact cubeful equities of a position in which both sides have all checkers at home.
    ///
    /// A side may have up to six checkers, or as many as the stored database holds.
    #[must_use]
    pub fn cubeful(&self, position: &Position) -> Option<Cubeful> {
        if !both_home(position) {
            return None;
        }
        self.exact(number(&own(position)), number(&theirs(position)))
    }

    /// The cubeful equities of a position in which both sides have all checkers at home.
    ///
    /// A side may have up to eight checkers. The equities are exact where
    /// [`BearoffDatabases::cubeful`] knows them, else within 0.02. The first question about a
    /// position takes some milliseconds.
    #[must_use]
    pub fn solved_cubeful(&self, position: &Position) -> Option<Cubeful> {
        if !both_home(position) {
            return None;
        }
        let numbers = (number(&own(position)), number(&theirs(position)));
        self.exact(numbers.0, numbers.1).or_else(|| {
            let exact = |own, theirs| self.exact(own, theirs);
            let sources = Sources { one_sided: &self.one_sided, exact };
            self.races.equities(numbers.0, numbers.1, &sources)
        })
    }

    /// The equities of two boards by number.
    fn exact(&self, own: usize, theirs: usize) -> Option<Cubeful> {
        self.two_sided.of(own, theirs).or_else(|| {
            let stored = self.stored.as_ref().filter(|_| self.failure.get().is_none())?;
            let boards = homes(stored.checkers());
            if own.max(theirs) >= boards {
                return None;
            }
            let found = stored.equities(own * boards + theirs);
            found.map_err(|failure| self.failure.get_or_init(|| failure)).ok()
        })
    }

    /// The evaluation of a race between two independent home boards, the first one on roll.
    fn race(&self, own: usize, theirs: usize) -> Evaluation {
        let (own_off, own_first) = self.one_sided.of(own);
        let (their_off, their_first) = self.one_sided.of(theirs);
        let (mut win, mut win_gammon, mut lose_gammon) = (0.0, 0.0, 0.0);
        // The probabilities that a board is not empty after that many rolls.
        let (mut their_waits, mut their_first_waits) = (1.0, 1.0);
        let mut own_first_waits = 1.0 - own_first.map_or(1.0, |first| first[0]);
        for rolls in 1..own_off.len() {
            // The player's roll of this number comes before the opponent's.
            win += own_off[rolls] * their_waits;
            win_gammon +=
                own_off[rolls] * if their_first.is_some() { their_first_waits } else { 0.0 };
            own_first_waits -= own_first.map_or(0.0, |first| first[rolls]);
            lose_gammon += their_off[rolls] * own_first_waits;
            their_waits -= their_off[rolls];
            their_first_waits -= their_first.map_or(0.0, |first| first[rolls]);
        }
        let lose = 1.0 - win;
        let outcomes = [win - win_gammon, win_gammon, 0.0, lose - lose_gammon, lose_gammon, 0.0];
        let exact = Evaluation { average: 0.0, outcomes };
        Evaluation { average: exact.outcome_equity(), outcomes }
    }
}

/// An evaluator that uses the bearoff databases where they apply and `inner` elsewhere.
#[derive(Clone, Debug)]
pub struct BearoffEvaluator<E> {
    inner: E,
    databases: Arc<BearoffDatabases>,
}

impl<E> BearoffEvaluator<E> {
    /// Uses the databases before `inner`.
    pub const fn new(inner: E, databases: Arc<BearoffDatabases>) -> BearoffEvaluator<E> {
        BearoffEvaluator { inner, databases }
    }

    /// The evaluator of all other positions.
    pub const fn inner(&self) -> &E {
        &self.inner
    }

    /// The databases.
    pub fn databases(&self) -> &BearoffDatabases {
        &self.databases
    }
}

impl<E: Evaluator> Evaluator for BearoffEvaluator<E> {
    fn all_outcomes(&self) -> bool {
        self.inner.all_outcomes()
    }

    fn applies_rules(&self) -> bool {
        self.inner.applies_rules()
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        self.inner.failure().or_else(|| self.databases.failure())
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<EvaluatorDescription> {
        let inner = Box::new(self.inner.describe(attachments)?);
        Some(EvaluatorDescription::Bearoff { checksum: self.databases.checksum(), inner })
    }

    fn cubeful(&self, position: &Position) -> Option<Cubeful> {
        self.databases.cubeful(position).or_else(|| self.inner.cubeful(position))
    }

    fn solved_cubeful(&self, position: &Position) -> Option<Cubeful> {
        let solved = self.databases.solved_cubeful(position);
        solved.or_else(|| self.inner.solved_cubeful(position))
    }

    fn evaluate(&self, position: &Position) -> Evaluation {
        let known = self.databases.evaluation(position);
        known.unwrap_or_else(|| self.inner.evaluate(position))
    }

    fn evaluate_batch(&self, positions: &[Position], out: &mut [Evaluation]) {
        let Some(first) = positions.iter().position(both_home) else {
            return self.inner.evaluate_batch(positions, out);
        };
        let mut others = positions[..first].to_vec();
        let mut places: Vec<usize> = (0..first).collect();
        for (place, position) in positions.iter().enumerate().skip(first) {
            match self.databases.evaluation(position) {
                Some(value) => out[place] = value,
                None => {
                    others.push(*position);
                    places.push(place);
                }
            }
        }
        let mut inner = Vec::new();
        self.inner.evaluate_into(&others, &mut inner);
        for (place, value) in places.into_iter().zip(inner) {
            out[place] = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::{Dice, Outcome, Results};
    use crate::bearoff::SMALL;
    use crate::eval::ScriptedEvaluator;

    /// Winning chances by definition: every roll and every play.
    fn slowly(position: &Position) -> f64 {
        match position.outcome() {
            Some(Outcome::Win | Outcome::WinGammon) => return 1.0,
            Some(_) => return 0.0,
            None => {}
        }
        let mut results = Results::default();
        let mut sum = 0.0;
        for dice in Dice::ALL {
            let replies = results.of(position, dice).to_vec();
            let best = replies.iter().map(|next| 1.0 - slowly(next)).fold(0.0, f64::max);
            sum += f64::from(dice.weight()) * best / 36.0;
        }
        sum
    }

    #[test]
    fn two_sided_chances_are_those_of_playing_out_every_roll() {
        for (own, theirs) in [(&[(6, 1)][..], &[(6, 1)][..]), (&[(5, 1), (2, 1)], &[(4, 2)])] {
            let position = Position::from_sides(own, theirs).expect("legal");
            let value = SMALL.evaluation(&position).expect("at home");
            let truth = slowly(&position);
            assert!((f64::from(value.outcomes[0]) - truth).abs() < 1e-6, "{value:?} for {truth}");
            assert!((f64::from(value.equity()) - (2.0 * truth - 1.0)).abs() < 1e-6);
        }
    }

    #[test]
    fn both_databases_agree_on_positions_in_both() {
        for own in [[0, 0, 0, 0, 0, 2], [1, 1, 0, 0, 1, 0], [0, 0, 3, 0, 0, 0]] {
            for theirs in [[0, 0, 0, 1, 1, 1], [2, 0, 0, 0, 0, 0], [0, 1, 0, 0, 2, 0]] {
                let numbers = (number(&own), number(&theirs));
                let exact = SMALL.two_sided.of(numbers.0, numbers.1).expect("few checkers");
                let race = SMALL.race(numbers.0, numbers.1).equity();
                assert!(
                    (exact.cubeless - race).abs() < 2e-3,
                    "{own:?} {theirs:?}: {exact:?} {race}"
                );
            }
        }
    }

    #[test]
    fn only_a_side_with_fifteen_checkers_loses_a_gammon() {
        let full = Position::from_sides(&[(1, 1)], &[(6, 15)]).expect("legal");
        let value = SMALL.evaluation(&full).expect("at home");
        assert_eq!(value, Evaluation::of_outcome(Outcome::WinGammon));
        // Off at once with a double; else the opponent has one roll, and 6s, 51, 42, 33 and 22 bear
        // a checker off.
        let later = Position::from_sides(&[(1, 3)], &[(6, 15)]).expect("legal");
        let value = SMALL.evaluation(&later).expect("at home");
        let none_off = 19.0 / 36.0;
        let gammon = 1.0 / 6.0 + 5.0 / 6.0 * none_off;
        assert!((value.outcomes[1] - gammon).abs() < 1e-4, "{value:?}");
        let saved = Position::from_sides(&[(1, 3)], &[(6, 14)]).expect("legal");
        assert_eq!(SMALL.evaluation(&saved).expect("at home").outcomes[1], 0.0);
        let mirrored =
            SMALL.evaluation(&Position::from_sides(&[(6, 15)], &[(1, 1)]).expect("legal"));
        let lose_gammon = mirrored.expect("at home").outcomes[4];
        assert!((lose_gammon - none_off).abs() < 1e-4, "{lose_gammon}");
    }

    #[test]
    fn a_cube_is_worth_most_to_its_owner() {
        for value in SMALL.two_sided.equities() {
            let Cubeful { owned, centred, opponent, .. } = value.with_double();
            assert!(owned >= centred && centred >= opponent, "{value:?}");
        }
    }

    #[test]
    fn positions_outside_the_databases_go_to_the_inner_evaluator_in_order() {
        let inside = ScriptedEvaluator(|position: &Position| Evaluation {
            average: f32::from(position.pips()),
            outcomes: [0.0; 6],
        });
        let home = Position::from_sides(&[(2, 1)], &[(3, 1)]).expect("legal");
        let away = Position::from_sides(&[(7, 1)], &[(3, 1)]).expect("legal");
        let over = Position::from_sides(&[], &[(3, 1)]).expect("legal");
        let endings = BearoffEvaluator::new(inside, Arc::clone(&SMALL));
        let mut out = vec![Evaluation::ZERO];
        endings.evaluate_into(&[away, home, over, Position::START, home], &mut out);
        let known = SMALL.evaluation(&home).expect("known");
        assert_eq!(out[0].average, 7.0);
        assert_eq!((out[1], out[4]), (known, known));
        assert_eq!(out[2], Evaluation::of_outcome(Outcome::Win));
        assert_eq!(out[3].average, 167.0);
        assert_eq!(out.len(), 5);
    }
}
