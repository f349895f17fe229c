//! Opening and closing connections, and sending lines on them.

use super::server_state::{BANNER, ClientState, ConnectionId, ConnectionPhase, ServerState, pair};
use crate::message::Toggle;

impl ServerState {
    pub(in crate::server) fn connected(&mut self, id: ConnectionId, now: u64) {
        self.now = now;
        let connection = ClientState {
            phase: ConnectionPhase::Login,
            name: String::new(),
            clip: false,
            client: "-".to_owned(),
            opponent: None,
            watching: None,
            invites: None,
            away: false,
            since: now,
            last: now,
        };
        self.connections.insert(id, connection);
        self.raw(id, BANNER);
    }

    pub(in crate::server) fn closed(&mut self, id: ConnectionId, now: u64) {
        self.now = now;
        self.remove_connection(id, "drops connection");
    }

    pub(super) fn remove_connection(&mut self, id: ConnectionId, how: &str) {
        let Some(connection) = self.connections.remove(&id) else { return };
        if connection.phase != ConnectionPhase::Online {
            return;
        }
        let name = connection.name;
        if let Some(opponent) = &connection.opponent {
            self.end_play(opponent, &format!("** Player {name} {how}. The game was saved."));
        }
        self.announce(&name, 8, &format!("{name} {how}."));
    }

    /// Ends the match of a player whose opponent has left.
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
        self.out.push((id, text.as_bytes().to_vec()));
    }

    pub(super) fn say(&mut self, id: ConnectionId, line: &str) {
        self.out.push((id, format!("{line}\r\n").into_bytes()));
    }

    pub(super) fn say_to(&mut self, name: &str, line: &str) {
        if let Some(id) = self.online(name) {
            self.say(id, line);
        }
    }

    pub(super) fn prompt(&mut self, id: ConnectionId) {
        let interactive = |c: &ClientState| {
            !c.clip && matches!(c.phase, ConnectionPhase::Online | ConnectionPhase::Guest)
        };
        if self.connections.get(&id).is_some_and(interactive) {
            self.raw(id, "> ");
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
            "5 {} {} {} {ready} {} {:.2} {} {} {} localhost {} -",
            c.name,
            name(&c.opponent),
            name(&c.watching),
            u8::from(c.away),
            account.standing.rating,
            account.standing.experience,
            self.now.saturating_sub(c.last),
            c.since,
            c.client,
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

    pub(super) fn who(&mut self, id: ConnectionId, raw: bool) {
        let clip = self.connections.get(&id).is_some_and(|c| c.clip);
        for other in self.online_ids() {
            if let Some(line) = self.who_line(other) {
                let line = if clip { line } else { line.split_off_number() };
                self.say(id, &line);
            }
        }
        if clip && raw {
            self.say(id, "6");
        }
    }
}

trait SplitOffNumber {
    fn split_off_number(self) -> String;
}

impl SplitOffNumber for String {
    /// Removes the message number of a who line, for people.
    fn split_off_number(self) -> String {
        self.strip_prefix("5 ").map(str::to_owned).unwrap_or(self)
    }
}
