//! Messages left for users, waiting for a user, and waving goodbye.

use super::server_state::{ConnectionId, ServerState};
use crate::server::calendar::short_date;
use crate::server::journal::JournalEntry;

/// The most messages that wait for a user.
const MOST_MESSAGES: usize = 20;
/// The most characters of a message.
const LONGEST_MESSAGE: usize = 500;
/// The most users that a user waits for.
const MOST_WAITS: usize = 20;

impl ServerState {
    pub(super) fn leave_message(&mut self, id: ConnectionId, name: &str, whom: &str, text: &str) {
        let text: String = text.chars().take(LONGEST_MESSAGE).collect();
        let message = (name.to_owned(), self.now, text);
        let clip = self.is_clip(id);
        if let Some(other) = self.online(whom) {
            self.deliver(other, &[message]);
            let said = format!("** Your message was delivered to {whom}.");
            return self.say(id, &if clip { format!("10 {whom}") } else { said });
        }
        let Some(account) = self.accounts.get_mut(whom) else {
            return self.say(id, &format!("** Don't know user {whom}"));
        };
        if account.messages.len() >= MOST_MESSAGES {
            return self.say(id, &format!("** Too many messages are waiting for {whom}."));
        }
        account.messages.push(message);
        self.journal.push(JournalEntry::Account(whom.to_owned(), account.clone()));
        let said = format!("** Your message to {whom} was saved.");
        self.say(id, &if clip { format!("11 {whom}") } else { said });
    }

    pub(super) fn deliver(&mut self, id: ConnectionId, messages: &[(String, u64, String)]) {
        let clip = self.is_clip(id);
        if !clip && !messages.is_empty() {
            self.say(id, "There are messages for you:");
        }
        for (from, time, text) in messages {
            let line = if clip {
                format!("9 {from} {time} {text}")
            } else {
                format!("{from} ({}): {text}", short_date(*time))
            };
            self.say(id, &line);
        }
    }

    pub(super) fn wait_for(&mut self, id: ConnectionId, whom: Option<&str>) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        let waits = &mut connection.waits_for;
        let line = match whom {
            None if waits.is_empty() => "You're not waiting for anybody.".to_owned(),
            None => {
                let names: Vec<&str> = waits.iter().map(String::as_str).collect();
                format!("You're waiting for: {}", names.join(", "))
            }
            Some(whom) if waits.remove(whom) => format!("** You're no longer waiting for {whom}."),
            Some(whom) if !self.accounts.contains_key(whom) => format!("** Don't know user {whom}"),
            Some(_) if waits.len() >= MOST_WAITS => {
                format!("** You can't wait for more than {MOST_WAITS} users.")
            }
            Some(whom) => {
                waits.insert(whom.to_owned());
                match self.online(whom) {
                    Some(_) => {
                        if let Some(connection) = self.connections.get_mut(&id) {
                            connection.waits_for.remove(whom);
                        }
                        format!("** {whom} is already logged in.")
                    }
                    None => format!("** You're waiting for {whom}."),
                }
            }
        };
        self.say(id, &line);
    }

    /// Tells those who wait for a user that the user has logged in, and the user that they do.
    pub(super) fn tell_those_who_wait(&mut self, id: ConnectionId, name: &str) {
        for other in self.online_ids() {
            let Some(c) = self.connections.get_mut(&other) else { continue };
            if !c.waits_for.remove(name) {
                continue;
            }
            let waiting = c.name.clone();
            // FIBS rings three times, whatever the toggle says.
            self.say(other, &format!("** FINALLY!!! {name} logs in.\u{7}\u{7}\u{7}"));
            self.say(id, &format!("** {waiting} is waiting for you to log in."));
        }
    }

    pub(super) fn wave(&mut self, id: ConnectionId, name: &str) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        let again = std::mem::replace(&mut connection.waved, true);
        let (own, others) = if again {
            ("You wave goodbye again and log out.", format!("{name} waves goodbye again."))
        } else {
            ("You wave goodbye.", format!("{name} waves goodbye."))
        };
        self.say(id, own);
        for other in self.online_ids() {
            if other != id {
                self.say(other, &others);
            }
        }
        if again {
            self.log_out(id);
        }
    }
}
