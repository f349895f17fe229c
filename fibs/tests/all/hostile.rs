//! Input that no real server sends: the session does not panic, keeps the connection and sends no
//! match command.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::time::Duration;

use backgammon::Position;
use fibs::Password;
use fibs::agent::{Agent, Event, Invitation, TurnContext};
use fibs::codec::Decoder;
use fibs::command::Command;
use fibs::message::Parser;
use fibs::session::{Config, Session, Step};
use proptest::prelude::*;

#[derive(Default)]
struct Listener {
    asked: u32,
    unknown: u32,
    /// Illegal answers that the session told of.
    warned: u32,
}

impl Agent for Listener {
    /// The board before the play is never one after it.
    fn play(&mut self, turn: &TurnContext) -> Position {
        self.asked += 1;
        turn.position
    }

    fn invited(&mut self, _: &Invitation) -> Result<(), String> {
        Ok(())
    }

    fn event(&mut self, event: &Event) {
        self.unknown += u32::from(matches!(event, Event::Unknown(_)));
        self.warned +=
            u32::from(matches!(event, Event::Warning(text) if text.contains("no result of")));
    }
}

/// A session with the test as its server.
struct Client {
    session: Session,
    decoder: Decoder,
    parser: Parser,
    agent: Listener,
    now: Duration,
    sent: Vec<Command>,
    closed: bool,
}

const LOGIN: &str = "login: 1 me 1 here\r\n\
    2 me 1 1 0 0 0 0 1 1 0 0 1 0 1 1500.0 1 1 none 0 1 UTC\r\n3\r\nhello\r\n4\r\n\
    5 me - - 1 0 1500.0 0 0 1 here x -\r\n5 bob - - 1 0 1500.0 0 0 1 here x -\r\n6\r\n";

impl Client {
    fn new() -> Client {
        let password = Password::new("Zanzibar7").expect("good");
        let mut agent = Listener::default();
        let mut session = Session::new(Config::new("test", "me", password));
        session.connected(Duration::ZERO, &mut agent);
        Client {
            session,
            decoder: Decoder::default(),
            parser: Parser::default(),
            agent,
            now: Duration::ZERO,
            sent: Vec::new(),
            closed: false,
        }
    }

    fn hears(&mut self, bytes: &[u8]) {
        let Client { session, decoder, parser, agent, now, .. } = self;
        decoder.decode(bytes, |line| {
            parser.parse(&line, |message| session.message(message, *now, agent));
        });
    }

    /// Lets time pass and sends the answers that every server sends.
    fn passes(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end && !self.closed {
            match self.session.step(self.now, &mut self.agent) {
                Step::Send(command) => {
                    match &command {
                        Command::Login { .. } => self.hears(&LOGIN.as_bytes()[7..]),
                        Command::BoardStyle => self.hears(b"Value of 'boardstyle' set to 3.\r\n"),
                        Command::Toggles => self.hears(b"moves NO\r\nautoboard YES\r\n"),
                        Command::ShowSaved => self.hears(b"no saved games.\r\n"),
                        Command::Time => self.hears(b"Saturday\r\n"),
                        Command::Board => self.hears(b"** You're not playing.\r\n"),
                        _ => {}
                    }
                    self.sent.push(command);
                }
                Step::Wait(until) => {
                    self.now = until.max(self.now + Duration::from_millis(50)).min(end)
                }
                Step::Close(_) => self.closed = true,
            }
        }
    }

    fn online() -> Client {
        let mut client = Client::new();
        client.hears(b"login: ");
        client.passes(Duration::from_secs(30));
        assert!(client.session.is_online() && !client.closed);
        client.sent.clear();
        client
    }
}

const BOARD: &str = "board:You:bob:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0";

