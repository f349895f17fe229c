//! Missed moves: asks the server for the moves of a match and finds the end of its answer.

use std::time::Duration;

use super::DEADLINE;

/// How often the server is asked before the history is given up.
const TRIES: u32 = 4;
/// An answer without a new line for this time is over or delayed.
const QUIET: Duration = Duration::from_secs(1);

/// A request for the moves of a match.
#[derive(Clone, Debug)]
pub(super) struct HistoryRequest {
    pub(super) opponent: String,
    tries: u32,
    asked: Option<Duration>,
    lines: Vec<String>,
    last: Duration,
}

/// The most lines of an answer that are kept; a very long match has fewer.
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

    /// The answer has paused: the answer to another command will show whether it is complete.
    pub(super) fn wants_more(&self, now: Duration) -> bool {
        self.has_begun() && now >= self.last + QUIET
    }

    /// Another command was sent to find the end of the answer.
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

    /// Whether the moves end with a double that has no answer yet: whether it is ours.
    pub(super) fn open_double(&self) -> Option<bool> {
        let (letter, words) = self.lines.last()?.split_once(':')?;
        let theirs = format!("{} is X", self.opponent);
        let is_x =
            self.lines.iter().any(|line| line.split(" - ").any(|part| part.trim() == theirs));
        (words.trim() == "doubles").then(|| (letter.trim() == "X") != is_x)
    }

    /// The lines up to the last complete turn.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_double_at_the_end_of_the_moves_has_no_answer_yet() {
        let after = |opponent: &str, last: &str| {
            let mut request = HistoryRequest::new(opponent.to_owned());
            let lines = ["Score is 0-0 in a 5 point match.", "ann is X - bob is O", last];
            request.lines = lines.map(str::to_owned).into();
            request.open_double()
        };
        assert_eq!(after("ann", "O: doubles"), Some(true));
        assert_eq!(after("bob", "O: doubles"), Some(false));
        assert_eq!(after("nn", "X: doubles"), Some(true), "no part of a name");
        assert_eq!(after("ann", "O: accepts"), None);
        assert_eq!(after("ann", "X: (3 1) 8-5 6-5"), None);
    }
}
