//! Calibration: do outcomes happen as often as a net says? Games are played to the end, and every
//! position is evaluated at 1-ply.
//!
//! Positions of a game share its end, so errors are those of games, not of positions. A cell's
//! deviation is a ratio of two sums over games. Its standard error is that of the ratio (Cochran,
//! Sampling Techniques, 1977, section 6.4).

mod bearing_off;
mod branching;
mod cell;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use bearing_off::{BearingOff, LARGER_MISTAKES};
pub use branching::Branching;
pub use cell::{Cell, Deviation};

use nonet_engine::backgammon::{Outcome, Position};
use nonet_engine::bearoff::BearoffDatabases;
use nonet_engine::class::{ByClass, Class};
use nonet_engine::eval::{Evaluation, Evaluator};
use nonet_engine::game::{GameRunner, Player, StreamPurpose, stream};
use nonet_engine::progress::Progress;

/// Bins of predictions, each as wide as `1 / BINS`.
pub const BINS: usize = 20;

/// The chances that are compared, in the order of [`Evaluation::cumulative`].
///
/// That function clamps the outcomes and makes them add up to 1. The equity is that of the outputs
/// as they are.
pub const CHANCES: [&str; 5] =
    ["win", "win gammon", "win backgammon", "lose gammon", "lose backgammon"];

/// Games that are played one after the other by one thread.
const BLOCK: u64 = 32;

/// The number of blocks in memory at the same time.
const BLOCKS: u64 = 64;

/// The settings of a calibration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalibrationConfig {
    /// Games, without the cube.
    pub games: u64,
    /// The seed of their dice.
    pub seed: u64,
}

/// A calibration with its command and settings: the file of `nonet calibrate --keep`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptCalibration {
    /// The command that made it.
    pub command: String,
    /// The games.
    pub config: CalibrationConfig,
    /// The sums.
    pub calibration: Calibration,
    /// Whether the games were stopped before the last one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
}

/// A calibration that was stopped before its last game began. Its sums are unbiased: each game that
/// had begun was played to its end. `None` without a game.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("the calibration was stopped before its end")]
pub struct CalibrationStopped(pub Option<Box<Calibration>>);

/// Predictions and ends of games.
///
/// ```
/// use nonet_engine::game::Greedy;
/// use nonet_engine::progress::Progress;
/// use nonet_training::calibration::{Calibration, CalibrationConfig};
///
/// let team = nonet_engine::open::net("small")?.team;
/// let (player, config) = (Greedy(team.clone()), CalibrationConfig { games: 4, seed: 1 });
/// let found = Calibration::of(&team, &player, None, &config, &Progress::default());
/// assert!(found.is_ok_and(|found| found.games == 4));
/// # Ok::<(), nonet_engine::open::OpenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Games that came to an end.
    pub games: u64,
    /// All predictions.
    pub all: ClassCalibration,
    /// The predictions by class of the position. A game comes through several classes, so these are
    /// not independent.
    pub classes: ByClass<ClassCalibration>,
    /// Plays with both sides in their home boards.
    pub bearing_off: BearingOff,
    /// All rolls; none in sums that were kept before they were counted.
    #[serde(default)]
    pub branching: Branching,
}

/// The predictions for positions of a class, or for all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassCalibration {
    /// The chances, in the order of [`CHANCES`], each in [`BINS`] bins of the prediction.
    pub chances: Box<[[Cell; BINS]; 5]>,
    /// The same over all bins, since a game has positions in several.
    pub all: [Cell; 5],
    /// Equity in points: that of the evaluation, and the points that the game was worth.
    pub equity: Cell,
    /// The consistency of the outputs.
    pub outputs: Outputs,
}

