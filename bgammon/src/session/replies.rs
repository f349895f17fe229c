//! How often a player is answered: programs that answer each other must not talk for ever.

use std::time::Duration;

/// Answers in an hour.
const MOST: u32 = 20;
const HOUR: Duration = Duration::from_secs(3600);
/// The same answer is not repeated within this time.
const SAME: Duration = Duration::from_secs(60);

/// What was said, and when.
#[derive(Clone, Debug, Default)]
pub(super) struct Replies {
    since: Duration,
    count: u32,
    last: Option<(String, Duration)>,
}

impl Replies {
    /// Whether `text` may be said now; if so, it counts.
    pub(super) fn allow(&mut self, text: &str, now: Duration) -> bool {
        if now >= self.since + HOUR {
            (self.since, self.count) = (now, 0);
        }
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
        assert!(replies.allow("hello", seconds(0)) && !replies.allow("hello", seconds(59)));
        let said = (0..100).filter(|n| replies.allow(&n.to_string(), seconds(60 + n))).count();
        assert_eq!(said, 19);
        assert!(replies.allow("hello", seconds(3600)));
    }
}
