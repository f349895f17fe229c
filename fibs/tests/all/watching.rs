//! What the practice server tells those who watch a match: sentences in the third person, as
//! BaldLies and FIBS send them.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::time::Duration;

use backgammon::{FibsBoard, candidates};
use fibs::Password;
use fibs::client::Connect;
use fibs::message::{Message, Parser};
use fibs::server::{InProcessConnector, Options, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::time::timeout;

/// A client that sends lines and keeps what comes.
struct RawClient(DuplexStream);

impl RawClient {
    async fn log_in(server: &Server, name: &str) -> RawClient {
        server.register(name, &Password::new("Zanzibar7").expect("good"));
        let stream = InProcessConnector::new(server, None).connect().await.expect("in memory");
        let mut client = RawClient(stream);
        client.says(&format!("login test 1008 {name} Zanzibar7")).await;
        client
    }

    /// Sends a line and returns the lines that have come since the last call.
    async fn says(&mut self, line: &str) -> Vec<String> {
        self.0.write_all(format!("{line}\r\n").as_bytes()).await.expect("in memory");
        self.hears().await
    }

    async fn hears(&mut self) -> Vec<String> {
        let (mut text, mut buffer) = (Vec::new(), [0; 4096]);
        while let Ok(Ok(n @ 1..)) = timeout(Duration::from_secs(1), self.0.read(&mut buffer)).await
        {
            text.extend_from_slice(&buffer[..n]);
        }
        String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
    }

    /// The lines about the match that have come since the last call.
    async fn watches(&mut self) -> Vec<String> {
        let mut lines = self.hears().await;
        lines.retain(|line| !line.starts_with(['5', '6']) && !line.starts_with("board:"));
        lines
    }

    /// The own view of the board.
    async fn board(&mut self) -> FibsBoard {
        let lines = self.says("board").await;
        let line = lines.iter().rev().find(|line| line.starts_with("board:")).expect("a board");
        FibsBoard::parse(line).expect("a board").0
    }
}

fn server() -> Server {
    Server::open(&Options { state: None, sync: false, seed: 7, forgets: 0.0, clock: || 0 })
        .expect("a server")
}

#[tokio::test(start_paused = true)]
async fn watchers_hear_of_cube_actions_resignations_and_results_by_name() {
    let server = server();
    let mut ann = RawClient::log_in(&server, "ann").await;
    let mut bob = RawClient::log_in(&server, "bob").await;
    let mut eve = RawClient::log_in(&server, "eve").await;
    let said = eve.says("watch ann").await;
    assert!(said.contains(&"You're now watching ann.".to_owned()), "{said:?}");
    assert!(said.contains(&"ann is not doing anything interesting.".to_owned()), "{said:?}");
    eve.says("toggle report").await;

    ann.says("invite bob 3").await;
    bob.says("join ann").await;
    let begin = eve.watches().await;
    assert_eq!(begin[0], "ann and bob start a 3 point match.");
    let names = ["ann".to_owned(), "bob".to_owned()];
    let [Message::WatchedOpeningRoll { names: rolled, dice }] = &Parser::messages(&begin[1])[..]
    else {
        unreachable!("an opening roll: {begin:?}")
    };
    let ahead = usize::from(dice[1] > dice[0]);
    assert!(names.iter().all(|name| rolled.contains(name)));
    assert_eq!(begin[2], format!("{} makes the first move.", rolled[ahead]));

    ann.says("resign g").await;
    bob.says("reject").await;
    ann.says("resign n").await;
    bob.says("accept").await;
    assert_eq!(
        eve.watches().await,
        [
            "ann wants to resign. bob will win 2 points.",
            "bob rejects. The game continues.",
            "ann wants to resign. bob will win 1 point.",
            "bob accepts and wins 1 point.",
            "score in 3 point match: bob-1 ann-0",
        ]
    );

    // Whoever moves first plays any legal play; the other doubles.
    ann.says("join").await;
    bob.says("join").await;
    let board = ann.board().await;
    let ann_first = board.on_roll() == Some(backgammon::Side::Own);
    let (mover, doubler, names) = if ann_first {
        (&mut ann, &mut bob, ["ann", "bob"])
    } else {
        (&mut bob, &mut ann, ["bob", "ann"])
    };
    let board = mover.board().await;
    let dice = board.rolled().expect("the opening roll");
    let after = candidates(&board.position, dice)[0].after;
    let steps = board.position.steps_to(dice, &after).expect("legal");
    let moves = board.write_moves(steps.iter().map(|step| (step.from, step.to)));
    mover.says(&format!("move {moves}")).await;
    doubler.says("double").await;
    mover.says("accept").await;
    let said = eve.watches().await;
    let [mover_name, doubler_name] = names;
    let expected = [
        format!("{mover_name} moves {moves} ."),
        format!("{doubler_name} doubles."),
        format!("{mover_name} accepts the double."),
    ];
    assert_eq!(said[2..5], expected, "{said:?}");
    assert!(said[5].starts_with(&format!("{doubler_name} rolls ")), "{said:?}");

    // With the cube at 2 this ends the match.
    ann.says("resign g").await;
    bob.says("accept").await;
    assert_eq!(
        eve.watches().await,
        [
            "ann wants to resign. bob will win 4 points.",
            "bob accepts and wins 4 points.",
            "bob wins the 3 point match 5-0 .",
            "bob wins a 3 point match against ann  5-0 .",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_player_watches_neither_themself_nor_anyone_while_playing() {
    let server = server();
    let mut ann = RawClient::log_in(&server, "ann").await;
    let mut bob = RawClient::log_in(&server, "bob").await;
    let mut eve = RawClient::log_in(&server, "eve").await;
    assert_eq!(
        ann.says("watch ann").await.last().expect("an answer"),
        "** Use a mirror to do that."
    );
    assert_eq!(ann.says("unwatch").await, ["** You're not watching."]);
    eve.says("watch ann").await;
    ann.says("invite bob 1").await;
    bob.says("join ann").await;
    assert_eq!(
        bob.says("watch eve").await.last().expect("an answer"),
        "** You can't watch another game while you're playing."
    );
    // Neither player hears the sentences that are for watchers.
    ann.says("resign n").await;
    let heard = bob.says("reject").await;
    assert!(!heard.iter().any(|line| line == "ann wants to resign. bob will win 1 point."));
    ann.says("bye").await;
    let heard = eve.watches().await;
    assert!(heard.contains(&"ann logs out. You're not watching anymore.".to_owned()), "{heard:?}");
    assert_eq!(eve.says("unwatch").await, ["** You're not watching."]);
}
