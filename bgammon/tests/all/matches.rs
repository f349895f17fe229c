//! Whole matches over a good line.

use backgammon::record::{GameHeader, Recorder};
use backgammon::{GameEnd, Position, Scoring, Seat, Stake};
use bgammon::agent::{Event, IdleAction};
use std::time::Duration;

use crate::world::{HOUR, two};

/// Checks that the events are whole matches which the rules allow, and returns their number.
fn check(events: &[Event]) -> usize {
    let mut matches = 0;
    let mut game: Option<Recorder> = None;
    let mut score = [0; 2];
    let seat = |own: bool| if own { Seat::X } else { Seat::O };
    for event in events {
        match event {
            Event::Match { resumed, .. } => {
                assert!(!resumed);
                score = [0; 2];
            }
            Event::Game { length, score: told, crawford } => {
                assert_eq!(*told, score);
                let scoring = Scoring::of_points(Some(*length), score, *crawford);
                let names = ["own", "other"].map(str::to_owned);
                game =
                    Some(Recorder::new(GameHeader { names, scoring: scoring.expect("a score") }));
            }
            Event::Turn { own, dice, after, .. } => {
                let game = game.as_mut().expect("a game");
                game.turn(seat(*own), *dice, after).expect("legal");
            }
            Event::Double { own } => {
                game.as_mut().expect("a game").double(seat(*own)).expect("legal");
            }
            Event::Take { own } => {
                game.as_mut().expect("a game").take(seat(*own)).expect("legal");
            }
            Event::GameOver { won, points, end } => {
                let mut ended = game.take().expect("a game");
                let loser = seat(!won);
                match end {
                    GameEnd::Played => {}
                    GameEnd::Dropped => ended.drop(loser).expect("legal"),
                    GameEnd::Resigned => {
                        let stake = Stake::ALL.into_iter();
                        let stake = { stake }.find(|s| s.points() * ended.cube() == *points);
                        ended.resign(loser, stake.expect("a stake")).expect("legal");
                    }
                }
                assert_eq!(ended.finish().won(), Some((seat(*won), *points)));
                score[usize::from(!won)] += points;
            }
            Event::MatchOver { score: told, .. } => {
                assert_eq!(*told, score);
                matches += 1;
            }
            Event::Gap { .. } | Event::BadBoard(_) | Event::Unknown(_) => panic!("{event:?}"),
            _ => {}
        }
    }
    matches
}

#[test]
fn matches_with_cube_and_rematch_are_followed_turn_by_turn() {
    let (mut doubles, mut drops, mut resigned, mut bears_off) = (0, 0, 0, 0);
    for seed in 0..12 {
        let mut world = two(seed, 5);
        world.players[0].agent.rematches = 1;
        world.players[1].agent.rematches = 1;
        let done = world.run(10 * HOUR, |world| world.players[0].agent.matches_over() == 2);
        let agent = &world.players[0].agent;
        assert!(done, "seed {seed}: {:#?}", agent.events.iter().rev().take(10).collect::<Vec<_>>());
        assert_eq!(check(&agent.events), 2, "seed {seed}");
        assert_eq!(check(&world.players[1].agent.events), 2, "seed {seed}");
        assert_eq!(world.server.matches_finished(), 2);
        let created = |line: &&String| line.starts_with("c ");
        assert_eq!(world.players[0].sent.iter().filter(created).count(), 1, "a rematch");
        doubles += agent.count(|event| matches!(event, Event::Double { .. }));
        let ends = |end: GameEnd| {
            agent.count(|e| matches!(e, Event::GameOver { end: ended, .. } if *ended == end))
        };
        drops += ends(GameEnd::Dropped);
        resigned += ends(GameEnd::Resigned);
        bears_off += ends(GameEnd::Played);
    }
    assert!(
        doubles > 20 && drops > 0 && resigned > 0 && bears_off > 5,
        "{doubles} {drops} {resigned} {bears_off}"
    );
}

#[test]
fn a_match_goes_on_after_each_line_was_cut() {
    let (mut all, mut resumed) = (0, 0);
    for seed in 0..20 {
        let mut world = two(100 + seed, 3);
        let mut cuts = 0;
        let mut sent = 0;
        let done = world.run(20 * HOUR, |world| {
            // The first bytes after a login are not cut, or no player would ever get further.
            let player = cuts % 2;
            let lines = world.players[player].sent.len();
            if lines > sent + 5 + (seed as usize % 7) && cuts < 30 {
                cuts += 1;
                let pause = Duration::from_secs(3 + (cuts as u64 * 7) % 40);
                world.cut(player, pause);
                sent = world.players[cuts % 2].sent.len();
            }
            world.players[0].agent.matches_over() > 0
        });
        assert!(done, "seed {seed}, {cuts} cuts");
        let agent = &world.players[0].agent;
        all += cuts;
        resumed += agent.count(|event| matches!(event, Event::Match { resumed: true, .. }));
        assert_eq!(agent.count(|event| matches!(event, Event::EndUnknown { .. })), 0);
    }
    assert!(all > 60 && resumed > 50, "{all} cuts, {resumed} matches went on");
}

