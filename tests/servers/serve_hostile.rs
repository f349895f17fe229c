//! `nonet serve` before any bytes and any number of clients: what it refuses, and that it goes on.

#![allow(clippy::expect_used, clippy::print_stderr, reason = "a test that cannot go on fails")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::serving::{Server, request};

const START: &str = "4HPwATDgc/ABMA";

#[test]
fn bodies_and_uploads_of_any_bytes_are_answered() {
    let server = Server::start();
    let record =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/crawford.sgf"));
    let record = record.expect("a record");
    let question =
        json!({"id": START, "dice": "31", "ply": 1, "games": 36, "plays": 2}).to_string();
    let bytes = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..300),
        // A question with some letters exchanged.
        proptest::collection::vec((0..question.len(), any::<u8>()), 1..4).prop_map(
            move |letters| {
                let mut bytes = question.clone().into_bytes();
                letters.iter().for_each(|&(at, letter)| bytes[at] = letter);
                bytes
            }
        ),
        // A record with a damaged part.
        (0..record.len(), proptest::collection::vec(any::<u8>(), 0..6)).prop_map(
            move |(at, damage)| {
                let mut bytes = record.clone();
                let end = (at + damage.len()).min(bytes.len());
                bytes.splice(at..end, damage);
                bytes.truncate(2000);
                bytes
            }
        ),
    ];
    let mut runner = TestRunner::new(Config {
        cases: 30,
        failure_persistence: None,
        max_shrink_time: 60_000,
        ..Config::default()
    });
    let done = runner.run(&bytes, |bytes| {
        let headers = [("Content-Type", "application/json")];
        let paths =
            "analyses?ply=1 cube evaluate game hint hints inputs matches moves rollout rolls why";
        for path in paths.split(' ') {
            let address = format!("/api/v1/{path}");
            let status = request(server.port, "POST", &address, &headers, &bytes).status;
            // Analyses of the records before may take all places: 503 is a documented answer.
            let answered = (200..500).contains(&status) || status == 503;
            prop_assert!(answered, "{} answers {}", path, status);
        }
        Ok(())
    });
    done.expect("every body is answered");
    assert_eq!(server.get("/api/v1/nets").status, 200);
}

