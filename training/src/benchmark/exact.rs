//! How far an evaluator is from the solved values of hypergammon.

use nonet_engine::backgammon::{Cube, Dice, Position, Results};
use nonet_engine::cube::{CubeEfficiency, CubeScoring};
use nonet_engine::eval::{Evaluation, Evaluator};
use nonet_engine::game::{MAX_TURNS, Pcg64, StreamPurpose, below, opening_roll, roll, stream};
use nonet_engine::progress::Progress;
use nonet_engine::search::{Plies, Search, SearchSettings};
use nonet_engine::stats::Estimate;
use nonet_engine::store::{HypergammonFile, StoreError};
use rayon::prelude::*;
use serde::Serialize;

/// Where the positions of a sample come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExactSample {
    /// A turn of a game of best play against itself, one of each game: what play visits.
    Visited,
    /// Any position of the file, each equally likely.
    Uniform,
}

/// Which positions of a sample count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExactPhase {
    /// All.
    All,
    /// Those where a checker can still be hit.
    Contact,
    /// The others.
    Race,
}

/// How far an evaluator is from the truth. Each position has a roll; a play is the one with the
/// best static evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ExactErrors {
    /// Where the positions come from.
    pub sample: ExactSample,
    /// Which of them count.
    pub phase: ExactPhase,
    /// Number of positions.
    pub positions: u64,
    /// Evaluation less exact equity without a cube, in points.
    pub bias: Estimate,
    /// The absolute difference of the two, in points.
    pub error: Estimate,
    /// 1000 times what the chosen play loses, in points without a cube.
    pub er: Estimate,
}

/// What an evaluator's cube decisions lose, for money with the cube in the middle, without the
/// Jacoby rule. The decisions are those of the cube model on values of the evaluator.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ExactCubeErrors {
    /// Where the positions come from.
    pub sample: ExactSample,
    /// Depth of the decisions in plies.
    pub plies: u8,
    /// Number of positions, in each of which the player on roll may double.
    pub positions: u64,
    /// 1000 times what doubling or waiting loses, in points on a cube at 1.
    pub double_er: Estimate,
    /// The part of the positions where that is wrong, 0..=1.
    pub wrong_doubles: f64,
    /// Number of positions where a double is right, each with an answer.
    pub answers: u64,
    /// 1000 times what the answer to such a double loses, in points on a cube at 1.
    pub answer_er: Estimate,
    /// The part of these positions where the answer is wrong, 0..=1.
    pub wrong_answers: f64,
}

/// Compares the cube decisions at 1-ply and 2-ply with the exact ones, at `positions` positions of
/// each sample, which are those of [`exact_errors`]. The result follows from the seed alone.
/// `progress` counts positions, four times `positions` in all; `None` if it was stopped.
///
/// # Errors
/// [`StoreError`] if the file cannot be read.
pub fn exact_cube_errors(
    evaluator: &dyn Evaluator,
    file: &HypergammonFile,
    positions: u64,
    seed: u64,
    progress: &Progress,
) -> Result<Option<Vec<ExactCubeErrors>>, StoreError> {
    let mut rows = Vec::new();
    for sample in [ExactSample::Visited, ExactSample::Uniform] {
        for plies in [Plies::ONE, Plies::TWO] {
            let search = Search::new(evaluator, plies, SearchSettings::NORMAL);
            let losses = of_sample(sample, file, positions, seed, progress, |position, _| {
                cube_losses(&search, file, position)
            })?;
            let Some(losses) = losses else { return Ok(None) };
            let doubles = || losses.iter().map(|one| one.double);
            let answers = || losses.iter().filter_map(|one| one.answer);
            let wrong = |losses: &mut dyn Iterator<Item = f64>, number: usize| {
                losses.filter(|loss| *loss > 0.0).count() as f64 / number.max(1) as f64
            };
            let answered = answers().count();
            rows.push(ExactCubeErrors {
                sample,
                plies: plies.get(),
                positions,
                double_er: Estimate::from_values(doubles()).scaled(1000.0),
                wrong_doubles: wrong(&mut doubles(), losses.len()),
                answers: answered as u64,
                answer_er: Estimate::from_values(answers()).scaled(1000.0),
                wrong_answers: wrong(&mut answers(), answered),
            });
        }
    }
    Ok(Some(rows))
}

/// What the decision and the answer at a position lose, in points on a cube at 1.
struct CubeLosses {
    double: f64,
    /// `None` where a double is wrong.
    answer: Option<f64>,
}

fn cube_losses(
    search: &Search<&dyn Evaluator>,
    file: &HypergammonFile,
    position: &Position,
) -> Result<CubeLosses, StoreError> {
    let exact = file.exact(position)?.cubeful;
    let (no_double, taken) = (exact.centred, 2.0 * exact.opponent);
    let doubled = taken.min(1.0);
    // The efficiencies of the classes were measured in backgammon.
    let decision =
        search.cube_at(position, &CubeScoring::money(), Cube::CENTRED, CubeEfficiency::PLAYS);
    let chosen = if decision.is_double() { doubled } else { no_double };
    let answer = if decision.is_take() { taken } else { 1.0 };
    Ok(CubeLosses {
        double: doubled.max(no_double) - chosen,
        answer: (doubled > no_double).then_some(answer - doubled),
    })
}

