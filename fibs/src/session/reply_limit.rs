//! How often one player is answered: bots that answer each other must not talk for ever.

use std::collections::HashMap;
use std::time::Duration;

/// Replies to one player in an hour.
const MAX_REPLIES: u32 = 12;
const HOUR: Duration = Duration::from_secs(3600);
/// The same reply is not repeated within this time.
const SAME: Duration = Duration::from_secs(60);
/// Players that are remembered.
const MAX_PLAYERS: usize = 10_000;

#[derive(Debug, Default)]
pub(super) struct ReplyLimit {
    players: HashMap<String, Replies>,
}

#[derive(Debug)]
struct Replies {
    since: Duration,
    count: u32,
    last: (String, Duration),
}

impl ReplyLimit {
    /// Whether `text` may be told to the player now; if so, it counts.
    pub(super) fn allows(&mut self, name: &str, text: &str, now: Duration) -> bool {
        if self.players.len() > MAX_PLAYERS {
            self.players.clear();
        }
        let Some(replies) = self.players.get_mut(name) else {
            let last = (text.to_owned(), now);
            self.players.insert(name.to_owned(), Replies { since: now, count: 1, last });
            return true;
        };
        if now >= replies.since + HOUR {
            (replies.since, replies.count) = (now, 0);
        }
        let repeated = replies.last.0 == text && now < replies.last.1 + SAME;
        if replies.count >= MAX_REPLIES || repeated {
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

    #[test]
    fn a_player_is_told_the_same_once_a_minute_and_twelve_times_an_hour() {
        let mut limit = ReplyLimit::default();
        let seconds = Duration::from_secs;
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
}
