//! Games with known mistakes.

use super::*;
use crate::backgammon::record::{GameHeader, GameStart, RecordedGame, Recorder, Records};
use crate::backgammon::{CubeOwner, Dice, Position, Scoring, Seat};
use crate::engine::Engine;
use crate::eval::{Evaluation, ScriptedEvaluator};
use crate::game::SeenRoll;
use crate::progress::Progress;
use crate::rollout::{RolloutConfig, RolloutSums};
use crate::search::Plies;

/// Evaluates by the lead in pips.
fn by_pips(position: &Position) -> Evaluation {
    if let Some(outcome) = position.outcome() {
        return Evaluation::of_outcome(outcome);
    }
    let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
    let win = (0.5 + lead / 400.0).clamp(0.0, 1.0);
    Evaluation { average: 2.0 * win - 1.0, outcomes: [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0] }
}

fn engine(plies: Plies) -> Engine {
    let engine = Engine::builder().evaluator(ScriptedEvaluator(by_pips));
    engine.plies(plies).build().expect("an engine")
}

fn recorder() -> Recorder {
    let scoring = Scoring::Money { jacoby: false, beavers: false };
    Recorder::new(GameHeader { names: ["ann".into(), "bob".into()], scoring })
}

fn turn(game: &mut Recorder, player: Seat, dice: &str, play: &str) {
    let dice = dice.parse().expect("a roll");
    let after = game.position().read_play(play, dice).expect(play).after;
    game.turn(player, dice, &after).expect("in turn");
}

/// A game of four turns; with `doubled`, O doubles after the first and X takes.
fn four_turns(doubled: bool) -> RecordedGame {
    let mut game = recorder();
    turn(&mut game, Seat::X, "52", "13/8 24/22");
    if doubled {
        game.double(Seat::O).expect("may");
        game.take(Seat::X).expect("may");
    }
    turn(&mut game, Seat::O, "21", "24/23 13/11");
    turn(&mut game, Seat::X, "62", "24/18 22/20");
    turn(&mut game, Seat::O, "42", "8/4 6/4");
    game.finish()
}

#[test]
fn an_answer_to_a_beaver_or_a_raccoon_is_no_second_decision() {
    let mut game = recorder();
    turn(&mut game, Seat::X, "52", "13/8 24/22");
    game.double(Seat::O).expect("may");
    game.beaver(Seat::X).expect("may");
    game.beaver(Seat::O).expect("a raccoon");
    game.take(Seat::X).expect("may");
    turn(&mut game, Seat::O, "21", "24/23 13/11");
    let analysis = analysed(&[game.finish()], Plies::ONE).remove(0);
    let calls = analysis.decisions.iter().filter_map(|analysed| match &analysed.what {
        DecisionKind::CubeCall(_) => Some(analysed.player),
        DecisionKind::Play(_) => None,
    });
    assert_eq!(calls.collect::<Vec<_>>(), [Seat::O, Seat::X]);
}

/// X doubles in a position, O answers; the answer, judged by pips alone.
fn answered(position: Position, beavers: bool, call: CubeCall) -> AnalysedDecision {
    let scoring = Scoring::Money { jacoby: false, beavers };
    let header = GameHeader { names: ["ann".into(), "bob".into()], scoring };
    let start = GameStart { position, on_roll: Some(Seat::X), ..GameStart::USUAL };
    let mut game = Recorder::from_start(header, start);
    game.double(Seat::X).expect("may");
    let done = match call {
        CubeCall::Take => game.take(Seat::O),
        CubeCall::Drop => game.drop(Seat::O),
        _ => game.beaver(Seat::O),
    };
    done.expect("asked");
    let engine = engine(Plies::ONE).with_cube_plies(Plies::ONE);
    let found = analyse(&[game.finish()], &engine, &Progress::default()).expect("in reach");
    found.expect("not stopped").remove(0).decisions.pop().expect("the answer")
}

/// Races in which X is 20 pips behind, 80 ahead and 140 ahead: a beaver, a take and a pass.
fn races() -> [Position; 3] {
    let own = [(6, 5), (5, 5), (4, 5)];
    [[(5, 5), (4, 5), (2, 5)], [(13, 5), (10, 5), (8, 5)], [(16, 5), (15, 5), (12, 5)]]
        .map(|opponent| Position::from_sides(&own, &opponent).expect("legal"))
}

