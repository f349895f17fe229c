//! One process of a UBGI engine.

use std::io::{BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use super::client::{UbgiFailure, UbgiSettings};
use crate::protocol::LineReader;
use crate::protocol::child_process::{ChildProcess, LastLines};

/// A question to an engine.
pub(super) struct Question {
    /// The text to send.
    pub(super) lines: String,
    /// The name in errors.
    pub(super) asked: String,
    /// The first word of the answer.
    pub(super) answer: &'static str,
}

/// A process that has answered the greeting.
#[derive(Debug)]
pub(super) struct UbgiProcess {
    child: ChildProcess,
    /// Taken at the end.
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    timeout: Duration,
    name: String,
}

/// How many lines of an engine wait to be read; after that its output blocks.
const WAITING_LINES: usize = 1024;
/// How long an engine may take to end after `quit`.
const QUIT: Duration = Duration::from_millis(500);

impl UbgiProcess {
    pub(super) fn start(settings: &UbgiSettings) -> Result<UbgiProcess, UbgiFailure> {
        let (program, arguments) = settings.command.split_first().ok_or(UbgiFailure::NoCommand)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let started = ChildProcess::spawn_group(command.stderr(Stdio::piped()));
        let mut child =
            started.map_err(|cause| UbgiFailure::Start { program: program.clone(), cause })?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let mut child = ChildProcess::new(child);
        let (send, lines) = sync_channel(WAITING_LINES);
        if let Some(output) = output {
            let printed = child.printed.clone();
            child.reads(std::thread::spawn(move || read_lines(output, &printed, &send)));
        }
        let name = program.rsplit(['/', '\\']).next().unwrap_or(program).to_owned();
        let timeout = settings.start;
        let mut process = UbgiProcess { child, input, lines, timeout, name };
        process.greet(settings)?;
        process.timeout = settings.answer;
        Ok(process)
    }

    /// The name that the engine gives, or that of its program.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    fn greet(&mut self, settings: &UbgiSettings) -> Result<(), UbgiFailure> {
        let greeting = Question { lines: "ubgi\n".into(), asked: "ubgi".into(), answer: "ubgiok" };
        let mut keys = Vec::new();
        let mut name = None;
        self.ask_and_see(&greeting, |line| {
            let mut words = line.split_whitespace();
            match (words.next(), words.next()) {
                (Some("id"), Some("name")) => name = Some(words.collect::<Vec<_>>().join(" ")),
                (Some("key"), Some(key)) => keys.push(key.to_owned()),
                _ => {}
            }
        })?;
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            self.name = name;
        }
        let announces = |key: &str| keys.iter().any(|announced| announced == key);
        if settings.cube && !announces("ext.take") {
            return Err(UbgiFailure::NoCube);
        }
        // Engines that can play without the cube in money games are told to.
        let cubeless = !settings.cube && announces("ext.cubeless");
        let set = if cubeless { "set ext.cubeless true\n" } else { "" };
        let ready = Question {
            lines: format!("{set}isready\n"),
            asked: format!("{set}isready").replace('\n', ", "),
            answer: "readyok",
        };
        self.ask(&ready).map(drop)
    }

    /// The rest of the line that begins with the word of the answer.
    pub(super) fn ask(&mut self, question: &Question) -> Result<String, UbgiFailure> {
        self.ask_and_see(question, |_| ())
    }

    /// Shows the lines before the answer to `see`.
    fn ask_and_see(
        &mut self,
        question: &Question,
        mut see: impl FnMut(&str),
    ) -> Result<String, UbgiFailure> {
        let deadline = Instant::now() + self.timeout;
        let asked = || question.asked.clone();
        // If the process has ended, the end of its output reports that.
        if let Some(input) = self.input.as_mut() {
            let _ = input.write_all(question.lines.as_bytes()).and_then(|()| input.flush());
        }
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = match self.lines.recv_timeout(left) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => {
                    let (_, output) = self.child.end();
                    let waited = self.timeout;
                    return Err(UbgiFailure::Stalled { asked: asked(), waited, output });
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let (status, output) = self.child.end();
                    return Err(UbgiFailure::Ended { asked: asked(), status, output });
                }
            };
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
            if word == question.answer {
                return Ok(rest.trim().to_owned());
            }
            if word == "error" {
                return Err(UbgiFailure::Refused { asked: asked(), answer: line });
            }
            if word.starts_with("best") {
                let expected = question.answer;
                return Err(UbgiFailure::Unexpected { asked: asked(), answer: line, expected });
            }
            see(&line);
        }
    }
}

impl Drop for UbgiProcess {
    fn drop(&mut self) {
        if let Some(mut input) = self.input.take() {
            let _ = input.write_all(b"quit\n");
        }
        // The engine may end its own children; it is killed only if it does not end.
        let _ = self.child.wait(QUIT);
    }
}

fn read_lines(output: ChildStdout, printed: &LastLines, lines: &SyncSender<String>) {
    let mut reader = LineReader::new(BufReader::new(output));
    while let Ok(Some(line)) = reader.next_line() {
        let line = line.unwrap_or_else(|refused| refused.to_string());
        printed.push(&line);
        if lines.send(line).is_err() {
            break;
        }
    }
}
