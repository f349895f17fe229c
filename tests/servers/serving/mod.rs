//! A server as a process, and a client of HTTP, for tests of `nonet serve`.

#![allow(clippy::print_stderr, reason = "tests that are skipped say so")]
#![allow(dead_code, unreachable_pub, reason = "each test takes what it needs")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::common::nonet;

pub mod schema;
pub mod web_driver;

/// A server on a free port with folders of its own; it is killed at the end.
pub struct Server {
    child: Child,
    pub port: u16,
    folder: TempDir,
}

impl Server {
    pub fn start() -> Server {
        Server::with(&[])
    }

    /// Without the bearoff databases, which take a second or more to make.
    pub fn with(words: &[&str]) -> Server {
        let folder = tempfile::tempdir().expect("a folder");
        let (child, port) = start_in(folder.path(), 0, words, false);
        Server { child, port, folder }
    }

    /// Like a program of a terminal: signals go to it and to the programs that it starts.
    #[cfg(unix)]
    pub fn of_a_terminal() -> Server {
        let folder = tempfile::tempdir().expect("a folder");
        let (child, port) = start_in(folder.path(), 0, &[], true);
        Server { child, port, folder }
    }

    /// What Ctrl-C in a terminal does; waits for its end.
    #[cfg(unix)]
    pub fn interrupt(&mut self) {
        let group = format!("-{}", self.child.id());
        let asked = std::process::Command::new("kill").args(["-INT", "--", &group]).status();
        assert!(asked.expect("kill").success());
        let until = Instant::now() + Duration::from_secs(60);
        while self.child.try_wait().expect("a child").is_none() {
            assert!(Instant::now() < until, "the server goes on");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn data(&self) -> PathBuf {
        self.folder().join("data")
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Kills it as kill -9 does, and starts it again on the same port.
    pub fn kill_and_restart(&mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("ended");
        (self.child, self.port) = start_in(self.folder.path(), self.port, &[], false);
    }

    /// Its memory that is in use, in KiB.
    #[cfg(target_os = "linux")]
    pub fn resident_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    pub fn get(&self, path: &str) -> Answer {
        request(self.port, "GET", path, &[], b"")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        let headers = [("Content-Type", "application/json")];
        request(self.port, "POST", path, &headers, body.to_string().as_bytes())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start_in(folder: &Path, port: u16, words: &[&str], own_group: bool) -> (Child, u16) {
    let port = port.to_string();
    let mut command = nonet(&["serve", "--no-bearoff", "--data", "data", "--port", &port]);
    #[cfg(unix)]
    if own_group {
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
    }
    let mut child = command
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("our program");
    let mut line = String::new();
    let out = child.stdout.take().expect("piped");
    let mut out = BufReader::new(out);
    out.read_line(&mut line).expect("a line");
    std::thread::spawn(move || drop(std::io::copy(&mut out, &mut std::io::sink())));
    let port = line.split("://").nth(1).and_then(|rest| {
        let address = rest.split(['/', '\n']).next()?;
        address.rsplit(':').next()?.trim().parse().ok()
    });
    (child, port.unwrap_or_else(|| panic!("no address in '{line}'")))
}

/// An answer of a server.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        let text = self.text();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text}"))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// Asks, and reads the whole answer.
pub fn request(
    port: u16,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Answer {
    let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        head += &format!("Host: 127.0.0.1:{port}\r\n");
    }
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += &format!("Content-Length: {}\r\n\r\n", body.len());
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a limit");
    stream.write_all(head.as_bytes()).expect("written");
    // A server that refuses a body may close before all of it is written.
    let _ = stream.write_all(body);
    read_answer(&mut stream)
}

/// Reads an answer that ends with its length, or with the connection.
pub fn read_answer(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    let mut buffer = [0; 16384];
    let mut end = None;
    let until = Instant::now() + Duration::from_secs(600);
    loop {
        assert!(Instant::now() < until, "an answer that does not end");
        if end.is_none()
            && let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n")
        {
            let head = String::from_utf8_lossy(&bytes[..at]).to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
            end = length.map(|length| at + 4 + length.trim().parse::<usize>().expect("a length"));
        }
        if end.is_some_and(|end| bytes.len() >= end) {
            break;
        }
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => bytes.extend_from_slice(&buffer[..read]),
            // A reset after the answer is an end, too.
            Err(_) if !bytes.is_empty() => break,
            Err(error) => panic!("no answer: {error}"),
        }
    }
    let at = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8_lossy(&bytes[..at]).into_owned();
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
    let body = bytes[at + 4..].to_vec();
    let chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    let body = if chunked { unchunked(&body) } else { body };
    Answer { status, head, body }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(at) = bytes.windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&bytes[..at]).ok();
        let size = size.and_then(|size| usize::from_str_radix(size.trim(), 16).ok()).unwrap_or(0);
        if size == 0 {
            break;
        }
        let from = at + 2;
        whole.extend_from_slice(&bytes[from..(from + size).min(bytes.len())]);
        bytes = bytes.get(from + size + 2..).unwrap_or_default();
    }
    whole
}
