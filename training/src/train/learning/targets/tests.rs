//! Tests of the targets.

use super::*;
use crate::SMALL_BEAROFF as SMALL;
use crate::train::learning::rule::{Rule, UnforeseenGains, UpdateTiming};
use nonet_engine::backgammon::Dice;
use nonet_engine::backgammon::{Outcome, Seat};
use nonet_engine::class::ByClass;
use nonet_engine::eval::{Architecture, Specialists};
use nonet_engine::game::{GameRunner, Greedy, StreamPurpose, stream};
use nonet_engine::search::{FullWidth, Plies, Search, SearchSettings};

fn team(seed: u64) -> Specialists {
    Specialists::random(&Architecture::ALL[0], &mut stream(seed, StreamPurpose::Weights, 0))
}

/// A game of a team against itself.
fn game_of(team: &Specialists) -> Game {
    let (mut dice, mut choices) =
        (stream(3, StreamPurpose::Training, 1), stream(3, StreamPurpose::Choice, 1));
    GameRunner::default()
        .play([&Greedy(team), &Greedy(team)], &mut dice, &mut choices)
        .expect("ends")
}

/// The examples of a rule that moves positions towards values, in the order of the game.
fn targets_by(team: &Specialists, game: &Game, update: &UpdateRule) -> Vec<(Position, Evaluation)> {
    let value = |example: Example| match example.target {
        Target::Value(value) => (example.position, value),
        Target::Share { .. } => panic!("a value"),
    };
    TargetBuilder::default().of_game(team, game, update).into_iter().map(value).collect()
}

/// RootStrap with these options.
fn roots(root_strap: RootStrap) -> UpdateRule<'static> {
    UpdateRule::new(Rule::of(TargetRule::RootStrap(root_strap)), 0.01, 0.0)
}

/// KnightCap's rule.
const KNIGHT_CAP: Rule = Rule { unforeseen: UnforeseenGains::Drop(1), ..Rule::TD };

fn is_near(a: &Evaluation, b: &Evaluation) -> bool {
    a.heads().iter().zip(b.heads()).all(|(a, b)| (a - b).abs() < 1e-5)
}

#[test]
fn a_backup_is_the_mean_over_the_rolls_of_the_best_reply() {
    let own = team(1);
    let game = game_of(&own);
    let rule = roots(RootStrap::default());
    let examples = TargetBuilder::default().of_game(&own, &game, &rule);
    assert_eq!(examples.len(), game.positions.len());
    // Only positions where every roll has few replies: of many, the search evaluates a few.
    let mut results = Results::default();
    let mut few = |position: &Position| {
        let max_replies = SearchSettings::NORMAL.max_replies;
        Dice::ALL.iter().all(|&dice| results.of(position, dice).len() <= max_replies)
    };
    let narrow: Vec<_> = examples.iter().filter(|example| few(&example.position)).collect();
    assert!(narrow.len() > 3, "{}", narrow.len());
    for example in narrow {
        let Target::Value(target) = example.target else { panic!("a target") };
        let slow = FullWidth(&own).evaluate(&example.position);
        let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-4;
        assert!(target.heads().iter().zip(&slow.heads()).all(near), "{target:?} {slow:?}");
    }
}

