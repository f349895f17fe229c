//! A session among hostile players on a server that is right in everything. Each seed makes other
//! players. They talk in the server's own sentences, nag, stall, resign, leave and return at every
//! moment, and replace or withdraw their offers.

use std::collections::BTreeMap;
use std::time::Duration;

use backgammon::{FibsBoard, Position, Stake};
use fibs::Password;
use fibs::agent::{Agent, Event, Invitation, TurnContext};
use fibs::codec::Decoder;
use fibs::message::{Chat, Length, Parser, Toggle, sentences};
use fibs::session::{Config, Session, Step, Waiting};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use super::model::{self, BOB, Habits, Model};

/// A match takes this long at most: bob may stall for five minutes in every turn.
const LONGEST: Duration = Duration::from_secs(48 * 3600);
/// Chat makes the session ask the server at most this often.
const QUESTIONS: Duration = Duration::from_secs(10);
/// Names that begin the server's sentences.
const NAMES: [&str; 14] = [
    "eve",
    "You",
    "Player",
    "Type",
    "Starting",
    "Value",
    "Connection",
    "The",
    "Please",
    "score",
    "It",
    "turn",
    "Closed",
    "board",
];
const CHEAT: &str = "This is not the match that we agreed on, so I leave it.";

/// Plays at random, and answers whoever asks.
struct Player {
    rng: Pcg64,
    open: Vec<String>,
    bad_boards: u32,
    warnings: Vec<String>,
    log: Vec<String>,
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

    fn invited(&mut self, invitation: &Invitation) -> Result<(), String> {
        match invitation.length {
            Length::Points(1..=9) => Ok(()),
            _ => Err("I play matches of 1 to 9 points.".to_owned()),
        }
    }

    fn on_chat(&mut self, chat: &Chat) -> Vec<String> {
        if chat.text == "help" { vec!["I am a bot.".to_owned()] } else { Vec::new() }
    }

    fn unfinished(&self) -> Vec<String> {
        self.open.clone()
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Match { opponent, .. } => self.open = vec![opponent.clone()],
            Event::MatchOver { .. } => self.open.clear(),
            Event::BadBoard(_) => self.bad_boards += 1,
            Event::Warning(text) | Event::Stuck(text) => self.warnings.push(text.clone()),
            _ => {}
        }
        self.log.push(format!("{event:?}"));
    }
}

/// What the players say and do.
struct Crowd {
    rng: Pcg64,
    texts: Vec<String>,
    /// The mean time between two lines, and when the next one comes.
    gap: Duration,
    next: Duration,
    /// Wordings of away texts that no client knows.
    odd_away: bool,
    nags: f64,
    resigns: u32,
    leaves: u32,
    stalls: u32,
    /// When bob last stalled: he does it once before he goes on.
    stalled: Duration,
    /// The match of 25 points that eve began instead of one of 1 point.
    cheated: bool,
    cheats: u32,
}

const EVES_BOARD: &str = "board:You:eve:25:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0";

impl Crowd {
    fn new(seed: u64) -> Crowd {
        let mut rng = Pcg64::seed_from_u64(seed ^ 0xc20d);
        let gap = [200, 400, 1500, 5000, 20_000][rng.random_range(0..5)];
        let toggles = Toggle::ALL.iter().flat_map(|toggle| toggle.answers());
        let clip = [
            "5 me - - 1 0 1500.0 0 0 99 here x -",
            "7 me me logs in.",
            "3",
            "login: ",
            EVES_BOARD,
            "*** ATTENTION ! FIBS will shut down in 30 seconds...",
        ];
        let texts = sentences().chain(toggles).chain(clip).map(str::to_owned).collect();
        let nags = if rng.random_bool(0.5) { 0.3 } else { 0.02 };
        let odd_away = rng.random_bool(0.3);
        Crowd {
            gap: Duration::from_millis(gap),
            next: Duration::from_secs(25),
            texts,
            odd_away,
            nags,
            resigns: rng.random_range(0..12),
            leaves: rng.random_range(0..6),
            stalls: rng.random_range(0..8),
            stalled: Duration::ZERO,
            cheated: false,
            cheats: rng.random_range(0..4),
            rng,
        }
    }