#[test]
fn what_is_too_long_too_deep_or_too_much_is_refused_in_words() {
    let server = Server::start();
    let refused = |path: &str, body: Value, words: &str| {
        let answer = server.post(path, &body);
        assert!(
            (400..500).contains(&answer.status) && answer.text().contains(words),
            "{path}: {}",
            answer.text()
        );
    };
    refused(
        "/api/v1/hint",
        json!({"id": START, "dice": "31", "ply": 5}),
        "invalid ply '5': expected 1 to 4",
    );
    let roller = |name: &str| json!({"id": START, "dice": "31", "roller": name});
    refused("/api/v1/hint", roller("rollout"), "no rollout called 'rollout': known are roller");
    let both = json!({"id": START, "ply": 3, "roller": "roller"});
    refused("/api/v1/cube", both, "ply and roller: expected one of them");
    let deep = "invalid ply '4': the 21 rolls are answered at 1 to 3";
    refused("/api/v1/rolls", json!({"id": START, "ply": 4}), deep);
    let many = json!({"questions": [{"id": START, "dice": "31"}], "ply": 4});
    refused("/api/v1/hints", many, "invalid ply '4': many hints are answered at 1 to 3");
    refused("/api/v1/hint", json!({"id": "nonsense"}), "");
    refused("/api/v1/hint", json!({"id": START}), "there is no roll");
    refused("/api/v1/evaluate", json!({"ids": vec![START; 257]}), "expected at most 256");
    refused(
        "/api/v1/rollout",
        json!({"id": START, "games": 1_000_000_000u64}),
        "expected 1 to 100000",
    );
    refused("/api/v1/matches", json!({"length": 1000}), "");
    refused("/api/v1/matches", json!({"name": "nonet"}), "expected a name other than nonet");
    refused("/api/v1/runs", json!({"name": "../x"}), "expected letters");
    refused("/api/v1/runs", json!({"name": "x", "lambda": "1.7"}), "lambda");
    refused("/api/v1/runs", json!({"name": "x", "preset": "nosuch"}), "nosuch");
    refused("/api/v1/moves", json!({"id": START, "dise": "31"}), "dise");
    let long = vec![b'x'; 5 << 20];
    assert_eq!(request(server.port, "POST", "/api/v1/analyses", &[], &long).status, 413);
    assert_eq!(server.get("/api/v1/nonsense").status, 404);
    for path in
        ["/assets/../Cargo.toml", "/assets/board/%2e%2e/%2e%2e/assets.rs", "/assets/tsconfig.json"]
    {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    // People who miss an address see a page, programs the status.
    let asked = |path: &str, kind| request(server.port, "GET", path, &[("Accept", kind)], b"");
    let page = asked("/nope", "text/html,*/*");
    assert_eq!(page.status, 404);
    assert!(page.text().contains("<h1"), "{}", page.text());
    assert_eq!(asked("/nope", "application/json").text(), "");
    let error = asked("/api/v1/nope", "text/html").json();
    assert!(error["error"].as_str().expect("words").contains("nothing at this address"));
}

#[test]
fn a_rollout_ends_when_its_client_goes_and_slow_clients_delay_nobody() {
    let server = Server::start();
    let body =
        json!({"id": START, "dice": "31", "games": 100_000, "truncate": 4, "plays": 1}).to_string();
    let ask = || {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
        let head = format!(
            "POST /api/v1/rollout HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            server.port,
            body.len()
        );
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a limit");
        stream.write_all(head.as_bytes()).expect("written");
        let mut first = [0; 12];
        stream.read_exact(&mut first).expect("an answer");
        (stream, String::from_utf8_lossy(&first).into_owned())
    };
    // More rollouts, one after the other, than there are places: each ends with its client.
    for _ in 0..6 {
        let (stream, first) = ask();
        assert_eq!(first, "HTTP/1.1 200");
        drop(stream);
    }
    let (_rollout, first) = ask();
    assert_eq!(first, "HTTP/1.1 200");
    // Clients that never finish their requests.
    let _slow: Vec<TcpStream> = (0..50)
        .map(|_| {
            let mut stream = TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
            stream.write_all(b"POST /api/v1/hint HTTP/1.1\r\nHost:").expect("written");
            stream
        })
        .collect();
    let began = Instant::now();
    let hint = server.post("/api/v1/hint", &json!({"id": START, "dice": "31", "ply": 1}));
    assert_eq!(hint.status, 200);
    assert!(began.elapsed() < Duration::from_secs(10), "a hint took {:?}", began.elapsed());
}

/// More clients than the server has places, each of which keeps it waiting in its own way.
#[test]
fn a_new_client_is_answered_while_hundreds_keep_the_server_waiting() {
    let server = Server::start();
    let ask = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".as_slice();
    let never_read = ask.repeat(40);
    let half_a_head = b"GET / HTTP/1.1\r\nHost: loc".to_vec();
    let half_a_body =
        b"POST /api/v1/hint HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"
            .to_vec();
    for bytes in [never_read, half_a_head, half_a_body, Vec::new()] {
        let clients: Vec<TcpStream> = (0..520)
            .map(|_| {
                let mut stream = TcpStream::connect(("127.0.0.1", server.port)).expect("a line");
                stream.set_nonblocking(true).expect("set");
                // What does not fit into the buffers is not needed.
                let _ = stream.write(&bytes);
                stream
            })
            .collect();
        let began = Instant::now();
        assert_eq!(server.get("/api/v1/nets").status, 200);
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(30)]).into_owned();
        assert!(began.elapsed() < Duration::from_secs(25), "{:?}: {shown}", began.elapsed());
        eprintln!("520 clients that send '{}': {:?}", shown.escape_debug(), began.elapsed());
        drop(clients);
    }
}

/// Each request has a connection of its own.
#[cfg(target_os = "linux")]
#[test]
fn ten_thousand_connections_leave_no_memory_behind() {
    let server = Server::start();
    let ask = |requests: usize| {
        let one = |_| {
            for _ in 0..requests / 4 {
                let hint =
                    server.post("/api/v1/hint", &json!({"id": START, "dice": "31", "ply": 1}));
                assert_eq!(hint.status, 200);
            }
        };
        std::thread::scope(|scope| {
            (0..4).for_each(|client| drop(scope.spawn(move || one(client))))
        });
        server.resident_kib()
    };
    let before = ask(2000);
    let after = ask(8000);
    assert!(after < before + 16 * 1024, "{before} KiB before, {after} KiB after");
}

#[test]
fn uploads_in_one_moment_have_names_of_their_own() {
    let server = Server::start();
    let record =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/crawford.mat"))
            .expect("a record");
    let upload = || {
        let headers = [("Content-Type", "application/octet-stream")];
        let answer = request(server.port, "POST", "/api/v1/analyses?name=a.mat", &headers, &record);
        answer.json()["id"].as_str().expect("a name").to_owned()
    };
    let mut names: Vec<String> = std::thread::scope(|scope| {
        let uploads: Vec<_> = (0..24).map(|_| scope.spawn(upload)).collect();
        uploads.into_iter().map(|one| one.join().expect("uploaded")).collect()
    });
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 24);
}
