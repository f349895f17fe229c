//! Tests of learning with one net: epochs, whole batches, optimizers, and states that are resumed.

use super::*;
use crate::train::{GameSource, RootStrap, Rule, Seats, Successor, TargetRule, Td, UpdateTiming};
use crate::train::{GeneratedGames, LearnedOutputs, Learner, ReplayConfig};
use nonet_engine::backgammon::{Outcome, Position, Results, Seat};
use nonet_engine::eval::{Architecture, Evaluator, Specialists};
use nonet_engine::features::ByEncoding;
use nonet_engine::game::Game;

fn team() -> Specialists {
    team_of("large")
}

fn team_of(architecture: &str) -> Specialists {
    let architecture = Architecture::named(architecture).expect("known");
    Specialists::random(&architecture, &mut stream(1, StreamPurpose::Weights, 0))
}

fn rule(capacity: usize, number: u64) -> UpdateRule<'static> {
    let replay = Some(ReplayConfig { capacity, seed: 1, number });
    let rule = Rule {
        steps: OfflineSteps { epochs: 3, optimizer: Optimizer::Adam },
        ..Rule::of(TargetRule::RootStrap(RootStrap::default()))
    };
    UpdateRule { replay, ..UpdateRule::new(rule, 1e-3, 0.0) }
}

/// Offline TD(lambda) by these steps.
fn td(epochs: u32, optimizer: Optimizer) -> Rule {
    Rule { steps: OfflineSteps { epochs, optimizer }, ..Rule::TD }
}

fn games(range: std::ops::Range<u64>) -> Vec<Game> {
    let mut source = GeneratedGames {
        seed: 1,
        plies: nonet_engine::search::Plies::ONE,
        epsilon: 0.0,
        starts: None,
        seats: Seats::SelfPlay,
    };
    source.games(range, &team()).expect("games").games
}

#[test]
fn more_epochs_reduce_the_error_and_examples_are_counted_once() {
    let game = Game::without_evals(vec![Position::START], Some(Outcome::Win), Seat::X);
    let miss = |epochs: u32| {
        let mut learner = Learner::new(team(), None);
        let update = UpdateRule::new(td(epochs, Optimizer::Sgd), 0.01, 0.6);
        let stats = learner.learn(std::slice::from_ref(&game), &update);
        assert_eq!(stats.examples.values().sum::<u64>(), 1);
        (learner.team.evaluate(&Position::START).equity() - 1.0).abs()
    };
    assert!(miss(20) < 0.5 * miss(1), "{} {}", miss(20), miss(1));
}

#[test]
fn where_the_average_alone_learns_the_outcomes_stay_0() {
    let start = team().without_outcomes().with_all_outcomes();
    let before = start.evaluate(&Position::START);
    for timing in [UpdateTiming::Offline, UpdateTiming::Online] {
        let td = Td { timing, successor: Successor::Turn, side: None };
        let rule = Rule { outputs: LearnedOutputs::Average, ..Rule::of(TargetRule::Td(td)) };
        let mut learner = Learner::new(start.clone(), None);
        learner.learn(&games(0..2), &UpdateRule::new(rule, 0.01, 0.6));
        let after = learner.team.evaluate(&Position::START);
        assert_eq!((before.outcomes, after.outcomes), ([0.0; 6], [0.0; 6]));
        assert_ne!(before.average, after.average, "{timing:?}");
    }
}

#[test]
fn a_step_for_a_whole_batch_is_the_sum_of_the_steps_from_the_same_weights() {
    let game = |outcome| Game::without_evals(vec![Position::START], Some(outcome), Seat::X);
    let [won, lost] = [game(Outcome::WinGammon), game(Outcome::Lose)];
    let start = team();
    let changes = |optimizer: Optimizer, games: &[Game]| -> Vec<f32> {
        let mut learner = Learner::new(start.clone(), None);
        learner.learn(games, &UpdateRule::new(td(1, optimizer), 0.1, 0.6));
        let weights = |team: &Specialists| -> Vec<f32> {
            team.nets()
                .iter()
                .flat_map(|net| net.mlp.to_weights().values().collect::<Vec<_>>())
                .collect()
        };
        let pairs = weights(&learner.team).into_iter().zip(weights(&start));
        pairs.map(|(new, old)| new - old).collect()
    };
    let one = |game: &Game| changes(Optimizer::Sgd, std::slice::from_ref(game));
    let sum: Vec<f32> = one(&won).iter().zip(one(&lost)).map(|(a, b)| a + b).collect();
    let gap = |optimizer| {
        let both = changes(optimizer, &[won.clone(), lost.clone()]);
        both.iter().zip(&sum).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    };
    assert!(gap(Optimizer::Batch) < 1e-6, "{}", gap(Optimizer::Batch));
    assert!(gap(Optimizer::Sgd) > 1e-3, "{}", gap(Optimizer::Sgd));
}

