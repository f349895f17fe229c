//! Whole matches between two clients and the practice server, in memory and on paused time, over
//! reliable and faulty links.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::cell::RefCell;
use std::future::pending;
use std::rc::Rc;
use std::time::Duration;

use backgammon::{FibsBoard, Position, Stake};
use fibs::Password;
use fibs::agent::{Agent, Event, IdleAction, Invitation, Lobby, TurnContext};
use fibs::client::{Direction, End, Notice, Observer, run};
use fibs::message::Length;
use fibs::server::{FaultConfig, FaultyLink, InProcessConnector, Options, Server};
use fibs::session::Config;
use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64;

#[derive(Default, Debug)]
struct Observed {
    started: u32,
    ended: usize,
    won: Vec<bool>,
    refused: u32,
    histories: u32,
    lost_histories: u32,
    unknown: Vec<String>,
    sent: u64,
    /// Since the last match began.
    events: Vec<Event>,
    unfinished: bool,
}

/// Makes random decisions, with many doubles and resignations.
struct RandomAgent {
    rng: Pcg64,
    observed: Rc<RefCell<Observed>>,
    challenges: Option<(String, u32, usize)>,
}

impl RandomAgent {
    fn chance(&mut self, one_in: u32) -> bool {
        self.rng.next_u32().is_multiple_of(one_in)
    }
}

impl Agent for RandomAgent {
    fn play(&mut self, turn: &TurnContext) -> Position {
        turn.plays[self.rng.next_u32() as usize % turn.plays.len()].after
    }

    fn double(&mut self, _: &FibsBoard) -> bool {
        self.chance(12)
    }

    fn take(&mut self, board: &FibsBoard) -> bool {
        board.cube > 8 || self.chance(2)
    }

    fn accept_resignation(&mut self, _: &FibsBoard, stake: Stake) -> bool {
        stake == Stake::Backgammon || self.chance(2)
    }

    fn resign(&mut self, _: &FibsBoard) -> Option<Stake> {
        self.chance(100).then_some(Stake::Gammon)
    }

    fn invited(&mut self, _: &Invitation) -> Result<(), String> {
        Ok(())
    }

    fn idle(&mut self, lobby: &Lobby) -> IdleAction {
        let Some((name, length, matches)) = &self.challenges else { return IdleAction::Nothing };
        if self.observed.borrow().ended >= *matches {
            return IdleAction::Quit;
        }
        if lobby.players.contains_key(name) {
            return IdleAction::Invite(name.clone(), Length::Points(*length));
        }
        IdleAction::Nothing
    }

    fn unfinished(&self) -> Vec<String> {
        let other = if self.challenges.is_some() { "bob" } else { "ann" };
        self.observed.borrow().unfinished.then(|| other.to_owned()).into_iter().collect()
    }

    fn event(&mut self, event: &Event) {
        let mut observed = self.observed.borrow_mut();
        match event {
            Event::Match { length, .. } => {
                observed.started += u32::from(*length != Length::Resume);
                observed.unfinished = true;
            }
            Event::MatchOver { won, .. } => {
                observed.won.push(*won);
                observed.ended += usize::from(std::mem::take(&mut observed.unfinished));
            }
            Event::Refused(_) => observed.refused += 1,
            Event::History { lines, .. } => {
                observed.histories += 1;
                // The match ended while the client was disconnected.
                let points = |side: &str| -> u32 {
                    let wins = lines.iter().filter_map(|line| line.strip_prefix(side));
                    wins.filter_map(|rest| rest.split(' ').next()?.parse::<u32>().ok()).sum()
                };
                let over = points("X: wins ") >= 5 || points("O: wins ") >= 5;
                if over {
                    observed.ended += usize::from(std::mem::take(&mut observed.unfinished));
                }
            }
            Event::HistoryLost { .. } => observed.lost_histories += 1,
            Event::Unknown(line) => observed.unknown.push(line.clone()),
            Event::Sent(_) => observed.sent += 1,
            _ => {}
        }
        observed.events.push(event.clone());
    }
}

fn password() -> Password {
    Password::new("Zanzibar7").expect("good")
}

/// Keeps the lines of the server.
#[derive(Clone, Default)]
struct Lines(Rc<RefCell<Vec<String>>>);

impl Observer for Lines {
    fn notice(&mut self, _: Notice) {}

    fn line(&mut self, direction: Direction, line: &str) {
        if direction == Direction::In {
            self.0.borrow_mut().push(line.to_owned());
        }
    }
}

