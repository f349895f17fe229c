//! How a client comes back: after a cut, an outage, a wrong password, a server that cannot be
//! reached. On paused time.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::{pending, poll_fn};
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{self, Poll};
use std::time::Duration;

use backgammon::Position;
use fibs::Password;
use fibs::agent::{Agent, IdleAction, Lobby, TurnContext};
use fibs::client::{Connect, Direction, End, Notice, Observer, run};
use fibs::session::Config;
use tokio::io::{
    AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, ReadBuf, duplex,
};

/// What the server does with a connection.
#[derive(Clone, Copy)]
enum Script {
    /// The connection cannot be made.
    Unreachable,
    /// The prompt comes again after the login, as it does for a wrong password.
    Refuse,
    /// The login is accepted, and the connection is closed after this many seconds.
    Accept(u64),
    /// As above, with a saved match; its opponent is online and free.
    AcceptWithMatch(u64),
    /// The login is accepted and closes the connection of another program.
    AlreadyLoggedIn,
    /// The login is accepted; then many lines come at once, and the connection is closed.
    Farewell,
}

struct Server(VecDeque<Script>);

impl Connect for Server {
    type Stream = DuplexStream;

    async fn connect(&mut self) -> io::Result<DuplexStream> {
        let script = self.0.pop_front().expect("a script for each connection");
        if let Script::Unreachable = script {
            return Err(io::Error::from(io::ErrorKind::ConnectionRefused));
        }
        let (client, mut server) = duplex(1 << 16);
        tokio::spawn(async move {
            let mut buffer = [0; 1024];
            server.write_all(b"Welcome.\r\nlogin: ").await.expect("written");
            let _ = server.read(&mut buffer).await;
            let none = "no saved games.\r\n";
            let welcome = "1 me 1 here\r\n2 me 1 1 0 0 0 0 1 1 0 0 1 0 1 1500.0 1 1 none 0 1 UTC\r\n\
                5 me - - 1 0 1500.0 0 0 1 here x -\r\n5 bob - - 1 0 1500.0 0 0 1 here x -\r\n6\r\n";
            let (seconds, saved) = match script {
                Script::Unreachable | Script::Refuse => {
                    let _ = server.write_all(b"\r\nlogin: ").await;
                    return;
                }
                Script::Accept(seconds) => (seconds, none),
                Script::Farewell => {
                    tokio::time::sleep(Duration::from_secs(2)).await;
                    let shouts: String = (0..60).map(|n| format!("13 eve line {n}\r\n")).collect();
                    let _ = server.write_all(format!("{welcome}{shouts}").as_bytes()).await;
                    return;
                }
                Script::AlreadyLoggedIn => {
                    let warning = b"** Warning: You are already logged in.\r\n";
                    let _ = server.write_all(warning).await;
                    (100_000, none)
                }
                Script::AcceptWithMatch(seconds) => (
                    seconds,
                    "opponent   matchlength   score (your points first)\r\n **bob  5  2 - 1\r\n6\r\n",
                ),
            };
            let _ = server.write_all(welcome.as_bytes()).await;
            let end = tokio::time::sleep(Duration::from_secs(seconds));
            tokio::pin!(end);
            loop {
                tokio::select! {
                    () = &mut end => return,
                    read = server.read(&mut buffer) => {
                        let Ok(n @ 1..) = read else { return };
                        let said = String::from_utf8_lossy(&buffer[..n]).into_owned();
                        let answer = if said.starts_with("set boardstyle") {
                            "Value of 'boardstyle' set to 3.\r\n"
                        } else if said.starts_with("show saved") {
                            saved
                        } else if said.starts_with("toggle") {
                            "moves NO\r\nautoboard YES\r\n"
                        } else {
                            "** Thank you.\r\n"
                        };
                        if server.write_all(answer.as_bytes()).await.is_err() {
                            return;
                        }
                    }
                }
            }
        });
        Ok(client)
    }

    fn server(&self) -> Option<String> {
        Some("here:4321".to_owned())
    }
}