#[test]
fn a_weight_of_differences_moves_results_of_a_roll_apart_and_leaves_their_mean() {
    let start = team();
    let net = &start.nets()[start.net_of(Class::Default)];
    let mut found = Results::default();
    let results = found.of(&Position::START, "31".parse().expect("a roll"));
    let positions: Vec<Position> =
        results.iter().filter(|r| Class::of(r) == Class::Default).take(2).copied().collect();
    // The errors in the win head are 0.3 and 0.1.
    let example = |(i, position): (usize, &Position)| {
        let mut heads = net_value(net, position).heads();
        heads[1] += [0.3, 0.1][i];
        let target = Target::Value(Evaluation::from_heads(&heads));
        Example { joined: i > 0, ..Example::new(position, target) }
    };
    let pair: Vec<Example> = positions.iter().enumerate().map(example).collect();
    let apart: Vec<Example> =
        pair.iter().map(|example| Example { joined: false, ..*example }).collect();
    let changes = |examples: &[Example], sibling_differences: f32| -> Vec<f32> {
        let root_strap = RootStrap { sibling_differences, ..RootStrap::default() };
        let targets = TargetRule::RootStrap(root_strap);
        let rule = Rule { targets, ..td(1, Optimizer::Batch) };
        let update = UpdateRule::new(rule, 1e-3, 0.0);
        let mut net = net.clone();
        let stats = NetLearner::default().learn(0, &mut net, examples.iter(), &update);
        assert_eq!(stats.examples[Class::Default], 2);
        let [new, old] = [&net.mlp, &start.nets()[start.net_of(Class::Default)].mlp]
            .map(|mlp| mlp.to_weights().values().collect::<Vec<f32>>());
        new.into_iter().zip(old).map(|(new, old)| new - old).collect()
    };
    // The gradient of one example, for an error of 0.1.
    let alone = |i: usize| {
        let share = [1.0 / 3.0, 1.0][i];
        changes(
            &[
                apart[i],
                Example { target: Target::Share { to: Evaluation::ZERO, share: 0.0 }, ..apart[i] },
            ],
            0.0,
        )
        .into_iter()
        .map(|change| change * share)
        .collect::<Vec<f32>>()
    };
    let (first, second) = (alone(0), alone(1));
    // Errors less their mean: 0.1 and -0.1. With a weight of 2: 0.3 + 0.2 and 0.1 - 0.2.
    for (examples, weight, steps) in
        [(&pair, 2.0, [5.0, -1.0]), (&pair, 0.0, [3.0, 1.0]), (&apart, 2.0, [3.0, 1.0])]
    {
        let found = changes(examples, weight);
        let expected = first.iter().zip(&second).map(|(a, b)| steps[0] * a + steps[1] * b);
        let gap = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        let size = found.iter().map(|change| change.abs()).fold(0.0, f32::max);
        assert!(gap < 1e-2 * size && size > 0.0, "{weight}: {gap} of {size}");
    }
}

fn net_value(net: &Net, position: &Position) -> Evaluation {
    let (mut inputs, mut cache) = (SparseInputs::default(), ForwardCache::default());
    net.encoding.encode(position, &mut inputs);
    net.evaluation(&net.mlp.forward(inputs.indices(), inputs.values(), &mut cache))
}

#[test]
fn inputs_that_are_not_read_keep_weights_of_zero() {
    let architecture = Architecture::named("single-partial80").expect("known");
    let start = Specialists::random(&architecture, &mut stream(1, StreamPurpose::Weights, 0));
    let mask = architecture
        .inputs
        .mask(start.nets()[0].encoding.built_in().expect("built in"))
        .expect("a choice");
    let read = |team: &Specialists| -> Vec<bool> {
        let weights = team.nets()[0].mlp.to_weights();
        let rows = weights.w1.outer_iter();
        rows.map(|row| row.iter().any(|&weight| weight != 0.0)).collect()
    };
    assert_eq!(read(&start), mask);
    let online = Td { timing: UpdateTiming::Online, successor: Successor::Turn, side: None };
    for rule in [Rule::TD, td(1, Optimizer::Adam), Rule::of(TargetRule::Td(online))] {
        let update = UpdateRule { inputs: architecture.inputs, ..UpdateRule::new(rule, 0.01, 0.6) };
        let mut learner = Learner::new(start.clone(), None);
        learner.learn(&games(0..3), &update);
        assert_ne!(learner.team, start);
        assert_eq!(read(&learner.team), mask, "{rule:?}");
    }
    let hidden = ByEncoding::new(|_| 100);
    let wide = start.widened(&hidden, &mut stream(1, StreamPurpose::Weights, 1));
    assert_eq!(read(&wide), mask);
}

