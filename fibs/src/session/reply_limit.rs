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
    last: Option<(String, Duration)>,
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
        let most = self.most;
        let replies = self.of(name, now);
        let is_same =
            |(said, when): &(String, Duration)| said == text && is_within(SAME, *when, now);
        if replies.count >= most || replies.last.as_ref().is_some_and(is_same) {
            return false;
        }
        replies.count += 1;
        replies.last = Some((text.to_owned(), now));
        true
    }

    /// Whether the player may be told something more now, if it is not what they heard last. It
    /// does not count.
    pub(super) fn has_room(&self, name: &str, now: Duration) -> bool {
        self.players
            .get(name)
            .is_none_or(|replies| replies.count < self.most || !is_within(HOUR, replies.since, now))
    }

    /// Counts one sentence, whatever its words.
    pub(super) fn count(&mut self, name: &str, now: Duration) {
        self.of(name, now).count += 1;
    }

    /// What the player was told in this hour.
    fn of(&mut self, name: &str, now: Duration) -> &mut Replies {
        if self.players.len() >= MAX_PLAYERS && !self.players.contains_key(name) {
            self.players.clear();
        }
        let new = || Replies { since: now, count: 0, last: None };
        let replies = self.players.entry(name.to_owned()).or_insert_with(new);
        if !is_within(HOUR, replies.since, now) {
            (replies.since, replies.count) = (now, 0);
        }
        replies
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
    fn room_for_a_sentence_is_asked_before_its_words_are_known() {
        let mut limit = ReplyLimit::new(2);
        assert!(limit.has_room("bob", seconds(0)) && limit.allows("bob", "busy", seconds(0)));
        limit.count("bob", seconds(1));
        assert!(!limit.has_room("bob", seconds(2)) && !limit.allows("bob", "other", seconds(2)));
        assert!(limit.has_room("ann", seconds(2)) && limit.has_room("bob", seconds(3600)));
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
