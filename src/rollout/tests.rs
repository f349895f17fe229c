//! Rollouts compared with exact bearoffs, and with each other.

use std::sync::Arc;

use super::*;
use crate::backgammon::CubeOwner;
use crate::bearoff::{BearoffEvaluator, SMALL};
use crate::eval::ScriptedEvaluator;

fn pips() -> ScriptedEvaluator<impl Fn(&Position) -> Evaluation + Send + Sync> {
    ScriptedEvaluator(|position: &Position| {
        let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
        let win = (0.55 + lead / 60.0).clamp(0.0, 1.0);
        Evaluation { average: 2.0 * win - 1.0, outcomes: [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0] }
    })
}

fn ending() -> Position {
    Position::from_sides(&[(6, 2), (3, 1)], &[(5, 2), (4, 1)]).expect("legal")
}

fn rolled_out<E: Evaluator>(
    evaluator: &E,
    cube: Option<(&CubeScoring, Cube)>,
    config: &RolloutConfig,
) -> RolloutResult {
    let mut sums = RolloutSums::default();
    rollout(evaluator, &ending(), cube, config, &mut sums, &Progress::default());
    sums.result()
}

fn run(config: &RolloutConfig, cube: Option<(&CubeScoring, Cube)>) -> RolloutResult {
    rolled_out(&pips(), cube, config)
}

#[test]
fn games_to_the_end_give_the_exact_equity_with_and_without_variance_reduction() {
    let exact = SMALL.cubeful(&ending()).expect("known").cubeless;
    for variance_reduction in [false, true] {
        let config = RolloutConfig { variance_reduction, ..RolloutConfig::default() };
        let result = run(&config, None);
        let miss = (result.equity.mean - f64::from(exact)).abs();
        assert!(miss < 4.0 * result.equity.stderr + 0.01, "{result:?} for {exact}");
        assert_eq!(result.games, 1296);
    }
}

#[test]
fn variance_reduction_nearly_halves_the_error_even_with_a_rough_evaluator() {
    let result = run(&RolloutConfig::default(), None);
    assert!(result.equity.stderr < 0.6 * result.plain_stderr, "{result:?}");
    let plain = RolloutConfig { variance_reduction: false, ..RolloutConfig::default() };
    let plain = run(&plain, None);
    assert_eq!(plain.equity.stderr, plain.plain_stderr);
}

#[test]
fn a_cubeful_rollout_gives_the_exact_cubeful_equity() {
    let (scoring, exact) = (CubeScoring::money(), SMALL.cubeful(&ending()).expect("known"));
    for (owner, equity) in [(CubeOwner::Own, exact.owned), (CubeOwner::Opponent, exact.opponent)] {
        let cube = Cube::new(2, owner).expect("a power of two");
        // Exact probabilities, and the cube model for the cube.
        let evaluator = ScriptedEvaluator(|position: &Position| {
            SMALL.evaluation(position).unwrap_or(Evaluation::ZERO)
        });
        let config = RolloutConfig::default();
        let result = rolled_out(&evaluator, Some((&scoring, cube)), &config);
        let miss = (result.equity.mean - f64::from(equity)).abs();
        // Doubles by the cube model lose a little equity.
        assert!(miss < 4.0 * result.equity.stderr + 0.05, "{owner:?} {result:?} for {equity}");
    }
}

#[test]
fn positions_with_exact_equity_end_a_game_at_once_without_error() {
    let endings = BearoffEvaluator::new(pips(), Arc::clone(&SMALL));
    let exact = SMALL.cubeful(&ending()).expect("known");
    let (scoring, cube) = (CubeScoring::money(), Cube::CENTRED);
    let config = RolloutConfig { games: 36, ..RolloutConfig::default() };
    let result = rolled_out(&endings, Some((&scoring, cube)), &config);
    assert!((result.equity.mean - f64::from(exact.centred)).abs() < 2e-3, "{result:?}");
    assert!(result.equity.stderr < 1e-4, "{result:?}");
}

#[test]
fn neither_threads_nor_an_interruption_change_a_result() {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let config = RolloutConfig { games: 200, ..RolloutConfig::default() };
        pool.install(|| run(&config, None))
    };
    assert_eq!(with(1), with(3));
    let config = RolloutConfig::default();
    let mut sums = RolloutSums::default();
    let progress = Progress::default();
    progress.stop();
    rollout(&pips(), &ending(), None, &config, &mut sums, &progress);
    assert_eq!((sums.games(), progress.done()), (144, 144));
    rollout(&pips(), &ending(), None, &config, &mut sums, &Progress::default());
    assert_eq!(sums.result(), run(&config, None), "gone on with as if nothing had been");
    let enough = RolloutConfig { stderr: Some(0.05), ..config };
    let enough = run(&enough, None);
    assert!(enough.games < 1296 && enough.equity.stderr <= 0.05, "{enough:?}");
}