    fn name(&mut self) -> &'static str {
        NAMES[self.rng.random_range(0..NAMES.len())]
    }

    /// A sentence of the server, whole or cut, with names in it.
    fn text(&mut self) -> String {
        let mut text = self.texts[self.rng.random_range(0..self.texts.len())].clone();
        while text.contains("{w}") {
            let name = ["me", BOB, "eve"][self.rng.random_range(0..3)];
            text = text.replacen("{w}", name, 1);
        }
        text = text.replace("{n}", "3").replace("{d}", "1.5").replace("{*}", "game ");
        if self.rng.random_bool(0.3) {
            text.truncate(self.rng.random_range(0..=text.len()));
        }
        text
    }

    fn away(&mut self, name: &str) -> String {
        let text = self.text();
        if self.odd_away && self.rng.random_bool(0.5) {
            return format!("{name} (away): {text}\r\n");
        }
        format!("{name} is away: {text}\r\n")
    }

    /// Lines that players cause now.
    fn says(&mut self, model: &Model) -> String {
        if self.rng.random_bool(self.nags) {
            let word = ["move!", "roll", "join", "hello?", "rolling"][self.rng.random_range(0..5)];
            let channel = [12, 13, 15][self.rng.random_range(0..3)];
            return format!("{channel} {BOB} {word}\r\n");
        }
        let (name, text) = (self.name(), self.text());
        match self.rng.random_range(0..12) {
            0 | 1 => format!("13 {name} {text}\r\n"),
            2 => format!("12 {name} {text}\r\n"),
            3 => format!("15 {BOB} {text}\r\n"),
            4 => format!("9 {name} 1041253132 {text}\r\n"),
            5 => format!("14 {name} {text}\r\n12 {name} help\r\n"),
            6 => self.away(BOB),
            7 => self.away(name),
            8 => format!("{name} is watching you.\r\n7 {name} {name} logs in.\r\n"),
            9 => format!("5 {name} me - 1 0 - 4294967296 x x host client -\r\n6\r\n"),
            10 => format!("8 {name} {name} logs out.\r\n"),
            _ if model.is_playing() || self.cheated => {
                format!(
                    "{name} wants to play a 3 point match with you.\r\nType 'join {name}' to accept.\r\n"
                )
            }
            _ if self.cheats > 0 => {
                let offer =
                    "eve wants to play a 1 point match with you.\r\nType 'join eve' to accept.\r\n";
                let other = "eve wants to play a 25 point match with you.\r\nType 'join eve' to accept.\r\n";
                if self.rng.random_bool(0.3) { format!("{offer}{other}") } else { offer.to_owned() }
            }
            _ => format!("13 {name} {text}\r\n"),
        }
    }

    /// What bob does besides playing by the rules.
    fn acts(&mut self, model: &mut Model, now: Duration) {
        if !model.is_playing() || model.progress_at > now {
            return;
        }
        if self.resigns > 0 && self.rng.random_bool(0.02) {
            self.resigns -= 1;
            model.bob_resigns(self.rng.random_range(1..4), now);
        }
        if self.leaves > 0 && self.rng.random_bool(0.01) {
            self.leaves -= 1;
            model.bob_leaves(Duration::from_secs(self.rng.random_range(1..100)), now);
        }
        if self.stalls > 0 && self.rng.random_bool(0.05) && model.progress_at > self.stalled {
            self.stalls -= 1;
            self.stalled = now;
            model.bob_stalls(Duration::from_secs(self.rng.random_range(20..285)), now);
        }
    }

    /// The answer to a command that concerns other players than bob, if it is one.
    fn answers(&mut self, line: &str, model: &Model) -> Option<String> {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["tell", name, ..] if self.rng.random_bool(0.5) => Some(self.away(name)),
            ["join", name] if *name != BOB => {
                if model.is_playing() {
                    return Some("** You can't play two games at once.\r\n".to_owned());
                }
                if *name != "eve" || self.cheats == 0 || self.rng.random_bool(0.3) {
                    return Some(format!("** {name} didn't invite you.\r\n"));
                }
                self.cheats -= 1;
                self.cheated = true;
                Some(format!(
                    "** You are now playing a 25 point match with eve\r\n\
                     5 me eve - 1 0 1500.0 10 0 1795226968 host client -\r\n6\r\n\
                     Starting a new game with eve.\r\nYou rolled 6, eve rolled 2\r\n\
                     It's your turn to move.\r\n{EVES_BOARD}\r\n"
                ))
            }
            ["leave"] if self.cheated => {
                self.cheated = false;
                Some(
                    "** You terminated the game. The game was saved.\r\n\
                     5 me - - 1 0 1500.0 10 0 1795226968 host client -\r\n6\r\n"
                        .to_owned(),
                )
            }
            ["board" | "b" | "redraw"] if self.cheated => Some(format!("{EVES_BOARD}\r\n")),
            ["join" | "roll" | "move" | "invite", ..] if self.cheated => {
                panic!("the cheat was played with: {line}")
            }
            _ => None,
        }
    }
}

#[derive(Debug, Default)]
struct Figures {
    questions: u32,
    cheats_left: u32,
    lines: u32,
    seconds: f64,
    longest_pause: f64,
}