#[test]
fn deeper_values_are_on_average_those_of_a_deeper_search() {
    let own = team(1);
    // Few plays of each roll, none of which ends the game.
    let few = [(6, 5)];
    let position = Position::from_sides(&few, &few).expect("legal");
    let rule = |lookahead_lambda| roots(RootStrap { lookahead_lambda, ..RootStrap::default() });
    let mut results = Results::default();
    let mut target = |dice: Dice, lambda: f32| {
        let best =
            nonet_engine::eval::best_result(&own, results.of(&position, dice), &mut Vec::new());
        let positions = vec![position, results.of(&position, dice)[best]];
        let game = Game::without_evals(positions, None, Seat::X);
        let examples = TargetBuilder::default().of_game(&own, &game, &rule(lambda));
        let Target::Value(target) = examples[0].target else { panic!("a target") };
        target
    };
    let mean = |lambda: f32, target: &mut dyn FnMut(Dice, f32) -> Evaluation| {
        let rolls = Dice::ALL.into_iter();
        let parts = rolls.map(|dice| (target(dice, lambda), dice.probability()));
        parts.fold(Evaluation::ZERO, |sum, (value, p)| sum.plus(&value, p))
    };
    let search = |plies: u8| {
        let plies = Plies::new(plies).expect("a depth");
        Search::new(&own, plies, SearchSettings::FULL).judge(&position, plies)
    };
    let [two, three] = [2, 3].map(search);
    let gap = |a: &Evaluation, b: &Evaluation| {
        a.heads().iter().zip(&b.heads()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    };
    assert!(gap(&two, &three) > 0.005, "the depths differ");
    assert!(gap(&mean(0.0, &mut target), &two) < 1e-5);
    assert!(gap(&mean(1.0, &mut target), &three) < 1e-5);
    let halfway = Evaluation::ZERO.plus(&two, 0.5).plus(&three, 0.5);
    assert!(gap(&mean(0.5, &mut target), &halfway) < 1e-5);
}

#[test]
fn deeper_values_reach_back_along_the_whole_game() {
    let own = team(1);
    let game = game_of(&own);
    let targets = |root_strap| targets_by(&own, &game, &roots(root_strap));
    let learned = |class: Class| class != Class::Holding;
    let classes = Some(ByClass::new(learned));
    // Other results of the rolls, which are learned too, stand behind the position that was played
    // and get what it gets.
    for (classes, siblings) in [(None, 0), (classes, 0), (None, 2), (classes, 2)] {
        let plain = RootStrap { classes, siblings, ..RootStrap::default() };
        let two = targets(plain);
        let lambda = 0.5;
        let deeper = targets(RootStrap { lookahead_lambda: lambda, ..plain });
        assert_eq!(two.len(), deeper.len());
        // Where the positions of the game stand.
        let mut places = Vec::new();
        for position in &game.positions {
            let first = places.iter().flatten().last().map_or(0, |place| place + 1);
            let found = two[first..].iter().position(|(root, _)| root == position);
            let is_learned = classes.is_none() || learned(Class::of(position));
            places.push(found.filter(|_| is_learned).map(|place| first + place));
        }
        let own_places = places.iter().flatten().count();
        assert_eq!(own_places < two.len(), siblings > 0);
        // T(t) = V2(t) + lambda (T(t + 1) - V1(t + 1)), seen from the other side.
        let mut next: Option<(Evaluation, Evaluation)> = None;
        let (mut end, mut same) = (two.len(), 0);
        for (position, place) in game.positions.iter().zip(&places).rev() {
            let Some(place) = *place else {
                next = None;
                continue;
            };
            let expected = |value: &Evaluation| {
                next.map_or(*value, |(target, evaluation)| {
                    value.plus(&target.flipped(), lambda).plus(&evaluation.flipped(), -lambda)
                })
            };
            assert!(is_near(&deeper[place].1, &expected(&two[place].1)), "position {place}");
            for sibling in place + 1..end {
                let unchanged = two[sibling] == deeper[sibling];
                same += usize::from(unchanged && next.is_some());
                let moved = is_near(&deeper[sibling].1, &expected(&two[sibling].1));
                assert!(moved || (unchanged && classes.is_some()), "sibling {sibling}");
            }
            next = Some((deeper[place].1, own.evaluate(position)));
            end = place;
        }
        // Those of positions that are not learned stay as they are.
        assert!(same * 4 < two.len(), "{same} of {}", two.len());
    }
}

#[test]
fn results_of_a_roll_and_of_a_class_are_joined() {
    let own = team(1);
    let game = game_of(&own);
    let rule = roots(RootStrap { siblings: 20, ..RootStrap::default() });
    let examples = TargetBuilder::default().of_game(&own, &game, &rule);
    let mut positions = game.positions.iter().peekable();
    let (mut groups, mut apart) = (0, 0);
    // In the order in which they are learned, an example is joined with the one before it.
    for pair in examples.windows(2) {
        positions.next_if(|position| **position == pair[0].position);
        let of_one_roll = positions.peek().is_none_or(|next| **next != pair[1].position);
        let of_one_class = pair[0].class == pair[1].class;
        assert_eq!(pair[0].joined, of_one_roll && of_one_class);
        groups += usize::from(pair[0].joined);
        apart += usize::from(of_one_roll && !of_one_class);
    }
    assert!(groups > 20 && apart > 0, "{groups} joined, {apart} of another class");
    assert!(!examples.last().expect("examples").joined);
}

#[test]
fn deeper_values_do_not_reach_back_over_positions_that_are_not_learned() {
    let own = team(1);
    let game = game_of(&own);
    let classes = Some(ByClass::new(|class| class == Class::Default));
    let plain = RootStrap { classes, ..RootStrap::default() };
    let targets = |root_strap| -> Vec<Evaluation> {
        let found = targets_by(&own, &game, &roots(root_strap));
        found.into_iter().map(|(_, target)| target).collect()
    };
    let two = targets(plain);
    let deeper = targets(RootStrap { lookahead_lambda: 0.7, ..plain });
    assert_eq!(two.len(), deeper.len());
    let learned: Vec<bool> =
        game.positions.iter().map(|position| Class::of(position) == Class::Default).collect();
    let followed = |t: usize| learned.get(t + 1).copied().unwrap_or(false);
    let places = (0..learned.len()).filter(|&t| learned[t]);
    let mut changed = 0;
    for ((t, two), deeper) in places.zip(&two).zip(&deeper) {
        assert_eq!(two != deeper, followed(t), "position {t}");
        changed += usize::from(two != deeper);
    }
    assert!(changed > 3 && changed < two.len(), "{changed} of {}", two.len());
}

#[test]
fn rollouts_go_to_the_end_of_the_game_whatever_classes_follow() {
    let own = team(1);
    let game = game_of(&own);
    let of_class = |position: &Position| Class::of(position) == Class::Default;
    let chosen = Some(ByClass::new(|class| class == Class::Default));
    let plain = RootStrap::default();
    let two = targets_by(&own, &game, &roots(plain));
    // T(t) = V2(t) + lambda (T(t + 1) - V1(t + 1)), seen from the other side.
    let along = |lambda: f32| -> Vec<(Position, Evaluation)> {
        let mut next: Option<(Evaluation, Evaluation)> = None;
        let mut found: Vec<_> = (two.iter().rev())
            .map(|(position, value)| {
                let target = next.map_or(*value, |(target, evaluation)| {
                    value.plus(&target.flipped(), lambda).plus(&evaluation.flipped(), -lambda)
                });
                next = Some((target, own.evaluate(position)));
                (*position, target)
            })
            .collect();
        found.reverse();
        found
    };
    for (rollout_lambda, lookahead_lambda) in [(1.0, 0.0), (0.9, 0.5)] {
        let (rollouts, others) = (along(rollout_lambda), along(lookahead_lambda));
        let rule = RootStrap { rollout_classes: chosen, rollout_lambda, lookahead_lambda, ..plain };
        let all = targets_by(&own, &game, &roots(rule));
        assert_eq!(all.len(), two.len());
        for ((found, rollout), other) in all.iter().zip(&rollouts).zip(&others) {
            let (position, expected) = if of_class(&found.0) { rollout } else { other };
            assert_eq!(found.0, *position);
            assert!(is_near(&found.1, expected), "{found:?} {expected:?}");
        }
        // Where other classes are not learned, their positions are searched, and left out of the
        // examples.
        let few = targets_by(&own, &game, &roots(RootStrap { classes: chosen, ..rule }));
        let expected: Vec<_> = rollouts.iter().filter(|(position, _)| of_class(position)).collect();
        assert_eq!(few.len(), expected.len());
        assert!(few.len() > 3 && few.len() < two.len(), "{} of {}", few.len(), two.len());
        for (found, expected) in few.iter().zip(expected) {
            assert_eq!(found.0, expected.0);
            assert!(is_near(&found.1, &expected.1), "{found:?} {expected:?}");
        }
    }
}

#[test]
fn rollouts_of_many_games_are_mixed_with_the_values_of_the_search() {
    let own = team(1);
    let game = game_of(&own);
    let chosen = Some(ByClass::new(|class| class == Class::Default));
    for lookahead_lambda in [0.0, 0.5] {
        let plain = RootStrap { lookahead_lambda, ..RootStrap::default() };
        let rollouts = Some(RolloutTargets { games: 3, weight: 0.75 });
        let rule = RootStrap { rollout_classes: chosen, rollouts, ..plain };
        let (searched, found) =
            (targets_by(&own, &game, &roots(plain)), targets_by(&own, &game, &roots(rule)));
        assert_eq!(found.len(), searched.len());
        let mut rolled_out = 0;
        for ((position, value), (_, target)) in searched.iter().zip(&found) {
            if Class::of(position) != Class::Default || position.outcome().is_some() {
                assert_eq!(target, value);
                continue;
            }
            rolled_out += 1;
            let played = rollouts::value_by_rollout(&(&own as &dyn Evaluator), position, 3);
            assert!(is_near(target, &value.mixed(&played, 0.75)), "{target:?} {played:?}");
        }
        assert!(rolled_out > 3 && rolled_out < found.len(), "{rolled_out} of {}", found.len());
    }
}

#[test]
fn other_results_keep_their_values_where_the_position_itself_is_not_learned() {
    // In its game several rolls have results of two classes.
    let own = team(14);
    let game = game_of(&own);
    let siblings = RootStrap { siblings: 3, ..RootStrap::default() };
    let all = targets_by(&own, &game, &roots(siblings));
    let (mut changed, mut kept) = (0, 0);
    for learned in Class::all() {
        let chosen = Some(ByClass::new(|class| class == learned));
        let plain = RootStrap { classes: chosen, ..siblings };
        let rollouts = Some(RolloutTargets { games: 1, weight: 0.75 });
        let rule = RootStrap { rollout_classes: chosen, rollouts, ..plain };
        let (searched, found) =
            (targets_by(&own, &game, &roots(plain)), targets_by(&own, &game, &roots(rule)));
        let (mut examples, mut played) = (searched.iter().zip(&found), game.positions.iter());
        let (mut next, mut root) = (played.next(), None);
        for (position, _) in &all {
            if next == Some(position) {
                (root, next) = (next, played.next());
            }
            if Class::of(position) != learned {
                continue;
            }
            let ((same, value), (_, target)) = examples.next().expect("as many examples");
            assert_eq!(same, position);
            if root.is_some_and(|root| Class::of(root) == learned) {
                changed += usize::from(target != value);
            } else {
                assert_eq!(target, value, "{position}");
                kept += 1;
            }
        }
    }
    assert!(changed > 3 && kept > 3, "{changed} changed, {kept} kept");
}

#[test]
fn positions_whose_depths_differ_get_their_3_ply_value() {
    let own = team(1);
    let game = game_of(&own);
    let plain = RootStrap::default();
    let two = targets_by(&own, &game, &roots(plain));
    let apart = |(position, value): &(Position, Evaluation)| {
        (value.equity() - own.evaluate(position).equity()).abs()
    };
    let mut sorted: Vec<f32> = two.iter().map(apart).collect();
    sorted.sort_by(f32::total_cmp);
    let above = sorted[sorted.len() * 3 / 4];
    let search = Search::new(&own, Plies::THREE, SearchSettings::NORMAL);
    for lambda in [0.0, 0.5] {
        let rule = RootStrap { three_ply_above: Some(above), lookahead_lambda: lambda, ..plain };
        let found = targets_by(&own, &game, &roots(rule));
        assert_eq!(found.len(), two.len());
        let (mut next, mut deep) = (None::<[Evaluation; 3]>, 0);
        for (root, found) in two.iter().zip(&found).rev() {
            let (position, value) = root;
            let is_deep = apart(root) > above;
            deep += usize::from(is_deep);
            // The 3-ply value holds what the next 2-ply value differs from the static one on
            // average.
            let own_value = if is_deep { search.judge(position, Plies::THREE) } else { *value };
            let target = next.map_or(own_value, |[target, two, one]| {
                let known = if is_deep { two } else { one };
                own_value.plus(&target.flipped(), lambda).plus(&known.flipped(), -lambda)
            });
            assert!(is_near(&found.1, &target), "{found:?} {target:?}");
            next = Some([target, *value, own.evaluate(position)]);
        }
        assert!(deep > 3 && deep * 3 < two.len(), "{deep} of {}", two.len());
    }
}

#[test]
fn rootstrap_learns_the_given_classes_with_targets_from_the_bearoff_databases() {
    let own = team(1);
    let game = game_of(&own);
    let classes = Some(ByClass::new(|class| class == Class::Endgame));
    let plain = roots(RootStrap { classes, ..RootStrap::default() });
    let rule = UpdateRule { bearoff: Some(&SMALL), ..plain };
    let examples = TargetBuilder::default().of_game(&own, &game, &rule);
    let all = game.positions.iter().filter(|position| Class::of(position) == Class::Endgame);
    assert_eq!(examples.len(), all.count());
    assert!(examples.len() > 3, "{}", examples.len());
    for Example { position, class, target, .. } in examples {
        assert_eq!(class, Class::Endgame);
        let (Target::Value(target), Some(exact)) = (target, SMALL.evaluation(&position)) else {
            panic!("a target for a known position");
        };
        // The databases ignore the other side's position; the 2-ply search does not.
        assert!((target.equity() - exact.equity()).abs() < 0.02, "{target:?} {exact:?}");
    }
}

#[test]
fn only_plays_of_the_other_player_are_unforeseen() {
    let (own, other) = (team(1), team(2));
    let mut builder = TargetBuilder::default();
    let rule = UpdateRule::new(KNIGHT_CAP, 0.01, 0.6);
    let (mut ours, mut theirs) = (0, 0);
    for number in 0..4 {
        let (mut dice, mut choices) =
            (stream(3, StreamPurpose::Training, number), stream(3, StreamPurpose::Choice, number));
        let players: [&dyn nonet_engine::game::Player; 2] = [&Greedy(&own), &Greedy(&other)];
        let game = GameRunner::default().play(players, &mut dice, &mut choices).expect("ends");
        builder.of_game(&own, &game, &rule);
        for (t, dropped) in builder.dropped.iter().enumerate() {
            let mover = (game.first.index() + t) % 2;
            *(if mover == 0 { &mut ours } else { &mut theirs }) += usize::from(*dropped);
        }
    }
    assert_eq!(ours, 0, "the learner's own plays are foreseen");
    assert!(theirs > 20, "{theirs}");
}

#[test]
fn plain_td_learns_each_side_from_its_own_next_position_and_its_own_result() {
    let (own, other) = (team(1), team(2));
    let (mut dice, mut choices) =
        (stream(3, StreamPurpose::Training, 1), stream(3, StreamPurpose::Choice, 1));
    let players: [&dyn nonet_engine::game::Player; 2] = [&Greedy(&own), &Greedy(&other)];
    let mut game = GameRunner::default().play(players, &mut dice, &mut choices).expect("ends");
    // Some of these evaluations are the other player's.
    game.static_evals.fill(None);
    let examples_of = |side| {
        let successor = Successor::OwnTurn;
        let td = TargetRule::Td(Td { timing: UpdateTiming::Offline, successor, side });
        let update = UpdateRule::new(Rule::of(td), 0.01, 0.0);
        TargetBuilder::default().of_game(&own, &game, &update)
    };
    let examples = examples_of(None);
    let last = game.positions.len() - 1;
    assert_eq!(examples.len(), last + 1);
    for (t, example) in examples.iter().enumerate() {
        let Target::Value(target) = example.target else { panic!("a target") };
        // Lambda is 0: the value of the next position with the same player on roll.
        let expected = match last - t {
            0 => Evaluation::of_outcome(game.outcome.expect("a result")),
            1 => Evaluation::of_outcome(game.outcome.expect("a result")).flipped(),
            _ => own.evaluate(&game.positions[t + 2]),
        };
        let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-5;
        assert!(target.heads().iter().zip(&expected.heads()).all(near), "{t}");
    }
    for (seat, side) in Seat::BOTH.into_iter().enumerate() {
        let alone = examples_of(Some(side));
        // The player is not on roll in the positions that it has played to.
        let first = game.first.index() ^ seat ^ 1;
        let expected = game.positions.iter().skip(first).step_by(2);
        assert!(alone.iter().map(|example| &example.position).eq(expected), "{side:?}");
    }
}

#[test]
fn a_gain_from_an_unforeseen_play_is_not_learned() {
    let own = team(1);
    let (mut builder, mut results) = (TargetBuilder::default(), Results::default());
    let start = own.evaluate(&Position::START);
    let mut dropped = 0;
    for next in results.of(&Position::START, Dice::ALL[3]).to_vec() {
        let positions = vec![Position::START, next];
        let game = Game::without_evals(positions, Some(Outcome::Win), Seat::X);
        builder.of_game(&own, &game, &UpdateRule::new(KNIGHT_CAP, 0.01, 0.0));
        dropped += usize::from(builder.dropped[0]);
        // Lambda is 0, so the target is the value of the next position alone.
        let next = own.evaluate(&next).flipped();
        assert_eq!(builder.targets[0], if builder.dropped[0] { start } else { next });
        builder.of_game(&own, &game, &UpdateRule::plain(0.01, 0.0));
        assert_eq!(builder.targets[0], next);
    }
    assert!(dropped > 0, "some play loses equity");
}