/// The doubler's equity after each answer, if it is v after a take; and after the best one.
fn worths(v: f32) -> ([(CubeCall, f32); 3], f32) {
    let all = [(CubeCall::Take, v), (CubeCall::Beaver, 2.0 * v), (CubeCall::Drop, 1.0)];
    (all, v.min(2.0 * v).min(1.0))
}

#[test]
fn a_take_a_beaver_and_a_pass_are_judged_by_their_own_loss() {
    for (position, right) in races().into_iter().zip(["beaver", "take", "pass"]) {
        let v = match answered(position, false, CubeCall::Take).what {
            DecisionKind::CubeCall(call) => call.decision.double_take,
            DecisionKind::Play(_) => panic!("no cube action"),
        };
        let (all, best) = worths(v);
        for (call, worth) in all {
            let decision = answered(position, true, call);
            let (loss, after) = (decision.loss(), decision.value_after(Seat::X));
            assert!((loss - (worth - best)).abs() < 1e-5, "{right}, {v}: {decision}");
            assert!((after - worth).abs() < 1e-5, "{right}, {v}: {decision} {after}");
            let is_right = matches!(
                (right, call),
                ("beaver", CubeCall::Beaver) | ("take", CubeCall::Take) | ("pass", CubeCall::Drop)
            );
            assert_eq!(loss == 0.0, is_right, "{right}, {v}: {decision}");
        }
        // A beaver shows that beavers are played, whatever the record says of the rules.
        let shown = [false, true].map(|rule| answered(position, rule, CubeCall::Beaver));
        assert_eq!(shown[0], shown[1]);
    }
}

#[test]
fn a_rollout_judges_a_take_a_beaver_and_a_pass_by_their_own_loss() {
    let config = RolloutConfig { games: 36, truncate: Some(4), ..RolloutConfig::default() };
    for position in races() {
        for call in [CubeCall::Take, CubeCall::Beaver, CubeCall::Drop] {
            let mut decision = answered(position, true, call);
            let engine = engine(Plies::ONE);
            let done = roll_out(&mut decision, &engine, &config, &Progress::default());
            assert_eq!(done, Ok(true));
            let DecisionKind::CubeCall(rolled) = &decision.what else { panic!("no cube action") };
            let (all, best) = worths(rolled.decision.taken());
            let worth = all.into_iter().find(|(one, _)| *one == call).expect("one of three").1;
            let lost = decision.rollout.as_ref().expect("rolled out").lost.mean as f32;
            assert!((rolled.loss - (worth - best)).abs() < 1e-5, "{decision}");
            assert!((lost.max(0.0) - rolled.loss).abs() < 1e-5, "{lost}: {decision}");
        }
    }
}

#[test]
fn after_an_automatic_double_the_first_roll_is_the_opening_roll() {
    let [usual, automatic] = [1, 2].map(|cube| {
        let start = GameStart { cube, ..GameStart::USUAL };
        let mut game = Recorder::from_start(recorder().header().clone(), start);
        turn(&mut game, Seat::X, "52", "13/8 24/22");
        turn(&mut game, Seat::O, "21", "24/23 13/11");
        analysed(&[game.finish()], Plies::ONE).remove(0).decisions
    });
    // The rules allow no double before the opening roll.
    let calls = |decisions: &[AnalysedDecision]| -> Vec<usize> {
        let is_call = |one: &&AnalysedDecision| matches!(one.what, DecisionKind::CubeCall(_));
        decisions.iter().filter(is_call).map(|one| one.number).collect()
    };
    assert_eq!((calls(&usual), calls(&automatic)), (vec![2], vec![2]));
    // In points on a cube at 1, a roll is as lucky on any cube in the middle.
    let luck = |decisions: &[AnalysedDecision]| match &decisions[0].what {
        DecisionKind::Play(play) => play.luck,
        DecisionKind::CubeCall(_) => panic!("no play"),
    };
    assert!((luck(&usual) - luck(&automatic)).abs() < 1e-5, "{automatic:?}");
}

fn analysed(games: &[RecordedGame], plies: Plies) -> Vec<Analysis> {
    analyse(games, &engine(plies), &Progress::default()).expect("in reach").expect("not stopped")
}

