//! A session against unknown servers: each seed makes one, with its own wording, gaps and errors.
//! Every match ends, or the session frees the table and says why, within a bounded time, and no
//! saved match is lost.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on fails"
)]

mod model;
mod players;

use std::time::Duration;

use backgammon::{FibsBoard, Position, Stake};
use fibs::Password;
use fibs::agent::{Agent, Event, Invitation, TurnContext};
use fibs::codec::Decoder;
use fibs::message::Parser;
use fibs::session::{Close, Config, Session, Step};
use model::{BOB, Model};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

/// A match takes this long at most.
const LONGEST: Duration = Duration::from_secs(12 * 3600);
/// The longest time in which nothing moves while the session believes that it plays.
///
/// It is the longest deadline, `leave` twice and the time between two lines.
const LONGEST_PAUSE: Duration = Duration::from_secs(420);

/// Plays at random and keeps a journal, as a bot does.
struct Player {
    rng: Pcg64,
    open: Vec<String>,
    playing: bool,
    warnings: Vec<String>,
    freed: u32,
    log: Vec<String>,
}

impl Player {
    /// `saved`: its journal has an open match with bob.
    fn new(seed: u64, saved: bool) -> Player {
        Player {
            rng: Pcg64::seed_from_u64(seed ^ 7),
            open: if saved { vec![BOB.to_owned()] } else { Vec::new() },
            playing: false,
            warnings: Vec::new(),
            freed: 0,
            log: Vec::new(),
        }
    }
}

impl Agent for Player {
    fn play(&mut self, turn: &TurnContext) -> Position {
        turn.plays[self.rng.random_range(0..turn.plays.len())].after
    }

    fn double(&mut self, _: &FibsBoard) -> bool {
        self.rng.random_bool(0.05)
    }

    fn take(&mut self, board: &FibsBoard) -> bool {
        board.cube < 4 && self.rng.random_bool(0.7)
    }

    fn resign(&mut self, _: &FibsBoard) -> Option<Stake> {
        self.rng.random_bool(0.01).then_some(Stake::Single)
    }

    fn invited(&mut self, _: &Invitation) -> Result<(), String> {
        Ok(())
    }

    fn unfinished(&self) -> Vec<String> {
        self.open.clone()
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Match { opponent, .. } => {
                self.open = vec![opponent.clone()];
                self.playing = true;
            }
            Event::MatchOver { .. } => {
                self.open.clear();
                self.playing = false;
            }
            // The server may know the moves of saved matches alone.
            Event::HistoryLost { certain: true, .. } if !self.playing => self.open.clear(),
            Event::Warning(text) | Event::Stuck(text) => self.warnings.push(text.clone()),
            Event::Left { .. } => {
                self.playing = false;
                self.freed += 1;
            }
            _ => {}
        }
        self.log.push(format!("{event:?}"));
    }
}

#[derive(Debug, Default)]
struct Outcome {
    finished: bool,
    freed: u32,
    warnings: Vec<String>,
    time: Duration,
    longest_pause: Duration,
    reconnects: u32,
    refused: u32,
    /// A wait that was longer than its deadline.
    overdue: Option<String>,
}

/// Plays one match against the server of this seed.
fn play(seed: u64) -> Outcome {
    play_with(model::Habits::new(seed), seed)
}

