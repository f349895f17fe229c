//! Rollouts compared with exact bearoffs, and with each other.

use std::collections::HashMap;
use std::sync::Arc;

use super::*;
use crate::backgammon::{Cube, CubeOwner, Dice, Position, candidates};
use crate::bearoff::{BearoffEvaluator, SMALL};
use crate::cube::CubeScoring;
use crate::eval::{Evaluation, Evaluator, ScriptedEvaluator};
use crate::progress::Progress;
use crate::search::{Plies, Search, SearchSettings};
use crate::stats::Estimate;
use crate::strength::{ComparedPlay, HumanChoice, Strength};

fn pips() -> ScriptedEvaluator<impl Fn(&Position) -> Evaluation + Send + Sync> {
    ScriptedEvaluator(|position: &Position| {
        let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
        let win = (0.55 + lead / 60.0).clamp(0.0, 1.0);
        Evaluation { average: 2.0 * win - 1.0, outcomes: [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0] }
    })
}

fn to_the_end() -> RolloutConfig {
    RolloutConfig { truncate: None, ..RolloutConfig::default() }
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
    rollout(evaluator, &line(cube), config, &mut sums, &Progress::default());
    sums.result()
}

fn line(cube: Option<(&CubeScoring, Cube)>) -> RolloutLine {
    RolloutLine::new(ending(), cube.map(|(scoring, cube)| (scoring.clone(), cube)))
}

fn run(config: &RolloutConfig, cube: Option<(&CubeScoring, Cube)>) -> RolloutResult {
    rolled_out(&pips(), cube, config)
}

#[test]
fn games_to_the_end_give_the_exact_equity_with_and_without_variance_reduction() {
    let exact = SMALL.cubeful(&ending()).expect("known").cubeless;
    for variance_reduction in [false, true] {
        let config = RolloutConfig { variance_reduction, ..to_the_end() };
        let result = run(&config, None);
        let miss = (result.equity.mean - f64::from(exact)).abs();
        assert!(miss < 4.0 * result.equity.stderr + 0.01, "{result:?} for {exact}");
        assert_eq!(result.games, 1296);
    }
}

#[test]
fn variance_reduction_nearly_halves_the_error_even_with_a_rough_evaluator() {
    let result = run(&to_the_end(), None);
    assert!(result.equity.stderr < 0.6 * result.plain_stderr, "{result:?}");
    let plain = RolloutConfig { variance_reduction: false, ..to_the_end() };
    let plain = run(&plain, None);
    assert!((plain.equity.stderr - plain.plain_stderr).abs() < 1e-12, "{plain:?}");
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
        let config = to_the_end();
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
    let config = RolloutConfig { games: 36, ..to_the_end() };
    let result = rolled_out(&endings, Some((&scoring, cube)), &config);
    assert!((result.equity.mean - f64::from(exact.centred)).abs() < 2e-3, "{result:?}");
    assert!(result.equity.stderr < 1e-4, "{result:?}");
}

#[test]
fn neither_threads_nor_an_interruption_change_a_result() {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let config = RolloutConfig { games: 200, ..to_the_end() };
        pool.install(|| run(&config, None))
    };
    assert_eq!(with(1), with(3));
    let config = to_the_end();
    let mut sums = RolloutSums::default();
    let progress = Progress::default();
    progress.stop();
    rollout(&pips(), &line(None), &config, &mut sums, &progress);
    assert_eq!((sums.games(), progress.done()), (2, 2));
    rollout(&pips(), &line(None), &config, &mut sums, &Progress::default());
    assert_eq!(sums.result(), run(&config, None), "gone on with as if nothing had been");
}

/// The search with every reply, so that the definition of a depth is that of a rollout.
fn searched(plies: Plies) -> f64 {
    f64::from(Search::new(pips(), plies, SearchSettings::FULL).evaluate(&ending()).equity())
}

#[test]
fn cut_off_after_one_ply_and_two_1296_games_give_the_mean_of_2_ply_and_3_ply_without_error() {
    let exact = 0.5 * (searched(Plies::TWO) + searched(Plies::THREE));
    for seed in [1, 2, 3] {
        let config =
            RolloutConfig { truncate: Some(1), variance_reduction: false, seed, ..to_the_end() };
        let result = run(&config, None);
        assert!((result.equity.mean - exact).abs() < 1e-4, "{result:?} for {exact}");
    }
}