#[test]
fn a_play_loses_its_difference_to_the_best_one() {
    // By pips all plays of a roll without hits are worth the same; a hit is worth more.
    let analysis = analysed(&[four_turns(false)], Plies::ONE).remove(0);
    let plays: Vec<_> = analysis
        .decisions
        .iter()
        .filter_map(|analysed| match &analysed.what {
            DecisionKind::Play(play) => Some((analysed, play)),
            DecisionKind::CubeCall(_) => None,
        })
        .collect();
    for (analysed, play) in &plays {
        let best = &play.plays[0];
        let own = &play.plays[play.played];
        assert_eq!(
            own.candidate.after,
            analysis.game.turns().nth(analysed.number - 1).expect("it").after
        );
        assert!((play.loss - (best.equity - own.equity)).abs() < 1e-6 && play.loss >= 0.0);
    }
    assert_eq!(plays[0].1.loss, 0.0, "nothing to hit on the first roll");
    assert!(plays[3].1.loss > 0.05, "7/5 hits, or 5/3: {:?}", plays[3].1);
    let summary = analysis.summary(Seat::O);
    assert_eq!(summary.plays, 2);
    assert!((summary.play_loss - plays[1].1.loss - plays[3].1.loss).abs() < 1e-6);
    let pr = summary.pr().expect("decisions");
    assert!(
        (pr - 500.0 * (summary.play_loss + summary.call_loss)
            / (summary.plays + summary.calls) as f32)
            .abs()
            < 1e-4
    );
}

#[test]
fn the_mean_luck_over_all_rolls_is_zero() {
    let engine = engine(Plies::ONE);
    let of = |dice| {
        let position = &Position::START;
        engine.luck(&SeenRoll { position, dice, opening: false, context: None })
    };
    let all: f64 = Dice::ALL.iter().map(|&dice| f64::from(dice.probability()) * of(dice)).sum();
    assert!(all.abs() < 1e-5, "{all}");
    let luck = |dice: &str| of(dice.parse().expect("a roll"));
    assert!(luck("66") > 0.05 && luck("21") < -0.01);
}

#[test]
fn a_wrong_double_and_a_wrong_drop_are_very_bad() {
    let mut game = recorder();
    turn(&mut game, Seat::X, "52", "13/8 24/22");
    game.double(Seat::O).expect("may");
    game.drop(Seat::X).expect("may");
    let analysis = analysed(&[game.finish()], Plies::ONE).remove(0);
    let calls: Vec<_> = analysis
        .decisions
        .iter()
        .filter_map(|analysed| match analysed.what {
            DecisionKind::CubeCall(call) => Some((analysed.player, call.call, analysed.severity())),
            DecisionKind::Play(_) => None,
        })
        .collect();
    assert_eq!(
        calls,
        [
            (Seat::O, CubeCall::Double, Severity::VeryBad),
            (Seat::X, CubeCall::Drop, Severity::VeryBad)
        ]
    );
}

#[test]
fn after_a_take_only_the_owner_of_the_cube_has_doubling_decisions() {
    let analysis = analysed(&[four_turns(true)], Plies::ONE).remove(0);
    let cubes: Vec<_> = analysis
        .decisions
        .iter()
        .map(|analysed| (analysed.player, analysed.cube.value(), analysed.cube.owner()))
        .collect();
    let (own, theirs) = (CubeOwner::Own, CubeOwner::Opponent);
    let (a, b) = (Seat::X, Seat::O);
    let before =
        [(a, 1, CubeOwner::Centred), (b, 1, CubeOwner::Centred), (a, 1, CubeOwner::Centred)];
    // A owns the cube, so only A decides about it.
    let after = [(b, 2, theirs), (a, 2, own), (a, 2, own), (b, 2, theirs)];
    assert_eq!(cubes, [&before[..], &after[..]].concat());
}

#[test]
fn a_game_without_a_cube_has_no_cube_decision() {
    let kinds = |mut game: Recorder| {
        turn(&mut game, Seat::X, "52", "13/8 24/22");
        turn(&mut game, Seat::O, "21", "24/23 13/11");
        turn(&mut game, Seat::X, "62", "24/16");
        let analysis = analysed(&[game.finish()], Plies::ONE).remove(0);
        let plays = analysis.decisions.iter();
        let plays = plays.filter(|analysed| matches!(analysed.what, DecisionKind::Play(_))).count();
        [plays, analysis.decisions.len() - plays]
    };
    assert_eq!(kinds(recorder()), [3, 2]);
    assert_eq!(kinds(recorder().without_cube()), [3, 0]);
}