/// The consistency of the outputs: the six outcomes should add up to 1, and both values of a
/// position should be close. Source: Wiering, Patist & Mannen, section 4.1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outputs {
    /// Positions.
    pub positions: u64,
    /// Sum of the distances between 1 and the sum of the six outcomes.
    pub sum_off: f64,
    /// Positions in which the six outcomes add up to 0.95..1.05.
    pub sum_near: u64,
    /// Sum of the distances between the average head and the equity of the outcomes, in points.
    pub values_off: f64,
    /// Positions in which the two values differ by at most 0.1 points.
    pub values_near: u64,
    /// Outcome outputs below 0; `None` in files that were written before it was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below_0: Option<BelowZero>,
}

/// The outcome outputs that are below 0, which no chance is: linear outputs can be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BelowZero {
    /// How many of the outputs, six for each position.
    pub outputs: u64,
    /// How many are below -0.02.
    pub far: u64,
    /// The least of all outputs, at most 0.
    pub least: f32,
}

impl BelowZero {
    fn add(&mut self, output: f32) {
        self.outputs += u64::from(output < 0.0);
        self.far += u64::from(output < -0.02);
        self.least = self.least.min(output);
    }

    fn merge(&mut self, other: &BelowZero) {
        self.outputs += other.outputs;
        self.far += other.far;
        self.least = self.least.min(other.least);
    }
}

impl Outputs {
    fn add(&mut self, evaluation: &Evaluation) {
        let sum: f32 = evaluation.outcomes.iter().sum();
        let off = f64::from((sum - 1.0).abs());
        let apart = f64::from((evaluation.average - evaluation.outcome_equity()).abs());
        self.positions += 1;
        self.sum_off += off;
        self.sum_near += u64::from(off <= 0.05);
        self.values_off += apart;
        self.values_near += u64::from(apart <= 0.1);
        let below_0 = self.below_0.get_or_insert_default();
        evaluation.outcomes.iter().for_each(|output| below_0.add(*output));
    }

    fn merge(&mut self, other: &Outputs) {
        self.positions += other.positions;
        self.sum_off += other.sum_off;
        self.sum_near += other.sum_near;
        self.values_off += other.values_off;
        self.values_near += other.values_near;
        if let Some(other) = &other.below_0 {
            self.below_0.get_or_insert_default().merge(other);
        }
    }
}

/// One number for each chance of an end: 1 if it happened.
fn happened(outcome: Outcome) -> [f64; 5] {
    Evaluation::of_outcome(outcome).cumulative().map(f64::from)
}

/// The bin of a prediction.
fn bin(chance: f32) -> usize {
    ((chance * BINS as f32) as usize).min(BINS - 1)
}

impl Calibration {
    fn empty() -> Calibration {
        Calibration {
            games: 0,
            all: ClassCalibration::default(),
            classes: ByClass::new(|_| ClassCalibration::default()),
            bearing_off: BearingOff::default(),
            branching: Branching::default(),
        }
    }

    /// Plays games between two copies of `player`, without the cube.
    ///
    /// What `evaluator` says of their positions is compared with how the games end. The start is
    /// left out, since its roll is never a double. With `bearoff`, plays in the bearoff are judged
    /// by the databases, too. Games that do not end, or in which an engine fails, are left out. The
    /// result does not depend on the number of threads.
    ///
    /// # Errors
    /// [`CalibrationStopped`] if `progress` was stopped before the last game began.
    pub fn of(
        evaluator: &dyn Evaluator,
        player: &dyn Player,
        bearoff: Option<&BearoffDatabases>,
        config: &CalibrationConfig,
        progress: &Progress,
    ) -> Result<Calibration, CalibrationStopped> {
        let (mut all, mut begun) = (Calibration::empty(), 0);
        // No list of all blocks: there may be more of them than memory holds.
        let (mut next, blocks) = (0, config.games.div_ceil(BLOCK));
        while next < blocks {
            let some = next..blocks.min(next + BLOCKS);
            next = some.end;
            let of = |block: u64| {
                let first = block * BLOCK;
                let numbers = first..first.saturating_add(BLOCK).min(config.games);
                let (mut sums, mut begun) = (Sums::new(evaluator, player, bearoff), 0);
                for number in numbers.take_while(|_| !progress.is_stopped()) {
                    sums.game(config.seed, number);
                    begun += 1;
                    progress.add(1);
                }
                (sums.calibration, begun)
            };
            let found: Vec<(Calibration, u64)> = some.into_par_iter().map(of).collect();
            for (block, games) in found {
                all.merge(&block);
                begun += games;
            }
            if progress.is_stopped() && begun < config.games {
                return Err(CalibrationStopped((all.games > 0).then(|| Box::new(all))));
            }
        }
        Ok(all)
    }