/// One position of a sample.
struct Compared {
    contact: bool,
    difference: f64,
    loss: f64,
}

/// Compares an evaluator with the exact values of `positions` positions of each sample, on the
/// current thread pool. The result follows from the seed alone. `progress` counts positions, twice
/// `positions` in all; `None` if it was stopped.
///
/// # Errors
/// [`StoreError`] if the file cannot be read.
pub fn exact_errors(
    evaluator: &dyn Evaluator,
    file: &HypergammonFile,
    positions: u64,
    seed: u64,
    progress: &Progress,
) -> Result<Option<Vec<ExactErrors>>, StoreError> {
    let mut rows = Vec::new();
    for sample in [ExactSample::Visited, ExactSample::Uniform] {
        let compared = of_sample(sample, file, positions, seed, progress, |position, results| {
            compare(evaluator, file, position, results)
        })?;
        let Some(compared) = compared else { return Ok(None) };
        for phase in [ExactPhase::All, ExactPhase::Contact, ExactPhase::Race] {
            rows.push(errors(sample, phase, &compared));
        }
    }
    Ok(Some(rows))
}

fn errors(sample: ExactSample, phase: ExactPhase, compared: &[Compared]) -> ExactErrors {
    let counts = |one: &&Compared| match phase {
        ExactPhase::All => true,
        ExactPhase::Contact => one.contact,
        ExactPhase::Race => !one.contact,
    };
    let of = |value: fn(&Compared) -> f64| {
        Estimate::from_values(compared.iter().filter(counts).map(value))
    };
    ExactErrors {
        sample,
        phase,
        positions: compared.iter().filter(counts).count() as u64,
        bias: of(|one| one.difference),
        error: of(|one| one.difference.abs()),
        er: of(|one| one.loss).scaled(1000.0),
    }
}

fn compare(
    evaluator: &dyn Evaluator,
    file: &HypergammonFile,
    position: &Position,
    results: &[Position],
) -> Result<Compared, StoreError> {
    let mut values = vec![Evaluation::ZERO; results.len()];
    evaluator.evaluate_batch(results, &mut values);
    let losses = results.iter().map(|result| truth(file, result));
    let losses = losses.collect::<Result<Vec<f64>, StoreError>>()?;
    let best = losses.iter().copied().fold(f64::MAX, f64::min);
    let static_values = values.iter().map(|value| value.equity()).enumerate();
    let chosen = static_values.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(place, _)| place);
    Ok(Compared {
        contact: nonet_engine::backgammon::BoardView::of(position).contact(),
        difference: f64::from(evaluator.evaluate(position).equity()) - truth(file, position)?,
        loss: losses[chosen] - best,
    })
}

/// The exact equity without a cube, for the player on roll.
fn truth(file: &HypergammonFile, position: &Position) -> Result<f64, StoreError> {
    Ok(file.exact(position)?.cubeful.cubeless)
}

/// What `of` says of each position of a sample and the results of its roll, in the order of their
/// numbers.
///
/// The work is done on the current thread pool. `None` if the work was stopped.
fn of_sample<T: Send>(
    sample: ExactSample,
    file: &HypergammonFile,
    positions: u64,
    seed: u64,
    progress: &Progress,
    of: impl Fn(&Position, &[Position]) -> Result<T, StoreError> + Sync,
) -> Result<Option<Vec<T>>, StoreError> {
    let one = |results: &mut Results, number: u64| -> Result<Option<T>, StoreError> {
        if progress.is_stopped() {
            return Ok(None);
        }
        let (position, dice) = drawn(sample, file, results, seed, number)?;
        let found = of(&position, results.of(&position, dice))?;
        progress.add(1);
        Ok(Some(found))
    };
    (0..positions).into_par_iter().map_init(Results::default, one).collect()
}

/// The position of a sample with this number, and its roll.
fn drawn(
    sample: ExactSample,
    file: &HypergammonFile,
    results: &mut Results,
    seed: u64,
    number: u64,
) -> Result<(Position, Dice), StoreError> {
    match sample {
        ExactSample::Visited => {
            visited(file, results, &mut stream(seed, StreamPurpose::Match, number))
        }
        ExactSample::Uniform => {
            Ok(uniform(file, &mut stream(seed, StreamPurpose::Decisions, number)))
        }
    }
}

