//! Clients that mean harm: the server stays up, and others go on.

use std::time::{Duration, Instant};

use fibs::Password;
use fibs::oneshot::Listener;
use fibs::server::{Limits, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::{Client, options, server};

#[tokio::test(start_paused = true)]
async fn escape_sequences_reach_nobody_by_any_way() {
    let server = server(&["ann", "bob", "eve"]);
    let mut eve = Client::connect(&server).await;
    eve.say("login e\u{1b}[2Jvil 1008 eve Zanzibar7").await;
    let (mut ann, mut bob) =
        (Client::program(&server, "ann").await, Client::person(&server, "bob").await);
    for line in [
        "tell bob",
        "shout",
        "kibitz",
        "message bob",
        "away",
        "message ann",
        "address",
        "invite",
        "watch",
    ] {
        for evil in
            ["\u{1b}]0;owned\u{7}x", "\u{1b}[2J\u{1b}[1;1Hx", "\u{9b}31mx\u{8}\u{7f}", "x\u{202e}y"]
        {
            eve.say(&format!("{line} {evil}")).await;
        }
    }
    eve.send(b"tell ann \x1b[31m\x00\x01\x02\x9b\xff\xfe\xc2\x9b31m\x85 end\r\n").await;
    eve.read().await;
    let (heard_by_ann, heard_by_bob) = (ann.read().await, bob.read().await);
    assert!(heard_by_ann.contains("end") && heard_by_bob.contains("eve shouts: x"));
    for heard in [
        &heard_by_ann,
        &heard_by_bob,
        &ann.say("who").await,
        &bob.say("who").await,
        &ann.say("away").await,
    ] {
        let evil = |c: char| (c.is_control() && !"\r\n".contains(c)) || c == '\u{202e}';
        assert!(!heard.contains(evil), "{heard:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_burst_of_one_user_disconnects_no_client_that_reads() {
    let server = server(&["ann", "eve"]);
    let (mut ann, mut eve) =
        (Client::program(&server, "ann").await, Client::person(&server, "eve").await);
    ann.read().await;
    let toggles = format!("toggle{}\r\n", " ready".repeat(680));
    eve.send(toggles.repeat(4).as_bytes()).await;
    eve.send("tell ann x\r\n".repeat(5000).as_bytes()).await;
    let heard = ann.read().await;
    assert!(!ann.closed, "cut off after {} bytes", heard.len());
    assert_eq!(heard.matches("12 eve x\r\n").count(), 5000);
    assert!(!heard.contains("5 eve"), "eve is as ready as before each line");
    assert!(ann.say("time").await.contains("2010"));
}

async fn read_all(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let _ = timeout(Duration::from_secs(20), stream.read_to_end(&mut text)).await;
    String::from_utf8_lossy(&text).into_owned()
}

/// Reads until a text has come.
async fn until(stream: &mut TcpStream, wanted: &str) -> String {
    let (mut text, mut buffer) = (String::new(), [0; 4096]);
    while !text.contains(wanted) {
        let read = timeout(Duration::from_secs(20), stream.read(&mut buffer)).await;
        let n = read.expect("in time").expect("a connection");
        assert!(n > 0, "closed after {text:?} without {wanted:?}");
        text += &String::from_utf8_lossy(&buffer[..n]);
    }
    text
}

#[tokio::test]
async fn many_connections_binary_input_and_wrong_passwords_leave_the_server_up() {
    let limits = Limits {
        connections: 60,
        connections_per_address: 40,
        wrong_passwords: 3,
        ..Limits::default()
    };
    let server = Server::open_with(&options(None), limits).expect("a server");
    server.register("ann", &Password::new("Zanzibar7").expect("good"));
    let listener = Listener::bind("127.0.0.1", 0).await.expect("a free port");
    let port = listener.port();
    let serving = server.clone();
    let task = tokio::spawn(async move { listener.serve(&serving).await });
    let connect = || TcpStream::connect(("127.0.0.1", port));

    let mut ann = connect().await.expect("a connection");
    until(&mut ann, "login: ").await;
    ann.write_all(b"login test 1008 ann Zanzibar7\r\n").await.expect("sent");
    until(&mut ann, "\r\n6\r\n").await;

    // Wrong passwords: the answers take longer, then the address is refused, even with the right
    // one.
    let mut guesser = connect().await.expect("a connection");
    until(&mut guesser, "login: ").await;
    let began = Instant::now();
    for _ in 0..3 {
        guesser.write_all(b"login test 1008 ann wrong\r\n").await.expect("sent");
        until(&mut guesser, "login: ").await;
    }
    assert!(began.elapsed() >= Duration::from_secs(3), "{:?}", began.elapsed());
    guesser.write_all(b"login test 1008 ann Zanzibar7\r\n").await.expect("sent");
    let said = read_all(&mut guesser).await;
    let refusal =
        "** Too many wrong passwords from your address. Please try again in 10 minutes.\r\n";
    assert_eq!(said, refusal);
    drop(guesser);
    let log = server.take_log();
    assert!(log.iter().any(|line| line.starts_with("refuses logins from 127.0.0.1")), "{log:?}");

    // Too many connections: some are served, the rest are told why not.
    let mut crowd = Vec::new();
    for _ in 0..39 {
        let mut one = connect().await.expect("a connection");
        until(&mut one, "login: ").await;
        crowd.push(one);
    }
    let mut refused = connect().await.expect("a connection");
    let said = read_all(&mut refused).await;
    assert!(said.starts_with("** Too many connections from your address (40)."), "{said}");

    // Binary input, lines without end, half a login.
    let noise: Vec<u8> = (0..=255u8).cycle().take(300_000).collect();
    for (i, one) in crowd.iter_mut().enumerate() {
        let _ = match i % 4 {
            0 => one.write_all(&noise).await,
            1 => one.write_all(&vec![b'x'; 300_000]).await,
            2 => one.write_all(b"login \xff\xfb\x01 1008 \x00\r\nconnect x\r\nname x\r\n").await,
            _ => one.write_all(b"\r\n\r\nlogin a b c d e f\r\n").await,
        };
    }
    drop(crowd);

    // Who is logged in goes on, and others are served.
    ann.write_all(b"time\r\n").await.expect("sent");
    until(&mut ann, "2010").await;
    for _ in 0..100 {
        let mut one = connect().await.expect("a connection");
        let mut buffer = [0; 4];
        one.read_exact(&mut buffer).await.expect("a greeting or a refusal");
        if buffer != *b"** T" {
            until(&mut one, "login: ").await;
            task.abort();
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no room after the crowd has left");
}