#[test]
fn a_resumed_learner_gets_the_same_bits() {
    ["large", "128-16/128-16/256-32"]
        .into_iter()
        .for_each(assert_a_resumed_learner_gets_the_same_bits);
}

fn assert_a_resumed_learner_gets_the_same_bits(architecture: &str) {
    let mut whole = Learner::new(team_of(architecture), None);
    whole.learn(&games(0..2), &rule(40, 0));
    let text = serde_json::to_string(whole.net_learners()).expect("numbers");
    let net_learners = serde_json::from_str(&text).expect("as written");
    let mut resumed =
        Learner::resume(whole.team.clone(), None, net_learners).expect("one for each net");
    assert_eq!(resumed, whole);
    for learner in [&mut whole, &mut resumed] {
        learner.learn(&games(2..4), &rule(40, 2));
    }
    assert_eq!(resumed, whole);
}

#[test]
fn a_state_that_does_not_match_the_net_or_the_rule_is_refused() {
    let mut learner = Learner::new(team(), None);
    learner.learn(&games(0..2), &rule(40, 0));
    let [small, large] = [0, 8].map(|place| &learner.team.nets()[place]);
    let state = &learner.net_learners()[0];
    assert_eq!(state.check(small, Optimizer::Adam, Some(40)), Ok(()));
    for (error, says) in [
        (state.check(large, Optimizer::Adam, Some(40)), "expected that of Adam for Shape"),
        (state.check(small, Optimizer::Sgd, Some(40)), "expected none"),
        (state.check(small, Optimizer::Adam, Some(41)), "expected one of 41 examples"),
        (
            NetLearner::default().check(small, Optimizer::Adam, None),
            "the state of the optimizer is none",
        ),
        (
            NetLearner::default().check(small, Optimizer::Sgd, Some(3)),
            "the replay buffer is missing",
        ),
    ] {
        let error = error.expect_err(says).to_string();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn a_head_that_is_not_read_is_not_trained() {
    let architecture = Architecture::named("40/64/128").expect("known");
    let team = Specialists::random(&architecture, &mut stream(1, StreamPurpose::Weights, 0));
    let mut learner = Learner::new(team.clone(), None);
    learner.learn(&games(0..4), &rule(1000, 0));
    for (old, new) in team.nets().iter().zip(learner.team.nets()) {
        let weights = |net: &Net| net.mlp.to_weights().w2;
        let (old_w, new_w) = (weights(old), weights(new));
        let unread = old_w.column(0) == new_w.column(0);
        let learned = old_w.column(1) != new_w.column(1);
        assert_eq!(unread && learned, old.reads_outcomes_alone() && learned, "{}", old.name);
    }
}

#[test]
fn adam_reduces_the_error_of_rootstrap() {
    assert_adam_reduces_the_error("large", 0.5);
    assert_adam_reduces_the_error("128-16/128-16/256-32", 0.6);
}

/// To less than this share of the first one.
fn assert_adam_reduces_the_error(architecture: &str, share: f64) {
    let start = team_of(architecture);
    let mut learner = Learner::new(start.clone(), None);
    let games = games(0..4);
    let error = |learner: &mut Learner, number: u64| {
        let stats = learner.learn(&games, &rule(1000, number));
        stats.squared_error.values().sum::<f64>()
    };
    let first = error(&mut learner, 0);
    let later: Vec<f64> = (1..20).map(|number| error(&mut learner, number)).collect();
    assert!(later[18] < share * first, "{architecture}: {first} {later:?}");
    for (old, new) in start.nets().iter().zip(learner.team.nets()) {
        let [old, new] = [old, new].map(|net| net.mlp.to_weights());
        let learned = old.w2 != new.w2 && !old.w_second.is_empty();
        assert!(!learned || old.w_second != new.w_second, "the second layer");
    }
}
