//! Work over NATS JetStream gives the bytes of one machine, whatever happens to workers,
//! coordinator and server.
//!
//! Each test starts a server of its own on a free port. Where `nats-server` is not installed they
//! say so and pass, unless `NONET_WANT_NATS` is set.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod false_results;
mod safety;
mod server;

use std::fs;
use std::path::Path;
use std::process::Output;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use nonet::distributed::{Build, NatsDispatcher, NatsLogin, NatsOptions};
use nonet::progress::to_bytes;
use tempfile::TempDir;

use crate::common::end_of;
use server::{Process, Server, errors, nonet, spawn, text};

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime")
}

/// A series of about a second.
const SERIES: &[&str] = &["eval", "nets/small.nonet", "--games", "800", "--seed", "3", "--json"];

/// A series without its speed.
fn series(output: &Output) -> serde_json::Value {
    let mut value: serde_json::Value = serde_json::from_str(&text(output)).expect("JSON");
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|key, _| !key.contains("per_second") && !key.contains("rate"));
    }
    value
}

const ROLLOUT: &[&str] = &[
    "rollout",
    "4HPwATDgc/ABMA",
    "31",
    "--games",
    "432",
    "--truncate",
    "5",
    "--plays",
    "2",
    "--net",
    "nets/small.nonet",
];

/// A rollout without its time.
fn rollout(output: &Output) -> String {
    let text = text(output);
    text.lines().filter(|line| !line.contains(" s")).collect::<Vec<_>>().join("\n")
}

/// A run with shared targets and tests: 2-ply values of 240 games.
const RUN: &[&str] = &[
    "train",
    "--preset",
    "small",
    "--method",
    "rootstrap",
    "--games",
    "240",
    "--batch",
    "60",
    "--eval-every",
    "120",
    "--eval-at",
    "0",
    "--eval-games",
    "200",
    "--final-games",
    "200",
    "--seed",
    "7",
];

fn weights(folder: &Path) -> [Vec<u8>; 2] {
    ["last.nonet", "best.nonet"].map(|name| fs::read(folder.join(name)).expect("a net"))
}

fn local_run(folder: &Path) -> [Vec<u8>; 2] {
    text(&nonet(RUN, &["--out", &folder.display().to_string()]));
    weights(folder)
}

#[test]
fn a_series_a_rollout_and_a_run_are_the_same_with_no_one_and_three_workers() {
    let Some(server) = Server::start(None) else { return };
    let folder = TempDir::new().expect("a folder");
    let here = (
        series(&nonet(SERIES, &[])),
        rollout(&nonet(ROLLOUT, &[])),
        local_run(&folder.path().join("here")),
    );
    let url = server.url();
    let mut workers = Vec::new();
    for count in [0, 1, 3] {
        while workers.len() < count {
            workers.push(server.worker(&format!("worker-{}", workers.len())));
        }
        if count > 0 {
            thread::sleep(Duration::from_millis(500));
        }
        // With no worker, the coordinator does the work itself, at once.
        let shared: &[&str] = &[
            "--nats",
            &url,
            "--verify",
            "0.05",
            "--alone-after",
            if count == 0 { "0" } else { "60" },
        ];
        let there = folder.path().join(count.to_string());
        let out = there.display().to_string();
        let played = nonet(SERIES, shared);
        assert_eq!(series(&played), here.0, "{count} workers");
        assert_eq!(rollout(&nonet(ROLLOUT, shared)), here.1, "{count} workers");
        let run = nonet(RUN, &[shared, &["--out", &out]].concat());
        text(&run);
        assert!(weights(&there) == here.2, "{count} workers: other weights");
        for output in [&played, &run] {
            let said = errors(output);
            let alone = said.lines().any(|line| line.starts_with("0 parts done by workers"));
            assert_eq!(alone, count == 0, "{said}");
        }
    }
    // They end when they are asked to, and say so by their exit code.
    for worker in &mut workers {
        worker.terminate();
        assert!(worker.0.wait().expect("ended").success());
    }
}

