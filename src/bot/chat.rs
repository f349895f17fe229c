//! Chat: requests that players make by `tell`, orders of the owners, and the bot's answers.

use super::bot::Bot;
use super::match_log::MatchLogError;

/// A request made in chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Help,
    /// Results against the player who asks.
    Stats,
    /// The last match against the player who asks.
    Last,
    /// Owners: no new matches.
    Pause,
    /// Owners: new matches again.
    Resume,
    /// Owners: finish this match, then log out.
    Finish,
    /// Owners: what the bot is doing.
    Status,
    /// Owners: log out now; the server saves a match in progress.
    Quit,
}

/// The request in a line of chat, if there is one; orders count from an owner only.
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

/// Accounts that answer automatically, so that a conversation with them would never end: the service accounts of the server,
/// and bots known by name.
const BOTS: &[&str] =
    &["MissManners", "RepBotNG", "TourneyBot", "monitor", "RoboCop", "wildbg", "ziggy", "bonehead"];
/// The same, by the beginning of their names.
const BOT_PREFIXES: &[&str] = &["GammonBot", "BlunderBot", "CamlBot", "nonet"];

/// Whether an account is a bot or a service, whose chat is not answered.
pub(super) fn is_bot(name: &str) -> bool {
    BOTS.contains(&name) || BOT_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

const HELP: &str = "I am nonet, a bot: nine small nets that learned backgammon by themselves. Tell me 'stats' \
     for our results or 'last' for our last match. If I seem to hang, say 'move' in the match.";

impl Bot {
    /// Carries out a request of the player `from`, and returns the answer.
    pub(super) fn answer(&mut self, request: Request, from: &str) -> String {
        match request {
            Request::Help => HELP.to_owned(),
            Request::Stats => match self.match_log.results() {
                Ok(results) => results.against(from),
                Err(error) => self.records_unavailable(&error),
            },
            Request::Last => match self.match_log.last(from) {
                Ok(Some(last)) => {
                    let [own, other] = last.result.map_or(last.score(), |(_, score)| score);
                    let length = last.length.map_or("unlimited".into(), |n| format!("{n} point"));
                    format!("Our last {length} match: you {other}, me {own}.")
                }
                Ok(None) => "We have not played yet, as far as I know.".to_owned(),
                Err(error) => self.records_unavailable(&error),
            },
            Request::Pause => {
                self.paused = true;
                "No new matches until you say 'resume'.".to_owned()
            }
            Request::Resume => {
                (self.paused, self.finishing) = (false, false);
                "New matches are welcome again.".to_owned()
            }
            Request::Finish => {
                self.finishing = true;
                "I will log out after this match.".to_owned()
            }
            Request::Status => {
                let doing = match &self.opponent {
                    Some(opponent) => format!("playing {opponent}"),
                    None => "idle".to_owned(),
                };
                let paused = if self.paused { ", paused" } else { "" };
                let open = self.match_log.open_opponents().len();
                format!("{doing}{paused}; {} matches finished, {open} open.", self.matches_finished)
            }
            Request::Quit => {
                self.quitting = true;
                "Goodbye.".to_owned()
            }
        }
    }

    /// The operator reads the reason, the player an apology.
    fn records_unavailable(&mut self, error: &MatchLogError) -> String {
        (self.log)(&format!("cannot answer a question about past matches: {error}"));
        "Sorry, I cannot read my records at the moment.".to_owned()
    }
}

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
    fn bots_and_services_are_known_by_name() {
        assert!(is_bot("GammonBot_VII") && is_bot("MissManners"));
        assert!(!is_bot("ann"));
    }
}