/// Waits for others, or quits.
struct Player(bool);

impl Agent for Player {
    fn play(&mut self, turn: &TurnContext) -> Position {
        turn.plays[0].after
    }

    fn idle(&mut self, _: &Lobby) -> IdleAction {
        if self.0 { IdleAction::Quit } else { IdleAction::Nothing }
    }
}

/// The servers, the pauses with their reasons, and the lines.
#[derive(Clone, Default)]
struct Log {
    servers: Rc<RefCell<Vec<Option<String>>>>,
    pauses: Rc<RefCell<Vec<(String, f64)>>>,
    lines: Rc<RefCell<Vec<String>>>,
}

impl Observer for Log {
    fn notice(&mut self, notice: Notice) {
        match notice {
            Notice::Connected { server } => self.servers.borrow_mut().push(server),
            Notice::Disconnect { why, again } => {
                self.pauses.borrow_mut().push((why, again.as_secs_f64()));
            }
        }
    }

    fn line(&mut self, direction: Direction, line: &str) {
        self.lines.borrow_mut().push(format!("{direction:?} {line}"));
    }
}

async fn connect(scripts: &[Script], wait: bool) -> (Option<End>, Log) {
    let mut server = Server(scripts.iter().copied().collect());
    let mut config = Config::new("test", "me", Password::new("Zanzibar7").expect("good"));
    config.wait_for_server = wait;
    let log = Log::default();
    let mut player = Player(false);
    let running = run(&mut server, config, &mut player, pending(), log.clone());
    // The last script outlasts the test.
    let end = tokio::time::timeout(Duration::from_secs(20_000), running).await.ok();
    (end, log)
}

