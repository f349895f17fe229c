use super::*;
use crate::backgammon::{Candidate, Dice, Position};
use crate::game::{StreamPurpose, stream};
use crate::search::Plies;
use rand::Rng;

/// Decisions of games that are played by chance: two random plays at 1-ply.
fn decisions(count: usize) -> Vec<(GameState, Explanation)> {
    // What is tested holds for any net; this one is fast.
    let swift = crate::open::net("swift").expect("built in").team;
    let engine = Engine::builder().net(swift).plies(Plies::ONE).build().expect("an engine");
    let mut rng = stream(5, StreamPurpose::Choice, 0);
    let mut found = Vec::new();
    let mut position = Position::START;
    while found.len() < count {
        let dice = Dice::ALL[rng.random_range(0..21)];
        let plays = crate::backgammon::candidates(&position, dice);
        let state = GameState::money(position).with_dice(dice);
        if plays.len() > 1 && rng.random_bool(0.2) {
            let [a, b] = [0, 1].map(|_| &plays[rng.random_range(0..plays.len())]);
            let why = Explanation::of(&engine, &state, [a, b]).expect("a decision");
            found.push((state, why));
        }
        position = plays[rng.random_range(0..plays.len())].after;
        if position.outcome().is_some() {
            position = Position::START;
        }
    }
    found
}

#[test]
fn shares_add_up_and_what_is_named_is_on_the_board() {
    for (state, why) in decisions(20) {
        assert!(why.loss >= 0.0, "{state}");
        let weights: u8 = why.rolls.iter().map(|roll| roll.dice.weight()).sum();
        assert_eq!((why.rolls.len(), weights), (21, 36));
        if let Some(themes) = &why.themes {
            let sum: f32 = themes.shares.iter().map(|(_, share)| share).sum();
            assert!((sum - themes.difference).abs() < 1e-4, "{state}");
            if themes.difference > 0.0 {
                assert!(themes.decisive_part >= 0.5, "{state}");
                assert!(!themes.decisive.is_empty(), "{state}");
            }
        }
        for (facts, play) in why.facts.iter().zip([&why.better, &why.worse]) {
            let board = play.after();
            let yours = board.flipped();
            assert!(facts.blots[0].iter().all(|&point| yours.own(point.into()) == 1), "{state}");
            assert!(facts.anchors[0].iter().all(|&point| yours.own(point.into()) >= 2), "{state}");
            assert!(facts.blots[1].iter().all(|&point| board.own((25 - point).into()) == 1));
            assert_eq!(facts.pips, [board.opponent_pips(), board.pips()]);
            assert!(facts.gaps.iter().all(|&point| yours.own(point.into()) == 0), "{state}");
            let at_home: u8 = facts.home.iter().sum();
            assert_eq!(at_home + facts.outside, yours.own_left(), "{state}");
        }
        for (events, play) in why.events.iter().zip([&why.better, &why.worse]) {
            check(events, &state.position, &play.candidate);
        }
        for roll in &why.rolls {
            for (reply, play) in roll.replies.iter().zip([&why.better, &why.worse]) {
                let Some(reply) = reply else { continue };
                let made = play.after().read_play(&reply.play.to_string(), roll.dice);
                let made = made.expect("a legal reply");
                assert_eq!(made.after, reply.after);
                check(&reply.events, play.after(), &made);
            }
        }
        let weights: u8 = why.own_rolls.iter().map(|roll| roll.dice.weight()).sum();
        assert!(weights == 36 || weights == 0, "{state}");
        if let Some(repair) = &why.repair {
            let own = why.worse.after().flipped();
            let [from, to] = [repair.from, repair.to].map(|point| own.own(point.into()));
            match repair.checkers {
                1 => assert!(from == 1 && to > 0, "{state}"),
                _ => assert!(from >= 2 && to < 2 && repair.from >= 19, "{state}"),
            }
            assert!(repair.loss <= 0.5 * repair.whole, "{state}");
        }
    }
}