#[test]
fn stratified_dice_make_results_vary_less_than_independent_games_would() {
    let blocks: Vec<RolloutResult> = (0..60)
        .map(|seed| {
            let variance_reduction = false;
            let config = RolloutConfig { games: 36, seed, variance_reduction, ..to_the_end() };
            run(&config, None)
        })
        .collect();
    let spread = Estimate::from_values(blocks.iter().map(|block| block.equity.mean));
    let spread = spread.stderr * (blocks.len() as f64).sqrt();
    let independent = blocks.iter().map(|block| block.equity.stderr).sum::<f64>() / 60.0;
    assert!(spread < 0.8 * independent, "{spread} for {independent}");
    // And the error that a longer rollout says is the smaller one.
    let config = RolloutConfig { games: 60 * 36, variance_reduction: false, ..to_the_end() };
    let said = run(&config, None).equity.stderr * (60.0_f64).sqrt();
    assert!(said < 0.85 * independent && said > 0.6 * spread, "{said} for {spread}");
}

#[test]
fn lines_that_are_rolled_out_together_have_the_results_that_they_have_alone() {
    let (scoring, config) = (CubeScoring::money(), to_the_end());
    let owned = Cube::new(2, CubeOwner::Own).expect("a power of two");
    let lines = [line(None), line(Some((&scoring, owned)))];
    let mut sums = [RolloutSums::default(), RolloutSums::default()];
    let progress = Progress::default();
    // The first line is ahead: the other one catches up.
    let short = RolloutConfig { games: 100, ..config };
    rollout(&pips(), &lines[0], &short, &mut sums[0], &progress);
    rollout_together(&pips(), &lines, &config, &mut sums, &mut |_| false, &progress);
    assert_eq!(sums[0].result(), run(&config, None));
    assert_eq!(sums[1].result(), run(&config, Some((&scoring, owned))));
    assert_eq!(progress.done(), 1296);
}

#[test]
fn a_stop_rule_ends_a_rollout_between_batches() {
    let mut sums = [RolloutSums::default()];
    let mut enough = |sums: &[RolloutSums]| {
        sums[0].has_reliable_error() && sums[0].result().equity.stderr <= 0.05
    };
    let (config, progress) = (to_the_end(), Progress::default());
    rollout_together(&pips(), &[line(None)], &config, &mut sums, &mut enough, &progress);
    let result = sums[0].result();
    assert!((288..1296).contains(&result.games) && result.equity.stderr <= 0.05, "{result:?}");
}

fn cube_rolled_out<E: Evaluator>(evaluator: &E, cube: Cube, games: u64) -> CubeRollout {
    let scoring = CubeScoring::money();
    let lines = CubeRollout::lines(ending(), &scoring, cube);
    let mut sums = [RolloutSums::default(), RolloutSums::default()];
    let config = RolloutConfig { games, ..to_the_end() };
    let progress = Progress::default();
    rollout_together(evaluator, &lines, &config, &mut sums, &mut |_| false, &progress);
    CubeRollout::of(&scoring, cube, &sums)
}

#[test]
fn a_cube_rollout_to_exact_endings_finds_the_exact_equities_and_the_right_action() {
    let endings = BearoffEvaluator::new(pips(), Arc::clone(&SMALL));
    let exact = SMALL.cubeful(&ending()).expect("known");
    let cube = Cube::new(4, CubeOwner::Own).expect("a power of two");
    let result = cube_rolled_out(&endings, cube, 36);
    let near = |estimate: Estimate, exact: f32| (estimate.mean - f64::from(exact)).abs() < 4e-3;
    assert!(near(result.no_double, exact.owned), "{result:?} for {exact:?}");
    assert!(near(result.double_take, 2.0 * exact.opponent), "{result:?} for {exact:?}");
    let should = (2.0 * exact.opponent).min(1.0) > exact.owned;
    assert_eq!(result.decision.is_double(), should, "{result:?} for {exact:?}");
}

