//! The bot as a process on a bgammon server over TCP.
//!
//! It plays two matches of 5 points with the cube, over a line that is cut. The second match is a
//! rematch.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::cell::Cell;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt;
use nonet::backgammon::record::RecordEvent;
use nonet::bot::{
    BgammonAccount, BgammonAddr, BgammonOpponent, Notice, Pace, ServerAddr, match_records,
    play_bgammon, serve_bgammon,
};
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, copy, copy_bidirectional,
};
use tokio::net::{TcpListener, TcpStream};

use crate::common::{self, Deadline};

/// A process that is killed at the end.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The bot, with its records in this folder.
fn bot(name: &str, port: u16, folder: &Path, more: &[&str]) -> Command {
    let net = Path::new(env!("CARGO_MANIFEST_DIR")).join("nets/small.nonet");
    let (net, records) = (net.to_string_lossy().into_owned(), folder.join("records"));
    let (server, records) =
        (format!("tcp://127.0.0.1:{port}"), records.to_string_lossy().into_owned());
    let mut words = vec!["bgammon", "play", "--user", name, "--server", &server];
    words.extend(["--records", &records, "--net", &net, "--ply", "1", "--pace", "0"]);
    words.extend(more);
    let mut command = common::nonet(&words);
    command.env("BGAMMON_PASSWORD", "Zanzibar7").stderr(Stdio::null());
    command
}

/// A guest who plays `matches` matches of the bot as fast as the server allows.
async fn guest(port: u16, matches: u32) {
    let gap = Duration::from_millis(5);
    let account = BgammonAccount {
        server: BgammonAddr::Tcp(ServerAddr { host: "127.0.0.1".into(), port }),
        name: "ann".into(),
        password: None,
        pace: Pace { gap, chat: gap, think: [gap, gap] },
        wait_for_server: false,
        seed: 1,
    };
    let mut opponent = BgammonOpponent::of("BOT_nonet", matches);
    play_bgammon(&account, &mut opponent, std::future::pending(), |_: Notice| {}).await;
}

/// Passes connections on to `port`. Each of the first `cuts` is cut in the middle of a match, each
/// one some plays later than the one before.
async fn cutting(listener: &TcpListener, port: u16, cuts: u64, made: &Cell<u64>) {
    loop {
        let (mut client, _) = listener.accept().await.expect("a connection");
        let mut server = TcpStream::connect(("127.0.0.1", port)).await.expect("the server");
        let number = made.replace(made.get() + 1);
        if number < cuts {
            let (mut from_client, mut to_client) = client.split();
            let (from_server, mut to_server) = server.split();
            tokio::select! {
                _ = copy(&mut from_client, &mut to_server) => {}
                () = pass_plays(from_server, &mut to_client, 6 + 5 * number) => {}
            }
        } else {
            let _ = copy_bidirectional(&mut client, &mut server).await;
        }
    }
}

/// Passes lines on until this many of them told a play, or until one side ends.
async fn pass_plays(from: impl AsyncRead + Unpin, to: &mut (impl AsyncWrite + Unpin), plays: u64) {
    let (mut lines, mut line, mut told) = (BufReader::new(from), Vec::new(), 0);
    while told < plays {
        line.clear();
        match lines.read_until(b'\n', &mut line).await {
            Ok(1..) if to.write_all(&line).await.is_ok() => {}
            _ => return,
        }
        told += u64::from(String::from_utf8_lossy(&line).contains(r#""Type":"moved""#));
    }
}

#[test]
fn two_matches_with_the_cube_are_played_over_a_line_that_is_cut() {
    let folder = tempfile::tempdir().expect("a folder");
    let transcript = folder.path().join("transcript");
    let (path, metrics) = (transcript.to_string_lossy(), folder.path().join("metrics"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let made = Cell::new(0);
    runtime.expect("a runtime").block_on(async {
        let any = ServerAddr { host: "127.0.0.1".into(), port: 0 };
        let served = serve_bgammon(&any, 5).await.expect("a port");
        served.register("bot_nonet", "Zanzibar7");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let metrics = metrics.to_string_lossy();
        let more = ["--matches", "2", "--transcript", &path, "--metrics", &metrics];
        let mut process =
            Process(bot("bot_nonet", port, folder.path(), &more).spawn().expect("runs"));
        let began = Instant::now();
        let ended = async {
            while process.0.try_wait().expect("a process").is_none() {
                assert!(began.elapsed() < Duration::from_secs(120), "the bot does not end");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let others = async { tokio::join!(guest(served.port, 2), std::future::pending::<()>()) };
        tokio::select! {
            result = served.run() => result.expect("serves"),
            () = cutting(&listener, served.port, 2, &made) => {}
            _ = others => {}
            () = ended => {}
        }
        assert_eq!(served.matches_finished(), 2);
    });
    let records = match_records(&folder.path().join("records")).expect("whole");
    assert_eq!(records.len(), 2);
    let mut doubles = 0;
    for record in &records {
        let (won, [own, other]) = record.result.expect("over");
        assert_eq!((record.own.as_str(), record.opponent.as_str()), ("bot_nonet", "Guest_ann"));
        assert_eq!(record.length, Some(5));
        assert_eq!(record.incomplete, None);
        assert!(if won { own >= 5 && other < 5 } else { other >= 5 && own < 5 });
        assert_eq!(record.score(), [own, other], "the games add up to the result");
        let events = record.games().into_iter().flat_map(|game| game.events().to_vec());
        doubles += events.filter(|event| matches!(event, RecordEvent::Double { .. })).count();
    }
    assert!(doubles > 0, "the cube was turned");
    assert!(records.iter().map(|record| record.interruptions).sum::<u32>() > 0, "a line was cut");
    assert!(made.get() > 1);
    let said = std::fs::read_to_string(&transcript).expect("a transcript");
    assert!(!said.contains("Zanzibar7"));
    let sent =
        |word: &str| said.lines().filter(|line| line.contains(&format!("Z > {word}"))).count();
    assert_eq!((sent("c public 5"), sent("rm")), (1, 1), "the second match is a rematch");
    let figures = std::fs::read_to_string(&metrics).expect("figures");
    assert!(figures.contains("nonet_bgammon_matches_finished_total 2\n"), "{figures}");
}

#[test]
fn a_login_that_cannot_work_is_an_error_that_says_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let failed = |name: &str, words: &[&str], code: i32, text: &str| {
        let mut command = bot(name, 1, folder.path(), words);
        let output = command.ended();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        output.assert().code(code);
        assert!(said.contains(text), "{said}");
    };
    failed("nonet", &[], 2, "expected bot_");
    failed("bot_nonet", &["--owners", "Guest_me"], 2, "everybody can log in with this name");
    failed("bot_nonet", &["--lengths", "0"], 2, "0");
    failed("bot_nonet", &["--password", "Zanzibar7"], 2, "BGAMMON_PASSWORD");
    failed("bot_nonet", &[], 1, "cannot reach 127.0.0.1:1");
}
