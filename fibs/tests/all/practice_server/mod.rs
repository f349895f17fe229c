//! The practice server as people and clients see it: dialogues in the words of FIBS, deadlines, and
//! hostile clients.
//!
//! The sentences are those that FIBS Cookie Monster, a table of FIBS's lines for clients, and the
//! protocol's specification list. Time is paused but where real sockets are used.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

mod client_table;
mod dialogue;
mod hostile;
mod people;
mod words;

use std::path::PathBuf;
use std::time::Duration;

use fibs::Password;
use fibs::client::Connect;
use fibs::server::{InProcessConnector, Options, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::time::{sleep, timeout};

/// 27 July 2010, 21:41:02 UTC.
const NOW: u64 = 1_280_266_862;

fn options(state: Option<PathBuf>) -> Options {
    Options { state, sync: false, seed: 5, forgets: 0.0, clock: || NOW }
}

fn server(names: &[&str]) -> Server {
    let server = Server::open(&options(None)).expect("a server");
    for name in names {
        server.register(name, &Password::new("Zanzibar7").expect("good"));
    }
    server
}

/// A client that sends what it is told and keeps what it reads.
struct Client {
    stream: DuplexStream,
    text: String,
    closed: bool,
}

impl Client {
    async fn connect(server: &Server) -> Client {
        let stream = InProcessConnector::new(server, None).connect().await.expect("in the process");
        let mut client = Client { stream, text: String::new(), closed: false };
        assert!(client.read().await.ends_with("login: "), "{}", client.text);
        client
    }

    /// A person with telnet.
    async fn person(server: &Server, name: &str) -> Client {
        let mut client = Client::connect(server).await;
        client.say(name).await;
        let greeting = client.say("Zanzibar7").await;
        assert!(greeting.ends_with("> "), "{greeting}");
        client
    }

    /// A program that uses the client protocol.
    async fn program(server: &Server, name: &str) -> Client {
        let mut client = Client::connect(server).await;
        let greeting = client.say(&format!("login test 1008 {name} Zanzibar7")).await;
        assert!(greeting.contains("\r\n6\r\n"), "{greeting}");
        client
    }

    /// Sends a line and reads the answer.
    async fn say(&mut self, line: &str) -> String {
        self.send(format!("{line}\r\n").as_bytes()).await;
        self.read().await
    }

    async fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.expect("the server reads");
    }

    /// Reads until the server says no more for two seconds.
    async fn read(&mut self) -> String {
        let (mut new, mut buffer) = (Vec::new(), [0; 4096]);
        while let Ok(read) = timeout(Duration::from_secs(2), self.stream.read(&mut buffer)).await {
            match read.expect("a pipe") {
                0 => {
                    self.closed = true;
                    break;
                }
                n => new.extend_from_slice(&buffer[..n]),
            }
        }
        let new = String::from_utf8_lossy(&new).into_owned();
        self.text += &new;
        new
    }

    /// Lets time pass and reads what has arrived.
    async fn wait(&mut self, seconds: u64) -> String {
        sleep(Duration::from_secs(seconds)).await;
        self.read().await
    }
}