/// All lines that the server sends to two clients in ten matches to 5 points.
pub(crate) async fn lines_of_matches() -> Vec<String> {
    let lines = Lines::default();
    let _ = observed(10, 5, None, 0.0, &lines).await;
    // The connection begins with a greeting for people.
    let mut lines = lines.0.take();
    let greeting = lines.iter().rposition(|line| line == "login: ").unwrap_or(0);
    lines.drain(..=greeting);
    lines
}

/// What both clients observed, and the number of matches that ended on the server.
async fn play(
    matches: usize,
    length: u32,
    faults: Option<FaultConfig>,
    forgets: f64,
) -> ([Observed; 2], usize) {
    observed(matches, length, faults, forgets, &Lines::default()).await
}

async fn observed(
    matches: usize,
    length: u32,
    faults: Option<FaultConfig>,
    forgets: f64,
    lines: &Lines,
) -> ([Observed; 2], usize) {
    let options = Options { state: None, sync: false, seed: 5, forgets, clock: || 0 };
    let server = Server::open(&options).expect("a server");
    let line = faults.map(FaultyLink::new);
    let observed: [Rc<RefCell<Observed>>; 2] = Default::default();
    let mut clients = Vec::new();
    for (seat, name) in ["ann", "bob"].into_iter().enumerate() {
        server.register(name, &password());
        let mut config = Config::new("test", name, password());
        config.seed = seat as u64;
        let mut agent = RandomAgent {
            rng: Pcg64::seed_from_u64(seat as u64),
            observed: Rc::clone(&observed[seat]),
            challenges: (seat == 0).then(|| ("bob".to_owned(), length, matches)),
        };
        let mut connector = InProcessConnector::new(&server, line.as_ref());
        let lines = lines.clone();
        clients
            .push(async move { run(&mut connector, config, &mut agent, pending(), lines).await });
    }
    let [ann, bob]: [_; 2] = clients.try_into().ok().expect("two");
    tokio::select! {
        // The order in which the clients are polled is fixed.
        biased;
        end = ann => assert_eq!(end, End::Quit),
        _ = bob => panic!("bob quit without being asked"),
        () = tokio::time::sleep(Duration::from_secs(86_400 * 30)) => {
            let tail = |observed: &Observed| observed.events.iter().rev().take(30).rev().map(|e| format!("{e:?}")).collect::<Vec<_>>().join("\n");
            panic!("a month went by: {}\n--\n{}", tail(&observed[0].borrow()), tail(&observed[1].borrow()));
        }
    }
    (observed.map(|observed| std::mem::take(&mut *observed.borrow_mut())), server.take_log().len())
}

#[tokio::test(start_paused = true)]
async fn matches_over_a_reliable_link_are_played_without_refused_commands() {
    let ([ann, bob], ended) = play(10, 5, None, 0.0).await;
    assert_eq!(ended, 10);
    for observed in [&ann, &bob] {
        assert_eq!(
            (observed.started, observed.refused, observed.histories),
            (10, 0, 0),
            "{:?}",
            observed.unknown
        );
    }
    assert_eq!(ann.won.len(), 10);
    let other: Vec<bool> = bob.won.iter().map(|won| !won).collect();
    assert_eq!(ann.won[..9], other[..9]);
}

#[tokio::test(start_paused = true)]
async fn an_opponent_is_soon_invited_to_another_match() {
    let began = tokio::time::Instant::now();
    let (_, ended) = play(20, 1, None, 0.0).await;
    assert_eq!(ended, 20);
    // At the default pace a game takes about two minutes.
    let each = began.elapsed() / 20;
    assert!(each < Duration::from_secs(200), "{each:?}");
}

#[tokio::test(start_paused = true)]
async fn matches_over_a_faulty_link_are_finished() {
    for seed in 0..5 {
        let faults = FaultConfig {
            seed,
            cut: 0.003,
            swallow: 0.02,
            repeat: 0.05,
            late: 0.05,
            delay: Duration::from_secs(3),
        };
        let ([ann, bob], ended) = play(10, 5, Some(faults), 0.1).await;
        assert_eq!(ended, 10, "line {seed}");
        for observed in [&ann, &bob] {
            assert_eq!(observed.lost_histories, 0, "line {seed}: {:?}", observed.unknown);
            // If the link is cut before the sentence that begins a match, the match is seen as one
            // that is resumed.
            assert!((6..=10).contains(&observed.started), "line {seed}: {}", observed.started);
            assert!(
                observed.ended >= 9,
                "line {seed}: {}, the last may be heard of later",
                observed.ended
            );
            assert!(observed.histories > 5, "line {seed}: {}", observed.histories);
        }
    }
}