#[test]
fn a_match_longer_than_the_written_table_is_analysed() {
    let text = " 27 point match\n\n Game 1\n a : 0   b : 0\n  1) 31: 8/5 6/5     52: 13/8 24/22\n";
    let records = Records::new(text.as_bytes(), "long.mat").expect("known");
    let games: Vec<RecordedGame> = records.map(|game| game.expect("usable")).collect();
    assert_eq!(analysed(&games, Plies::ONE)[0].decisions.len(), 3);
}

#[test]
fn the_number_of_threads_changes_nothing_and_a_stop_ends_the_analysis() {
    let text = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/records/crawford.mat"));
    let records = Records::new(text.as_deref().expect("a record"), "crawford.mat").expect("known");
    let games: Vec<RecordedGame> = records.map(|game| game.expect("usable")).collect();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| analysed(&games, Plies::ONE))
    };
    let single = with(1);
    assert!(single == with(3));
    let turns: usize = games.iter().map(|game| game.turns().count()).sum();
    let played = single.iter().flat_map(|game| &game.decisions);
    assert_eq!(
        played.filter(|analysed| matches!(analysed.what, DecisionKind::Play(_))).count(),
        turns
    );
    let stopped = Progress::default();
    stopped.stop();
    assert_eq!(analyse(&games, &engine(Plies::ONE), &stopped), Ok(None));
}

#[test]
fn each_severity_begins_at_its_limit() {
    let symbols =
        [0.0, 0.039, 0.04, 0.08, 0.159, 0.16, 2.0].map(|loss| Severity::of(loss).symbol());
    assert_eq!(symbols, ["", "", "?!", "?", "?", "??", "??"]);
}

