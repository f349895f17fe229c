//! The search compared with slow definitions and exact endings.

use std::sync::Arc;

use super::*;
use crate::backgammon::{Cube, CubeOwner, Dice, Position, Results, Scoring};
use crate::bearoff::{BearoffEvaluator, SMALL};
use crate::cube::{CubeEfficiency, CubeScoring, MatchEquityTable};
use crate::eval::{
    Architecture, Evaluation, Evaluator, ScriptedEvaluator, Specialists, best_result,
};
use crate::game::{Greedy, MoveChoice, Player, StreamPurpose, stream};

fn team() -> Specialists {
    Specialists::random(&Architecture::ALL[0], &mut stream(1, StreamPurpose::Weights, 0))
}

fn ending() -> Position {
    Position::from_sides(&[(7, 1), (3, 2)], &[(20, 1), (2, 1)]).expect("legal")
}

/// Evaluates by pips alone.
fn pips() -> ScriptedEvaluator<impl Fn(&Position) -> Evaluation + Send + Sync> {
    ScriptedEvaluator(|position: &Position| {
        let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
        Evaluation { average: lead / 100.0, outcomes: [0.5, 0.0, 0.0, 0.5, 0.0, 0.0] }
    })
}

#[test]
fn without_filters_two_plies_play_what_lookahead_at_every_result_plays() {
    let (team, mut rng) = (team(), stream(1, StreamPurpose::Choice, 0));
    let (mut results, mut values) = (Results::default(), Vec::new());
    for dice in Dice::ALL.into_iter().step_by(4) {
        let found = results.of(&Position::START, dice);
        let decision =
            MoveChoice { position: &Position::START, dice, results: found, context: None };
        let full = Search::new(&team, Plies::TWO, SearchSettings::FULL);
        let fast = full.choose(&decision, &mut values, &mut rng);
        let slow = Greedy(FullWidth(&team)).choose(&decision, &mut values, &mut rng);
        assert_eq!(found[fast], found[slow], "{dice}");
    }
}

/// n plies by the definition: each roll thrown in both orders, the reply chosen at 1-ply.
fn slowly(evaluator: &dyn Evaluator, position: &Position, plies: u8) -> f32 {
    if plies == 1 || position.outcome().is_some() {
        return evaluator.evaluate(position).equity();
    }
    let (mut sum, mut results, mut values) = (0.0, Results::default(), Vec::new());
    for a in 1..=6 {
        for b in 1..=6 {
            let found = results.of(position, Dice::new(a, b).expect("dice"));
            let next = found[best_result(evaluator, found, &mut values)];
            sum -= slowly(evaluator, &next, plies - 1) / 36.0;
        }
    }
    sum
}

#[test]
fn a_depth_is_the_mean_over_36_throws_of_the_depth_before() {
    for plies in [1, 2, 3] {
        let search = Search::new(pips(), Plies::new(plies).expect("legal"), SearchSettings::FULL);
        let (fast, slow) = (search.evaluate(&ending()).equity(), slowly(&pips(), &ending(), plies));
        assert!((fast - slow).abs() < 1e-4, "{plies}: {fast} for {slow}");
    }
}

#[test]
fn neither_threads_nor_a_cache_change_an_answer() {
    let team = team();
    let mut results = Results::default();
    let found = results.of(&ending(), Dice::ALL[7]);
    let rank = |threads: usize, search: &Search<&Specialists>| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| search.rank(found))
    };
    let plain = Search::new(&team, Plies::THREE, SearchSettings::NORMAL);
    let cached = plain.clone().cached(Arc::new(Cache::new(64)));
    let alone = rank(1, &plain);
    assert_eq!(alone, rank(3, &plain));
    assert_eq!(alone, rank(3, &cached));
    assert_eq!(alone, rank(2, &cached), "with everything remembered");
}

