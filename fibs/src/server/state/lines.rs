//! Opening and closing connections, and sending lines on them.

use std::collections::BTreeSet;

use backgammon::FibsBoard;

use super::server_state::{
    BANNER, ClientState, ConnectionId, ConnectionPhase, ConnectionStage, ServerState, pair,
};
use crate::message::Toggle;
use crate::server::board_picture::board_picture;
use crate::server::calendar::long_date;
use crate::server::journal::JournalEntry;

impl ServerState {
    pub(in crate::server) fn connected(&mut self, id: ConnectionId, host: String, now: u64) {
        self.now = now;
        let connection = ClientState {
            phase: ConnectionPhase::Login,
            name: String::new(),
            clip: false,
            client: "-".to_owned(),
            opponent: None,
            watching: None,
            invites: None,
            away: None,
            since: now,
            last: now,
            host,
            at_prompt: false,
            waved: false,
            waits_for: BTreeSet::new(),
            gagged: BTreeSet::new(),
            blinded: BTreeSet::new(),
            shouts: (now, 0),
        };
        self.connections.insert(id, connection);
        self.raw(id, BANNER);
        self.say(id, &format!("\r\n{}", long_date(now)));
        self.raw(id, "login: ");
    }

    pub(in crate::server) fn closed(&mut self, id: ConnectionId, now: u64) {
        self.now = now;
        self.remove_connection(id, "drops connection");
        self.jobs.remove(&id);
    }

    /// A connection has been silent for too long.
    pub(in crate::server) fn times_out(&mut self, id: ConnectionId, now: u64) {
        self.now = now;
        if self.connections.contains_key(&id) {
            self.say(id, "Connection timed out.");
            self.remove_connection(id, "times out");
            self.closing.push(id);
        }
    }

    /// How far a connection is; `None` if it is being closed.
    pub(in crate::server) fn stage(&self, id: ConnectionId) -> Option<ConnectionStage> {
        Some(match self.connections.get(&id)?.phase {
            ConnectionPhase::Login
            | ConnectionPhase::Password(_)
            | ConnectionPhase::Checking(..) => ConnectionStage::Login,
            ConnectionPhase::Guest
            | ConnectionPhase::NewPassword(_)
            | ConnectionPhase::NewPasswordAgain(..)
            | ConnectionPhase::Registering(_) => ConnectionStage::Guest,
            ConnectionPhase::Online => ConnectionStage::Online,
        })
    }

    pub(super) fn remove_connection(&mut self, id: ConnectionId, how: &str) {
        let Some(connection) = self.connections.remove(&id) else { return };
        if connection.phase != ConnectionPhase::Online {
            return;
        }
        let name = connection.name;
        if let Some(account) = self.accounts.get_mut(&name) {
            account.last_logout = self.now;
            self.journal.push(JournalEntry::Account(name.clone(), account.clone()));
        }
        if let Some(opponent) = &connection.opponent {
            let why = match how {
                "times out" => format!("** Connection with {name} timed out. The game was saved."),
                _ => format!("** Player {name} {how}. The game was saved."),
            };
            self.end_play(opponent, &why);
        }
        for id in self.online_ids() {
            let Some(watcher) = self.connections.get_mut(&id) else { continue };
            if watcher.watching.as_ref() == Some(&name) {
                watcher.watching = None;
                self.say(id, &format!("{name} {how}. You're not watching anymore."));
            }
        }
        self.count_users();
        self.announce(&name, 8, &format!("{name} {how}."));
    }

    /// Ends a player's match after the opponent has left.
    pub(super) fn end_play(&mut self, name: &str, why: &str) {
        if let Some(id) = self.online(name) {
            if let Some(connection) = self.connections.get_mut(&id) {
                let other = connection.opponent.take();
                if let Some(other) = other {
                    self.tables.remove(&pair(name, &other));
                }
            }
            self.say(id, why);
            self.broadcast_who_line(name);
        }
    }