/// The lines of an analysis in JSON.
const ANALYSIS: &[&str] = &[
    "analyse",
    "tests/records/crawford.mat",
    "--ply",
    "2",
    "--cube-ply",
    "1",
    "--net",
    "nets/small.nonet",
    "--rollout",
    "blunders",
    "--rollout-games",
    "72",
    "--json",
];

#[test]
fn an_analysis_with_rollouts_is_the_same_with_workers_of_which_one_is_killed() {
    let Some(server) = Server::start(None) else { return };
    let here = text(&nonet(ANALYSIS, &[]));
    assert!(here.len() > 1000, "{here}");
    let mut workers = [server.worker("first"), server.worker("second")];
    thread::sleep(Duration::from_millis(700));
    let url = server.url();
    let doing = spawn(ANALYSIS, &["--nats", &url, "--verify", "0.1", "--only-coordinate"]);
    thread::sleep(Duration::from_millis(500));
    workers[0].kill_9();
    let output = end_of(doing);
    assert_eq!(text(&output), here);
    assert!(!errors(&output).contains("\n0 parts done by workers"), "{}", errors(&output));
}

/// A small experiment: two variants, two simulations of each.
const EXPERIMENT: &str = r#"
name = "small"
title = "Is the same the same?"
paper = "none"
claim = "Yes."
paper_size = { games = 60, tests = 1, test_games = 40, repeats = 2 }
games = 60
eval_every = 30
eval_at = [10]
test_games = 40
show = [30, 60]
repeats = 2

[base]
preset = "small"
source = "expert"
alpha = "0.01"
batch = 1

[[variant]]
name = "lambda 0"
set = { lambda = "0" }

[[variant]]
name = "lambda 1"
set = { lambda = "1" }
"#;

#[test]
fn the_simulations_of_an_experiment_are_the_same_on_workers() {
    let Some(server) = Server::start(None) else { return };
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("small.toml");
    fs::write(&file, EXPERIMENT).expect("written");
    let file = file.display().to_string();
    let run = |name: &str, shared: &[&str]| {
        let out = folder.path().join(name);
        let words = ["reproduce", &file, "--expert", "nets/small.nonet", "--threads", "1", "--out"];
        let output = nonet(&[&words[..], &[&out.display().to_string()]].concat(), shared);
        text(&output);
        (fs::read(out.join("runs.jsonl")).expect("the results"), errors(&output))
    };
    let (here, _) = run("here", &[]);
    let _workers = [server.worker("first"), server.worker("second")];
    thread::sleep(Duration::from_millis(700));
    let (there, said) = run("there", &["--nats", &server.url(), "--only-coordinate"]);
    assert_eq!(here.split(|byte| *byte == b'\n').count(), 5, "four lines");
    assert!(there == here, "other results");
    assert!(said.contains("\n4 parts done by workers, 0 here"), "{said}");
}

#[test]
fn a_killed_worker_costs_time_and_no_game() {
    let Some(server) = Server::start(None) else { return };
    let here = series(&nonet(SERIES, &[]));
    let mut workers = [server.worker("first"), server.worker("second")];
    let mut doing = spawn(SERIES, &["--nats", &server.url(), "--verify", "0"]);
    thread::sleep(Duration::from_millis(1200));
    workers[0].kill_9();
    let _third = server.worker("third");
    thread::sleep(Duration::from_millis(600));
    workers[1].kill_9();
    assert!(doing.try_wait().is_ok());
    assert_eq!(series(&end_of(doing)), here);
}

