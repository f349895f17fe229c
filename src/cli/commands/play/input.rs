//! Lines from standard input that Ctrl-C interrupts.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use crate::cli::interrupt::on_interrupt;

/// How often Ctrl-C is looked for while nothing is typed.
const PAUSE: Duration = Duration::from_millis(30);

/// What was typed.
#[derive(Debug, PartialEq)]
pub(super) enum Typed {
    Line(String),
    /// The end of the input: Ctrl-D, or the end of a pipe.
    End,
    /// Ctrl-C, or SIGTERM.
    Interrupted,
}

/// Reads in a thread of its own, because a read from a terminal cannot be interrupted otherwise.
pub(super) struct Lines {
    lines: Receiver<io::Result<String>>,
    stop: Arc<AtomicBool>,
}

impl Lines {
    pub(super) fn of_standard_input() -> Lines {
        let stop = on_interrupt();
        let (sender, lines) = sync_channel(1);
        std::thread::spawn(move || {
            let mut input = io::stdin().lock();
            loop {
                let mut bytes = Vec::new();
                let read = input.read_until(b'\n', &mut bytes).map(|read| {
                    let line = String::from_utf8_lossy(&bytes).trim().to_owned();
                    (read > 0).then_some(line)
                });
                // Nobody receives once the match has ended.
                let Some(line) = read.transpose() else { break };
                let failed = line.is_err();
                if sender.send(line).is_err() || failed {
                    break;
                }
            }
        });
        Lines { lines, stop }
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Writes a line that was read from a pipe behind its prompt, where a terminal shows what was
    /// typed.
    pub(super) fn echo(&self, line: &str, out: &mut impl Write) -> io::Result<()> {
        if io::stdin().is_terminal() { Ok(()) } else { writeln!(out, "{line}") }
    }

    /// Waits for the next line.
    pub(super) fn next(&self) -> io::Result<Typed> {
        loop {
            if self.is_interrupted() {
                return Ok(Typed::Interrupted);
            }
            match self.lines.recv_timeout(PAUSE) {
                Ok(line) => return line.map(Typed::Line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(Typed::End),
            }
        }
    }
}