fn play_with(habits: model::Habits, seed: u64) -> Outcome {
    let mut model = Model::new(habits, seed);
    let mut config = Config::new("test", model::ME, Password::new("Zanzibar7").expect("good"));
    config.seed = seed;
    let mut player = Player::new(seed, model.habits.saved_at_start);
    let mut session = Session::new(config);
    let mut now = Duration::ZERO;
    let mut outcome = Outcome::default();
    'connections: loop {
        session.connected(now, &mut player);
        model.connected(now + model::FIRST);
        let (mut decoder, mut parser) = (Decoder::default(), Parser::default());
        loop {
            model.passes(now);
            while let Some(line) = model.line(now) {
                player.log.push(format!("{:9.2} < {line}", now.as_secs_f64()));
                decoder.decode(line.as_bytes(), |line| {
                    parser.parse(&line, |message| session.message(message, now, &mut player));
                });
            }
            if session.is_playing() {
                let pause = now.saturating_sub(model.progress_at);
                outcome.longest_pause = outcome.longest_pause.max(pause);
                if pause > LONGEST_PAUSE {
                    break 'connections;
                }
            }
            if (model.over && !session.is_playing()) || now > LONGEST {
                break 'connections;
            }
            let step = session.step(now, &mut player);
            let (waiting, since) = session.waiting();
            if waiting.deadline().is_some_and(|deadline| now > since + deadline) {
                outcome.overdue =
                    Some(format!("{waiting:?} since {:.1} s", (now - since).as_secs_f64()));
                break 'connections;
            }
            match step {
                Step::Send(command) => {
                    player.log.push(format!("{:9.2} > {}", now.as_secs_f64(), command.line()));
                    model.command(&command.line(), now);
                }
                Step::Wait(until) => {
                    let next = until.min(model.next_due());
                    now = next.max(now + Duration::from_millis(10));
                }
                Step::Close(close) => {
                    player.log.push(format!("{:9.2} closed: {close:?}", now.as_secs_f64()));
                    assert_ne!(close, Close::Refused, "seed {seed}");
                    model.disconnected();
                    outcome.reconnects += 1;
                    now += Duration::from_secs(15);
                    break;
                }
            }
        }
    }
    outcome.finished = model.over;
    outcome.time = now;
    outcome.freed = player.freed;
    outcome.refused = model.refused;
    outcome.warnings = player.warnings;
    let tail = || player.log.iter().rev().take(60).rev().cloned().collect::<Vec<_>>().join("\n");
    if let Some(folder) = std::env::var_os("CHAOS_LOGS") {
        let path = std::path::Path::new(&folder).join(format!("{seed}.log"));
        let text = format!("{:?}\n{}\n", model.habits, player.log.join("\n"));
        std::fs::write(path, text).expect("a log");
    }
    assert_eq!(outcome.overdue, None, "seed {seed}: {:?}\n{}", model.habits, tail());
    assert!(!model.overwritten, "seed {seed}: a saved match was overwritten\n{}", tail());
    assert!(
        model.over || model.has_match() || !outcome.warnings.is_empty(),
        "seed {seed}: a match is lost\n{}",
        tail()
    );
    assert!(
        outcome.longest_pause <= LONGEST_PAUSE,
        "seed {seed}: nothing moved for {:?} {:?}\n{}",
        outcome.longest_pause,
        model.habits,
        tail()
    );
    assert!(
        outcome.finished || !outcome.warnings.is_empty(),
        "seed {seed}: not finished, and nothing was said {:?}\n{}",
        model.habits,
        tail()
    );
    outcome
}

/// Plays the matches of these seeds; the figures as a table.
fn survey(seeds: std::ops::Range<u64>) -> String {
    let count = seeds.end - seeds.start;
    let (mut finished, mut connections, mut refused, mut seconds) = (0, 0, 0, 0.0);
    let mut pauses = Vec::new();
    let mut warnings = std::collections::BTreeMap::<String, u32>::new();
    for seed in seeds {
        let outcome = play(seed);
        finished += u32::from(outcome.finished);
        connections += outcome.reconnects;
        refused += outcome.refused;
        seconds += outcome.time.as_secs_f64();
        pauses.push(outcome.longest_pause.as_secs_f64());
        for warning in outcome.warnings {
            let kind: String =
                warning.chars().map(|c| if c.is_ascii_digit() { 'N' } else { c }).collect();
            *warnings.entry(kind.replace("NN", "N").replace("NN", "N")).or_default() += 1;
        }
    }
    assert!(f64::from(finished) >= 0.98 * count as f64, "{finished} of {count} matches finished");
    pauses.sort_by(f64::total_cmp);
    let rows = [
        ("servers, with one match to 3 points each", count.to_string()),
        ("matches finished", finished.to_string()),
        (
            "matches not finished within 12 hours; the table was left with a reason",
            (count - u64::from(finished)).to_string(),
        ),
        ("saved matches overwritten", "0".to_owned()),
        ("waits longer than their deadline", "0".to_owned()),
        ("connections closed by the client because nothing helped", connections.to_string()),
        ("commands that a server refused", refused.to_string()),
        ("longest time without a move, median, s", format!("{:.0}", pauses[pauses.len() / 2])),
        ("longest time without a move, largest, s", format!("{:.0}", pauses[pauses.len() - 1])),
        ("hours of simulated time", format!("{:.0}", seconds / 3600.0)),
    ];
    let mut text = "| what | figure |\n|---|---|\n".to_owned();
    for (what, figure) in rows {
        text += &format!("| {what} | {figure} |\n");
    }
    text += "\n| line for the operator | times |\n|---|---|\n";
    for (warning, times) in warnings {
        text += &format!("| {warning} | {times} |\n");
    }
    text
}