#[test]
fn hostile_input_is_ignored() {
    let mut client = Client::online();
    for _ in 0..10_000 {
        client.hears(&[b'x'; 1000]);
    }
    client.hears(b"\r\n");
    client.hears(&(0..=255u8).cycle().take(100_000).collect::<Vec<u8>>());
    client.hears(b"\r\n");
    for line in [
        format!("12 eve {BOARD}"),
        format!("13 eve \u{fffd}{BOARD}"),
        "13 eve bob wants to play a 5 point match with you.".to_owned(),
        "12 eve Type 'join bob' to accept.".to_owned(),
        // A match that no player began.
        BOARD.to_owned(),
        BOARD.replacen(":5:0:3:", ":6:0:3:", 1),
        BOARD.replacen(":1:6:2:", ":1:-6:-2:", 1),
        BOARD.replacen("You", "eve", 1),
        "bob doubles. Type 'accept' or 'reject'.".to_owned(),
        "bob wants to resign. You will win 1 point. Type 'accept' or 'reject'.".to_owned(),
        "5 - - - 9 9 nan inf -1 x y z".to_owned(),
        "bob wants to play a 99999999999 point match with you.".to_owned(),
    ] {
        client.hears(format!("{line}\r\n").as_bytes());
        client.passes(Duration::from_secs(20));
    }
    assert!(!client.closed, "the session closed the connection");
    assert_eq!(client.agent.asked, 0, "a board in the wild was played");
    let of_a_match = |command: &&Command| {
        matches!(command, Command::Move(_) | Command::Accept | Command::Join(_) | Command::Roll)
    };
    assert_eq!(client.sent.iter().find(of_a_match), None);
    // Invitations are still accepted.
    client.hears(b"bob wants to play a 5 point match with you.\r\nType 'join bob' to accept.\r\n");
    client.passes(Duration::from_secs(20));
    assert!(client.sent.contains(&Command::Join("bob".into())), "{:?}", client.sent);
}

#[test]
fn a_wrong_password_is_not_tried_again() {
    let mut client = Client::new();
    client.hears(b"login: ");
    let step = client.session.step(client.now, &mut client.agent);
    assert!(matches!(step, Step::Send(Command::Login { .. })));
    client.hears(b"login: ");
    assert_eq!(
        client.session.step(client.now, &mut client.agent),
        Step::Close(fibs::session::Close::Refused)
    );
}

#[test]
fn the_session_leaves_before_an_announced_shutdown() {
    let mut client = Client::online();
    client.hears(b"*** ATTENTION ! FIBS will restart in 60 seconds...\r\n");
    client.passes(Duration::from_secs(5));
    assert_eq!((client.sent.as_slice(), client.closed), (&[Command::Bye][..], true));
}

#[test]
fn the_session_sends_keep_alives_and_detects_a_dead_connection() {
    let mut client = Client::online();
    client.passes(Duration::from_secs(3600));
    assert!(!client.closed);
    // The keep-alive commands, and not many more.
    assert!((20..200).contains(&client.sent.len()), "{}", client.sent.len());
}

#[test]
fn an_illegal_answer_of_an_agent_gives_a_warning_and_the_first_play() {
    let mut client = Client::online();
    client.hears(b"bob wants to play a 3 point match with you.\r\nType 'join bob' to accept.\r\n");
    client.passes(Duration::from_secs(5));
    client.hears(b"** You are now playing a 3 point match with bob\r\n");
    client.hears(format!("Starting a new game with bob.\r\n{BOARD}\r\n").as_bytes());
    client.passes(Duration::from_secs(5));
    assert_eq!((client.agent.asked, client.agent.warned), (1, 1));
    let moves: Vec<&Command> =
        client.sent.iter().filter(|command| matches!(command, Command::Move(_))).collect();
    let dice = "62".parse().expect("dice");
    let position = Position::START;
    let first = backgammon::candidates(&position, dice)[0].after;
    let steps = position.steps_to(dice, &first).expect("a legal play");
    let words: Vec<String> = steps.iter().map(|s| format!("{}-{}", s.from, s.to)).collect();
    assert_eq!(moves, [&Command::Move(words.join(" "))]);
}

/// Lines of a busy server: players log in and out, change state and shout.
fn a_day(lines: u32) -> Vec<u8> {
    let mut text = String::new();
    for i in 0..lines {
        let name = format!("player_{}", i % 300);
        text += &match i % 5 {
            0 => format!(
                "5 {name} - - 1 0 {}.25 {i} 3 1795226968 host.example Client_1.0 -\r\n6\r\n",
                1400 + i % 300
            ),
            1 => format!("7 {name} {name} logs in.\r\n"),
            2 => format!("8 {name} {name} logs out.\r\n"),
            3 => format!("13 {name} has anybody seen {i} double sixes in a row today?\r\n"),
            _ => format!("{name} and bob start a 5 point match.\r\n"),
        };
    }
    text.into_bytes()
}