#[test]
fn plays_evaluated_deeper_come_first_and_every_result_once() {
    let team = team();
    let mut results = Results::default();
    let found = results.of(&Position::START, "21".parse().expect("a roll"));
    let settings = SearchSettings {
        filters: [crate::search::MoveFilter { keep: 3, extra: 0, within: 0.0 }; 3],
        ..SearchSettings::NORMAL
    };
    let order = Search::new(&team, Plies::TWO, settings).rank(found);
    let depths: Vec<u8> = order.iter().map(|play| play.plies.get()).collect();
    assert_eq!(depths[..4], [2, 2, 2, 1]);
    let mut seen: Vec<usize> = order.iter().map(|play| play.index).collect();
    seen.sort_unstable();
    assert!(seen.into_iter().eq(0..found.len()));
    let lookahead = FullWidth(&team).evaluate(&found[order[0].index]).flipped();
    assert!((order[0].equity - lookahead.equity()).abs() < 0.05, "a narrower look at the same");
}

fn money(value: u32, owner: CubeOwner) -> (CubeScoring, Cube) {
    (CubeScoring::money(), Cube::new(value, owner).expect("a power of two"))
}

#[test]
fn at_1_ply_a_cube_decision_is_the_models() {
    let (team, (scoring, cube)) = (team(), money(2, CubeOwner::Own));
    let decision =
        Search::new(&team, Plies::ONE, SearchSettings::NORMAL).cube(&ending(), &scoring, cube);
    let value = team.evaluate(&ending());
    assert_eq!(decision.cubeless, value);
    assert_eq!(decision.utility[0], scoring.cubeful(&value, cube));
    assert_eq!(decision.utility[1], scoring.cubeful(&value, cube.doubled()));
    assert_eq!(decision.utility[2], 2.0);
}

#[test]
fn cube_decisions_know_free_doubles_and_plays_do_not() {
    // After the Crawford game the opponent doubles at once.
    let session = Scoring::of_match(7, 6, 3, false).expect("a score");
    let scoring = CubeScoring::new(session, MatchEquityTable::kazaross_xg2()).expect("in reach");
    let (team, position) = (team(), Position::START);
    let value = team.evaluate(&position);
    let search = Search::new(&team, Plies::ONE, SearchSettings::NORMAL);
    let decision = search.cube(&position, &scoring, Cube::CENTRED).utility[0];
    let play = search.cube_at(&position, &scoring, Cube::CENTRED, CubeEfficiency::PLAYS).utility[0];
    let by = |efficiency| scoring.cubeful_by(&value, Cube::CENTRED, efficiency);
    assert_eq!(decision, by(CubeEfficiency::of(&position)));
    assert_eq!(play, by(CubeEfficiency::PLAYS));
    assert!((decision - play).abs() > 0.003, "{decision} {play}");
}

#[test]
fn a_search_to_exact_endings_gives_their_exact_equity_with_any_cube() {
    let endings = BearoffEvaluator::new(pips(), Arc::clone(&SMALL));
    let position = Position::from_sides(&[(6, 2), (3, 1)], &[(5, 2), (2, 1)]).expect("legal");
    let exact = endings.cubeful(&position).expect("known");
    for (owner, equity) in [(CubeOwner::Own, exact.owned), (CubeOwner::Centred, exact.centred)] {
        let (scoring, cube) = money(1, owner);
        let search = Search::new(&endings, Plies::TWO, SearchSettings::FULL);
        let decision = search.cube(&position, &scoring, cube);
        assert!((decision.no_double - equity).abs() < 2e-3, "{owner:?} {decision:?}");
        assert!((decision.double_take - 2.0 * exact.opponent).abs() < 4e-3, "{decision:?}");
    }
}