fn recorded(file: &str) -> Vec<RecordedGame> {
    let path = format!("{}/../tests/records/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read(path).expect("a record");
    let records = Records::new(text.as_slice(), file).expect("known");
    records.map(|game| game.expect("usable")).collect()
}

#[test]
fn a_point_is_worth_the_cube_for_money_and_half_the_difference_of_chances_in_a_match() {
    let mut game = recorder();
    turn(&mut game, Seat::X, "52", "13/8 24/22");
    game.double(Seat::O).expect("may");
    game.take(Seat::X).expect("may");
    turn(&mut game, Seat::O, "21", "24/23 13/11");
    let money = analysed(&[game.finish()], Plies::ONE).remove(0);
    let last = money.decisions.last().expect("a play");
    assert_eq!((last.unit, last.even, last.cost()), (2.0, 0.0, 2.0 * last.loss()));
    for game in analysed(&recorded("crawford.mat"), Plies::ONE) {
        for decision in &game.decisions {
            let context = engine(Plies::ONE).context(decision.scoring, decision.cube).expect("ok");
            let cube = i32::try_from(decision.cube.value()).expect("small");
            let [won, lost] = [cube, -cube].map(|points| context.scoring.utility(points));
            assert!((decision.unit - 0.5 * (won - lost)).abs() < 1e-6);
            let after = Seat::BOTH.map(|seat| decision.value_after(seat));
            assert!((after[0] + after[1] - 1.0).abs() < 1e-5, "chances of both: {after:?}");
        }
    }
}

#[test]
fn a_match_ends_where_names_or_lengths_change_or_a_new_one_begins() {
    let (three, five) = (recorded("crawford.mat"), recorded("five-points.mat"));
    let all = [&three[..], &five[..], &five[..]].concat();
    let (a, b) = (three.len(), five.len());
    assert_eq!(matches_in(&all), [0..a, a..a + b, a + b..a + 2 * b]);
    assert!(matches_in(&[]).is_empty());
    let games = analysed(&five, Plies::ONE);
    let score = final_score(&games);
    assert_eq!((score.length, score.points, score.winner), (Some(5), [3, 5], Some(Seat::O)));
    assert!(luck_adjusted(&games).is_some());
    assert_eq!(luck_adjusted(&games[..4]), None, "the end is missing");
    let gap = [&games[..1], &games[2..]].concat();
    assert_eq!(luck_adjusted(&gap), None, "a game is missing");
}

#[test]
fn every_decision_belongs_to_one_kind_and_one_class() {
    let games = analysed(&recorded("crawford.mat"), Plies::ONE);
    for seat in Seat::BOTH {
        let summary =
            games.iter().fold(Summary::default(), |sum, game| sum.plus(&game.summary(seat)));
        let all = summary.plays + summary.calls;
        assert_eq!(by_group(&games, seat).iter().map(|row| row.1.decisions).sum::<u32>(), all);
        assert_eq!(by_class(&games, seat).iter().map(|row| row.1.decisions).sum::<u32>(), all);
        let own = games.iter().flat_map(|game| &game.decisions).filter(|one| one.player == seat);
        let pr = Tally::of(own).pr().expect("decisions").mean;
        assert!((pr - f64::from(summary.pr().expect("decisions"))).abs() < 1e-3);
    }
}

#[test]
fn a_rollout_replaces_the_loss_of_a_play_and_of_a_cube_action_and_a_stop_leaves_it() {
    let engine = engine(Plies::ONE);
    let mut analysis = analysed(&[four_turns(true)], Plies::ONE).remove(0);
    let config = RolloutConfig { games: 36, truncate: Some(4), ..RolloutConfig::default() };
    for decision in &mut analysis.decisions {
        let before = decision.clone();
        if before.loss() > 0.0 {
            let done =
                roll_out(decision, &engine, &config, &Progress::default()).expect("in reach");
            let rolled = decision.rollout.as_ref().expect("rolled out");
            assert!(done && rolled.rows.len() == 2 && rolled.searched_loss == before.loss());
            assert!(decision.loss() >= 0.0 && rolled.rows.iter().all(|row| row.equity.n == 36));
        }
    }
    let rolled: Vec<_> = analysis.decisions.iter().filter(|one| one.rollout.is_some()).collect();
    let cube = rolled.iter().any(|one| matches!(one.what, DecisionKind::CubeCall(_)));
    let play = rolled.iter().any(|one| matches!(one.what, DecisionKind::Play(_)));
    assert!(cube && play);
    let long = RolloutConfig { games: 1 << 20, ..config };
    let stopped = Progress::default();
    stopped.stop();
    let mut again = rolled[0].clone();
    again.rollout = None;
    let before = again.clone();
    assert_eq!(roll_out(&mut again, &engine, &long, &stopped), Ok(false));
    assert_eq!(again, before);
}

#[test]
fn the_error_of_a_rolled_out_loss_is_that_of_a_difference_with_common_dice() {
    let mut game = recorder();
    turn(&mut game, Seat::X, "52", "13/8 24/22");
    turn(&mut game, Seat::O, "31", "24/23 13/10");
    let engine = engine(Plies::ONE);
    let mut analysis = analysed(&[game.finish()], Plies::ONE).remove(0);
    // Variance reduction takes away most of what two plays have in common.
    let plain = RolloutConfig { variance_reduction: false, ..RolloutConfig::default() };
    let config = RolloutConfig { games: 360, truncate: Some(4), ..plain };
    let mut tried = 0;
    for decision in &mut analysis.decisions {
        let DecisionKind::Play(play) = decision.what.clone() else { continue };
        if play.played == 0 {
            continue;
        }
        let done = roll_out(decision, &engine, &config, &Progress::default()).expect("in reach");
        let rolled = decision.rollout.as_ref().expect("rolled out");
        let context = engine.context(decision.scoring, decision.cube).expect("in reach").flipped();
        let lines = [play.played, 0]
            .map(|index| Engine::line_after_play(play.plays[index].after(), Some(&context)));
        let mut sums = vec![RolloutSums::default(); 2];
        let progress = Progress::default();
        engine.rollout_together(&lines, &config, &mut sums, &mut |_| false, &progress);
        assert!(done && rolled.lost == sums[0].difference(&sums[1]));
        let [a, b] = [0, 1].map(|row| rolled.rows[row].equity);
        assert!(rolled.lost.stderr < 0.95 * a.minus(b).stderr, "{rolled:?}");
        assert!((rolled.lost.mean.max(0.0) - f64::from(decision.loss())).abs() < 1e-6);
        tried += 1;
    }
    assert!(tried > 0, "no play lost anything");
}
