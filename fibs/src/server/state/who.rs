//! Lists of users: numbered lines for programs, a table for people.

use super::server_state::{ClientState, ConnectionId, ServerState};
use crate::message::Toggle;
use crate::server::calendar::hours;

impl ServerState {
    /// All who lines, and the line that ends them.
    pub(super) fn raw_who(&mut self, id: ConnectionId) {
        if !self.is_clip(id) {
            return self.who(id, &[]);
        }
        for other in self.online_ids() {
            if let Some(line) = self.who_line(other) {
                self.say(id, &line);
            }
        }
        self.say(id, "6");
    }

    /// Lists the users of one kind, or the users with names that begin with a word.
    pub(super) fn who(&mut self, id: ConnectionId, which: &[&str]) {
        let which = which.first().copied().unwrap_or("");
        let mut shown: Vec<ConnectionId> = self.online_ids();
        if which == "count" {
            let n = shown.len();
            let line = if n == 1 { "There is 1 user logged in." } else { "" };
            let many = format!("There are {n} users logged in.");
            return self.say(id, if line.is_empty() { &many } else { line });
        }
        shown.retain(|other| self.connections.get(other).is_some_and(|c| self.is_one(c, which)));
        if self.is_clip(id) {
            for other in shown {
                if let Some(line) = self.who_line(other) {
                    self.say(id, &line);
                }
            }
            return;
        }
        self.sort_for(id, &mut shown);
        self.say(id, "No  S  username        rating  exp login    idle  from");
        for (i, other) in shown.into_iter().enumerate() {
            let Some(c) = self.connections.get(&other) else { continue };
            let state = match () {
                () if c.opponent.is_some() => 'P',
                () if c.away.is_some() => 'A',
                () if c.watching.is_some() => 'W',
                () if self.has_toggle(&c.name, Toggle::Ready) => 'R',
                () => '-',
            };
            let standing = self.standing(&c.name).unwrap_or(crate::rating::Standing::NEW);
            let line = format!(
                "{:>2}  {state}  {:<15} {:>7.2} {:>4} {:>5} {:>7}  {}",
                i + 1,
                c.name,
                standing.rating,
                standing.experience,
                hours(self.now.saturating_sub(c.since)),
                hours(self.now.saturating_sub(c.last)),
                c.host,
            );
            self.say(id, &line);
        }
    }

    fn is_one(&self, c: &ClientState, which: &str) -> bool {
        match which {
            "" => true,
            "ready" => c.opponent.is_none() && self.has_toggle(&c.name, Toggle::Ready),
            "playing" => c.opponent.is_some(),
            "away" => c.away.is_some(),
            "watching" => c.watching.is_some(),
            name => c.name.to_ascii_lowercase().starts_with(&name.to_ascii_lowercase()),
        }
    }

    /// Sorts users as the user of a connection has set with `set sortwho`.
    fn sort_for(&self, id: ConnectionId, shown: &mut [ConnectionId]) {
        let Some(own) = self.connections.get(&id) else { return };
        let order = self.setting(&own.name, "sortwho");
        let name = |id: &ConnectionId| self.connections.get(id).map(|c| c.name.clone());
        let rating = |id: &ConnectionId| {
            name(id).and_then(|name| self.standing(&name)).map_or(0.0, |standing| standing.rating)
        };
        match order.as_str() {
            "name" => shown.sort_by_key(name),
            "rating" => shown.sort_by(|a, b| rating(a).total_cmp(&rating(b))),
            "rrating" => shown.sort_by(|a, b| rating(b).total_cmp(&rating(a))),
            _ => {}
        }
    }
}
