//! How often an opponent is answered: programs that answer each other must not talk for ever.

use std::time::Duration;

/// Answers in an hour.
const MOST: u32 = 20;
/// Lines in an hour that lead to answers. Some of these are not said, because they are repeated.
const MOST_LINES: u32 = 40;
const HOUR: Duration = Duration::from_secs(3600);
/// The same answer is not repeated within this time.
const SAME: Duration = Duration::from_secs(60);

/// The answers to the present opponent or the last one, and their times. Answers to one opponent do
/// not count for the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Replies {
    to: String,
    since: Duration,
    count: u32,
    /// Lines that led to answers, said or not.
    lines: u32,
    last: Option<(String, Duration)>,
}

impl Replies {
    /// Turns to an opponent, and begins a new hour if the last one is over.
    fn turn_to(&mut self, to: &str, now: Duration) {
        if self.to != to {
            *self = Replies { to: to.to_owned(), since: now, ..Replies::default() };
        }
        if now >= self.since + HOUR {
            (self.since, self.count, self.lines) = (now, 0, 0);
        }
    }

    /// Whether an opponent may be answered now, if it is not what they heard last. It does not
    /// count.
    pub(super) fn has_room(&mut self, to: &str, now: Duration) -> bool {
        self.turn_to(to, now);
        self.count < MOST && self.lines < MOST_LINES
    }

    /// Counts a line of an opponent that led to an answer, whether it is said or not.
    pub(super) fn count_line(&mut self, of: &str, now: Duration) {
        self.turn_to(of, now);
        self.lines += 1;
    }

    /// Whether `text` may be said to an opponent now; if so, it counts.
    pub(super) fn allow(&mut self, to: &str, text: &str, now: Duration) -> bool {
        self.turn_to(to, now);
        let repeated = |(said, at): &(String, Duration)| said == text && now < *at + SAME;
        if self.count >= MOST || self.last.as_ref().is_some_and(repeated) {
            return false;
        }
        self.count += 1;
        self.last = Some((text.to_owned(), now));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_is_said_once_a_minute_and_an_hour_has_twenty_answers() {
        let mut replies = Replies::default();
        let seconds = Duration::from_secs;
        let mut allow = |text: &str, n: u64| replies.allow("ann", text, seconds(n));
        assert!(allow("hello", 0) && !allow("hello", 59));
        let said = (0..100).filter(|n| allow(&n.to_string(), 60 + n)).count();
        assert_eq!(said, 19);
        assert!(allow("hello", 3600));
    }

    #[test]
    fn lines_whose_answers_are_repeated_and_not_said_are_limited_too() {
        let (mut replies, now) = (Replies::default(), Duration::from_secs(60));
        let mut answered = 0;
        while replies.has_room("eve", now) && answered < 100 {
            replies.count_line("eve", now);
            answered += 1;
        }
        assert_eq!(answered, MOST_LINES);
        assert!(replies.clone().has_room("eve", now + HOUR));
        assert!(replies.has_room("ann", now));
    }

    #[test]
    fn an_opponent_who_talks_much_does_not_silence_the_bot_for_the_next_one() {
        let (mut replies, now) = (Replies::default(), Duration::from_secs(60));
        let said = (0..100).filter(|n| replies.allow("eve", &n.to_string(), now)).count();
        assert_eq!(said, 20);
        assert!(replies.allow("ann", "99", now) && !replies.allow("ann", "99", now));
    }
}