    pub(super) fn online(&self, name: &str) -> Option<ConnectionId> {
        let is = |(_, c): &(&ConnectionId, &ClientState)| {
            c.phase == ConnectionPhase::Online && c.name == name
        };
        self.connections.iter().find(is).map(|(id, _)| *id)
    }

    pub(super) fn online_ids(&self) -> Vec<ConnectionId> {
        let online = self.connections.iter().filter(|(_, c)| c.phase == ConnectionPhase::Online);
        online.map(|(id, _)| *id).collect()
    }
}

impl ServerState {
    pub(super) fn raw(&mut self, id: ConnectionId, text: &str) {
        self.send_bytes(id, text.as_bytes().to_vec());
    }

    pub(in crate::server) fn send_bytes(&mut self, id: ConnectionId, bytes: Vec<u8>) {
        self.out.push((id, bytes));
    }

    /// Sends a line; for a person at the prompt, below it.
    pub(super) fn say(&mut self, id: ConnectionId, line: &str) {
        let at_prompt = self.connections.get_mut(&id).map(|c| &mut c.at_prompt);
        let below = if at_prompt.is_some_and(std::mem::take) { "\r\n" } else { "" };
        self.out.push((id, format!("{below}{line}\r\n").into_bytes()));
    }

    pub(super) fn say_to(&mut self, name: &str, line: &str) {
        if let Some(id) = self.online(name) {
            self.say(id, line);
        }
    }

    pub(super) fn is_clip(&self, id: ConnectionId) -> bool {
        self.connections.get(&id).is_some_and(|c| c.clip)
    }

    /// Sends a board in the style that the user has set.
    pub(super) fn send_board(&mut self, id: ConnectionId, board: &FibsBoard) {
        match self.board_style(id) {
            3 => self.say(id, &board.to_string()),
            style => board_picture(board, style).iter().for_each(|line| self.say(id, line)),
        }
    }

    /// Sends the prompt to every person who has been sent something else since the last one.
    pub(super) fn prompts(&mut self) {
        for (id, c) in &mut self.connections {
            let asked = matches!(c.phase, ConnectionPhase::Online | ConnectionPhase::Guest);
            if asked && !c.clip && !std::mem::replace(&mut c.at_prompt, true) {
                self.out.push((*id, b"> ".to_vec()));
            }
        }
    }

    pub(super) fn has_toggle(&self, name: &str, toggle: Toggle) -> bool {
        self.accounts.get(name).is_some_and(|account| account.on.contains(toggle.name()))
    }

    pub(super) fn announce(&mut self, about: &str, number: u8, text: &str) {
        for id in self.online_ids() {
            let Some(c) = self.connections.get(&id) else { continue };
            if c.name == about || !self.has_toggle(&c.name.clone(), Toggle::Notify) {
                continue;
            }
            let line = if c.clip { format!("{number} {about} {text}") } else { text.to_owned() };
            self.say(id, &line);
        }
    }

    pub(super) fn who_line(&self, id: ConnectionId) -> Option<String> {
        let c = self.connections.get(&id)?;
        let account = self.accounts.get(&c.name)?;
        let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "-".to_owned());
        let ready = u8::from(account.on.contains(Toggle::Ready.name()));
        Some(format!(
            "5 {} {} {} {ready} {} {:.2} {} {} {} {} {} {}",
            c.name,
            name(&c.opponent),
            name(&c.watching),
            u8::from(c.away.is_some()),
            account.standing.rating,
            account.standing.experience,
            self.now.saturating_sub(c.last),
            c.since,
            c.host,
            c.client,
            account.email.as_deref().unwrap_or("-"),
        ))
    }

    /// Sends a player's who line to all clients, after a change of state.
    pub(super) fn broadcast_who_line(&mut self, name: &str) {
        let Some(line) = self.online(name).and_then(|id| self.who_line(id)) else { return };
        for id in self.online_ids() {
            if self.connections.get(&id).is_some_and(|c| c.clip) {
                self.say(id, &line);
                self.say(id, "6");
            }
        }
    }
}
