//! Opponents who come and go, and lines that fall silent: the bot leaves no match that it could
//! lose.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use bgammon::agent::Event;
use bgammon::session::Close;

use crate::world::{HOUR, MINUTE, Player, World, two};

const SECOND: Duration = Duration::from_secs(1);

fn wait(world: &mut World, time: Duration) {
    let until = world.now + time;
    world.run(until, |_| false);
}

/// The guest sends these lines; its session does nothing at that time.
fn guest_sends(world: &mut World, lines: &[&str]) {
    let (id, now) = (world.players[1].connection.expect("connected"), world.now);
    lines.iter().for_each(|line| world.server.line(id, line, now));
}

fn sends_leave(world: &World) -> bool {
    world.players[0].sent.iter().any(|line| line == "leave")
}

fn lost_matches(world: &World) -> usize {
    world.players[0].agent.count(|event| matches!(event, Event::EndUnknown { .. }))
}

/// The match goes on to its end.
fn goes_on(world: &mut World) {
    assert!(world.run(world.now + 10 * HOUR, |world| world.players[0].agent.matches_over() == 1));
    assert_eq!(lost_matches(world), 0);
}

/// While the switch is on, the server hears nothing but signs of life, and the player nothing at
/// all. It turns on by itself after a welcome, if the second switch is on.
fn with_switch(player: &mut Player) -> [Rc<Cell<bool>>; 2] {
    let [silent, after_welcome] = [(); 2].map(|()| Rc::new(Cell::new(false)));
    let (off, at_welcome) = (Rc::clone(&silent), Rc::clone(&after_welcome));
    player.incoming = Box::new(move |lines, line| {
        let welcome = at_welcome.get() && line.contains("\"welcome\"");
        if !off.get() {
            lines.push_back(line);
        }
        if welcome {
            off.set(true);
            at_welcome.set(false);
        }
    });
    let off = Rc::clone(&silent);
    player.outgoing = Box::new(move |lines, line| {
        lines.push_back(if off.get() { "pong".to_owned() } else { line });
    });
    [silent, after_welcome]
}

#[test]
fn refusals_while_the_opponent_is_away_are_nothing_against_the_server() {
    for seed in 0..4 {
        let mut world = two(50 + seed, 5);
        // The guest ends a turn: the bot is to act.
        let is_to_act = |world: &mut World| {
            let sent = &world.players[1].sent;
            sent.len() > 20 && sent.last().is_some_and(|line| line == "k")
        };
        assert!(world.run(HOUR, is_to_act));
        world.players[1].asleep = true;
        guest_sends(&mut world, &["leave"]);
        wait(&mut world, 12 * SECOND);
        let refused = |event: &Event| matches!(event, Event::Refused(_));
        let before = world.players[0].agent.count(refused);
        for _ in 0..6 {
            guest_sends(&mut world, &["j BOT_nonet", "leave"]);
            wait(&mut world, 12 * SECOND);
        }
        assert_eq!(world.players[0].agent.count(refused), before, "nothing is sent in vain");
        guest_sends(&mut world, &["j BOT_nonet"]);
        wait(&mut world, 30 * SECOND);
        assert!(!sends_leave(&world), "seed {seed}");
        world.players[1].asleep = false;
        goes_on(&mut world);
    }
}

#[test]
fn a_silent_line_means_a_new_connection_that_keeps_the_table() {
    for lines in 10..22 {
        let mut world = two(60 + lines as u64, 5);
        let [silent, _] = with_switch(&mut world.players[0]);
        assert!(world.run(HOUR, |world| world.players[0].sent.len() > lines));
        silent.set(true);
        let until = world.now + 2 * MINUTE;
        assert!(world.run(until, |world| !world.players[0].closed.is_empty()), "{lines} lines");
        assert_eq!(world.players[0].closed, [Close::Silent]);
        assert!(!sends_leave(&world), "{lines} lines");
        silent.set(false);
        goes_on(&mut world);
        let resumed = |event: &Event| matches!(event, Event::Match { resumed: true, .. });
        assert_eq!(world.players[0].agent.count(resumed), 1);
    }
}

#[test]
fn a_line_that_falls_silent_after_the_login_costs_no_seat() {
    for is_new in [false, true] {
        let mut world = two(3, 5);
        assert!(world.run(HOUR, |world| world.players[0].sent.len() > 10));
        world.cut(0, 5 * SECOND);
        if is_new {
            // A program that knows nothing of the match.
            let connects_at = world.players[0].connects_at;
            world.players[0] = two(3, 5).players.remove(0);
            world.players[0].connects_at = connects_at;
        }
        let [silent, after_welcome] = with_switch(&mut world.players[0]);
        after_welcome.set(true);
        let until = world.now + 2 * MINUTE;
        assert!(world.run(until, |world| !world.players[0].closed.is_empty()));
        assert_eq!(world.players[0].closed, [Close::Silent]);
        assert!(silent.get() && !sends_leave(&world), "new: {is_new}");
        silent.set(false);
        goes_on(&mut world);
    }
}

#[test]
fn a_server_that_talks_and_sends_no_board_is_left() {
    let mut world = two(70, 5);
    let mute = Rc::new(Cell::new(false));
    let no_boards = Rc::clone(&mute);
    world.players[0].incoming = Box::new(move |lines, line| {
        if !(no_boards.get() && line.contains("\"board\"")) {
            lines.push_back(line);
        }
    });
    assert!(world.run(HOUR, |world| world.players[0].sent.len() > 12));
    mute.set(true);
    let until = world.now + 2 * MINUTE;
    assert!(world.run(until, |world| {
        guest_sends(world, &["say hello"]);
        sends_leave(world)
    }));
    let stuck = |event: &Event| matches!(event, Event::Stuck(why) if why.contains("no board"));
    assert_eq!(world.players[0].agent.count(stuck), 1);
    assert!(world.players[0].closed.is_empty());
}

#[test]
fn a_line_of_chat_that_gets_no_answer_costs_nothing() {
    for (obeys, heard) in [(false, 40), (true, 500)] {
        let mut world = two(2, 5);
        world.players[0].agent.obeys = obeys;
        assert!(world.run(HOUR, |world| world.players[0].sent.len() > 8));
        // The same answer each time, which is said once.
        guest_sends(&mut world, &["say luck"; 500]);
        wait(&mut world, SECOND);
        let bot = &world.players[0];
        assert_eq!(bot.agent.heard, heard);
        assert_eq!(bot.sent.iter().filter(|line| line.starts_with("say ")).count(), 1);
    }
}