#[test]
fn a_run_whose_coordinator_was_killed_goes_on_from_its_checkpoint() {
    let Some(server) = Server::start(None) else { return };
    let folder = TempDir::new().expect("a folder");
    let here = local_run(&folder.path().join("here"));
    let _worker = server.worker("only");
    let there = folder.path().join("there");
    let out = there.display().to_string();
    let shared = ["--nats", &server.url(), "--verify", "0"];
    let mut coordinator = Process(spawn(RUN, &[&shared[..], &["--out", &out]].concat()));
    // Killed after its first checkpoint, in the middle of a batch or a test.
    let until = Instant::now() + Duration::from_secs(60);
    while !there.join("last.nonet").is_file() && Instant::now() < until {
        thread::sleep(Duration::from_millis(20));
    }
    thread::sleep(Duration::from_millis(150));
    coordinator.kill_9();
    text(&nonet(&["train", "--resume", &out], &shared));
    assert!(weights(&there) == here, "other weights");
}

#[test]
fn a_server_that_is_killed_in_the_middle_loses_nothing() {
    let Some(mut server) = Server::start(None) else { return };
    let here = series(&nonet(SERIES, &[]));
    let _workers = [server.worker("first"), server.worker("second")];
    let doing = spawn(SERIES, &["--nats", &server.url(), "--verify", "0"]);
    thread::sleep(Duration::from_millis(1000));
    server.kill_9_and_start_again();
    let output = end_of(doing);
    assert_eq!(series(&output), here, "{}", errors(&output));
}

#[test]
fn a_server_whose_disk_is_full_does_not_end_the_work() {
    let Some(server) = Server::start(Some("60KB")) else { return };
    let here = series(&nonet(SERIES, &[]));
    let _worker = server.worker("only");
    // The net alone is larger than what the server may store.
    let output = nonet(SERIES, &["--nats", &server.url(), "--verify", "0", "--alone-after", "1"]);
    assert_eq!(series(&output), here);
    let said = errors(&output);
    assert!(said.contains("the NATS server takes no work"), "{said}");
}

#[test]
fn many_who_make_the_streams_of_a_new_server_at_once_all_get_them() {
    // Without a second look, one server in some 60 refuses one of the twelve.
    for _ in 0..10 {
        let Some(server) = Server::start(None) else { return };
        let together = Barrier::new(12);
        let connect = || {
            let login = NatsLogin { url: server.url(), ..NatsLogin::default() };
            let alone_after = Duration::from_secs(1);
            let options = NatsOptions { login, verify: 0.0, alone_after, only_coordinate: false };
            together.wait();
            NatsDispatcher::connect(options, |_| ()).map(drop)
        };
        thread::scope(|scope| {
            let all: Vec<_> = (0..12).map(|_| scope.spawn(connect)).collect();
            for one in all {
                one.join().expect("no panic").expect("connected");
            }
        });
    }
}

#[test]
fn a_worker_of_another_build_is_refused_in_words() {
    let Some(server) = Server::start(None) else { return };
    let runtime = runtime();
    let client = runtime.block_on(async_nats::connect(server.url())).expect("connected");
    let answers = runtime.block_on(client.subscribe("nonet.hello")).expect("subscribed");
    runtime.block_on(client.flush()).expect("flushed");
    let other = Build { version: "9.9.9".to_owned(), ..Build::own() };
    runtime.spawn(async move {
        let mut hellos = answers;
        while let Some(hello) = hellos.next().await {
            let Some(reply) = hello.reply else { continue };
            client.publish(reply, to_bytes(&other).into()).await.expect("answered");
        }
    });
    let output = nonet(&["worker", "--nats", &server.url(), "--threads", "1"], &[]);
    let said = errors(&output);
    assert!(!output.status.success(), "{said}");
    assert!(said.contains("refused") && said.contains("version 9.9.9 instead of"), "{said}");
}

#[test]
fn a_server_that_is_not_there_is_an_error_in_words_without_secrets() {
    let output = nonet(SERIES, &["--nats", "nats://me:secret@127.0.0.1:1"]);
    let said = errors(&output);
    assert!(!output.status.success());
    assert!(
        said.contains("cannot connect to the NATS server nats://127.0.0.1:1")
            && !said.contains("secret"),
        "{said}"
    );
}