/// A server that never sends one kind of sentence, and is right in everything else.
#[test]
fn a_server_that_withholds_a_sentence_is_played_with_or_left() {
    for (i, kind) in model::KINDS.iter().enumerate() {
        let outcome = play_with(model::Habits::withholding(kind, i as u64), i as u64);
        assert!(outcome.finished, "without '{kind}': {:?}", outcome.warnings);
    }
}

/// A server that refuses every command after the login is told apart from one that is slow: the
/// session becomes quiet.
#[test]
fn a_server_that_answers_every_command_with_an_error_is_not_asked_without_end() {
    let password = Password::new("Zanzibar7").expect("good");
    let mut session = Session::new(Config::new("test", model::ME, password));
    let mut player = Player::new(1, false);
    let (mut decoder, mut parser) = (Decoder::default(), Parser::default());
    let mut now = Duration::ZERO;
    session.connected(now, &mut player);
    let mut heard = vec!["login: ".to_owned()];
    let mut sent = 0;
    while now < Duration::from_secs(3600) {
        if heard.is_empty() && now.as_secs().is_multiple_of(300) {
            heard.push(
                "bob wants to play a 3 point match with you.\r\nType 'join bob' to accept.\r\n"
                    .into(),
            );
        }
        for text in heard.drain(..) {
            decoder.decode(text.as_bytes(), |line| {
                parser.parse(&line, |message| session.message(message, now, &mut player));
            });
        }
        match session.step(now, &mut player) {
            Step::Send(command) => {
                sent += 1;
                let login = command.line().starts_with("login");
                heard.push(if login {
                    "1 me 1 host\r\n".into()
                } else {
                    "** Error 17.\r\n".into()
                });
            }
            Step::Wait(until) => {
                now = until.clamp(now + Duration::from_millis(10), now + Duration::from_secs(1))
            }
            Step::Close(close) => panic!("closed: {close:?}"),
        }
    }
    assert!(!session.is_playing());
    assert!((20..150).contains(&sent), "{sent} commands in an hour");
    assert!(
        player.warnings.iter().any(|text| text.contains("boardstyle")),
        "{:?}",
        player.warnings
    );
}

#[test]
fn matches_on_forty_servers_end_or_the_table_is_freed() {
    survey(0..40);
}

#[test]
#[ignore = "a minute; writes reports/fibs-soak/servers.md"]
fn matches_on_a_thousand_servers_end_or_the_table_is_freed() {
    let figures = survey(0..1000);
    let text = format!(
        "# A session against a thousand servers\n\n`cargo test -p fibs --features server --test all chaos -- --ignored`: \
         each of the seeds 0 to 999 makes a server of the protocol, with its own wording, gaps, delays and errors, within \
         what the descriptions of FIBS, JIBS, BaldLies and TigerGammon allow (`fibs/tests/all/chaos/model/`). The session \
         plays at random; its opponent plays by the rules, drops the connection on some servers and falls silent on \
         others. Servers with odd seeds also lose lines and commands. The test fails if a saved match is overwritten or \
         a wait is longer than its deadline, so these rows are 0.\n\n{figures}"
    );
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../reports/fibs-soak/servers.md");
    std::fs::write(path, text).expect("a report");
}
