//! Work over NATS JetStream gives the bytes of one machine, whatever happens to workers, coordinator and server.
//!
//! Each test starts a server of its own on a free port. Where `nats-server` is not installed they say so and pass, unless
//! `NONET_WANT_NATS` is set.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use async_nats::jetstream::{self, AckKind};
use futures_util::StreamExt;
use nonet::distributed::Build;
use nonet::progress::{from_bytes, to_bytes};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

/// The server program, if it is installed.
fn program() -> Option<PathBuf> {
    let places = ["/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"];
    let found = places.iter().map(PathBuf::from).find(|path| path.is_file());
    if found.is_none() {
        assert!(std::env::var_os("NONET_WANT_NATS").is_none(), "nats-server is not installed");
        let _ = writeln!(
            std::io::stderr(),
            "*** nats-server is not installed: nothing is tested over NATS ***"
        );
    }
    found
}

/// A process that ends with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    fn kill_9(&mut self) {
        self.0.kill().expect("killed");
        self.0.wait().expect("ended");
    }

    fn terminate(&self) {
        let id = self.0.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill").success());
    }
}

/// A server on a port of its own.
struct Server {
    program: PathBuf,
    port: u16,
    folder: TempDir,
    process: Process,
}

impl Server {
    /// `None` where the server is not installed. `limit`: how much it may store, such as `1MB`.
    fn start(limit: Option<&str>) -> Option<Server> {
        let program = program()?;
        let port =
            TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound").port();
        let folder = TempDir::new().expect("a folder");
        let limit = limit.map_or_else(String::new, |limit| format!("max_file_store: {limit}"));
        let config = format!(
            "listen: 127.0.0.1:{port}\njetstream {{ store_dir: {:?}\n{limit} }}\n",
            folder.path().join("store").display().to_string()
        );
        fs::write(folder.path().join("server.conf"), config).expect("written");
        let process = launch(&program, folder.path(), port);
        Some(Server { program, port, folder, process })
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    fn kill_9_and_start_again(&mut self) {
        self.process.kill_9();
        std::thread::sleep(Duration::from_millis(700));
        self.process = launch(&self.program, self.folder.path(), self.port);
    }

    fn worker(&self, name: &str) -> Process {
        let worker = Command::new(env!("CARGO_BIN_EXE_nonet"))
            .args(["worker", "--nats", &self.url(), "--threads", "1", "--name", name])
            .stderr(Stdio::null())
            .spawn();
        Process(worker.expect("a worker"))
    }
}

fn launch(program: &Path, folder: &Path, port: u16) -> Process {
    let child = Command::new(program)
        .arg("-c")
        .arg(folder.join("server.conf"))
        .stderr(Stdio::null())
        .spawn()
        .expect("a server");
    let until = Instant::now() + Duration::from_secs(20);
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < until, "the server does not listen");
        std::thread::sleep(Duration::from_millis(30));
    }
    Process(child)
}

fn nonet(words: &[&str], more: &[&str]) -> Output {
    spawn(words, more).wait_with_output().expect("ended")
}

fn spawn(words: &[&str], more: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_nonet"))
        .args(words)
        .args(more)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("nonet")
}

