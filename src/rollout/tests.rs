//! Rollouts held against exact endings and against themselves.

use std::sync::{Arc, LazyLock};

use super::*;
use crate::bearoff::{Databases, Endings, OneSided, TwoSided};
use crate::eval::Scripted;

static DATABASES: LazyLock<Arc<Databases>> = LazyLock::new(|| {
    Arc::new(Databases { one_sided: OneSided::generate(), two_sided: TwoSided::generate(3) })
});

fn pips() -> Scripted<impl Fn(&Position) -> Evaluation + Send + Sync> {
    Scripted(|position: &Position| {
        let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
        let win = (0.55 + lead / 60.0).clamp(0.0, 1.0);
        Evaluation { average: 2.0 * win - 1.0, outcomes: [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0] }
    })
}

fn ending() -> Position {
    Position::from_sides(&[(6, 2), (3, 1)], &[(5, 2), (4, 1)]).expect("legal")
}

fn run(config: &RolloutConfig, cube: Option<(&Stakes, CubeState)>) -> RolloutResult {
    rollout(&pips(), &ending(), cube, config, |_| true)
}

#[test]
fn games_to_the_end_bring_the_exact_equity_with_luck_and_without() {
    let exact = DATABASES.cubeful(&ending()).expect("known").cubeless;
    for variance_reduction in [false, true] {
        let config = RolloutConfig { variance_reduction, ..RolloutConfig::default() };
        let result = run(&config, None);
        let miss = (result.equity.mean - f64::from(exact)).abs();
        assert!(miss < 4.0 * result.equity.stderr + 0.01, "{result:?} for {exact}");
        assert_eq!(result.games, 1296);
    }
}

#[test]
fn taking_luck_out_nearly_halves_the_error_even_with_a_rough_judge() {
    let result = run(&RolloutConfig::default(), None);
    assert!(result.equity.stderr < 0.6 * result.equity.plain_stderr, "{result:?}");
    let plain = RolloutConfig { variance_reduction: false, ..RolloutConfig::default() };
    let plain = run(&plain, None).equity;
    assert_eq!(plain.stderr, plain.plain_stderr);
}

#[test]
fn a_cubeful_rollout_finds_what_the_cube_is_worth() {
    let (stakes, exact) = (Stakes::money(), DATABASES.cubeful(&ending()).expect("known"));
    for (owner, equity) in [(CubeOwner::Own, exact.owned), (CubeOwner::Opponent, exact.opponent)] {
        let cube = CubeState { value: 2, owner };
        // Knows the chances but not the cube, which it leaves to the model.
        let judge = Scripted(|position: &Position| {
            DATABASES.evaluation(position).unwrap_or(Evaluation::ZERO)
        });
        let config = RolloutConfig::default();
        let result = rollout(&judge, &ending(), Some((&stakes, cube)), &config, |_| true);
        let miss = (result.equity.mean - f64::from(equity)).abs();
        // Doubles by the model cost a little.
        assert!(miss < 4.0 * result.equity.stderr + 0.05, "{owner:?} {result:?} for {equity}");
    }
}

#[test]
fn known_endings_end_a_game_at_once_and_leave_no_error() {
    let endings = Endings::new(pips(), Arc::clone(&DATABASES));
    let exact = DATABASES.cubeful(&ending()).expect("known");
    let (stakes, cube) = (Stakes::money(), CENTRED);
    let config = RolloutConfig { games: 36, ..RolloutConfig::default() };
    let result = rollout(&endings, &ending(), Some((&stakes, cube)), &config, |_| true);
    assert!((result.equity.mean - f64::from(exact.centred)).abs() < 2e-3, "{result:?}");
    assert!(result.equity.stderr < 1e-4, "{result:?}");
}

#[test]
fn threads_and_a_watch_change_nothing_but_the_number_of_games() {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let config = RolloutConfig { games: 200, ..RolloutConfig::default() };
        pool.install(|| run(&config, None))
    };
    assert_eq!(with(1), with(3));
    let config = RolloutConfig::default();
    let stopped = rollout(&pips(), &ending(), None, &config, |_| false);
    assert_eq!(stopped.games, 144);
    let enough = RolloutConfig { stderr: Some(0.05), ..config };
    let enough = run(&enough, None);
    assert!(enough.games < 1296 && enough.equity.stderr <= 0.05, "{enough:?}");
}
