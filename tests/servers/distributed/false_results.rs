//! Results that come twice, late or damaged, and workers that answer with nonsense.

use std::ops::Range;
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{self, AckKind};
use futures_util::StreamExt;
use nonet::distributed::Build;
use nonet::progress::{from_bytes, to_bytes};
use serde::{Deserialize, Serialize};

use super::server::{Server, errors, nonet};
use super::{SERIES, runtime, series};

/// A message of the queue, as the program writes it.
#[derive(Deserialize)]
struct Part {
    task: [u8; 32],
    _kind: String,
    _settings: Vec<u8>,
    _attachments: Vec<[u8; 32]>,
    numbers: Range<u64>,
    _input: Vec<u8>,
    _seconds: u32,
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

fn digest(bytes: &[u8]) -> [u8; 32] {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).into()
}

/// Repeats every result a second time, as a network or a slow worker may.
///
/// Garbage comes between the two. With `damaged` a bit of the second one is changed, and its
/// checksum is not.
async fn meddle(url: String, damaged: bool) {
    let client = async_nats::connect(url).await.expect("connected");
    let mut results = client.subscribe("nonet.results.>").await.expect("subscribed");
    while let Some(message) = results.next().await {
        let Ok(mut result) = from_bytes::<PartResult>(&message.payload) else { continue };
        if result.worker == "meddler" {
            continue;
        }
        if damaged && let Outcome::Done { bytes: Bytes::Here(bytes), .. } = &mut result.outcome {
            bytes[0] ^= 1;
        }
        result.worker = "meddler".to_owned();
        let again = to_bytes(&result);
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
        let output =
            nonet(SERIES, &["--nats", &server.url(), "--verify", "0", "--only-coordinate"]);
        assert_eq!(series(&output), here, "damaged {damaged}");
        let said = errors(&output);
        assert!(said.contains("a message came that is no result"), "{said}");
        assert_eq!(said.contains("the worker meddler sent a wrong result"), damaged, "{said}");
    }
}

/// The queue of the parts, for a worker of this name that says that it is there.
async fn queue(url: String, name: &'static str) -> (jetstream::Context, PullConsumer) {
    let client = async_nats::connect(url).await.expect("connected");
    let streams = jetstream::new(client.clone());
    let build = Build::own();
    let presence = to_bytes(&(name, &build, 1_u32));
    let subject = format!("nonet.presence.{}", build.word());
    tokio::spawn(async move {
        loop {
            let _ = client.publish(subject.clone(), presence.clone().into()).await;
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    });
    loop {
        if let Ok(stream) = streams.get_stream("NONET_JOBS").await {
            let durable = format!("workers-{}", build.word());
            let config = jetstream::consumer::pull::Config {
                durable_name: Some(durable.clone()),
                filter_subject: format!("nonet.jobs.{}.*", build.word()),
                ..jetstream::consumer::pull::Config::default()
            };
            if let Ok(queue) = stream.get_or_create_consumer(&durable, config).await {
                return (streams, queue);
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// A worker that takes one part, says again and again that it is at work, and never answers.
async fn dawdle(url: String) {
    let (_, queue) = queue(url, "dawdler").await;
    let one = queue.batch().max_messages(1).expires(Duration::from_secs(30));
    let mut messages = one.messages().await.expect("messages");
    let Some(Ok(message)) = messages.next().await else { return };
    loop {
        let _ = message.ack_with(AckKind::Progress).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

#[test]
fn what_a_slow_worker_does_not_answer_is_sent_again() {
    let Some(server) = Server::start(None) else { return };
    let here = series(&nonet(SERIES, &[]));
    let runtime = runtime();
    runtime.spawn(dawdle(server.url()));
    let _worker = server.worker("good");
    std::thread::sleep(Duration::from_millis(700));
    let shared = ["--nats", &server.url(), "--verify", "0", "--only-coordinate"];
    let output = nonet(SERIES, &shared);
    assert_eq!(series(&output), here);
    let said = errors(&output);
    assert!(said.contains("parts done by workers") && !said.contains(" 0 sent again"), "{said}");
}

/// A worker that takes parts and answers with well-formed nonsense: the result of the first part
/// for every part.
async fn lie(url: String) {
    let build = Build::own();
    let (streams, queue) = queue(url, "liar").await;
    let mut messages = queue.messages().await.expect("messages");
    while let Some(Ok(message)) = messages.next().await {
        let part: Part = from_bytes(&message.payload).expect("a part");
        // Sums of a series in which every unit is a single game won and one lost: what a check of
        // ranges cannot refuse.
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
    assert!(said.contains("the work is given up: the worker liar is faulty"), "{said}");
}
