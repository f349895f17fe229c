//! Logging in, and who sits at which table.

use std::time::Duration;

use backgammon::Seat;
use rand::Rng;

use super::table::Table;
use super::{ClientId, Server, events};

/// The longest name of a player.
const LONGEST_NAME: usize = 18;
/// Why a login with a wrong or missing password is refused.
const NO_ACCOUNT: &str = "No account was found with the provided username and password.";
/// The longest title of a match that is kept, in characters.
const LONGEST_TITLE: usize = 100;

/// The name in lower case and the password that the words of a login hold.
pub(super) fn credentials<'a>(words: &[&'a str]) -> (String, Option<&'a str>) {
    let name = words.get(1).copied().unwrap_or("guest");
    (name.to_ascii_lowercase(), words.get(2).copied())
}

impl Server {
    pub(super) fn log_in(&mut self, id: ClientId, words: &[&str], now: Duration) {
        let (name, password) = credentials(words);
        let valid = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !valid || name.len() > LONGEST_NAME {
            return self.refuse(id, "Invalid username.", now);
        }
        let shown = match (password, name.strip_prefix("bot_")) {
            (Some(password), _) if !self.is_correct(&name, password) => {
                return self.refuse(id, NO_ACCOUNT, now);
            }
            // The name of a guest would be that of the account.
            (None, Some(_)) if self.passwords.contains_key(&name) => {
                return self.refuse(id, NO_ACCOUNT, now);
            }
            (_, Some(rest)) => format!("BOT_{rest}"),
            (Some(_), None) => name,
            (None, None) => format!("Guest_{name}"),
        };
        let in_use = self.clients.values().any(|client| client.name.as_ref() == Some(&shown));
        if in_use {
            return self.refuse(id, "That username is already in use.", now);
        }
        if let Some(client) = self.clients.get_mut(&id) {
            client.name = Some(shown.clone());
        }
        let welcome = events::welcome(&shown, self.clients.len(), self.tables.len());
        self.send(id, welcome);
        self.list(id);
        // Whoever lost the connection sits down again.
        let seat = self.tables.iter().enumerate().find_map(|(at, table)| {
            let seat = [Seat::X, Seat::O]
                .into_iter()
                .find(|&seat| table.rejoins[seat.index()] && table.names[seat.index()] == shown)?;
            (!table.is_empty()).then_some((at, seat))
        });
        if let Some((at, seat)) = seat {
            self.sit_down(id, at, seat);
        }
    }

    fn name(&self, id: ClientId) -> String {
        self.clients.get(&id).and_then(|client| client.name.clone()).unwrap_or_default()
    }

    pub(super) fn list(&mut self, id: ClientId) {
        let games = self.tables.iter().map(Table::listing).collect();
        self.send(id, events::list(games));
    }

    pub(super) fn create(&mut self, id: ClientId, words: &[&str], now: Duration) {
        let fail = |server: &mut Server, why: &str| server.fail(id, "failedcreate", why);
        if self.table_of(id).is_some() {
            return fail(self, "Please leave the match you are in before creating another.");
        }
        let points = words.get(1).and_then(|points| points.parse::<u16>().ok());
        let points = points.filter(|points| *points > 0).map(|points| points.min(127));
        let (Some(&"public"), Some(points)) = (words.first(), points) else {
            return fail(self, "Please specify a public match and its points.");
        };
        self.matches += 1;
        let title = words.get(3..).unwrap_or_default().join(" ");
        let title = title.chars().take(LONGEST_TITLE).collect();
        self.tables.push(Table::new(self.matches, points, title, now));
        let seat = if self.rng.random_bool(0.5) { Seat::X } else { Seat::O };
        self.sit_down(id, self.tables.len() - 1, seat);
        self.notice(id, "Created match.");
    }

    pub(super) fn join(&mut self, id: ClientId, words: &[&str], _now: Duration) {
        let fail = |server: &mut Server, why: &str| server.fail(id, "failedjoin", why);
        if self.table_of(id).is_some() {
            return fail(self, "Please leave the match you are in before joining another.");
        }
        let name = self.name(id);
        let wanted = words.first().copied().unwrap_or_default();
        let found = self.tables.iter().position(|table| {
            let by_player = table.names.iter().any(|name| name.eq_ignore_ascii_case(wanted));
            !table.is_empty() && (by_player || wanted.parse() == Ok(table.id))
        });
        let Some(at) = found else { return fail(self, "Match not found.") };
        let table = &self.tables[at];
        let is_bot = |name: &str| name.starts_with("BOT_");
        let people = [Seat::X, Seat::O].into_iter().any(|seat| {
            table.clients[seat.index()].is_some() && !is_bot(&table.names[seat.index()])
        });
        if is_bot(&name) && people {
            return fail(self, "Bots are not allowed to join player matches.");
        }
        let seat = [Seat::X, Seat::O].into_iter().find(|&seat| {
            let free = table.clients[seat.index()].is_none();
            free && (!table.begun || table.names[seat.index()] == name)
        });
        match seat {
            Some(seat) => self.sit_down(id, at, seat),
            None => fail(self, "The match is full."),
        }
    }

    pub(super) fn table_of(&self, id: ClientId) -> Option<(usize, Seat)> {
        self.tables.iter().enumerate().find_map(|(at, table)| Some((at, table.seat_of(id)?)))
    }

