//! What the bot says to people: one greeting, short answers, and obedience to its owners.

/// What a word said to the bot asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Help,
    /// The results against whoever asks.
    Stats,
    /// The last match against whoever asks.
    Last,
    /// Owners: no new matches.
    Pause,
    /// Owners: new matches again.
    Resume,
    /// Owners: finish this match, then log out.
    Finish,
    /// Owners: what is going on.
    Status,
    /// Owners: log out now; a match that is being played is saved.
    Quit,
}

/// What is asked for, if anything.
pub(super) fn request(text: &str, owner: bool) -> Option<Request> {
    let word = text.split_whitespace().next()?.to_ascii_lowercase();
    let word = word.trim_end_matches(|c: char| c.is_ascii_punctuation());
    Some(match (word, owner) {
        ("help" | "info", _) => Request::Help,
        ("stats" | "stat", _) => Request::Stats,
        ("last", true) => Request::Finish,
        ("last", false) => Request::Last,
        ("pause", true) => Request::Pause,
        ("resume", true) => Request::Resume,
        ("status", true) => Request::Status,
        ("quit", true) => Request::Quit,
        _ => return None,
    })
}

/// Accounts that answer by themselves: talk with them would never end.
///
/// The service accounts of the server and the bots known by name.
const TALKERS: &[&str] =
    &["MissManners", "RepBotNG", "TourneyBot", "monitor", "RoboCop", "wildbg", "ziggy", "bonehead"];
/// The same, by how their names begin.
const TALKERS_LIKE: &[&str] = &["GammonBot", "BlunderBot", "CamlBot", "nonet"];

/// Whether nothing that this player says is to be answered.
pub(super) fn is_a_machine(name: &str) -> bool {
    TALKERS.contains(&name) || TALKERS_LIKE.iter().any(|beginning| name.starts_with(beginning))
}

pub(super) const HELP: &str = "I am nonet, a bot: nine small nets that learned backgammon by themselves. Tell me 'stats' \
     for our results or 'last' for our last match. If I seem to hang, say 'move' in the match.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_owners_give_orders() {
        for text in ["pause", "quit", "status", "resume"] {
            assert_eq!(request(text, false), None, "{text}");
            assert!(request(text, true).is_some(), "{text}");
        }
        assert_eq!(request("LAST!", true), Some(Request::Finish));
        assert_eq!(request("last", false), Some(Request::Last));
        assert_eq!(request("nice move", true), None);
        assert_eq!(request("", true), None);
    }

    #[test]
    fn machines_are_not_talked_to() {
        assert!(is_a_machine("GammonBot_VII") && is_a_machine("MissManners"));
        assert!(!is_a_machine("ann"));
    }
}