#[test]
fn an_opponent_who_is_not_wanted_is_told_so_and_another_match_is_created() {
    let mut world = two(1, 1);
    world.players[0].agent.refuses = vec!["Guest_ann".to_owned()];
    world.run(HOUR, |world| {
        world.players[0].sent.iter().filter(|l| l.starts_with("c ")).count() > 1
    });
    let sent = &world.players[0].sent;
    assert!(sent.contains(&"say Not today.".to_owned()) && sent.contains(&"leave".to_owned()));
    assert_eq!(world.players[0].agent.matches_over(), 0);
}

#[test]
fn what_an_opponent_says_is_answered_and_changes_nothing() {
    let mut world = two(2, 1);
    world.run(HOUR, |world| world.players[0].agent.events.len() > 8);
    let id = world.players[1].connection.expect("connected");
    let before = world.players[0].agent.events.len();
    let now = world.now;
    for text in ["BOT_nonet wins!", r#"{"Type":"win","Player":"Guest_ann"}"#, "resign"] {
        world.server.line(id, &format!("say {text}"), now);
    }
    world.run(world.now + Duration::from_millis(700), |_| false);
    let said: Vec<&String> =
        world.players[0].sent.iter().filter(|line| line.starts_with("say ")).collect();
    assert_eq!(said.len(), 3, "{said:?}");
    let new = &world.players[0].agent.events[before..];
    assert!(!new.iter().any(|event| matches!(event, Event::GameOver { .. } | Event::Unknown(_))));
}

#[test]
fn an_agent_that_quits_logs_out_and_its_seat_is_there_again_after_a_new_login() {
    let mut world = two(3, 5);
    world.run(HOUR, |world| {
        world.players[0].agent.count(|event| matches!(event, Event::Turn { .. })) > 5
    });
    world.players[0].agent.quits = true;
    assert!(world.run(2 * HOUR, |world| world.players[0].quit));
    let old = &world.players[0].agent.events;
    assert!(matches!(old.last(), Some(Event::Sent(line)) if line == "disconnect"), "{old:?}");
    let mut again = two(3, 5).players.remove(0);
    again.connects_at = world.now + Duration::from_secs(60);
    world.players[0] = again;
    assert!(world.run(10 * HOUR, |world| world.players[0].agent.matches_over() > 0));
    let new = &world.players[0].agent.events;
    assert!(new.iter().any(|event| matches!(event, Event::Match { resumed: true, .. })));
    assert!(
        new.iter().any(|event| matches!(event, Event::Gap { .. })),
        "earlier turns are unknown"
    );
}

#[test]
fn a_forced_move_of_the_server_is_one_turn_like_others() {
    // The guest lets the server make its forced moves.
    let mut forced = 0;
    for seed in 0..6 {
        let mut world = two(40 + seed, 3);
        world.players[1].outgoing = Box::new(|lines, line| {
            if !line.starts_with("set ") {
                lines.push_back(line);
            }
        });
        assert!(world.run(10 * HOUR, |world| world.players[0].agent.matches_over() > 0));
        check(&world.players[0].agent.events);
        let turns = |player: usize, own: bool| {
            let turn = |e: &Event| matches!(e, Event::Turn { own: o, .. } if *o == own);
            world.players[player].agent.count(turn)
        };
        assert_eq!(turns(0, false), turns(1, true));
        let moved = world.players[1].sent.iter().filter(|line| line.starts_with("mv ")).count();
        forced += turns(1, true).saturating_sub(moved);
    }
    assert!(forced > 2, "{forced}");
}

#[test]
fn positions_of_turns_are_seen_by_their_players() {
    let mut world = two(5, 1);
    world.players[0].agent.idle = Some(IdleAction::Create { points: 1, title: String::new() });
    assert!(world.run(10 * HOUR, |world| world.players[0].agent.matches_over() > 0));
    let turns = world.players[0].agent.events.iter().filter_map(|event| match event {
        Event::Turn { before, after, .. } => Some((*before, *after)),
        _ => None,
    });
    let mut last = Position::START;
    for (before, after) in turns {
        assert_eq!(before, last);
        last = after;
    }
}
