//! How often one player is told something: programs that answer each other must not talk for ever.

use std::collections::HashMap;
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(3600);
/// The same sentence is not repeated within this time.
const SAME: Duration = Duration::from_secs(60);
/// Players that are remembered.
const MAX_PLAYERS: usize = 10_000;

/// Limits what each player is told: a number of sentences in an hour, and none twice in a row
/// within a minute. A session limits its answers in this way.
///
/// ```
/// use std::time::Duration;
///
/// use fibs::session::ReplyLimit;
///
/// let mut limit = ReplyLimit::new(2);
/// let minute = |n: u64| Duration::from_secs(60 * n);
/// assert!(limit.allows("bob", "hello", minute(0)));
/// // The same again within a minute.
/// assert!(!limit.allows("bob", "hello", minute(0)));
/// assert!(limit.allows("bob", "hello", minute(1)));
/// // A third sentence within the hour.
/// assert!(!limit.allows("bob", "goodbye", minute(2)));
/// // Each player has a count of their own.
/// assert!(limit.allows("ann", "goodbye", minute(2)));
/// assert!(limit.allows("bob", "goodbye", minute(60)));
/// ```
#[derive(Clone, Debug)]
pub struct ReplyLimit {
    most: u32,
    players: HashMap<String, Replies>,
}

#[derive(Clone, Debug)]
struct Replies {
    since: Duration,
    count: u32,
    last: (String, Duration),
}

/// Whether `now` is within `time` after `begin`. It is not if the clock was set back.
fn is_within(time: Duration, begin: Duration, now: Duration) -> bool {
    now.checked_sub(begin).is_some_and(|passed| passed < time)
}

impl ReplyLimit {
    /// Each player is told `most` sentences in an hour.
    #[must_use]
    pub fn new(most: u32) -> ReplyLimit {
        ReplyLimit { most, players: HashMap::new() }
    }

    /// Whether `text` may be told to the player now; if so, it counts. `now` counts from any fixed
    /// moment. The clock may be set back.
    pub fn allows(&mut self, name: &str, text: &str, now: Duration) -> bool {
        let Some(replies) = self.players.get_mut(name) else {
            if self.players.len() >= MAX_PLAYERS {
                self.players.clear();
            }
            let last = (text.to_owned(), now);
            self.players.insert(name.to_owned(), Replies { since: now, count: 1, last });
            return true;
        };
        if !is_within(HOUR, replies.since, now) {
            (replies.since, replies.count) = (now, 0);
        }
        let (said, when) = &replies.last;
        if replies.count >= self.most || (said == text && is_within(SAME, *when, now)) {
            return false;
        }
        replies.count += 1;
        replies.last = (text.to_owned(), now);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn a_player_is_told_the_same_once_a_minute_and_so_much_an_hour() {
        let mut limit = ReplyLimit::new(12);
        assert!(limit.allows("bob", "busy", seconds(0)));
        assert!(!limit.allows("bob", "busy", seconds(59)));
        assert!(
            limit.allows("bob", "other", seconds(59)) && limit.allows("ann", "busy", seconds(1))
        );
        let told =
            (1..60).filter(|&n| limit.allows("bob", &n.to_string(), seconds(60 + n))).count();
        assert_eq!(told, 10);
        assert!(limit.allows("bob", "busy", seconds(3600)));
    }

    #[test]
    fn a_clock_that_is_set_back_silences_nobody() {
        let mut limit = ReplyLimit::new(1);
        let day = seconds(24 * 3600);
        assert!(limit.allows("bob", "busy", day) && !limit.allows("bob", "other", day));
        assert!(limit.allows("bob", "busy", seconds(0)));
        assert!(!limit.allows("bob", "busy", seconds(1)));
    }

    #[test]
    fn a_crowd_does_not_fill_the_memory() {
        let mut limit = ReplyLimit::new(1);
        assert!((0..3 * MAX_PLAYERS).all(|n| limit.allows(&n.to_string(), "busy", seconds(0))));
        assert!(limit.players.len() <= MAX_PLAYERS);
    }
}
