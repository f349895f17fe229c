//! No answer has a chance that the rules exclude: nets of every kind, searches, cube decisions and
//! rollouts, in positions that games hardly reach.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;

use nonet::backgammon::{Cube, Dice, Outcome, Position, PossibleOutcomes, Scoring};
use nonet::bearoff::{BearoffDatabases, BearoffEvaluator, OneSided, TwoSided};
use nonet::cube::{CubeAction, CubeScoring};
use nonet::engine::{Engine, built_in_net};
use nonet::eval::{Architecture, Evaluation, Evaluator, PlayingTeam, Specialists};
use nonet::game::{StreamPurpose, stream};
use nonet::progress::Progress;
use nonet::rollout::{RolloutConfig, RolloutLine, RolloutSums, rollout};
use nonet::search::Plies;
use rand::Rng;

use crate::positions::rare_positions;

/// What every answer obeys.
fn check(value: &Evaluation, possible: PossibleOutcomes, position: &Position, who: &str) {
    for outcome in Outcome::ALL {
        let chance = value.outcomes[outcome.index()];
        assert!(
            chance == 0.0 || possible.contains(outcome),
            "{who}: {outcome:?} has the chance {chance} in {position:?}, {value}"
        );
    }
    let [win, gammon, backgammon, lost_gammon, lost_backgammon] = value.cumulative();
    assert!(win >= gammon && gammon >= backgammon, "{who}: {value}");
    assert!(1.0 - win + 1e-6 >= lost_gammon && lost_gammon >= lost_backgammon, "{who}: {value}");
    if !possible.is_all() {
        let points: Vec<f32> = possible.iter().map(|outcome| outcome.points() as f32).collect();
        let lowest = points.iter().copied().fold(f32::INFINITY, f32::min);
        let highest = points.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let equity = value.equity();
        assert!(
            (lowest - 1e-5..=highest + 1e-5).contains(&equity),
            "{who}: {equity} is not in {lowest}..{highest} in {position:?}"
        );
    }
}

#[test]
fn static_answers_of_every_net_obey_the_rules() {
    let positions = rare_positions(1, 4_000);
    let limited = positions.iter().filter(|one| !one.possible_outcomes().is_all()).count();
    let certain = positions.iter().filter(|one| one.possible_outcomes().iter().count() == 1);
    assert!(limited > 3_000 && certain.count() > 100, "the positions are rare ones");
    let champion = Arc::new(built_in_net().team);
    let mut evaluators: Vec<(String, Box<dyn Evaluator>)> = vec![
        ("champion".into(), Box::new(Arc::clone(&champion))),
        ("champion for play".into(), Box::new(PlayingTeam::new(champion))),
    ];
    for architecture in Architecture::ALL {
        let team = Specialists::random(architecture, &mut stream(2, StreamPurpose::Weights, 0));
        evaluators.push((architecture.name().to_owned(), Box::new(team)));
    }
    let databases = BearoffDatabases::new(OneSided::generate(), TwoSided::generate(3));
    let small = nonet::open::net("small").expect("built in").team;
    let endings = BearoffEvaluator::new(small, Arc::new(databases));
    evaluators.push(("bearoff databases".into(), Box::new(endings)));
    let mut values = vec![Evaluation::ZERO; positions.len()];
    for (name, evaluator) in &evaluators {
        evaluator.evaluate_batch(&positions, &mut values);
        for (position, value) in positions.iter().zip(&values) {
            let possible = position.possible_outcomes();
            check(value, possible, position, name);
            assert_eq!(value.within(possible), *value, "{name}: a second time in {position:?}");
        }
        let alone = evaluator.evaluate(&positions[7]);
        assert_eq!(alone, values[7], "{name}: alone and among others");
    }
}

#[test]
fn searches_and_cube_decisions_obey_the_rules() {
    for (plies, count) in [(Plies::ONE, 400), (Plies::TWO, 40), (Plies::THREE, 6)] {
        let engine = Engine::builder().plies(plies).cube_plies(plies).build().expect("built in");
        let mut rng = stream(3, StreamPurpose::Choice, 1);
        for position in rare_positions(4, count) {
            let possible = position.possible_outcomes();
            let context = engine.context(Scoring::MONEY, Cube::CENTRED).expect("money");
            let dice = Dice::ALL[rng.random_range(0..Dice::ALL.len())];
            for ranked in engine.rank(&position, dice, &context) {
                let after = ranked.after().possible_outcomes().flipped();
                check(&ranked.value, after, &position, &format!("{plies} {dice}"));
                assert!(after.iter().all(|outcome| possible.contains(outcome)));
            }
            let decision = engine.cube_decision(&position, &context);
            check(&decision.cubeless, possible, &position, &format!("cube at {plies}"));
            if !possible.contains(Outcome::WinGammon) && !possible.contains(Outcome::WinBackgammon)
            {
                assert!(decision.no_double <= 1.0 + 1e-4, "{decision:?} in {position:?}");
                assert_ne!(decision.action, CubeAction::TooGood, "{decision:?} in {position:?}");
            }
        }
    }
}

#[test]
fn rollouts_obey_the_rules_to_the_end_and_cut_off() {
    let team = nonet::open::net("small").expect("built in").team;
    for (i, position) in rare_positions(5, 30).into_iter().enumerate() {
        let truncate = [None, Some(1), Some(7)][i % 3];
        let config = RolloutConfig { games: 36, truncate, ..RolloutConfig::default() };
        let cube = (i % 2 == 0).then(|| (CubeScoring::money(), Cube::CENTRED));
        let (line, mut sums) = (RolloutLine::new(position, cube), RolloutSums::default());
        rollout(&team, &line, &config, &mut sums, &Progress::default());
        let result = sums.result();
        let possible = position.possible_outcomes();
        for outcome in Outcome::ALL {
            let chance = result.value.outcomes[outcome.index()];
            assert!(
                chance == 0.0 || possible.contains(outcome),
                "{outcome:?} has the chance {chance} after a rollout of {position:?}"
            );
        }
    }
}

/// Positions of public reports, in which programs answered with gammons.
#[test]
fn a_checker_off_is_no_gammon_at_any_depth() {
    for (text, equity) in [
        ("mxmAQ4PbAQAAAA", Some(1.0)),
        ("XGID=-C-------------bbbbbbb----:0:0:1:00:0:0:0:0:10", Some(1.0)),
        ("XGID=aBBB--a------------cccc---:0:0:1:00:0:0:0:0:10", None),
        ("XGID=-a-B--E-C---dD---c-e----A-:0:0:1:00:0:0:0:0:10", None),
    ] {
        let state: nonet::GameState = text.parse().expect("an ID");
        for plies in [Plies::ONE, Plies::TWO, Plies::THREE] {
            let engine = Engine::builder().cube_plies(plies).build().expect("built in");
            let value = engine.cube(&state).expect("unfinished").cubeless;
            let [_, gammon, backgammon, ..] = value.cumulative();
            assert_eq!([gammon, backgammon], [0.0; 2], "{text} at {plies}: {value}");
            if let Some(expected) = equity {
                assert!((value.equity() - expected).abs() < 0.02, "{text} at {plies}: {value}");
            }
        }
    }
}
