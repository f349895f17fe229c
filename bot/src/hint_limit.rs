//! How often a player is told that the bot knows few words: chat must not become a loop.

use std::collections::HashMap;

/// Seconds between two hints to one player.
const PAUSE: f64 = 60.0;
/// Hints to one player in an hour. A session gives more answers, so some are left for requests.
const MOST: u32 = 4;
const HOUR: f64 = 3600.0;
/// Players that are remembered.
const MAX_PLAYERS: usize = 1000;

#[derive(Debug, Default)]
pub(super) struct HintLimit {
    players: HashMap<String, Given>,
}

/// What a player was told: times in seconds.
#[derive(Debug)]
struct Given {
    since: f64,
    last: f64,
    count: u32,
}

impl HintLimit {
    /// Whether the player may be given a hint now; if so, it counts. The clock may be set back.
    pub(super) fn allows(&mut self, name: &str, now: f64) -> bool {
        let Some(given) = self.players.get_mut(name) else {
            if self.players.len() >= MAX_PLAYERS {
                self.players.clear();
            }
            self.players.insert(name.to_owned(), Given { since: now, last: now, count: 1 });
            return true;
        };
        if !(given.since..given.since + HOUR).contains(&now) {
            (given.since, given.count) = (now, 0);
        }
        if given.count >= MOST || (given.last..given.last + PAUSE).contains(&now) {
            return false;
        }
        (given.last, given.count) = (now, given.count + 1);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_gets_a_hint_once_a_minute_and_four_times_an_hour() {
        let mut limit = HintLimit::default();
        assert!(limit.allows("bob", 0.0) && !limit.allows("bob", 59.0));
        assert!(limit.allows("bob", 60.0) && limit.allows("ann", 60.0));
        let given = (61..3600).filter(|&second| limit.allows("bob", f64::from(second))).count();
        assert_eq!(given, 2);
        assert!(limit.allows("bob", 3600.0));
        // The clock was set back by a day.
        assert!(limit.allows("bob", -86_400.0) && !limit.allows("bob", -86_399.0));
    }

    #[test]
    fn a_crowd_does_not_fill_the_memory() {
        let mut limit = HintLimit::default();
        assert!((0..5000).all(|n| limit.allows(&format!("player_{n}"), 0.0)));
        assert!(limit.players.len() <= MAX_PLAYERS);
    }
}