    fn sit_down(&mut self, id: ClientId, at: usize, seat: Seat) {
        let name = self.name(id);
        let table = &mut self.tables[at];
        table.clients[seat.index()] = Some(id);
        table.names[seat.index()].clone_from(&name);
        table.rejoins[seat.index()] = true;
        let number = table.id;
        self.send(id, events::joined(&name, number, 1));
        self.board(at, seat, false);
        if let Some(other) = self.tables[at].clients[seat.other().index()] {
            self.send(other, events::joined(&name, number, 2));
            self.board(at, seat.other(), false);
        }
    }

    pub(super) fn stand_up(&mut self, id: ClientId, rejoins: bool, now: Duration) {
        let Some((at, seat)) = self.table_of(id) else { return };
        let table = &mut self.tables[at];
        table.clients[seat.index()] = None;
        table.rejoins[seat.index()] = rejoins;
        table.left_at = now;
        let (name, other) =
            (table.names[seat.index()].clone(), table.clients[seat.other().index()]);
        if !table.begun {
            table.names[seat.index()].clear();
        }
        if self.clients.contains_key(&id) {
            self.send(id, events::left(&name));
        }
        match other {
            Some(other) => self.send(other, events::left(&name)),
            None => drop(self.tables.remove(at)),
        }
    }

    pub(super) fn say(&mut self, id: ClientId, text: &str) {
        let other =
            self.table_of(id).and_then(|(at, seat)| self.tables[at].clients[seat.other().index()]);
        match other {
            Some(other) if !text.is_empty() => {
                let name = self.name(id);
                self.send(other, events::say(&name, text));
            }
            _ => self.notice(id, "Message not sent: there is no one else in the match."),
        }
    }

    pub(super) fn rematch(&mut self, id: ClientId) {
        let Some((at, seat)) = self.table_of(id) else {
            return self.notice(id, "You are not currently in a match.");
        };
        let table = &mut self.tables[at];
        let Some(other) = table.clients[seat.other().index()] else {
            return self.notice(id, "Your opponent left the match.");
        };
        if !table.is_over() {
            return self.notice(id, "The match you are in is still in progress.");
        }
        match table.rematch {
            Some(asked) if asked != seat => {
                table.again();
                let (number, names) = (table.id, table.names.clone());
                for (client, seat) in [(id, seat), (other, seat.other())] {
                    let [own, theirs] = [seat, seat.other()].map(|seat| &names[seat.index()]);
                    self.send(client, events::joined(own, number, 1));
                    self.send(client, events::joined(theirs, number, 2));
                    self.board(at, seat, false);
                }
            }
            _ => {
                table.rematch = Some(seat);
                self.notice(other, "Your opponent would like to play again.");
                self.notice(id, "Rematch offer sent.");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::{Attempt, LONGEST_LINE, Output};

    #[test]
    fn a_login_with_a_password_is_seen_before_it_is_taken() {
        let mut server = Server::new(1);
        server.register("bot_ann", "Zanzibar7");
        let id = server.connect(Duration::ZERO);
        let long = format!("lj test-1/en bot_ann Zanzibar7{}", " x".repeat(LONGEST_LINE));
        for (line, attempt) in [
            ("lj test-1/en BOT_ann Zanzibar7", Some(("bot_ann", true))),
            (" LoginJSON  test-1/en bot_ann Zanzibar7 ", Some(("bot_ann", true))),
            (long.as_str(), Some(("bot_ann", true))),
            ("lj test-1/en bot_ann zanzibar7", Some(("bot_ann", false))),
            ("lj test-1/en nobody Zanzibar7", Some(("nobody", false))),
            // Guests, one with the name of the account, and what is no login.
            ("lj test-1/en ann", None),
            ("lj test-1/en bot_bob", None),
            ("lj test-1/en bot_ann", None),
            ("lj", None),
            ("say test-1/en bot_ann Zanzibar7", None),
            ("", None),
        ] {
            let expected =
                attempt.map(|(name, correct)| Attempt { name: name.to_owned(), correct });
            assert_eq!(server.attempt(id, line), expected, "{line}");
            // What is called correct is a login that works.
            let mut server = Server::new(1);
            server.register("bot_ann", "Zanzibar7");
            let id = server.connect(Duration::ZERO);
            server.line(id, line, Duration::ZERO);
            let welcomed = server.clients.get(&id).is_some_and(|client| client.name.is_some());
            let correct = attempt.is_some_and(|(_, correct)| correct);
            let guest = ["lj test-1/en ann", "lj test-1/en bot_bob", "lj"].contains(&line);
            assert_eq!(welcomed, correct || guest, "{line}");
        }
        let login = "lj test-1/en bot_ann Zanzibar7";
        server.line(id, login, Duration::ZERO);
        assert_eq!(server.attempt(id, login), None, "it is logged in");
        assert_eq!(server.attempt(ClientId(99), login), None);
    }

    #[test]
    fn a_long_title_is_cut_so_that_lists_stay_short() {
        let mut server = Server::new(1);
        let id = server.connect(Duration::ZERO);
        let create = format!("c public 1 0 {}", "x".repeat(4000));
        for line in ["lj test-1/en ann", &create, "ls"] {
            server.line(id, line, Duration::ZERO);
        }
        let titled = |(_, output): (ClientId, Output)| match output {
            Output::Line(line) => line.contains("xxx").then_some(line),
            Output::Close => None,
        };
        let lists: Vec<String> = server.take().into_iter().filter_map(titled).collect();
        assert_eq!(lists.len(), 1, "{lists:?}");
        assert_eq!(lists[0].matches('x').count(), LONGEST_TITLE);
    }
}