/// What is said of a play is so on the two boards, counted another way.
fn check(events: &[PlayEvent], before: &Position, play: &Candidate) {
    let own = play.after.flipped();
    let [was, is] = [*before, own].map(|side| move |point: u8| side.own(point.into()));
    let said = |event: PlayEvent| events.contains(&event);
    let hits = play.play.moves().iter().filter(|one| one.hits).count() as u8;
    assert_eq!(said(PlayEvent::Hits(hits)), hits > 0, "{before}\n{}", play.play);
    for point in 1..=24 {
        let (from, to) = (was(point), is(point));
        assert_eq!(said(PlayEvent::Makes(point)), from < 2 && to >= 2, "{before}\n{point}");
        assert_eq!(said(PlayEvent::Breaks(point)), from >= 2 && to == 1, "{before}\n{point}");
        assert_eq!(said(PlayEvent::Clears(point)), from >= 2 && to == 0, "{before}\n{point}");
    }
    for event in events {
        let holds = match *event {
            PlayEvent::BearsOff(count) => before.own_left() == own.own_left() + count,
            PlayEvent::Enters(count) => was(25) == is(25) + count && count > 0,
            PlayEvent::StaysOnBar(count) => is(25) == count && count > 0,
            PlayEvent::ClosesBoard => (1..=6).all(|point| is(point) >= 2),
            PlayEvent::Block(count) => {
                (1..=25 - count).any(|low| (low..low + count).all(|point| is(point) >= 2))
            }
            PlayEvent::Escapes(count) | PlayEvent::ComesOut(count) => {
                let back = |has: &dyn Fn(u8) -> u8| (19..=25).map(has).sum::<u8>();
                back(&was) >= back(&is) + count
            }
            PlayEvent::Slots(point) => was(point) == 0 && is(point) == 1 && point <= 7,
            PlayEvent::Buries(point) => is(point) > was(point) && point <= 2,
            PlayEvent::HitsDeep(point) => is(point) == 1 && point <= 2 && hits > 0,
            PlayEvent::Stacks { point, checkers } => is(point) == checkers && checkers >= 5,
            _ => true,
        };
        assert!(holds, "{before}\n{}: {event:?}", play.play);
    }
}

#[test]
fn plays_do_what_players_say() {
    let of = |dice: &str, play: &str| {
        let dice = dice.parse().expect("a roll");
        let play = Position::START.read_play(play, dice).expect("legal");
        PlayEvent::of(&Position::START, &play)
    };
    assert_eq!(of("31", "8/5 6/5"), [PlayEvent::Makes(5)]);
    let stack = PlayEvent::Stacks { point: 13, checkers: 6 };
    assert_eq!(of("65", "24/13"), [PlayEvent::Escapes(1), PlayEvent::Breaks(24), stack]);
    assert_eq!(of("21", "13/11 6/5"), [PlayEvent::Slots(5)]);
    let sixes = of("66", "24/18(2) 13/7(2)");
    assert_eq!(sixes[..2], [PlayEvent::Makes(18), PlayEvent::Makes(7)]);
}

#[test]
fn a_quiet_start_loses_no_market_and_a_double_has_its_price() {
    let engine = Engine::champion().with_cube_plies(Plies::ONE);
    let start = CubeExplanation::of(&engine, &GameState::money(Position::START)).expect("money");
    assert!(!start.decision.is_double() && start.lost < 0.1, "{start:?}");
    assert!(start.cost > start.gain, "{start:?}");
    assert!(start.double_turns.expect("a chance") > 0.55, "{start:?}");
    let weights: u8 = start.rolls.iter().map(|roll| roll.dice.weight()).sum();
    assert_eq!(weights, 36);
    let sum: f32 = start.rolls.iter().map(|roll| roll.gain).sum();
    assert!((sum - start.gain).abs() < 1e-4, "{start:?}");
    let lost: f32 = start.rolls.iter().map(|roll| roll.dice.probability() * roll.lost).sum();
    assert!((lost - start.lost).abs() < 1e-4, "{start:?}");
}

#[test]
fn the_last_roll_of_a_bearoff_is_a_double_that_wins_at_once_or_not() {
    // Two checkers on the 5 and 2 points: 19 of 36 throws bear both off. The opponent needs one.
    let board = Position::from_sides(&[(5, 1), (2, 1)], &[(1, 1)]).expect("a board");
    let engine = Engine::champion().with_cube_plies(Plies::TWO);
    let why = CubeExplanation::of(&engine, &GameState::money(board)).expect("money");
    assert!((why.lost - 19.0 / 36.0).abs() < 1e-4, "{why:?}");
    // A win gains a point more, a loss costs one more.
    assert!((why.gain - 19.0 / 36.0).abs() < 1e-4, "{why:?}");
    assert!((why.cost - 17.0 / 36.0).abs() < 1e-4, "{why:?}");
    assert!(why.decision.is_double() && why.decision.is_take(), "{why:?}");
}

#[test]
fn pips_that_a_bearoff_wastes_are_those_of_known_boards() {
    // One roll bears the last checker off, and is worth 49/6 pips. Two checkers on the ace point
    // waste a pip less.
    let databases = crate::bearoff::BearoffDatabases::generate();
    let wasted = |own: &[(usize, i8)]| {
        let board = Position::from_sides(&[(6, 15)], own).expect("a board");
        super::wasted(&databases, [&board, &board]).expect("a bearoff")[0]
    };
    for (own, rolls, pips) in [(&[(1, 1)], 1.0, 1.0), (&[(1, 2)], 1.0, 2.0)] {
        assert!((wasted(own) - (49.0 / 6.0 * rolls - pips)).abs() < 1e-3, "{own:?}");
    }
    // Four take two rolls, or one with a double.
    assert!((wasted(&[(1, 4)]) - (49.0 / 6.0 * 11.0 / 6.0 - 4.0)).abs() < 1e-3);
    let outside = Position::from_sides(&[(6, 15)], &[(7, 1)]).expect("a board");
    assert_eq!(super::wasted(&databases, [&outside, &outside]), None);
}

