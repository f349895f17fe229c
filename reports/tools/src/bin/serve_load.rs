//! 1-ply hints by the engine alone and by a server with 100 clients: what `reports/serve.md` cites.
//!
//! `cargo run --release -p nonet-measure --bin serve_load -- PORT [SECONDS]`, while `nonet serve
//! --no-bearoff --port PORT` runs.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a measurement that cannot go on fails"
)]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nonet::answer::{HintAnswer, HintOptions, read_question};
use nonet::backgammon::{Dice, Position};
use nonet::game::{StreamPurpose, roll, stream};
use nonet::{Engine, Plies};

/// Positions of one line of play after another, each with a roll.
fn questions(engine: &Engine, count: usize) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut position = Position::START;
    let mut dice = stream(1, StreamPurpose::Person, 0);
    while found.len() < count {
        let rolled: Dice = roll(&mut dice);
        found.push((position.id(), rolled.to_string()));
        position = *engine.rank_cubeless(&position, rolled)[0].after();
        if position.outcome().is_some() {
            position = Position::START;
        }
    }
    found
}

/// A client: a connection that waits for an answer.
struct Client {
    stream: TcpStream,
    /// What has arrived of the answer.
    bytes: Vec<u8>,
    asked: Instant,
}

impl Client {
    fn new(port: u16) -> Client {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
        stream.set_nodelay(true).expect("set");
        Client { stream, bytes: Vec::new(), asked: Instant::now() }
    }

    fn ask(&mut self, request: &[u8]) {
        self.bytes.clear();
        self.asked = Instant::now();
        self.stream.write_all(request).expect("written");
    }

    /// Waits for the rest of the answer and returns its latency.
    fn answer(&mut self, buffer: &mut [u8]) -> Duration {
        loop {
            let read = self.stream.read(buffer).expect("an answer");
            assert!(read > 0, "the server has closed the connection");
            self.bytes.extend_from_slice(&buffer[..read]);
            let Some(head) = self.bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
                continue;
            };
            let text = std::str::from_utf8(&self.bytes[..head]).expect("a head in ASCII");
            assert!(text.starts_with("HTTP/1.1 200"), "{text}");
            let length = text.split("content-length: ").nth(1).expect("a length");
            let length: usize =
                length.lines().next().expect("a line").trim().parse().expect("a number");
            if self.bytes.len() >= head + 4 + length {
                return self.asked.elapsed();
            }
        }
    }
}

/// Lets `clients` clients ask until `stop`; each asks again as soon as it has its answer. One
/// thread serves them in turn: a thread for each would take more of the two cores than the server's
/// work. The latencies.
fn ask(port: u16, requests: &[Vec<u8>], clients: usize, stop: &AtomicBool) -> Vec<Duration> {
    let mut clients: Vec<Client> = (0..clients).map(|_| Client::new(port)).collect();
    let (mut latencies, mut buffer) = (Vec::new(), vec![0; 1 << 16]);
    let mut next = requests.iter().cycle();
    for client in &mut clients {
        client.ask(next.next().expect("a cycle"));
    }
    while !stop.load(Ordering::Relaxed) {
        for client in &mut clients {
            latencies.push(client.answer(&mut buffer));
            client.ask(next.next().expect("a cycle"));
        }
    }
    latencies
}

/// Hints a second and latencies with this many clients.
fn load(port: u16, path: &str, bodies: &[String], each: usize, clients: usize, seconds: f64) {
    let request = |body: &String| {
        let length = body.len();
        format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .into_bytes()
    };
    let requests: Vec<Vec<u8>> = bodies.iter().map(request).collect();
    let (stop, began) = (AtomicBool::new(false), Instant::now());
    let mut all = std::thread::scope(|scope| {
        let asking = scope.spawn(|| ask(port, &requests, clients, &stop));
        std::thread::sleep(Duration::from_secs_f64(seconds));
        stop.store(true, Ordering::Relaxed);
        asking.join().expect("the clients")
    });
    let elapsed = began.elapsed().as_secs_f64();
    all.sort();
    let at = |share: f64| all[((all.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
    println!(
        "{path}, {clients} clients, {each} a request: {:.0} hints/s; latency p50 {:.1} ms, p99 {:.1} ms",
        (all.len() * each) as f64 / elapsed,
        at(0.5),
        at(0.99)
    );
}

fn main() {
    let mut words = std::env::args().skip(1);
    let port: u16 = words.next().and_then(|word| word.parse().ok()).expect("a port");
    let seconds: f64 = words.next().and_then(|word| word.parse().ok()).unwrap_or(10.0);
    let engine = Engine::builder().plies(Plies::ONE).build().expect("the built-in net");
    let questions = questions(&engine, 2000);
    let options = HintOptions { cubeless: false, plays: 1 };
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let answer = |(id, dice): &(String, String)| {
        let question = read_question(id, Some(dice)).expect("a question");
        HintAnswer::of(&engine, &question, options).expect("money")
    };
    let began = Instant::now();
    let work = |first: usize| {
        let mut done = 0;
        while began.elapsed().as_secs_f64() < seconds {
            std::hint::black_box(answer(&questions[(first + done) % questions.len()]));
            done += 1;
        }
        done
    };
    let work = &work;
    let done: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|i| scope.spawn(move || work(i * 997))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread")).sum()
    });
    println!(
        "the engine alone, {cores} threads: {:.0} hints/s",
        done as f64 / began.elapsed().as_secs_f64()
    );
    let question = |(id, dice): &(String, String)| format!("{{\"id\":\"{id}\",\"dice\":\"{dice}\"");
    let single: Vec<String> =
        questions.iter().map(|one| question(one) + ",\"ply\":1,\"plays\":1}").collect();
    let batches: Vec<String> = questions
        .chunks(100)
        .map(|chunk| {
            let all: Vec<String> = chunk.iter().map(|one| question(one) + "}").collect();
            format!("{{\"questions\":[{}],\"ply\":1,\"plays\":1}}", all.join(","))
        })
        .collect();
    load(port, "/api/v1/hint", &single, 1, 100, seconds);
    load(port, "/api/v1/hints", &batches, 100, 100, seconds);
}
