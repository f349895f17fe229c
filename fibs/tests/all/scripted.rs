//! A session with the test as its server: what it hears, and what it sends at which time.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]
use std::time::Duration;

use backgammon::{FibsBoard, Position, Stake};
use fibs::Password;
use fibs::agent::{Agent, Event, Invitation, TurnContext};
use fibs::codec::Decoder;
use fibs::message::{Chat, Length, Parser};
use fibs::session::{Close, Config, Session, Step};

// Sentences of the server about bob and the saved match with him.
pub(crate) const SAVED: &str =
    "  opponent   matchlength   score (your points first)\r\n   bob   3    0 - 0";
pub(crate) const RESUME: &str =
    "bob wants to resume a saved match with you.\r\nType 'join bob' to accept.";
pub(crate) const NEW_MATCH: &str = "bob wants to play a 3 point match with you.\r\n\
    WARNING: Don't accept if you want to continue the saved 3 point match!\r\n\
    Type 'join bob' to accept.";

/// Plays the first play, accepts everything unless told otherwise, and remembers events.
#[derive(Default)]
pub(crate) struct Player {
    pub(crate) events: Vec<Event>,
    pub(crate) open: Vec<String>,
    /// Accepts no resignation.
    pub(crate) refuses: bool,
    /// Begins no match for now.
    pub(crate) pauses: bool,
    /// Logs out: at once, or after the match.
    pub(crate) quits: Option<bool>,
    /// Lines of chat that it was asked to answer.
    pub(crate) asked: usize,
}

/// [`Player`] obeys this one.
pub(crate) const OWNER: &str = "olga";

impl Agent for Player {
    fn play(&mut self, turn: &TurnContext) -> Position {
        turn.plays[0].after
    }

    fn accept_resignation(&mut self, _: &FibsBoard, _: Stake) -> bool {
        !self.refuses
    }

    fn open_to_matches(&self) -> Result<(), String> {
        if self.pauses { Err("I take a break.".to_owned()) } else { Ok(()) }
    }

    fn invited(&mut self, invitation: &Invitation) -> Result<(), String> {
        match invitation.length {
            Length::Points(10..) => Err("That is too long for me.".to_owned()),
            _ => Ok(()),
        }
    }

    fn on_chat(&mut self, chat: &Chat) -> Vec<String> {
        self.asked += 1;
        match chat.text.as_str() {
            "quit" | "finish" if chat.from == OWNER => {
                self.quits = Some(chat.text == "quit");
                vec!["Goodbye.".to_owned()]
            }
            text if text.starts_with("pr") => vec![format!("{text} is 3.0")],
            _ => Vec::new(),
        }
    }

    fn takes_orders_from(&self, name: &str) -> bool {
        name == OWNER
    }

    fn thank(&mut self, _: &str) -> Option<String> {
        Some("Thank you!".to_owned())
    }

    fn quits(&mut self, playing: bool) -> bool {
        self.quits.is_some_and(|at_once| at_once || !playing)
    }

    fn unfinished(&self) -> Vec<String> {
        self.open.clone()
    }

    fn event(&mut self, event: &Event) {
        self.events.push(event.clone());
    }
}

/// A session with the test as its server: `answers` has the lines for each command, by its start.
pub(crate) struct Table {
    pub(crate) session: Session,
    decoder: Decoder,
    parser: Parser,
    pub(crate) player: Player,
    pub(crate) now: Duration,
    pub(crate) sent: Vec<(Duration, String)>,
    pub(crate) closed: Option<Close>,
    pub(crate) answers: Vec<(&'static str, &'static str)>,
}

const LOGIN: &str = "1 me 1 here\r\n\
    2 me 1 1 0 0 0 0 1 1 0 0 1 0 1 1500.0 1 1 none 0 1 UTC\r\n3\r\nhello\r\n4\r\n\
    5 me - - 1 0 1500.0 0 0 1 here x -\r\n5 bob - - 1 0 1500.0 0 0 1 here x -\r\n6\r\n";