/// What a command prints, if it succeeds.
fn text(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A series of about a second.
const SERIES: &[&str] = &["eval", "nets/small.nonet", "--games", "1600", "--seed", "3", "--json"];

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

/// A run whose targets and tests are shared: 2-ply values of 240 games.
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
            std::thread::sleep(Duration::from_millis(500));
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

#[test]
fn a_killed_worker_costs_time_and_no_game() {
    let Some(server) = Server::start(None) else { return };
    let here = series(&nonet(SERIES, &[]));
    let mut workers = [server.worker("first"), server.worker("second")];
    let mut doing = spawn(SERIES, &["--nats", &server.url(), "--verify", "0"]);
    std::thread::sleep(Duration::from_millis(1200));
    workers[0].kill_9();
    let _third = server.worker("third");
    std::thread::sleep(Duration::from_millis(600));
    workers[1].kill_9();
    assert!(doing.try_wait().is_ok());
    assert_eq!(series(&doing.wait_with_output().expect("ended")), here);
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
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(150));
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
    std::thread::sleep(Duration::from_millis(1000));
    server.kill_9_and_start_again();
    let output = doing.wait_with_output().expect("ended");
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

/// A message of the queue, as the program writes it.
#[derive(Deserialize)]
struct Part {
    task: [u8; 32],
    _kind: String,
    _settings: Vec<u8>,
    _attachments: Vec<[u8; 32]>,
    numbers: Range<u64>,
    _input: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
struct PartResult {
    task: [u8; 32],
    numbers: Range<u64>,
    worker: String,
    build: Build,
    seconds: f64,
    deliveries: u64,
    outcome: Outcome,
}

#[derive(Serialize, Deserialize)]
enum Outcome {
    Done { digest: [u8; 32], bytes: Bytes },
    Impossible(String),
    Missing([u8; 32]),
}

#[derive(Serialize, Deserialize)]
enum Bytes {
    Here(Vec<u8>),
    Stored,
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime")
}

fn digest(bytes: &[u8]) -> [u8; 32] {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).into()
}

/// Repeats every result a second time, as a network or a slow worker may, with garbage between them; and changes a bit in
/// those of `damaged` without telling the checksum.
async fn meddle(url: String, damaged: bool) {
    let client = async_nats::connect(url).await.expect("connected");
    let mut results = client.subscribe("nonet.results.>").await.expect("subscribed");
    while let Some(message) = results.next().await {
        let Ok(mut result) = from_bytes::<PartResult>(&message.payload) else { continue };
        if result.worker == "meddler" {
            continue;
        }
        let again = if damaged {
            if let Outcome::Done { bytes: Bytes::Here(bytes), .. } = &mut result.outcome {
                bytes[0] ^= 1;
            }
            result.worker = "meddler".to_owned();
            to_bytes(&result)
        } else {
            result.worker = "meddler".to_owned();
            to_bytes(&result)
        };
        let _ = client.publish(message.subject.clone(), "garbage".into()).await;
        let _ = client.publish(message.subject, again.into()).await;
    }
}

#[test]
fn doubled_damaged_and_senseless_results_change_nothing() {
    let Some(server) = Server::start(None) else { return };
    let here = series(&nonet(SERIES, &[]));
    let _worker = server.worker("good");
    for damaged in [false, true] {
        let runtime = runtime();
        runtime.spawn(meddle(server.url(), damaged));
        let output = nonet(SERIES, &["--nats", &server.url(), "--verify", "0"]);
        assert_eq!(series(&output), here, "damaged {damaged}");
        let said = errors(&output);
        assert!(said.contains("a message came that is no result"), "{said}");
        assert_eq!(said.contains("the worker meddler sent a wrong result"), damaged, "{said}");
    }
}

/// A worker that takes parts and answers with well-formed nonsense: the result of the first part for every part.
async fn lie(url: String) {
    let client = async_nats::connect(url).await.expect("connected");
    let streams = jetstream::new(client.clone());
    let build = Build::own();
    let presence = to_bytes(&("liar", &build, 1_u32));
    let queue = loop {
        let _ = client
            .publish(format!("nonet.presence.{}", build.word()), presence.clone().into())
            .await;
        if let Ok(stream) = streams.get_stream("NONET_JOBS").await {
            let name = format!("workers-{}", build.word());
            let config = jetstream::consumer::pull::Config {
                durable_name: Some(name.clone()),
                filter_subject: format!("nonet.jobs.{}.*", build.word()),
                ..jetstream::consumer::pull::Config::default()
            };
            if let Ok(queue) = stream.get_or_create_consumer(&name, config).await {
                break queue;
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    let mut messages = queue.messages().await.expect("messages");
    while let Some(Ok(message)) = messages.next().await {
        let part: Part = from_bytes(&message.payload).expect("a part");
        // Sums of a series in which every unit is a single game won and one lost: what a check of ranges cannot refuse.
        let units = part.numbers.end - part.numbers.start;
        let sums = (
            (units, 0_u64, 0_i64, 0_i64, 0_u64),
            [units, 0, 0, units, 0, 0],
            [[0_u64; 7]; 2],
            ([0_u64; 3], [0_i64; 5]),
            (units, 0_i128, 0_i128),
        );
        let bytes = to_bytes(&sums);
        let outcome = Outcome::Done { digest: digest(&bytes), bytes: Bytes::Here(bytes) };
        let result = PartResult {
            task: part.task,
            numbers: part.numbers,
            worker: "liar".to_owned(),
            build: build.clone(),
            seconds: 0.1,
            deliveries: 1,
            outcome,
        };
        let subject = format!(
            "nonet.results.{}",
            part.task[..16].iter().map(|b| format!("{b:02x}")).collect::<String>()
        );
        let _ = streams.publish(subject, to_bytes(&result).into()).await;
        let _ = message.ack_with(AckKind::Ack).await;
    }
}

#[test]
fn a_faulty_worker_is_found_by_computing_again_and_named() {
    let Some(server) = Server::start(None) else { return };
    let runtime = runtime();
    runtime.spawn(lie(server.url()));
    let output = nonet(SERIES, &["--nats", &server.url(), "--verify", "1"]);
    let said = errors(&output);
    assert!(!output.status.success() && output.stdout.is_empty(), "{said}");
    assert!(said.contains("the worker liar is faulty"), "{said}");
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