    fn merge(&mut self, other: &Calibration) {
        self.games += other.games;
        self.bearing_off.merge(&other.bearing_off);
        self.branching.merge(&other.branching);
        self.all.merge(&other.all);
        for class in Class::all() {
            self.classes[class].merge(&other.classes[class]);
        }
    }

    fn position(&mut self, position: &Position, value: &Evaluation, outcome: Outcome) {
        self.all.position(value, outcome);
        self.classes[Class::of(position)].position(value, outcome);
    }
}

impl ClassCalibration {
    fn merge(&mut self, other: &ClassCalibration) {
        for (own, others) in self.chances.iter_mut().zip(other.chances.iter()) {
            own.iter_mut().zip(others).for_each(|(own, other)| own.merge(other));
        }
        self.all.iter_mut().zip(&other.all).for_each(|(own, other)| own.merge(other));
        self.equity.merge(&other.equity);
        self.outputs.merge(&other.outputs);
    }

    fn position(&mut self, value: &Evaluation, outcome: Outcome) {
        let chances = value.cumulative().into_iter().zip(happened(outcome));
        for (i, (predicted, happened)) in chances.enumerate() {
            self.chances[i][bin(predicted)].add(f64::from(predicted), happened);
            self.all[i].add(f64::from(predicted), happened);
        }
        self.equity.add(f64::from(value.equity()), f64::from(outcome.points()));
        self.outputs.add(value);
    }

    fn end_game(&mut self) {
        self.chances.as_flattened_mut().iter_mut().for_each(Cell::end_game);
        self.all.iter_mut().for_each(Cell::end_game);
        self.equity.end_game();
    }
}

/// The games of a block.
struct Sums<'a> {
    evaluator: &'a dyn Evaluator,
    player: &'a dyn Player,
    bearoff: Option<&'a BearoffDatabases>,
    runner: GameRunner,
    values: Vec<Evaluation>,
    calibration: Calibration,
}