/// Bob's turn, before his roll.
pub(crate) const BOBS_TURN: &str = "board:You:bob:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0";
/// Our turn, with 6 and 2.
pub(crate) const OUR_TURN: &str = "board:You:bob:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0";

impl Table {
    /// Logged in and idle.
    pub(crate) fn lobby(answers: &[(&'static str, &'static str)]) -> Table {
        Table::with(Player::default(), answers)
    }

    pub(crate) fn with(mut player: Player, answers: &[(&'static str, &'static str)]) -> Table {
        let config = Config::new("test", "me", Password::new("Zanzibar7").expect("good"));
        let mut session = Session::new(config);
        session.connected(Duration::ZERO, &mut player);
        let mut table = Table {
            session,
            decoder: Decoder::default(),
            parser: Parser::default(),
            player,
            now: Duration::ZERO,
            sent: Vec::new(),
            closed: None,
            answers: answers.to_vec(),
        };
        let usual = [
            ("login", LOGIN),
            ("set boardstyle", "Value of 'boardstyle' set to 3."),
            ("toggle", "moves NO\r\nautoboard YES"),
            ("show saved", "no saved games."),
            ("time", "Sunday, November 22 01:02:03 UTC"),
        ];
        // The first answer that fits is given, so those of the test come first.
        table.answers.extend(usual);
        table.hears("login: ");
        table.passes(30);
        table.sent.clear();
        table
    }

    /// In a match with bob to 3 points; it is bob's turn.
    pub(crate) fn playing(answers: &[(&'static str, &'static str)]) -> Table {
        let mut table = Table::lobby(answers);
        table.says("bob wants to play a 3 point match with you.\r\nType 'join bob' to accept.");
        table.passes(5);
        table.says(
            "** You are now playing a 3 point match with bob\r\nStarting a new game with bob.",
        );
        table.says("You rolled 2, bob rolled 6\r\nbob makes the first move.");
        table.says(BOBS_TURN);
        table.passes(5);
        assert!(table.session.is_playing());
        table.sent.clear();
        table
    }

    pub(crate) fn hears(&mut self, text: &str) {
        let Table { session, decoder, parser, player, now, .. } = self;
        decoder.decode(text.as_bytes(), |line| {
            parser.parse(&line, |message| session.message(message, *now, player));
        });
    }

    pub(crate) fn says(&mut self, lines: &str) {
        self.hears(&format!("{lines}\r\n"));
    }

    pub(crate) fn passes(&mut self, seconds: u64) {
        self.until(self.now + Duration::from_secs(seconds));
    }

    /// Lets time pass until `end`.
    pub(crate) fn until(&mut self, end: Duration) {
        self.until_with(end, &mut |_| None);
    }

    /// Lets time pass until `end`. What `server` answers to a command comes before `answers`.
    pub(crate) fn until_with(
        &mut self,
        end: Duration,
        server: &mut dyn FnMut(&str) -> Option<String>,
    ) {
        while self.now < end && self.closed.is_none() {
            match self.session.step(self.now, &mut self.player) {
                Step::Send(command) => {
                    let line = command.line();
                    let usual = self.answers.iter().find(|(verb, _)| line.starts_with(verb));
                    let answer = server(&line).or(usual.map(|(_, text)| (*text).to_owned()));
                    self.sent.push((self.now, line));
                    if let Some(answer) = answer.filter(|text| !text.is_empty()) {
                        self.says(&answer);
                    }
                }
                Step::Wait(until) => {
                    self.now = until.max(self.now + Duration::from_millis(50)).min(end);
                }
                Step::Close(close) => self.closed = Some(close),
            }
        }
    }

    pub(crate) fn sent(&self, line: &str) -> usize {
        self.sent.iter().filter(|(_, sent)| sent == line).count()
    }

    pub(crate) fn warned(&self, words: &str) -> bool {
        self.player
            .events
            .iter()
            .any(|event| matches!(event, Event::Warning(text) | Event::Stuck(text) if text.contains(words)))
    }
}
