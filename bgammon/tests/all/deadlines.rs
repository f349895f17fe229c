//! Every wait ends: servers and opponents that do nothing.

use std::time::Duration;

use bgammon::agent::Event;
use bgammon::server::{Output, Server};
use bgammon::session::{Close, Step};

use crate::world::{HOUR, MINUTE, Player, Scripted, World, two};

fn warned(world: &World, text: &str) -> bool {
    let warning = |event: &Event| matches!(event, Event::Warning(told) | Event::Stuck(told) if told.contains(text));
    world.players[0].agent.count(warning) > 0
}

fn created(world: &World) -> usize {
    world.players[0].sent.iter().filter(|line| line.starts_with("c ")).count()
}

#[test]
fn a_server_that_says_nothing_is_connected_to_again() {
    let mut world = two(1, 1);
    world.players.truncate(1);
    let mut left = 5;
    world.players[0].incoming = Box::new(move |lines, line| {
        left -= 1;
        if left >= 0 {
            lines.push_back(line);
        }
    });
    let logins =
        |world: &World| world.players[0].sent.iter().filter(|line| line.starts_with("lj ")).count();
    assert!(world.run(HOUR, |world| logins(world) > 3));
    assert_eq!(world.players[0].closed[0], Close::Silent);
}

#[test]
fn a_refused_login_says_why() {
    let bot = Player::new("bot_nonet", Some("wrong"), 1, Scripted::creating(1));
    let mut world = World::new(1, vec![bot]);
    assert!(world.run(MINUTE, |world| !world.players[0].closed.is_empty()));
    let closed = &world.players[0].closed[0];
    assert!(matches!(closed, Close::Refused(why) if why.contains("No account")), "{closed:?}");
}

#[test]
fn a_login_that_is_not_answered_can_be_left_at_once() {
    let Player { mut session, mut agent, .. } =
        Player::new("bot_nonet", Some("Zanzibar7"), 1, Scripted::creating(1));
    session.connected(Duration::ZERO, &mut agent);
    assert!(matches!(session.step(Duration::ZERO, &mut agent), Step::Send(_)), "the login");
    assert!(matches!(session.step(Duration::ZERO, &mut agent), Step::Wait(_)));
    session.quit();
    let step = session.step(Duration::from_millis(1), &mut agent);
    assert!(matches!(step, Step::Close(Close::Quit)));
}

#[test]
fn nobody_who_comes_is_waited_for_half_an_hour() {
    let mut world = two(1, 1);
    world.players.truncate(1);
    assert!(world.run(HOUR, |world| created(world) > 1));
    assert!(world.now >= 30 * MINUTE);
}

#[test]
fn an_opponent_who_is_silent_or_gone_ends_the_match_after_a_while() {
    for (goes, least, most) in [(false, 11, 12), (true, 15, 17)] {
        let mut world = two(4, 5);
        let turns = |world: &mut World| {
            world.players[0].agent.count(|event| matches!(event, Event::Turn { .. })) > 3
        };
        assert!(world.run(HOUR, turns));
        let since = world.now;
        if goes {
            world.cut(1, 10 * HOUR);
        } else {
            world.players[1].asleep = true;
        }
        assert!(world.run(10 * HOUR, |world| created(world) > 1));
        let waited = world.now - since;
        assert!(waited >= least * MINUTE && waited <= most * MINUTE, "{goes}: {waited:?}");
        let why = if goes { "has left, and has been silent" } else { "has kept the bot waiting" };
        assert!(warned(&world, why));
        let lost = |event: &Event| matches!(event, Event::EndUnknown { .. });
        assert_eq!(world.players[0].agent.count(lost), 1);
    }
}

#[test]
fn an_opponent_who_never_rolls_for_the_opening_is_soon_left() {
    let mut world = two(8, 5);
    let began =
        |world: &mut World| world.players[0].agent.count(|e| matches!(e, Event::Match { .. })) > 0;
    assert!(world.run(HOUR, began));
    world.players[1].asleep = true;
    let since = world.now;
    assert!(world.run(HOUR, |world| created(world) > 1));
    let waited = world.now - since;
    // Its own roll is on the board that the first poll brings, after a minute.
    assert!(waited >= 2 * MINUTE && waited < 4 * MINUTE, "{waited:?}");
    assert!(warned(&world, "has kept the bot waiting for 120 s"));
}

#[test]
fn a_server_that_ignores_commands_is_left_and_connected_to_again() {
    let mut world = two(6, 5);
    world.players[0].outgoing = Box::new(|lines, line| {
        if ["lj", "c ", "pong", "b", "set"].iter().any(|word| line.starts_with(word)) {
            lines.push_back(line);
        }
    });
    assert!(world.run(HOUR, |world| world.players[0].closed.contains(&Close::Silent)));
    assert!(warned(&world, "no command has an effect"));
    let unanswered = |event: &Event| matches!(event, Event::Unanswered(_));
    assert!(world.players[0].agent.count(unanswered) >= 5);
}

#[test]
fn a_server_that_creates_no_match_is_asked_less_and_less_often() {
    let mut world = two(7, 1);
    world.players.truncate(1);
    world.players[0].outgoing = Box::new(|lines, line| {
        let line = if line.starts_with("c ") { "c private 1".to_owned() } else { line };
        lines.push_back(line);
    });
    world.run(2 * HOUR, |_| false);
    assert!((20..40).contains(&created(&world)), "{}", created(&world));
}

#[test]
fn an_opponent_who_takes_moves_back_for_ever_is_left_after_11_minutes() {
    let mut world = two(8, 5);
    // The guest moves, takes back and never confirms.
    let mut back = false;
    world.players[1].outgoing = Box::new(move |lines, line| {
        back = !back;
        lines.push_back(match line.as_str() {
            "k" => "reset".to_owned(),
            _ => line,
        });
    });
    assert!(world.run(3 * HOUR, |world| created(world) > 1));
    assert!(warned(&world, "has kept the bot waiting for 660 s"), "{:?}", world.now);
    assert!(world.now > 11 * MINUTE && world.now < 13 * MINUTE, "{:?}", world.now);
}

#[test]
fn the_server_waits_a_minute_for_a_login_and_40_seconds_for_a_line() {
    for (line, closed) in [(Some("ls"), Some(60)), (None, Some(40)), (Some("lj a bob"), None)] {
        let mut server = Server::new(1);
        let id = server.connect(Duration::ZERO);
        let closes = (1..=3600).find(|second| {
            let now = Duration::from_secs(*second);
            line.into_iter().for_each(|line| server.line(id, line, now));
            server.tick(now);
            server.take().contains(&(id, Output::Close))
        });
        assert_eq!(closes, closed, "{line:?}");
    }
}
