//! The users that a user does not want to hear, and those that may not watch the user. Both lists
//! end with the connection, as on FIBS.

use super::server_state::{ClientState, ConnectionId, ServerState};

/// The most users that a user gags, and the most that a user blinds.
const MOST: usize = 100;

/// `gag` or `blind`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ban {
    Hearing,
    Watching,
}

impl Ban {
    fn word(self) -> &'static str {
        match self {
            Ban::Hearing => "gag",
            Ban::Watching => "blind",
        }
    }

    fn of(self, c: &mut ClientState) -> &mut std::collections::BTreeSet<String> {
        match self {
            Ban::Hearing => &mut c.gagged,
            Ban::Watching => &mut c.blinded,
        }
    }
}

impl ServerState {
    pub(super) fn ban(&mut self, id: ConnectionId, name: &str, ban: Ban, whom: Option<&str>) {
        let word = ban.word();
        let known = whom.is_some_and(|whom| self.accounts.contains_key(whom));
        let Some(c) = self.connections.get_mut(&id) else { return };
        let banned = ban.of(c);
        let line = match whom {
            None if banned.is_empty() => format!("** You {word} nobody."),
            None => {
                let names: Vec<&str> = banned.iter().map(String::as_str).collect();
                format!("** You {word}: {}", names.join(", "))
            }
            Some(whom) if whom == name && ban == Ban::Hearing => {
                "** You talk too much, don't you?".to_owned()
            }
            Some(whom) if whom == name => "** You can't read this message now, can you?".to_owned(),
            Some(whom) if banned.remove(whom) => format!("** You un{word} {whom}."),
            Some(whom) if !known => format!("** There is no one called {whom}"),
            Some(_) if banned.len() >= MOST => {
                format!("** You can't {word} more than {MOST} users.")
            }
            Some(whom) => {
                banned.insert(whom.to_owned());
                format!("** You {word} {whom}.")
            }
        };
        self.say(id, &line);
        if let (Ban::Watching, Some(whom)) = (ban, whom) {
            self.stop_banned(name, whom);
        }
    }

    /// Ends the watching of a user who is banned now.
    fn stop_banned(&mut self, name: &str, whom: &str) {
        let Some(watcher) = self.online(whom) else { return };
        if self.bans_watching(name, whom)
            && let Some(c) = self.connections.get_mut(&watcher)
            && c.watching.as_deref() == Some(name)
        {
            c.watching = None;
            self.say(watcher, &format!("{name} bans you from watching."));
            self.broadcast_who_line(whom);
        }
    }

    /// Whether a user who is logged in does not want to hear another.
    pub(super) fn gags(&self, name: &str, whom: &str) -> bool {
        let c = self.online(name).and_then(|id| self.connections.get(&id));
        c.is_some_and(|c| c.gagged.contains(whom))
    }

    /// Whether a user who is logged in does not want to be watched by another.
    pub(super) fn bans_watching(&self, name: &str, whom: &str) -> bool {
        let c = self.online(name).and_then(|id| self.connections.get(&id));
        c.is_some_and(|c| c.blinded.contains(whom))
    }
}
