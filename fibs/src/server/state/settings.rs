//! What users can set: variables with `set`, switches with `toggle`, and whether they are away.

use super::server_state::{ConnectionId, ServerState};
use crate::message::Toggle;
use crate::server::journal::JournalEntry;

/// The variables with their default values; that of `boardstyle` is 3 for programs.
const VARIABLES: [(&str, &str); 6] = [
    ("boardstyle", "2"),
    ("linelength", "0"),
    ("pagelength", "0"),
    ("redoubles", "none"),
    ("sortwho", "login"),
    ("timezone", "UTC"),
];

/// Why a value is not one of a variable, in the server's words.
fn refusal(variable: &str, value: &str) -> Option<&'static str> {
    let number = |most: u32| value.parse::<u32>().is_ok_and(|n| n <= most);
    let (fits, why) = match variable {
        "boardstyle" => {
            (matches!(value, "1" | "2" | "3"), "** Valid arguments are the numbers 1 to 3.")
        }
        "linelength" => (number(999), "** Valid arguments are the numbers 0 to 999."),
        "pagelength" => (number(999), "** Valid arguments are the numbers 0 to 999."),
        "redoubles" => (
            matches!(value, "none" | "unlimited") || number(99),
            "** Valid arguments are 'none', 'unlimited' and the numbers 0 to 99.",
        ),
        "sortwho" => (
            matches!(value, "login" | "name" | "rating" | "rrating"),
            "** Unknown value. Try 'login', 'name', 'rating' or 'rrating'.",
        ),
        _ => (value == "UTC", "** This server knows the timezone UTC only."),
    };
    (!fits).then_some(why)
}

/// The whole sentence of FIBS after a toggle was changed.
fn toggled(toggle: Toggle, on: bool) -> String {
    let [yes, no] = toggle.answers();
    let end = match (toggle, on) {
        // FIBS leaves out a word.
        (Toggle::Allowpip, true) => {
            return "** You allow the use the server's 'pip' command.".into();
        }
        (Toggle::Allowpip, false) => " command",
        (Toggle::Autoboard, _) => " after every move",
        (Toggle::Autodouble, _) => " double the cube",
        (Toggle::Automove, _) => " automatically",
        (Toggle::Bell, _) => " if someone talks to you or invites you",
        (Toggle::Greedy, _) => " bearoffs",
        (Toggle::Ratings, _) => " are calculated",
        (Toggle::Ready, true) => " or join someone",
        (Toggle::Ready, false) => " with someone",
        (Toggle::Report, _) => " matches",
        _ => "",
    };
    format!("{}{end}.", if on { yes } else { no })
}

impl ServerState {
    /// The value of a variable.
    pub(super) fn setting(&self, name: &str, variable: &str) -> String {
        let set = self.accounts.get(name).and_then(|account| account.settings.get(variable));
        let default = VARIABLES.iter().find(|(known, _)| *known == variable);
        set.cloned().unwrap_or_else(|| default.map_or("", |(_, value)| value).to_owned())
    }

    /// The board style of a connection: 1, 2 or 3.
    pub(super) fn board_style(&self, id: ConnectionId) -> u8 {
        let Some(c) = self.connections.get(&id) else { return 3 };
        let set =
            self.accounts.get(&c.name).and_then(|a| a.settings.get("boardstyle")?.parse().ok());
        set.unwrap_or(if c.clip { 3 } else { 2 })
    }

    pub(super) fn set(&mut self, id: ConnectionId, name: &str, words: &[&str]) {
        let value_of = |server: &ServerState, variable: &str| match variable {
            "boardstyle" => server.board_style(id).to_string(),
            _ => server.setting(name, variable),
        };
        let Some(wanted) = words.first() else {
            self.say(id, "Settings of variables:");
            for (variable, _) in VARIABLES {
                let value = value_of(self, variable);
                self.say(id, &format!("{:<12}{value}", format!("{variable}:")));
            }
            return;
        };
        let mut begun =
            VARIABLES.iter().map(|(known, _)| *known).filter(|known| known.starts_with(wanted));
        let (Some(variable), None) = (begun.next(), begun.next()) else {
            return self.say(id, "** Invalid argument. Type 'help set'.");
        };
        let Some(value) = words.get(1) else {
            let value = value_of(self, variable);
            return self.say(id, &format!("Value of '{variable}' is {value}."));
        };
        if let Some(why) = refusal(variable, value) {
            return self.say(id, why);
        }
        let Some(account) = self.accounts.get_mut(name) else { return };
        let old = account.settings.insert(variable.to_owned(), (*value).to_owned());
        if old.as_deref() != Some(*value) {
            self.journal.push(JournalEntry::Account(name.to_owned(), account.clone()));
        }
        // FIBS quotes a word and not a number.
        let shown = match variable {
            "redoubles" if value.parse::<u32>().is_err() => format!("'{value}'"),
            _ => (*value).to_owned(),
        };
        self.say(id, &format!("Value of '{variable}' set to {shown}."));
    }

    pub(super) fn list_toggles(&mut self, id: ConnectionId, name: &str) {
        self.say(id, "The current settings are:");
        for toggle in Toggle::ALL {
            let state = if self.has_toggle(name, *toggle) { "YES" } else { "NO" };
            self.say(id, &format!("{:<15} {state}", toggle.name()));
        }
    }

    /// Changes switches. Programs hear once whether the user is ready, however many words come.
    pub(super) fn toggle_all(&mut self, id: ConnectionId, name: &str, whats: &[&str]) {
        let ready = self.has_toggle(name, Toggle::Ready);
        whats.iter().for_each(|what| self.toggle(id, name, what));
        if self.has_toggle(name, Toggle::Ready) != ready {
            self.broadcast_who_line(name);
        }
    }

    fn toggle(&mut self, id: ConnectionId, name: &str, what: &str) {
        let Some(toggle) = Toggle::named(what) else {
            return self.say(id, &format!("** Don't know how to toggle {what}."));
        };
        let Some(account) = self.accounts.get_mut(name) else { return };
        let on = account.on.insert(what.to_owned());
        if !on {
            account.on.remove(what);
        }
        self.journal.push(JournalEntry::Account(name.to_owned(), account.clone()));
        self.say(id, &toggled(toggle, on));
    }

    pub(super) fn go_away(&mut self, id: ConnectionId, name: &str, text: &str) {
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.away = Some(text.to_owned());
        }
        self.broadcast_who_line(name);
        self.say(id, "You're away. Please type 'back'");
    }

    pub(super) fn come_back(&mut self, id: ConnectionId, name: &str) {
        let was = self.connections.get_mut(&id).and_then(|c| c.away.take());
        if was.is_none() {
            return self.say(id, "** You're not away.");
        }
        self.broadcast_who_line(name);
        self.say(id, "Welcome back.");
    }

    pub(super) fn list_away(&mut self, id: ConnectionId) {
        let mut lines = Vec::new();
        for other in self.online_ids() {
            let Some(c) = self.connections.get(&other) else { continue };
            lines.extend(c.away.as_ref().map(|text| format!("{}: {text}", c.name)));
        }
        if lines.is_empty() {
            return self.say(id, "None of the users is away.");
        }
        self.say(id, "The following users are away:");
        lines.iter().for_each(|line| self.say(id, line));
    }

    /// Tells the user of a connection that `whom` is away.
    pub(super) fn say_if_away(&mut self, id: ConnectionId, whom: &str) {
        let c = self.online(whom).and_then(|other| self.connections.get(&other));
        if let Some(text) = c.and_then(|c| c.away.clone()) {
            self.say(id, &format!("\r\n{whom} is away: {text}"));
        }
    }
}
