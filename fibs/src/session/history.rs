//! What was missed: asking the server for the moves of a match, and knowing when it has said them all.

use std::time::Duration;

use super::DEADLINE;

/// How often the server is asked before it is given up.
const TRIES: u32 = 4;
/// An answer that has stopped for so long is over or held up.
const QUIET: Duration = Duration::from_secs(1);

/// Moves that are wanted.
#[derive(Clone, Debug)]
pub(super) struct HistoryRequest {
    pub(super) opponent: String,
    tries: u32,
    asked: Option<Duration>,
    lines: Vec<String>,
    last: Duration,
}

/// The most lines that are kept of an answer: a very long match.
const MOST_LINES: usize = 20_000;

impl HistoryRequest {
    pub(super) fn new(opponent: String) -> HistoryRequest {
        let zero = Duration::ZERO;
        HistoryRequest { opponent, tries: 0, asked: None, lines: Vec::new(), last: zero }
    }

    /// Whether to ask (again) now.
    pub(super) fn is_due(&self, now: Duration) -> bool {
        self.lines.is_empty() && self.asked.is_none_or(|asked| now >= asked + DEADLINE)
    }

    pub(super) fn ask(&mut self, now: Duration) {
        self.asked = Some(now);
        self.tries += 1;
    }

    /// All tries went by without an answer.
    pub(super) fn is_lost(&self, now: Duration) -> bool {
        self.tries >= TRIES && self.is_due(now)
    }

    pub(super) fn take(&mut self, line: String, now: Duration) {
        if self.asked.is_some() && self.lines.len() < MOST_LINES {
            self.lines.push(line);
            self.last = now;
        }
    }

    pub(super) fn has_begun(&self) -> bool {
        !self.lines.is_empty()
    }

    /// The answer has stopped, and whether it is over will be seen by what comes next: something has to.
    pub(super) fn wants_more(&self, now: Duration) -> bool {
        self.has_begun() && now >= self.last + QUIET
    }

    /// The server was asked for a sign of life behind the answer.
    pub(super) fn prodded(&mut self, now: Duration) {
        self.last = now + DEADLINE - QUIET;
    }

    pub(super) fn next_tick(&self) -> Duration {
        if self.has_begun() {
            self.last + QUIET
        } else {
            self.asked.map_or(Duration::ZERO, |asked| asked + DEADLINE)
        }
    }

    /// The lines up to the last turn that is complete.
    pub(super) fn into_lines(mut self) -> Vec<String> {
        let is_roll_alone = |line: &String| {
            line.split_once(')')
                .is_some_and(|(roll, play)| roll.contains('(') && play.trim().is_empty())
        };
        while self.lines.last().is_some_and(is_roll_alone) {
            self.lines.pop();
        }
        self.lines
    }
}
