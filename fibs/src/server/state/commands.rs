//! Commands outside of matches: settings, chat, watching.

use super::server_state::{ClientState, ConnectionId, ServerState};
use crate::message::Toggle;
use crate::server::journal::JournalEntry;

impl ServerState {
    pub(super) fn command(&mut self, id: ConnectionId, line: &str) {
        let Some(connection) = self.connections.get(&id) else { return };
        let (name, away) = (connection.name.clone(), connection.away);
        let words: Vec<&str> = line.split_whitespace().collect();
        let rest = |n: usize| line.splitn(n + 1, char::is_whitespace).nth(n).unwrap_or("").trim();
        match words.as_slice() {
            [] => {}
            ["login", ..] => {}
            ["bye" | "quit" | "exit" | "adios" | "logout" | "end", ..] => {
                self.remove_connection(id, "logs out");
                self.raw(id, "Goodbye.\r\n");
                self.closing.push(id);
            }
            ["set", "boardstyle", "3"] => self.say(id, "Value of 'boardstyle' set to 3."),
            ["set", "boardstyle", ..] => self.say(id, "** This server knows boardstyle 3 only."),
            ["set", what, value, ..] => {
                let text = format!("Value of '{what}' set to {value}.");
                self.say(id, &text);
            }
            ["address", address] if address.contains('@') => {
                self.say(id, &format!("Your email address is '{address}'."));
            }
            ["address", address, ..] => {
                self.say(id, &format!("** '{address}' is not an email address."));
            }
            ["toggle"] => {
                for toggle in Toggle::ALL {
                    let state = if self.has_toggle(&name, *toggle) { "YES" } else { "NO" };
                    self.say(id, &format!("{:<15} {state}", toggle.name()));
                }
            }
            ["toggle", what] => self.toggle(id, &name, what),
            ["save"] => self.say(id, "Settings saved."),
            ["away", ..] => {
                self.set_away(id, true);
                self.say(id, "You're away. Please type 'back'");
            }
            ["back"] => {
                self.set_away(id, false);
                self.say(id, "Welcome back.");
            }
            ["time"] => {
                let text = format!("{} UTC", self.now);
                self.say(id, &text);
            }
            ["who"] => self.who(id, false),
            ["rawwho", ..] => self.who(id, true),
            ["help", ..] => self.say(id, "invite join roll move double accept reject resign leave board show oldmoves who tell bye"),
            ["tell" | "tellx", to, _, ..] => self.chat_to(id, &name, to, rest(2)),
            ["shout", _, ..] => self.shout(id, &name, rest(1)),
            ["kibitz" | "k" | "say", _, ..] => self.kibitz(id, &name, rest(1), true),
            ["whisper", _, ..] => self.kibitz(id, &name, rest(1), false),
            ["watch", whom] => self.watch(id, &name, whom),
            ["unwatch"] => {
                if let Some(c) = self.connections.get_mut(&id) {
                    c.watching = None;
                }
                self.say(id, "You stop watching.");
                self.broadcast_who_line(&name);
            }
            ["show", "saved"] => self.show_saved(id, &name),
            ["show", "savedcount"] => {
                let count = self.saved_of(&name).len();
                self.say(id, &format!("{name} has {count} saved games."));
            }
            ["oldmoves", with] => self.old_moves(id, &name, with),
            ["invite", whom] => self.invite(id, &name, whom, None),
            ["invite", whom, "unlimited"] => self.invite(id, &name, whom, Some(None)),
            ["invite", whom, points] => match points.parse().ok().filter(|n| (1..=99).contains(n)) {
                Some(points) => self.invite(id, &name, whom, Some(Some(points))),
                None => self.say(id, "** The second argument to 'invite' has to be a number or the word 'unlimited'"),
            },
            ["join", whom] => self.join(id, &name, whom),
            _ => self.game_command(id, &name, &words),
        }
        if away && words.first() != Some(&"back") {
            self.say(id, "You're away. Please type 'back'");
        }
    }