/// A turn of a game of best play, each turn of it equally likely.
fn visited(
    file: &HypergammonFile,
    results: &mut Results,
    rng: &mut Pcg64,
) -> Result<(Position, Dice), StoreError> {
    let mut dice = opening_roll(rng).1;
    let mut position = start(file);
    let mut turns = Vec::new();
    while position.outcome().is_none() && turns.len() < MAX_TURNS {
        turns.push((position, dice));
        let mut best = (f64::MAX, position);
        for result in results.of(&position, dice) {
            let theirs = truth(file, result)?;
            if theirs < best.0 {
                best = (theirs, *result);
            }
        }
        (position, dice) = (best.1, roll(rng));
    }
    Ok(turns[below(turns.len(), rng)])
}

/// The start of a game with the checkers of the file: on the 24 point and those below it.
fn start(file: &HypergammonFile) -> Position {
    let side: Vec<(usize, i8)> = (0..file.checkers()).map(|n| (24 - usize::from(n), 1)).collect();
    let start = Position::from_sides(&side, &side).ok();
    start.and_then(|start| start.in_game_of(file.checkers())).unwrap_or(Position::START)
}

fn uniform(file: &HypergammonFile, rng: &mut Pcg64) -> (Position, Dice) {
    loop {
        let drawn = file.position(below(file.numbers(), rng));
        if let Some(position) = drawn.filter(|position| position.outcome().is_none()) {
            return (position, roll(rng));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::eval::ScriptedEvaluator;
    use nonet_engine::hypergammon::Solver;

    /// Evaluates as the file does, a constant added.
    struct Truth<'a>(&'a HypergammonFile, f32);

    impl Evaluator for Truth<'_> {
        fn evaluate(&self, position: &Position) -> Evaluation {
            let exact = self.0.get(position).expect("readable").expect("few checkers");
            let mut value = exact.evaluation();
            value.average += 2.0 * self.1;
            value
        }
    }

    /// The errors at 200 positions of each sample, all of which are counted.
    fn errors_of(evaluator: &dyn Evaluator, file: &HypergammonFile) -> Vec<ExactErrors> {
        let progress = Progress::default();
        let rows = exact_errors(evaluator, file, 200, 3, &progress).expect("readable");
        assert_eq!(progress.done(), 400);
        rows.expect("not stopped")
    }

    fn cube_errors_of(evaluator: &dyn Evaluator, file: &HypergammonFile) -> Vec<ExactCubeErrors> {
        let progress = Progress::default();
        let rows = exact_cube_errors(evaluator, file, 200, 3, &progress).expect("readable");
        assert_eq!(progress.done(), 800);
        rows.expect("not stopped")
    }

    #[test]
    fn the_truth_errs_nowhere_and_a_constant_is_a_bias_that_loses_nothing() {
        let mut solver = Solver::new(1);
        while solver.round() > 1e-9 {}
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("hyper1.bd");
        std::fs::write(&path, solver.to_bytes()).expect("written");
        let file = HypergammonFile::open(&path).expect("a database");
        for added in [0.0, 0.25] {
            let rows = errors_of(&Truth(&file, added), &file);
            assert_eq!(rows, errors_of(&Truth(&file, added), &file));
            for row in &rows {
                assert!((row.bias.mean - f64::from(added)).abs() < 1e-4, "{row:?}");
                assert!((row.error.mean - f64::from(added)).abs() < 1e-4, "{row:?}");
                // Plays that differ by rounding are as good.
                assert!(row.er.mean < 0.1, "{row:?}");
            }
            for three in rows.chunks(3) {
                assert_eq!(three[0].positions, 200);
                assert_eq!(three[1].positions + three[2].positions, 200);
                assert!(three[1].positions > 0 && three[2].positions > 0, "{three:?}");
            }
        }
        let truth = Truth(&file, 0.0);
        let cube = cube_errors_of(&truth, &file);
        assert_eq!(cube, cube_errors_of(&truth, &file));
        for row in &cube {
            assert!(row.answers > 0 && row.answers < row.positions, "{row:?}");
            assert!(row.double_er.mean >= 0.0 && row.answer_er.mean >= 0.0, "{row:?}");
            // The error of a cube model on true chances, not of the chances.
            assert!(row.wrong_doubles < 0.3 && row.wrong_answers < 0.3, "{row:?}");
        }
        let even = Evaluation { average: 0.0, outcomes: [0.5, 0.0, 0.0, 0.5, 0.0, 0.0] };
        let blind = ScriptedEvaluator(move |_: &Position| even);
        let blind = cube_errors_of(&blind, &file);
        assert!(blind[0].double_er.mean > 4.0 * cube[0].double_er.mean, "{blind:?} {cube:?}");
        assert!(blind[0].answer_er.mean > 4.0 * cube[0].answer_er.mean, "{blind:?} {cube:?}");
        let stopped = Progress::default();
        stopped.stop();
        let rows = exact_errors(&truth, &file, 200, 3, &stopped).expect("readable");
        let cube = exact_cube_errors(&truth, &file, 200, 3, &stopped).expect("readable");
        assert_eq!((rows, cube), (None, None));
    }
}
