//! An hour on the practice server, on paused time: no wait of the session is longer than its
//! deadline.
//!
//! The opponents cut the line, fall silent, drop out and chat. Unknown sentences come in between.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::future::pending;
use std::time::Duration;

use backgammon::Position;
use fibs::Password;
use fibs::agent::{Agent, Event, IdleAction, Lobby, TurnContext};
use fibs::client::{Connect, run};
use fibs::codec::Decoder;
use fibs::message::{Length, Parser};
use fibs::server::{FaultConfig, FaultyLink, InProcessConnector, Options, Server};
use fibs::session::{Close, Config, Session, Step};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, sleep, timeout};

fn password() -> Password {
    Password::new("Zanzibar7").expect("good")
}

/// Plays at random; challenges ann, if it is not ann.
struct Player {
    rng: Pcg64,
    challenges: bool,
    finished: u32,
    left: u32,
    warnings: Vec<String>,
}

impl Player {
    fn new(seed: u64, challenges: bool) -> Player {
        let rng = Pcg64::seed_from_u64(seed);
        Player { rng, challenges, finished: 0, left: 0, warnings: Vec::new() }
    }
}

impl Agent for Player {
    fn play(&mut self, turn: &TurnContext) -> Position {
        turn.plays[self.rng.random_range(0..turn.plays.len())].after
    }

    fn idle(&mut self, lobby: &Lobby) -> IdleAction {
        let free = lobby.players.get("ann").is_some_and(|who| who.opponent.is_none());
        if self.challenges && free {
            return IdleAction::Invite("ann".to_owned(), Length::Points(1));
        }
        IdleAction::Nothing
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::MatchOver { .. } => self.finished += 1,
            Event::Left { .. } => self.left += 1,
            Event::Warning(text) | Event::Stuck(text) => self.warnings.push(text.clone()),
            _ => {}
        }
    }
}

/// A player who plays properly for `online` at a time and is then gone for `offline` without a
/// word.
async fn opponent(
    server: &Server,
    name: &'static str,
    seed: u64,
    think: Duration,
    online: Duration,
    offline: Duration,
) {
    loop {
        let mut config = Config::new("test", name, password());
        config.seed = seed;
        config.pace.think = [think, 2 * think];
        let mut player = Player::new(seed, true);
        let mut connector = InProcessConnector::new(server, None);
        let _ = timeout(online, run(&mut connector, config, &mut player, pending(), |_| {})).await;
        sleep(offline).await;
    }
}

/// Talks to everybody without end.
async fn chatter(server: &Server) {
    let mut stream = InProcessConnector::new(server, None).connect().await.expect("a connection");
    let (mut buffer, mut n) = (vec![0; 4096], 0u32);
    stream.write_all(b"login test 1008 eve Zanzibar7\r\n").await.expect("written");
    loop {
        let _ = timeout(Duration::from_secs(7), stream.read(&mut buffer)).await;
        n += 1;
        let line = match n % 4 {
            0 => "tell ann You win the 5 point match 5-3 .",
            1 => "shout ** You're not playing.",
            2 => "tell ann help",
            _ => "invite ann 3",
        };
        if stream.write_all(format!("{line}\r\n").as_bytes()).await.is_err() {
            return;
        }
        sleep(Duration::from_secs(5)).await;
    }
}

/// Sentences of unknown servers.
const UNKNOWN: &[&str] = &[
    "** Your horoscope is favourable today.",
    "A storm is coming from the north.",
    "** Error 17: the flux is inverted.",
    "board",
    "5",
    "bob and eve start a 5 point match.",
    "** 3 users are waiting for the bus.",
];

/// Runs ann's session and holds each wait to its deadline; the longest of each kind, in seconds.
async fn ann(server: &Server, link: &FaultyLink, player: &mut Player) -> BTreeMap<String, f64> {
    let began = Instant::now();
    let mut session = Session::new(Config::new("test", "ann", password()));
    let mut rng = Pcg64::seed_from_u64(77);
    let mut longest = BTreeMap::new();
    let hour = Duration::from_secs(3600);
    while began.elapsed() < hour {
        let mut stream =
            InProcessConnector::new(server, Some(link)).connect().await.expect("a link");
        session.connected(began.elapsed(), player);
        let (mut decoder, mut parser) = (Decoder::default(), Parser::default());
        let mut buffer = vec![0; 4096];
        loop {
            let now = began.elapsed();
            let step = session.step(now, player);
            let (waiting, since) = session.waiting();
            let age = (now - since).as_secs_f64();
            let kind = longest.entry(format!("{waiting:?}")).or_insert(0.0f64);
            *kind = kind.max(age);
            if let Some(deadline) = waiting.deadline() {
                assert!(
                    age <= deadline.as_secs_f64(),
                    "{waiting:?} for {age} s: {:?}",
                    player.warnings
                );
            }
            let until = match step {
                Step::Send(command) => {
                    if stream.write_all(format!("{}\r\n", command.line()).as_bytes()).await.is_err()
                    {
                        break;
                    }
                    continue;
                }
                Step::Close(Close::Refused) => panic!("ann's password is right"),
                Step::Close(_) => break,
                Step::Wait(until) => until.min(now + Duration::from_secs(60)),
            };
            if now >= hour {
                break;
            }
            let wait = (began + until).max(Instant::now() + Duration::from_millis(1));
            tokio::select! {
                biased;
                read = stream.read(&mut buffer) => {
                    let Ok(n @ 1..) = read else { break };
                    let now = began.elapsed();
                    decoder.decode(&buffer[..n], |line| {
                        parser.parse(&line, |message| session.message(message, now, player));
                    });
                    if session.is_online() && rng.random_bool(0.05) {
                        let line = UNKNOWN[rng.random_range(0..UNKNOWN.len())];
                        for message in Parser::messages(line) {
                            session.message(message, now, player);
                        }
                    }
                }
                () = tokio::time::sleep_until(wait) => {}
            }
        }
        sleep(Duration::from_secs(2)).await;
    }
    longest
}

#[tokio::test(start_paused = true)]
async fn an_hour_among_hostile_players_has_no_wait_longer_than_its_deadline() {
    let options = Options { state: None, sync: false, seed: 5, forgets: 0.05, clock: || 0 };
    let server = Server::open(&options).expect("a server");
    for name in ["ann", "bob", "stan", "dan", "eve"] {
        server.register(name, &password());
    }
    let link = FaultyLink::new(FaultConfig {
        seed: 3,
        cut: 0.001,
        swallow: 0.02,
        repeat: 0.05,
        late: 0.05,
        delay: Duration::from_secs(3),
    });
    let seconds = Duration::from_secs;
    let mut player = Player::new(1, false);
    let longest = tokio::select! {
        biased;
        longest = ann(&server, &link, &mut player) => longest,
        () = opponent(&server, "bob", 2, seconds(1), seconds(1500), seconds(20)) => panic!("bob goes on"),
        // Falls silent in the middle of a match.
        () = opponent(&server, "stan", 3, seconds(1200), seconds(900), seconds(60)) => panic!("stan goes on"),
        // Drops out again and again.
        () = opponent(&server, "dan", 4, seconds(1), seconds(50), seconds(40)) => panic!("dan goes on"),
        () = chatter(&server) => panic!("eve goes on"),
    };
    assert!(player.finished >= 3, "{} matches finished, {longest:?}", player.finished);
    assert!(player.left >= 3, "{} matches were cut off, {longest:?}", player.left);
    assert!(longest.contains_key("Opponent") && longest.contains_key("Effect"), "{longest:?}");
}