#[test]
fn after_a_play_the_opponent_doubles_at_once_where_that_is_right() {
    let endings = BearoffEvaluator::new(pips(), Arc::clone(&SMALL));
    let (scoring, cube) = (CubeScoring::money(), Cube::CENTRED);
    let config = RolloutConfig { games: 36, ..to_the_end() };
    let equity = |line: RolloutLine| {
        let mut sums = RolloutSums::default();
        rollout(&endings, &line, &config, &mut sums, &Progress::default());
        sums.result().equity.mean
    };
    let mut doubled = [0; 2];
    for own in [(1, 2), (2, 3), (3, 3), (4, 3), (5, 3), (6, 4)] {
        let position = Position::from_sides(&[own], &[(4, 3)]).expect("legal");
        let [no_double, double_take] = CubeRollout::lines(position, &scoring, cube).map(&equity);
        let after = equity(RolloutLine::after_play(position, Some((scoring.clone(), cube))));
        let best = no_double.max(double_take.min(1.0));
        assert!((after - best).abs() < 4e-3, "{own:?}: {after}, not {best}");
        doubled[usize::from(best > no_double + 0.01)] += 1;
        let without = equity(RolloutLine::after_play(position, None));
        assert_eq!(without, equity(RolloutLine::new(position, None)), "{own:?} without the cube");
    }
    assert!(doubled[0] > 0 && doubled[1] > 0, "{doubled:?}");
}

#[test]
fn with_the_same_dice_the_gain_of_a_double_is_known_better_than_both_equities() {
    let result = cube_rolled_out(&pips(), Cube::CENTRED, 1296);
    let independent = result.double_take.stderr.hypot(result.no_double.stderr);
    assert!(result.double_gains.stderr < 0.8 * independent, "{result:?}");
    let gain = result.double_take.mean.min(1.0) - result.no_double.mean;
    assert!((result.double_gains.mean - gain).abs() < 1e-9, "{result:?}");
    assert!(result.separation() > 0.0);
}

/// People of two strengths; the stronger one is on roll.
fn people() -> [Strength; 2] {
    [4.0, 11.0].map(|pr| Strength { noise: 0.0, people: Some(pr) })
}

/// The exact equity between such players: a mean over all rolls and all plays.
fn equity_between(
    position: &Position,
    players: [Strength; 2],
    known: &mut HashMap<(Position, bool), f64>,
) -> f64 {
    if let Some(outcome) = position.outcome() {
        return f64::from(Evaluation::of_outcome(outcome).equity());
    }
    let [own, other] = players;
    let key = (*position, own.people > other.people);
    if let Some(value) = known.get(&key) {
        return *value;
    }
    let mut sum = 0.0;
    for dice in Dice::ALL {
        let plays: Vec<ComparedPlay> = candidates(position, dice)
            .iter()
            .map(|play| ComparedPlay {
                after: play.after,
                equity: -pips().evaluate(&play.after).equity(),
            })
            .collect();
        let choice = HumanChoice::of_pr(own.people.expect("people"));
        for (play, chance) in plays.iter().zip(choice.chances(position, dice, &plays)) {
            let theirs = equity_between(&play.after, [other, own], known);
            sum -= f64::from(dice.probability()) * chance * theirs;
        }
    }
    known.insert(key, sum);
    sum
}

#[test]
fn players_who_err_get_the_exact_mean_over_rolls_and_choices() {
    let exact = equity_between(&ending(), people(), &mut HashMap::new());
    for variance_reduction in [false, true] {
        let config = RolloutConfig { variance_reduction, ..to_the_end() };
        let mut sums = RolloutSums::default();
        let line = line(None).between(people());
        rollout(&pips(), &line, &config, &mut sums, &Progress::default());
        let result = sums.result();
        let miss = (result.equity.mean - exact).abs();
        assert!(miss < 4.0 * result.equity.stderr, "{result:?} for {exact}");
        assert!(!variance_reduction || result.equity.stderr < 0.7 * result.plain_stderr);
    }
}

#[test]
fn variance_reduction_removes_the_luck_of_choices_too() {
    let team = crate::open::net("small").expect("built in").team;
    let result = |strengths| {
        let config = RolloutConfig { games: 108, truncate: Some(8), ..RolloutConfig::default() };
        let mut sums = RolloutSums::default();
        let line = RolloutLine::new(Position::START, None).between(strengths);
        rollout(&team, &line, &config, &mut sums, &Progress::default());
        sums.result()
    };
    let (best, people) = (result([Strength::PERFECT; 2]), result(people()));
    assert!(people.equity.mean > best.equity.mean + 4.0 * people.equity.stderr, "{people:?}");
    assert!(people.equity.stderr < 0.5 * people.plain_stderr, "{people:?}");
}