#[test]
fn the_shots_of_a_known_position_are_counted() {
    let dice = "31".parse().expect("a roll");
    let after = Position::START.read_play("13/10 6/5", dice).expect("legal").after;
    let facts = BoardFacts::after(&after);
    assert_eq!(facts.blots, [vec![10, 5], vec![]]);
    let direct = Dice::ALL
        .iter()
        .filter(|dice| dice.high() == 4 || dice.low() == 4)
        .map(|dice| dice.weight())
        .sum::<u8>();
    // 11 rolls with a 4, and 31, 22 and 11 by combination, hit on the 5 point.
    assert!(facts.shots >= direct + 4, "{}", facts.shots);
}

#[test]
fn an_equal_play_has_no_loss() {
    let state = GameState::money(Position::START).with_dice("31".parse().expect("a roll"));
    let plays = crate::backgammon::candidates(&state.position, state.dice().expect("a roll"));
    let engine = Engine::champion().with_plies(Plies::ONE);
    let why = Explanation::of(&engine, &state, [&plays[0], &plays[0]]).expect("a decision");
    assert_eq!((why.loss, why.rolls_loss), (0.0, 0.0));
}

#[test]
fn an_anchor_that_the_better_play_has_elsewhere_is_what_makes_the_difference() {
    // 44 makes the 20 point; with the anchor left on 24 the same checkers build the outfield.
    let dice = "44".parse().expect("a roll");
    let state = GameState::money(Position::START).with_dice(dice);
    let [made, kept] = ["24/20(2) 13/9(2)", "13/9(2) 13/5"]
        .map(|play| state.position.read_play(play, dice).expect("legal"));
    let engine = Engine::champion().with_plies(Plies::TWO);
    let why = Explanation::of(&engine, &state, [&made, &kept]).expect("a decision");
    assert_eq!(why.better.play().to_string(), "24/20(2) 13/9(2)");
    let tried = super::repairs::anchors_moved(why.better.after(), why.worse.after());
    let moved: Vec<_> = tried.iter().map(|change| (change.from, change.to)).collect();
    assert_eq!(moved, [(24, 20)]);
    // The moved board has as many checkers, and only the anchor is elsewhere.
    let (was, is) = (why.worse.after().flipped(), tried[0].after.flipped());
    let differing: Vec<usize> = (0..=25).filter(|&point| was.own(point) != is.own(point)).collect();
    assert_eq!((differing, is.own(20), is.own(24)), (vec![20, 24], 2, 0));
    // Where both plays keep the anchor it is not moved.
    let both = ["13/9(2) 6/2(2)", "13/9(2) 13/5"]
        .map(|play| state.position.read_play(play, dice).expect("legal").after);
    assert!(super::repairs::anchors_moved(&both[0], &both[1]).is_empty());
}

#[test]
fn the_rolls_add_up_to_the_loss_whatever_the_opponent_does_with_the_cube() {
    use OpponentCube::{Passed, Rolls, Taken};
    let cases = [
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "24/23 13/10", [Rolls, Rolls]),
        ("XGID=-aABa-C-B--BbC----bcbbAb-A:0:0:1:53:8:10:0:13:10", "bar/22 11/6", [Rolls, Taken]),
        ("XGID=-b----E-C---eE---b-db---B-:0:0:1:21:15:15:0:17:10", "24/22 24/23", [Taken, Taken]),
        ("XGID=-aABa-C-B--BbC----bcbbAb-A:0:0:1:53:0:0:0:0:10", "bar/22 8/3", [Taken, Passed]),
    ];
    let engine = Engine::champion().with_plies(Plies::TWO);
    for (id, instead, cubes) in cases {
        let state: GameState = id.parse().expect("an ID");
        let best = engine.best_move(&state).expect("a roll").candidate;
        let instead = state.position.read_play(instead, state.dice().expect("a roll"));
        let why = Explanation::of(&engine, &state, [&best, &instead.expect("legal")]);
        let why = why.expect("a decision");
        assert_eq!(why.opponent_cube, cubes, "{id}");
        // In a match the search chooses a reply once, for the cube before and after a double.
        let apart = (why.rolls_loss - why.loss).abs();
        let least = if state.state.scoring.away().is_some() { 1e-2 } else { 1e-3 };
        assert!(apart < least, "{id}: {} {}", why.rolls_loss, why.loss);
    }
}