impl<'a> Sums<'a> {
    fn new(
        evaluator: &'a dyn Evaluator,
        player: &'a dyn Player,
        bearoff: Option<&'a BearoffDatabases>,
    ) -> Sums<'a> {
        let (runner, values) = (GameRunner::default(), Vec::new());
        Sums { evaluator, player, bearoff, runner, values, calibration: Calibration::empty() }
    }

    fn game(&mut self, seed: u64, number: u64) {
        let [mut dice, mut choices] = [StreamPurpose::Match, StreamPurpose::Choice]
            .map(|purpose| stream(seed, purpose, number));
        let mut bearing_off = BearingOff::default();
        let mut branching = Branching::default();
        let players = [self.player; 2];
        let game = self.runner.play_seen(players, &mut dice, &mut choices, |turn| {
            bearing_off.add(turn, self.bearoff);
            branching.add(turn);
        });
        let Some(game) = game else { return };
        let Some(last) = game.outcome else { return };
        self.calibration.games += 1;
        self.calibration.bearing_off.merge(&bearing_off);
        self.calibration.branching.merge(&branching);
        self.values.clear();
        self.evaluator.evaluate_into(&game.positions, &mut self.values);
        let mut outcome = last;
        // The start is left out: its roll is never a double, and its value is that of any roll.
        let positions = game.positions.iter().zip(&self.values).skip(1);
        for (position, value) in positions.rev() {
            self.calibration.position(position, value, outcome);
            outcome = outcome.flipped();
        }
        self.calibration.all.end_game();
        for class in Class::all() {
            self.calibration.classes[class].end_game();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::eval::{Architecture, PubEval, Specialists};
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    /// Says of every position that it is won with this probability, single.
    #[derive(Debug)]
    struct Constant(f32);

    impl Evaluator for Constant {
        fn evaluate(&self, _: &Position) -> Evaluation {
            Evaluation::of_win_chance(self.0)
        }
    }

    fn calibration(evaluator: &dyn Evaluator, games: u64) -> Calibration {
        let config = CalibrationConfig { games, seed: 3 };
        Calibration::of(evaluator, &PubEval, None, &config, &Progress::default()).expect("games")
    }

    #[test]
    fn who_always_says_half_misses_the_advantage_of_the_roll_and_all_gammons() {
        let found = calibration(&Constant(0.5), 400);
        assert_eq!(found.games, 400);
        let all = &found.all;
        let win = all.all[0].deviation().expect("positions");
        assert!((-0.1..0.0).contains(&win.mean) && win.mean < -3.0 * win.stderr, "{win:?}");
        assert_eq!(all.all[0].positions, all.chances[0][BINS / 2].positions);
        // The evaluator gives no chance of a gammon, but some are won.
        let gammon = all.all[1].deviation().expect("positions");
        assert!(gammon.mean < -0.05 && gammon.mean < -3.0 * gammon.stderr, "{gammon:?}");
        assert_eq!(all.outputs.sum_near, all.outputs.positions);
        // Every position but the start is the result of a roll, and so is the end.
        assert_eq!(found.branching.rolls, all.outputs.positions + found.games);
        let results = found.branching.mean().expect("rolls");
        assert!((10.0..25.0).contains(&results), "{results}");
    }

    #[test]
    fn a_wrong_probability_is_found_with_its_size() {
        let [high, half] = [0.9, 0.5].map(|said| {
            calibration(&Constant(said), 400).all.all[0].deviation().expect("positions")
        });
        assert!((high.mean - half.mean - 0.4).abs() < 1e-6, "{high:?} {half:?}");
        assert!(high.stderr < 0.02);
    }

    #[test]
    fn the_result_does_not_depend_on_threads() {
        let team = Specialists::random(&Architecture::ALL[1], &mut Pcg64::seed_from_u64(5));
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(|| calibration(&team, 70))
        };
        assert_eq!(on(1), on(3));
    }

    #[test]
    fn stopped_work_has_the_games_that_had_begun() {
        /// Says that every position is even, and stops the work.
        #[derive(Debug)]
        struct Stopping<'a>(&'a Progress);

        impl Evaluator for Stopping<'_> {
            fn evaluate(&self, position: &Position) -> Evaluation {
                self.0.stop();
                Constant(0.5).evaluate(position)
            }
        }

        let progress = Progress::default();
        let config = CalibrationConfig { games: 10, seed: 1 };
        let of = || Calibration::of(&Stopping(&progress), &PubEval, None, &config, &progress);
        // The first game is played to its end before it is evaluated.
        let CalibrationStopped(some) = of().expect_err("stopped");
        let some = some.expect("the first game");
        assert_eq!((some.games, progress.done()), (1, 1));
        let first = CalibrationConfig { games: 1, ..config };
        let first = Calibration::of(&Constant(0.5), &PubEval, None, &first, &Progress::default());
        assert_eq!(Ok(*some), first);
        // Nothing begins after the stop, however many games are left.
        assert_eq!(of(), Err(CalibrationStopped(None)));
        let most = CalibrationConfig { games: u64::MAX, ..config };
        let of = || Calibration::of(&Constant(0.5), &PubEval, None, &most, &progress);
        assert_eq!(of(), Err(CalibrationStopped(None)));
    }
}