#[test]
fn with_a_5_and_a_2_to_go_and_one_roll_left_one_doubles_and_the_other_takes() {
    // The textbook's last roll: 19 of 36 throws win, so every double gains 2/36 and passing loses
    // more.
    let position = Position::from_sides(&[(5, 1), (2, 1)], &[(1, 2)]).expect("legal");
    let endings = BearoffEvaluator::new(pips(), Arc::clone(&SMALL));
    let (scoring, cube) = money(1, CubeOwner::Centred);
    for plies in [Plies::ONE, Plies::TWO] {
        let search = Search::new(&endings, plies, SearchSettings::NORMAL);
        let decision = search.cube(&position, &scoring, cube);
        assert_eq!(decision.to_string(), "Double, take");
        assert!((decision.no_double - 2.0 / 36.0).abs() < 1e-5, "{decision:?}");
        assert!((decision.double_take - 4.0 / 36.0).abs() < 1e-5, "{decision:?}");
    }
}

#[test]
fn of_plays_that_are_all_doubled_out_the_best_without_the_cube_comes_first() {
    let position =
        Position::from_sides(&[(6, 1), (3, 1), (1, 1)], &[(3, 1), (1, 1)]).expect("legal");
    let endings = BearoffEvaluator::new(pips(), Arc::clone(&SMALL));
    let (scoring, cube) = money(1, CubeOwner::Centred);
    let mut results = Results::default();
    let found = results.of(&position, "31".parse().expect("a roll"));
    let order = Search::new(&endings, Plies::ONE, SearchSettings::NORMAL)
        .rank_with_cube(found, &scoring, cube);
    assert!(order.len() > 1 && order.iter().all(|play| play.equity == -1.0), "{order:?}");
    assert!(order.is_sorted_by(|a, b| a.value.equity() >= b.value.equity()), "{order:?}");
    assert!(order[0].value.equity() > order[order.len() - 1].value.equity(), "{order:?}");
}

#[test]
fn a_ranking_with_a_dead_cube_is_the_cubeless_one() {
    let evaluator = ScriptedEvaluator(|position: &Position| {
        let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
        let win = 0.5 + lead / 1000.0;
        Evaluation { average: 0.0, outcomes: [win - 0.1, 0.1, 0.0, 0.9 - win, 0.1, 0.0] }
    });
    // Both need one point: doubles are impossible, and gammons have no value.
    let session = Scoring::of_match(1, 0, 0, false).expect("a score");
    let scoring = CubeScoring::new(session, MatchEquityTable::kazaross_xg2()).expect("in reach");
    let cube = Cube::CENTRED;
    let mut results = Results::default();
    let found = results.of(&Position::START, "31".parse().expect("a roll"));
    let search = Search::new(evaluator, Plies::TWO, SearchSettings::NORMAL);
    for play in search.rank_with_cube(found, &scoring, cube) {
        let [a, b, c, d, e, f] = play.value.outcomes;
        let equity = a + b + c - d - e - f;
        assert!((play.equity - equity).abs() < 1e-4, "{play:?} for {equity}");
    }
}

/// The best plays of a roll win little and lose few gammons; the others win fewer games and more
/// gammons. Which is which, the board's hash says.
fn wins_or_gammons(position: &Position) -> Evaluation {
    let outcomes = if super::opponent_replies::hash(position).is_multiple_of(2) {
        [0.50, 0.0, 0.0, 0.50, 0.0, 0.0]
    } else {
        // Seen by the player on roll, the opponent of the player who wins gammons.
        [0.60, 0.0, 0.0, 0.25, 0.15, 0.0]
    };
    Evaluation { average: 0.0, outcomes }.with_average()
}

trait WithAverage {
    fn with_average(self) -> Evaluation;
}

impl WithAverage for Evaluation {
    fn with_average(self) -> Evaluation {
        Evaluation { average: self.outcome_equity(), ..self }
    }
}

fn at_score(length: u16, own: u16, opponent: u16, crawford: bool) -> CubeScoring {
    let session = Scoring::of_match(length, own, opponent, crawford).expect("a score");
    CubeScoring::new(session, MatchEquityTable::kazaross_xg2()).expect("in reach")
}