/// Plays one match among the players of this seed.
fn play(seed: u64) -> Figures {
    let mut model = Model::new(Habits::proper(seed), seed);
    let mut crowd = Crowd::new(seed);
    let mut config = Config::new("test", model::ME, Password::new("Zanzibar7").expect("good"));
    config.seed = seed;
    let mut player = Player {
        rng: Pcg64::seed_from_u64(seed ^ 7),
        open: Vec::new(),
        bad_boards: 0,
        warnings: Vec::new(),
        log: Vec::new(),
    };
    let mut session = Session::new(config);
    let (mut decoder, mut parser) = (Decoder::default(), Parser::default());
    let (mut now, mut figures) = (Duration::ZERO, Figures::default());
    let mut asked = None::<Duration>;
    session.connected(now, &mut player);
    model.connected(now + model::FIRST);
    let tail = |player: &Player| {
        if let Some(folder) = std::env::var_os("CHAOS_LOGS") {
            let path = std::path::Path::new(&folder).join(format!("players-{seed}.log"));
            std::fs::write(path, player.log.join("\n")).expect("a log");
        }
        player.log.iter().rev().take(80).rev().cloned().collect::<Vec<_>>().join("\n")
    };
    while !model.over || session.is_playing() {
        assert!(now < LONGEST, "seed {seed}: no end\n{}", tail(&player));
        model.passes(now);
        let mut heard = Vec::new();
        while let Some(line) = model.line(now) {
            // While eve's match is on, bob can only invite.
            heard.push(line);
        }
        if now >= crowd.next {
            let factor = crowd.rng.random_range(0.0..2.0);
            crowd.next = now + crowd.gap.mul_f64(factor).max(Duration::from_millis(20));
            heard.push(crowd.says(&model));
            crowd.acts(&mut model, now);
            figures.lines += 1;
        }
        for line in heard {
            player.log.push(format!("{:9.2} < {line}", now.as_secs_f64()));
            decoder.decode(line.as_bytes(), |line| {
                parser.parse(&line, |message| session.message(message, now, &mut player));
            });
        }
        let step = session.step(now, &mut player);
        let (waiting, since) = session.waiting();
        if let Some(deadline) = waiting.deadline() {
            let age = now - since;
            assert!(age <= deadline, "seed {seed}: {waiting:?} for {age:?}\n{}", tail(&player));
        }
        if session.is_playing() && model.is_playing() {
            let pause = now.saturating_sub(model.progress_at).as_secs_f64();
            figures.longest_pause = figures.longest_pause.max(pause);
            assert!(pause < 400.0, "seed {seed}: nothing moves\n{}", tail(&player));
        }
        match step {
            Step::Send(command) => {
                let line = command.line();
                player.log.push(format!("{:9.2} > {line}", now.as_secs_f64()));
                let is_board = ["board", "b", "redraw"].contains(&line.as_str());
                // The game does not wait for this board: words of players are the cause.
                let calm = matches!(waiting, Waiting::Pace | Waiting::Opponent | Waiting::Effect);
                if is_board && calm {
                    let early = asked.is_some_and(|at| now < at + QUESTIONS);
                    assert!(!early, "seed {seed}: asked again after {asked:?}\n{}", tail(&player));
                    asked = Some(now);
                    figures.questions += 1;
                }
                if line == "leave" {
                    assert!(crowd.cheated, "seed {seed}: the bot leaves\n{}", tail(&player));
                    figures.cheats_left += 1;
                }
                match crowd.answers(&line, &model) {
                    Some(answer) => {
                        player.log.push(format!("{:9.2} < {answer}", now.as_secs_f64()));
                        decoder.decode(answer.as_bytes(), |line| {
                            parser.parse(&line, |message| {
                                session.message(message, now, &mut player);
                            });
                        });
                    }
                    None => model.command(&line, now),
                }
            }
            Step::Wait(until) => {
                let next = until.min(model.next_due()).min(crowd.next);
                now = next.max(now + Duration::from_millis(10));
            }
            Step::Close(close) => panic!("seed {seed}: closed {close:?}\n{}", tail(&player)),
        }
    }
    assert!(!model.overwritten, "seed {seed}: a saved match was overwritten\n{}", tail(&player));
    assert_eq!(player.bad_boards, 0, "seed {seed}\n{}", tail(&player));
    let told =
        player.log.iter().filter(|line| line.ends_with(&format!("> tell eve {CHEAT}"))).count();
    assert!(told as u32 <= figures.cheats_left, "seed {seed}");
    if let Some(folder) = std::env::var_os("CHAOS_LOGS") {
        let path = std::path::Path::new(&folder).join(format!("players-{seed}.log"));
        std::fs::write(path, player.log.join("\n")).expect("a log");
    }
    figures.seconds = now.as_secs_f64();
    figures
}

fn survey(seeds: std::ops::Range<u64>) -> BTreeMap<&'static str, f64> {
    let mut all = BTreeMap::new();
    for seed in seeds {
        let figures = play(seed);
        for (name, value) in [
            ("matches finished", 1.0),
            ("lines of players", f64::from(figures.lines)),
            ("questions in calm moments", f64::from(figures.questions)),
            ("replaced offers left", f64::from(figures.cheats_left)),
            ("hours", figures.seconds / 3600.0),
        ] {
            *all.entry(name).or_default() += value;
        }
        let longest: &mut f64 = all.entry("longest pause, s").or_default();
        *longest = longest.max(figures.longest_pause);
    }
    all
}

#[test]
fn forty_crowds_of_hostile_players_stop_no_match() {
    let figures = survey(0..40);
    assert!(figures["replaced offers left"] >= 3.0, "{figures:?}");
}

#[test]
#[ignore = "minutes"]
fn a_thousand_crowds_of_hostile_players_stop_no_match() {
    println!("{:#?}", survey(0..1000));
}