    pub(super) fn set_away(&mut self, id: ConnectionId, away: bool) {
        let mut name = String::new();
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.away = away;
            name.clone_from(&connection.name);
        }
        self.broadcast_who_line(&name);
    }

    pub(super) fn toggle(&mut self, id: ConnectionId, name: &str, what: &str) {
        let Some(toggle) = Toggle::named(what) else {
            return self.say(id, &format!("** Don't know how to toggle {what}."));
        };
        let Some(account) = self.accounts.get_mut(name) else { return };
        let on = account.on.insert(what.to_owned());
        if !on {
            account.on.remove(what);
        }
        self.journal.push(JournalEntry::Account(name.to_owned(), account.clone()));
        let [yes, no] = toggle.answers();
        self.say(id, &format!("{}.", if on { yes } else { no }));
        if toggle == Toggle::Ready {
            self.broadcast_who_line(name);
        }
    }

    pub(super) fn chat_to(&mut self, id: ConnectionId, name: &str, to: &str, text: &str) {
        let Some(other) = self.online(to) else {
            return self.say(id, &format!("** There is no one called {to}"));
        };
        let clip = |id: ConnectionId| self.connections.get(&id).is_some_and(|c| c.clip);
        let line =
            if clip(other) { format!("12 {name} {text}") } else { format!("{name} says: {text}") };
        let echo =
            if clip(id) { format!("16 {to} {text}") } else { format!("You tell {to}: {text}") };
        self.say(other, &line);
        self.say(id, &echo);
    }

    pub(super) fn shout(&mut self, id: ConnectionId, name: &str, text: &str) {
        for other in self.online_ids() {
            let Some(c) = self.connections.get(&other) else { continue };
            let clip = c.clip;
            if other == id {
                self.say(id, &format!("17 {text}"));
            } else if !self.has_toggle(&c.name.clone(), Toggle::Silent) {
                let line = if clip {
                    format!("13 {name} {text}")
                } else {
                    format!("{name} shouts: {text}")
                };
                self.say(other, &line);
            }
        }
    }

    pub(super) fn kibitz(&mut self, id: ConnectionId, name: &str, text: &str, to_opponent: bool) {
        let Some(c) = self.connections.get(&id) else { return };
        let opponent = c.opponent.clone().filter(|_| to_opponent);
        let watching = |c: &ClientState| {
            c.watching.as_deref().is_some_and(|w| w == name || Some(w) == opponent.as_deref())
        };
        let mut listeners = 0;
        for other in self.online_ids() {
            let Some(c) = self.connections.get(&other) else { continue };
            if opponent.as_deref() == Some(c.name.as_str()) || watching(c) {
                let number = if to_opponent { 15 } else { 14 };
                self.say(other, &format!("{number} {name} {text}"));
                listeners += 1;
            }
        }
        self.say(id, &format!("{} {text}", if to_opponent { 19 } else { 18 }));
        let s = if listeners == 1 { "" } else { "s" };
        let line = if listeners == 0 {
            "** But nobody heard you.".to_owned()
        } else {
            format!("** {listeners} user{s} heard you.")
        };
        self.say(id, &line);
    }

    pub(super) fn watch(&mut self, id: ConnectionId, name: &str, whom: &str) {
        if self.online(whom).is_none() {
            return self.say(id, &format!("** There is no one called {whom}"));
        }
        if let Some(c) = self.connections.get_mut(&id) {
            c.watching = Some(whom.to_owned());
        }
        self.say(id, &format!("You're now watching {whom}."));
        self.say_to(whom, &format!("{name} is watching you."));
        self.broadcast_who_line(name);
        if let Some(key) = self.playing(whom)
            && let Some(game) = self.matches.get(&key)
            && let Some(seat) = game.seat(whom)
        {
            let board = game.board(seat, whom).to_string();
            self.say(id, &board);
        }
    }
}