#[test]
fn traffic_of_other_players_causes_no_commands() {
    let mut client = Client::online();
    client.hears(&a_day(5_000));
    assert_eq!(client.agent.unknown, 0, "every kind of line is known");
    client.passes(Duration::from_secs(60));
    assert!(!client.closed);
    assert!(client.sent.len() < 5, "{:?}", client.sent);
}

#[test]
#[ignore = "seconds; writes reports/fibs-soak/traffic.md"]
fn traffic_of_a_busy_day_costs_seconds() {
    let day = a_day(1_000_000);
    let mut client = Client::online();
    let began = std::time::Instant::now();
    client.hears(&day);
    let seconds = began.elapsed().as_secs_f64();
    client.passes(Duration::from_secs(60));
    assert!(!client.closed && client.agent.unknown == 0);
    let (megabytes, sent) = (day.len() / 1_000_000, client.sent.len());
    let share = seconds / 86_400.0 * 100.0;
    let text = format!(
        "# Cost of other players' traffic\n\n`cargo test -p fibs --test all traffic -- --ignored`: a million lines of logins, \
         who lines, shouts and other players' matches ({megabytes} MB), as many as a very busy server sends in a day, go \
         through decoder, parser and session.\n\n| what | figure |\n|---|---|\n| total time | {seconds:.1} s |\n\
         | share of one core over a day | {share:.3} % |\n| commands sent in response, in a minute | {sent} |\n\n\
         Lines are cut at 4096 bytes, and the session stores only players who are logged in, 10,000 at most.\n"
    );
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../reports/fibs-soak/traffic.md");
    std::fs::write(path, text).expect("a report");
}

/// Lines that the session knows, in an order that makes no sense.
fn sayings() -> impl Strategy<Value = String> {
    let lines = [
        BOARD.to_owned(),
        BOARD.replacen(":0:0:1:6:2:", ":0:0:1:0:0:", 1),
        BOARD.replacen(":1:6:2:0:0:", ":-1:0:0:3:1:", 1),
        BOARD.replacen(":1:6:2:0:0:", ":0:0:0:0:0:", 1),
        BOARD.replacen(":1:1:1:0:1:-1", ":1:0:0:1:1:-1", 1),
        "bob wants to play a 3 point match with you.".into(),
        "bob wants to resume a saved match with you.".into(),
        "Type 'join bob' to accept.".into(),
        "** You are now playing a 3 point match with bob".into(),
        "You are now playing with bob. Your running match was loaded.".into(),
        "Starting a new game with bob.".into(),
        "You rolled 6, bob rolled 2".into(),
        "You roll 6 and 1.".into(),
        "bob rolls 3 and 3.".into(),
        "bob moves 1-7 12-14 .".into(),
        "You can't move.".into(),
        "bob doubles. Type 'accept' or 'reject'.".into(),
        "You accept the double. The cube shows 2.".into(),
        "bob wants to resign. You will win 2 points. Type 'accept' or 'reject'.".into(),
        "You win the game and get 1 point. Congratulations!".into(),
        "bob wins the 3 point match 3-1 .".into(),
        "** Player bob drops connection. The game was saved.".into(),
        "** You're not playing.".into(),
        "** You did already roll the dice.".into(),
        "** bob is refusing games.".into(),
        "Score is 0-0 in a 3 point match.".into(),
        "X: (6 2) 24-18 13-11".into(),
        "opponent          matchlength   score (your points first)".into(),
        " **bob                    3                1 -  1".into(),
        "no saved games.".into(),
        "5 me bob - 1 0 1500.0 0 0 1 here x -".into(),
        "5 me - - 1 0 1500.0 0 0 1 here x -".into(),
        "** Won't send rawboards after rolling.".into(),
        "12 bob move".into(),
        "login: ".into(),
    ];
    proptest::sample::select(lines.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_order_of_lines_makes_a_session_panic_or_talk_without_end(
        lines in proptest::collection::vec((sayings(), 0u64..20), 0..80),
    ) {
        let mut client = Client::online();
        let mut time = 0;
        for (line, seconds) in lines {
            client.hears(format!("{line}\r\n").as_bytes());
            client.passes(Duration::from_secs(seconds));
            time += seconds;
        }
        // The pace of commands does not depend on the input.
        prop_assert!(client.sent.len() as u64 <= 2 * time + 40, "{} in {time} s", client.sent.len());
    }
}