#[test]
fn at_gammon_go_the_reply_that_wins_more_gammons_is_chosen_and_for_money_the_other() {
    let evaluator = ScriptedEvaluator(wins_or_gammons);
    // The player who replies needs two points, the other one point, in the Crawford game: a gammon
    // wins the match.
    let leader = at_score(5, 4, 3, true);
    let gammons = |ranking| -> Vec<bool> {
        let mut replies = Replies::default();
        let found = replies.of(&evaluator, &Position::START, usize::MAX, ranking);
        found.iter().map(|reply| reply.value.outcomes[4] > 0.0).collect()
    };
    let at_gammon_go = gammons(ReplyRanking::of(&leader, Cube::CENTRED));
    let for_money = gammons(ReplyRanking::of(&CubeScoring::money(), Cube::CENTRED));
    assert!(at_gammon_go.iter().all(|gammons| *gammons), "{at_gammon_go:?}");
    assert!(for_money.iter().all(|gammons| !gammons), "{for_money:?}");
}

#[test]
fn at_double_match_point_a_second_ply_is_the_mean_of_the_replies_that_win_most() {
    let evaluator = ScriptedEvaluator(|position: &Position| {
        let win = 0.3 + super::opponent_replies::hash(position) as f32 / u64::MAX as f32 * 0.4;
        // The more wins, the more gammons lost.
        let outcomes = [win, 0.0, 0.0, 0.0, 1.0 - win, 0.0];
        let lost = if win > 0.5 { outcomes } else { [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0] };
        Evaluation { average: 0.0, outcomes: lost }.with_average()
    });
    let scoring = at_score(5, 4, 4, false);
    let (mut results, mut replies) = (Results::default(), Results::default());
    let found = results.of(&Position::START, "31".parse().expect("a roll")).to_vec();
    let order = Search::new(&evaluator, Plies::TWO, SearchSettings::FULL).rank_with_cube(
        &found,
        &scoring,
        Cube::CENTRED,
    );
    for play in &order[..3] {
        let mut win = 0.0;
        for dice in Dice::ALL {
            // The opponent replies so that the player wins least.
            let wins = replies.of(&found[play.index], dice).iter().map(|reply| {
                let [a, b, c, ..] = evaluator.evaluate(reply).outcomes;
                a + b + c
            });
            win += dice.probability() * wins.fold(f32::INFINITY, f32::min);
        }
        let equity = 2.0 * win - 1.0;
        assert!((play.equity - equity).abs() < 1e-4, "{play:?} for {equity}");
    }
}

proptest::proptest! {
    #[test]
    fn equities_that_differ_by_rounding_alone_are_equal_and_the_cubeless_equity_decides(
        thousandths in proptest::collection::vec(-3000i32..=3000, 1..6),
        noise in proptest::collection::vec(-4i32..=4, 12),
    ) {
        // Each equity twice, with a few units in the last place between them; the second one is
        // better without the cube.
        let mut order = Vec::new();
        for (i, thousandth) in thousandths.iter().enumerate() {
            for (j, cubeless) in [(0, -0.5), (1, 0.5)] {
                let exact = *thousandth as f32 / 1000.0;
                let equity = exact * (1.0 + noise[2 * i + j] as f32 * f32::EPSILON);
                let value = Evaluation { average: cubeless, outcomes: [0.0; 6] };
                order.push(Ranked { index: 2 * i + j, plies: Plies::ONE, equity, value });
            }
        }
        super::expectimax::sort(&mut order);
        for pair in order.windows(2) {
            let (a, b) = (pair[0].equity, pair[1].equity);
            proptest::prop_assert!(a > b - 1e-4);
            if (a - b).abs() < 1e-5 {
                proptest::prop_assert!(pair[0].value.average >= pair[1].value.average);
            }
        }
    }
}