#[tokio::test(start_paused = true)]
async fn a_first_connection_that_fails_ends_the_client_unless_it_waits() {
    let (end, _) = connect(&[Script::Unreachable], false).await;
    assert!(matches!(end, Some(End::Unreachable(why)) if why.contains("refused")));
    let scripts = [Script::Unreachable, Script::Unreachable, Script::Accept(100_000)];
    let (end, log) = connect(&scripts, true).await;
    assert_eq!(end, None, "it goes on");
    assert_eq!(log.pauses.borrow().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_first_refusal_ends_at_once_and_one_after_an_accepted_password_is_an_outage() {
    let (end, _) = connect(&[Script::Refuse], false).await;
    assert_eq!(end, Some(End::Refused));
    let scripts = [
        Script::Accept(60),
        Script::Refuse,
        Script::Refuse,
        Script::Refuse,
        Script::Accept(100_000),
    ];
    let (end, log) = connect(&scripts, false).await;
    assert_eq!(end, None, "it goes on");
    let pauses = log.pauses.borrow();
    for (why, again) in &pauses[1..4] {
        assert!(why.contains("refuses a login that it has accepted before"), "{why}");
        assert!((120.0..=300.0).contains(again), "{again}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_lasts_resets_the_pause_and_without_one_it_grows_to_five_minutes() {
    let mut scripts = vec![Script::Accept(5)];
    scripts.extend([Script::Unreachable; 11]);
    scripts.extend([Script::Accept(65), Script::Accept(65), Script::Accept(100_000)]);
    let (_, log) = connect(&scripts, false).await;
    let pauses: Vec<f64> = log.pauses.borrow().iter().map(|(_, again)| *again).collect();
    assert!(pauses[0] <= 1.0 && pauses[11] >= 150.0, "{pauses:?}");
    assert!(pauses.iter().all(|pause| *pause <= 300.0), "{pauses:?}");
    assert!(pauses[12] <= 1.0 && pauses[13] <= 1.0, "{pauses:?}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_closes_each_connection_after_the_login_is_asked_less_and_less() {
    let mut scripts = vec![Script::Accept(5); 12];
    scripts.push(Script::Accept(100_000));
    let (_, log) = connect(&scripts, false).await;
    let pauses: Vec<f64> = log.pauses.borrow().iter().map(|(_, again)| *again).collect();
    assert!(pauses[0] <= 1.0 && pauses[11] >= 150.0, "{pauses:?}");
}

#[tokio::test(start_paused = true)]
async fn two_programs_with_one_account_do_not_log_each_other_out_without_end() {
    let round = [Script::Accept(5), Script::AlreadyLoggedIn];
    let scripts = [round, round, round].concat();
    let (end, log) = connect(&scripts, false).await;
    assert_eq!(end, Some(End::Elsewhere));
    let pauses = log.pauses.borrow().clone();
    let left: Vec<f64> = pauses
        .iter()
        .filter(|(why, _)| why == "another program uses the account")
        .map(|(_, again)| *again)
        .collect();
    assert_eq!(left, [600.0, 600.0], "{pauses:?}");
    // A login that is still there, because the server has not noticed a lost line, is our own.
    let scripts = [Script::Unreachable, Script::AlreadyLoggedIn];
    let (end, log) = connect(&scripts, true).await;
    assert_eq!((end, log.pauses.borrow().len()), (None, 1));
}

#[tokio::test(start_paused = true)]
async fn a_match_that_can_be_continued_is_not_waited_for_longer_than_15_seconds() {
    let mut scripts = vec![Script::AcceptWithMatch(8)];
    scripts.extend([Script::Unreachable; 10]);
    scripts.push(Script::Accept(100_000));
    let (_, log) = connect(&scripts, false).await;
    let pauses: Vec<f64> = log.pauses.borrow().iter().map(|(_, again)| *again).collect();
    assert!(pauses.iter().all(|pause| *pause <= 15.0), "{pauses:?}");
    assert!(pauses[10] > 7.0, "{pauses:?}");
}

#[tokio::test(start_paused = true)]
async fn what_a_server_says_before_it_closes_counts_though_it_takes_no_command_any_more() {
    let (_, log) = connect(&[Script::Farewell, Script::Accept(100_000)], false).await;
    let lines = log.lines.borrow();
    let heard = lines.iter().filter(|line| line.starts_with("In 13 eve line ")).count();
    assert_eq!(heard, 60, "{lines:?}");
    // The command that failed was sent before the last of them was handled.
    let at = |wanted: &str| lines.iter().position(|line| line == wanted);
    assert!(at("Out set boardstyle 3") < at("In 13 eve line 59"), "{lines:?}");
}

#[tokio::test(start_paused = true)]
async fn an_observer_sees_both_directions_and_never_the_password() {
    let (_, log) = connect(&[Script::Accept(100_000)], false).await;
    let lines = log.lines.borrow();
    assert!(lines.iter().any(|line| line == "Out login test 1008 me ***"), "{lines:?}");
    assert!(lines.iter().any(|line| line == "In 1 me 1 here"), "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains("Zanzibar")));
    assert_eq!(*log.servers.borrow(), [Some("here:4321".to_owned())]);
}

/// A connection with this number of lines ready at once: a client waits for none of them.
struct Flood(u32);

impl AsyncRead for Flood {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut task::Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.0 == 0 {
            return Poll::Pending;
        }
        self.0 -= 1;
        buffer.put_slice(b"12 eve hello\r\n");
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Flood {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut task::Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut task::Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut task::Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

struct FloodingServer;

impl Connect for FloodingServer {
    type Stream = Flood;

    async fn connect(&mut self) -> io::Result<Flood> {
        Ok(Flood(10_000))
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_stops_while_lines_come_without_a_pause() {
    let config = Config::new("test", "me", Password::new("Zanzibar7").expect("good"));
    let log = Log::default();
    let mut polls = 0;
    let stop = poll_fn(|_| {
        polls += 1;
        if polls > 10 { Poll::Ready(()) } else { Poll::Pending }
    });
    let (mut server, mut player) = (FloodingServer, Player(false));
    let end = run(&mut server, config, &mut player, stop, log.clone()).await;
    assert_eq!(end, End::Quit);
    let read = log.lines.borrow().len();
    assert!(read < 100, "{read} lines before the stop");
}
