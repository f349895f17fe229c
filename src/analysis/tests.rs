//! Games whose faults are known.

use std::sync::Arc;

use super::*;
use crate::backgammon::record::{GameHeader, Recorder, Records};
use crate::backgammon::{CubeOwner, Scoring, Seat};
use crate::eval::{Evaluation, ScriptedEvaluator};
use crate::search::Plies;

/// Judges by the lead in pips.
fn by_pips(position: &Position) -> Evaluation {
    if let Some(outcome) = position.outcome() {
        return Evaluation::of_outcome(outcome);
    }
    let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
    let win = (0.5 + lead / 400.0).clamp(0.0, 1.0);
    Evaluation { average: 2.0 * win - 1.0, outcomes: [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0] }
}

fn engine(plies: Plies) -> Engine {
    let engine = Engine::builder().evaluator(Arc::new(ScriptedEvaluator(by_pips)));
    engine.plies(plies).build().expect("an engine")
}

fn recorder() -> Recorder {
    let session = Scoring::Money { jacoby: false, beavers: false };
    Recorder::new(GameHeader { names: ["ann".into(), "bob".into()], session })
}

fn turn(game: &mut Recorder, player: Seat, dice: &str, play: &str) {
    let dice = dice.parse().expect("a roll");
    let after = game.position().read_play(play, dice).expect(play).after;
    game.turn(player, dice, &after).expect("in turn");
}

fn analysed(games: &[RecordedGame], plies: Plies) -> Vec<Analysis> {
    analyse(games, &engine(plies), &Progress::default()).expect("in reach").expect("not stopped")
}

#[test]
fn the_best_play_loses_nothing_and_another_one_its_distance() {
    // By pips all plays of a roll without hits are worth the same; a hit is worth more.
    let mut game = recorder();
    turn(&mut game, Seat::X, "52", "13/8 24/22");
    turn(&mut game, Seat::O, "21", "24/23 13/11");
    turn(&mut game, Seat::X, "62", "24/18 22/20");
    turn(&mut game, Seat::O, "42", "8/4 6/4");
    let analysis = analysed(&[game.finish()], Plies::ONE).remove(0);
    let plays: Vec<_> = analysis
        .decisions
        .iter()
        .filter_map(|judged| match &judged.what {
            DecisionKind::Play(play) => Some((judged, play)),
            DecisionKind::CubeCall(_) => None,
        })
        .collect();
    for (judged, play) in &plays {
        let best = &play.plays[0];
        let own = &play.plays[play.played];
        assert_eq!(
            own.candidate.after,
            analysis.game.turns().nth(judged.number - 1).expect("it").after
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
fn luck_is_a_matter_of_rolls_and_adds_up_to_nothing_over_all_of_them() {
    let engine = engine(Plies::ONE);
    let all: f32 = Dice::ALL
        .iter()
        .map(|&dice| dice.probability() * engine.luck(&Position::START, dice, false))
        .sum();
    assert!(all.abs() < 1e-5, "{all}");
    let luck = |dice: &str| engine.luck(&Position::START, dice.parse().expect("a roll"), false);
    assert!(luck("66") > 0.05 && luck("21") < -0.01);
}

#[test]
fn whoever_drops_a_take_or_doubles_too_late_is_told() {
    let mut game = recorder();
    turn(&mut game, Seat::X, "52", "13/8 24/22");
    game.double(Seat::O).expect("may");
    game.drop(Seat::X).expect("may");
    let analysis = analysed(&[game.finish()], Plies::ONE).remove(0);
    let calls: Vec<_> = analysis
        .decisions
        .iter()
        .filter_map(|judged| match judged.what {
            DecisionKind::CubeCall(call) => Some((judged.player, call.call, judged.mark())),
            DecisionKind::Play(_) => None,
        })
        .collect();
    assert_eq!(
        calls,
        [
            (Seat::O, CubeCall::Double, Severity::Blunder),
            (Seat::X, CubeCall::Drop, Severity::Blunder)
        ]
    );
}

#[test]
fn the_cube_lies_where_it_was_taken_and_is_asked_about_by_its_owner_alone() {
    let mut game = recorder();
    turn(&mut game, Seat::X, "52", "13/8 24/22");
    game.double(Seat::O).expect("may");
    game.take(Seat::X).expect("may");
    turn(&mut game, Seat::O, "21", "24/23 13/11");
    turn(&mut game, Seat::X, "62", "24/18 22/20");
    turn(&mut game, Seat::O, "42", "8/4 6/4");
    let analysis = analysed(&[game.finish()], Plies::ONE).remove(0);
    let cubes: Vec<_> = analysis
        .decisions
        .iter()
        .map(|judged| (judged.player, judged.cube.value(), judged.cube.owner()))
        .collect();
    let (own, theirs) = (CubeOwner::Own, CubeOwner::Opponent);
    let (a, b) = (Seat::X, Seat::O);
    let before =
        [(a, 1, CubeOwner::Centred), (b, 1, CubeOwner::Centred), (a, 1, CubeOwner::Centred)];
    // A, who owns it, is asked before their second roll; B is not.
    let after = [(b, 2, theirs), (a, 2, own), (a, 2, own), (b, 2, theirs)];
    assert_eq!(cubes, [&before[..], &after[..]].concat());
}

#[test]
fn no_thread_changes_an_analysis_and_a_stop_ends_it() {
    let text = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/records/crawford.mat"));
    let records = Records::new(text.as_deref().expect("a record"), "crawford.mat").expect("known");
    let games: Vec<RecordedGame> = records.map(|game| game.expect("usable")).collect();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| analysed(&games, Plies::ONE))
    };
    let alone = with(1);
    assert!(alone == with(3));
    let turns: usize = games.iter().map(|game| game.turns().count()).sum();
    let played = alone.iter().flat_map(|game| &game.decisions);
    assert_eq!(played.filter(|judged| matches!(judged.what, DecisionKind::Play(_))).count(), turns);
    let stopped = Progress::default();
    stopped.stop();
    assert_eq!(analyse(&games, &engine(Plies::ONE), &stopped), Ok(None));
}

#[test]
fn marks_begin_where_they_say() {
    let marks = [0.0, 0.039, 0.04, 0.08, 0.159, 0.16, 2.0].map(|loss| Severity::of(loss).symbol());
    assert_eq!(marks, ["", "", "?!", "?", "?", "??", "??"]);
}