#[test]
fn exact_endings_are_played_on_where_a_side_errs() {
    let endings = BearoffEvaluator::new(pips(), Arc::clone(&SMALL));
    let (config, mut sums) = (to_the_end(), RolloutSums::default());
    let weak = Strength { noise: 0.3, people: None };
    let line = line(None).between([Strength::PERFECT, weak]);
    rollout(&endings, &line, &config, &mut sums, &Progress::default());
    let (result, exact) = (sums.result(), SMALL.cubeful(&ending()).expect("known").cubeless);
    let gain = result.equity.mean - f64::from(exact);
    assert!(gain > 4.0 * result.equity.stderr, "{result:?} for {exact}");
}

#[test]
fn a_player_with_noise_on_the_cube_loses_by_it() {
    let (scoring, config) = (CubeScoring::money(), to_the_end());
    let exact = ScriptedEvaluator(|position: &Position| {
        SMALL.evaluation(position).unwrap_or(Evaluation::ZERO)
    });
    let mut sums = [RolloutSums::default(), RolloutSums::default()];
    let noisy = Strength { noise: 0.5, people: Some(4.0) };
    let quiet = Strength { noise: 0.0, ..noisy };
    let cube = Some((&scoring, Cube::CENTRED));
    let lines = [noisy, quiet].map(|own| line(cube).between([own, Strength::PERFECT]));
    rollout_together(&exact, &lines, &config, &mut sums, &mut |_| false, &Progress::default());
    let loss = sums[1].difference(&sums[0]);
    assert!(loss.mean > 4.0 * loss.stderr, "{loss:?}");
}

/// The best two plays of an opening 64, and one that no player would choose.
fn three_plays() -> Vec<RolloutLine> {
    let dice = "64".parse().expect("dice");
    let after = |words: &str| {
        let play = Position::START.read_play(words, dice).expect("legal");
        RolloutLine::new(play.after, None)
    };
    ["24/14", "8/2 6/2", "8/4 13/7"].map(after).to_vec()
}

#[test]
fn a_play_that_is_clearly_worse_drops_out_and_others_share_their_dice() {
    let lines = three_plays();
    let sums = Roller::SHORT.plays(&pips(), &lines);
    let games: Vec<u64> = sums.iter().map(RolloutSums::games).collect();
    assert!(games.iter().all(|games| [36, 72, 144, 288].contains(games)), "{games:?}");
    let most = games.iter().copied().max().expect("three");
    assert!(games.iter().filter(|games| **games == most).count() >= 2, "two are left: {games:?}");
    // A rollout of one play alone has the same games.
    let alone = Roller::SHORT.plays(&pips(), &lines[..1]);
    let mut same = RolloutSums::default();
    let first = RolloutConfig { games: alone[0].games(), ..Roller::SHORT.config() };
    rollout(&pips(), &lines[0], &first, &mut same, &Progress::default());
    assert_eq!(alone[0], same);
}

#[test]
fn a_roller_finds_the_same_on_one_thread_and_on_four() {
    let lines = three_plays();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| Roller::SHORT.plays(&pips(), &lines))
    };
    assert_eq!(on(1), on(4));
}

#[test]
fn a_roller_ends_a_cube_decision_when_the_double_and_the_answer_are_clear() {
    let (scoring, cube) = (CubeScoring::money(), Cube::CENTRED);
    let lines = CubeRollout::lines(Position::START, &scoring, cube);
    let clear = Roller::SHORT.cube(&pips(), &lines);
    let decision = CubeRollout::of(&scoring, cube, &clear).decision;
    assert!(!decision.is_double() && decision.is_take(), "{decision:?}");
    assert!(clear[0].games() < Roller::SHORT.games(), "{} games", clear[0].games());
    assert_eq!(clear[0].games(), clear[1].games());
}

#[test]
fn rollers_are_known_by_their_names() {
    for roller in Roller::ALL {
        assert_eq!(roller.to_string().parse(), Ok(roller));
    }
    let error = "rolling".parse::<Roller>().expect_err("unknown").to_string();
    assert!(error.contains("no rollout called 'rolling': known are roller"), "{error}");
}
