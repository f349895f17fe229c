//! A practice server without I/O: lines of clients go in, lines to clients come out.
//!
//! It follows the protocol as far as a client needs it, with the rules of `nonet-backgammon`. It
//! has no ratings, private matches, spectators and other games.

mod events;
mod play;
mod table;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use backgammon::Seat;

use table::Table;

/// A connection of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientId(pub u64);

/// What a connection gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// A line, without its end.
    Line(String),
    /// The connection is closed.
    Close,
}

/// How often each client is asked whether it is there.
const PING: Duration = Duration::from_secs(30);
/// A client that sends nothing for this time is disconnected.
const TIMEOUT: Duration = Duration::from_secs(40);
/// A seat is kept for this time.
const KEPT: Duration = Duration::from_secs(15 * 60);
/// The longest name of a player.
const LONGEST_NAME: usize = 18;
/// The longest line of a client that is read, in bytes.
const LONGEST_LINE: usize = 4096;

/// A client that is connected.
#[derive(Debug)]
struct Client {
    /// `None` before the login.
    name: Option<String>,
    heard: Duration,
    pinged: Duration,
    autoplay: bool,
}

/// A practice server.
///
/// ```
/// use std::time::Duration;
/// use bgammon::server::{Output, Server};
///
/// let mut server = Server::new(1);
/// server.register("bot_nonet", "Zanzibar7");
/// let client = server.connect(Duration::ZERO);
/// server.line(client, "lj nonet-0.1/en bot_nonet Zanzibar7", Duration::ZERO);
/// let welcome = server.take().into_iter().find_map(|(_, output)| match output {
///     Output::Line(line) if line.contains("\"welcome\"") => Some(line),
///     _ => None,
/// });
/// assert!(welcome.is_some_and(|line| line.contains("BOT_nonet")));
/// ```
#[derive(Debug)]
pub struct Server {
    passwords: BTreeMap<String, String>,
    clients: BTreeMap<ClientId, Client>,
    tables: Vec<Table>,
    connections: u64,
    matches: u64,
    rng: Pcg64,
    out: VecDeque<(ClientId, Output)>,
    finished: u32,
}

impl Server {
    /// A server without accounts; `seed` is that of the dice.
    #[must_use]
    pub fn new(seed: u64) -> Server {
        Server {
            passwords: BTreeMap::new(),
            clients: BTreeMap::new(),
            tables: Vec::new(),
            connections: 0,
            matches: 0,
            rng: Pcg64::seed_from_u64(seed),
            out: VecDeque::new(),
            finished: 0,
        }
    }

    /// Creates an account, or changes its password.
    pub fn register(&mut self, name: &str, password: &str) {
        self.passwords.insert(name.to_ascii_lowercase(), password.replace(' ', "_"));
    }

    /// Matches that were played to their end.
    #[must_use]
    pub const fn matches_finished(&self) -> u32 {
        self.finished
    }

    /// A client connects.
    pub fn connect(&mut self, now: Duration) -> ClientId {
        self.connections += 1;
        let id = ClientId(self.connections);
        let client = Client { name: None, heard: now, pinged: now, autoplay: true };
        self.clients.insert(id, client);
        self.send(id, "hello Welcome! Please log in.".to_owned());
        id
    }

    /// The connection of a client is lost.
    pub fn disconnect(&mut self, id: ClientId, now: Duration) {
        if self.clients.remove(&id).is_some() {
            self.stand_up(id, true, now);
        }
    }

    /// All connections are closed and all matches are lost, as when the server starts again.
    pub fn restart(&mut self) {
        let all: Vec<ClientId> = self.clients.keys().copied().collect();
        self.out.extend(all.into_iter().map(|id| (id, Output::Close)));
        self.clients.clear();
        self.tables.clear();
    }

    /// What clients get, in order.
    pub fn take(&mut self) -> Vec<(ClientId, Output)> {
        self.out.drain(..).collect()
    }

    /// Asks for signs of life, and drops clients and seats that are overdue.
    pub fn tick(&mut self, now: Duration) {
        let mut gone = Vec::new();
        for (&id, client) in &mut self.clients {
            if now >= client.heard + TIMEOUT {
                gone.push(id);
            } else if client.name.is_some() && now >= client.pinged + PING {
                client.pinged = now;
                self.out.push_back((id, Output::Line(events::ping(now.as_secs()))));
            }
        }
        for id in gone {
            self.out.push_back((id, Output::Close));
            self.disconnect(id, now);
        }
        self.tables.retain(|table| !table.is_empty() || now < table.left_at + KEPT);
    }

    fn send(&mut self, id: ClientId, line: String) {
        self.out.push_back((id, Output::Line(line)));
    }

    fn notice(&mut self, id: ClientId, text: &str) {
        self.send(id, events::notice(text));
    }

    fn fail(&mut self, id: ClientId, kind: &str, reason: &str) {
        self.send(id, events::failed(kind, reason));
    }

    fn refuse(&mut self, id: ClientId, why: &str, now: Duration) {
        self.notice(id, &format!("Connection terminated: {why}"));
        self.out.push_back((id, Output::Close));
        self.disconnect(id, now);
    }

    /// A line of a client.
    pub fn line(&mut self, id: ClientId, line: &str, now: Duration) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        client.heard = now;
        let line: String = line.chars().take(LONGEST_LINE).collect();
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&keyword, words)) = words.split_first() else { return };
        let keyword = keyword.to_ascii_lowercase();
        if client.name.is_none() {
            if matches!(keyword.as_str(), "lj" | "loginjson") {
                self.log_in(id, words, now);
            }
            return;
        }
        match keyword.as_str() {
            "pong" => {}
            "ls" | "list" => self.list(id),
            "set" => {
                if let ["autoplay", value] = words {
                    client.autoplay = *value == "1";
                }
            }
            "c" | "create" => self.create(id, words, now),
            "j" | "join" => self.join(id, words, now),
            "leave" | "l" => {
                if self.table_of(id).is_some() {
                    self.stand_up(id, false, now);
                } else {
                    self.fail(id, "failedleave", "You are not currently in a match.");
                }
            }
            "disconnect" => {
                self.out.push_back((id, Output::Close));
                self.disconnect(id, now);
            }
            "s" | "say" => self.say(id, &words.join(" ")),
            "rm" | "rematch" => self.rematch(id),
            "b" | "board" | "r" | "roll" | "m" | "mv" | "move" | "reset" | "k" | "ok" | "d"
            | "double" | "resign" => self.play(id, &keyword, words),
            _ => self.notice(id, "Unknown command."),
        }
    }

    fn log_in(&mut self, id: ClientId, words: &[&str], now: Duration) {
        let (name, password) = (words.get(1).copied().unwrap_or("guest"), words.get(2));
        let name = name.to_ascii_lowercase();
        let valid = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !valid || name.len() > LONGEST_NAME {
            return self.refuse(id, "Invalid username.", now);
        }
        let known = self.passwords.get(&name);
        let shown = match (password, name.strip_prefix("bot_")) {
            (Some(password), _) if known.is_none_or(|known| known != password) => {
                return self.refuse(
                    id,
                    "No account was found with the provided username and password.",
                    now,
                );
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

    fn list(&mut self, id: ClientId) {
        let games = self.tables.iter().map(Table::listing).collect();
        self.send(id, events::list(games));
    }

    fn create(&mut self, id: ClientId, words: &[&str], now: Duration) {
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
        self.tables.push(Table::new(self.matches, points, title, now));
        let seat = if self.rng.random_bool(0.5) { Seat::X } else { Seat::O };
        self.sit_down(id, self.tables.len() - 1, seat);
        self.notice(id, "Created match.");
    }

    fn join(&mut self, id: ClientId, words: &[&str], _now: Duration) {
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

    fn table_of(&self, id: ClientId) -> Option<(usize, Seat)> {
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

    fn stand_up(&mut self, id: ClientId, rejoins: bool, now: Duration) {
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

    fn say(&mut self, id: ClientId, text: &str) {
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

    fn rematch(&mut self, id: ClientId) {
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

    fn board(&mut self, at: usize, seat: Seat, forced: bool) {
        if let Some(client) = self.tables[at].clients[seat.index()] {
            let line = events::board(&self.tables[at], seat, forced);
            self.send(client, line);
        }
    }

    fn boards(&mut self, at: usize, forced: bool) {
        self.board(at, Seat::X, forced);
        self.board(at, Seat::O, forced);
    }

    fn tell(&mut self, at: usize, line: impl Fn(Seat) -> String) {
        for seat in [Seat::X, Seat::O] {
            if let Some(client) = self.tables[at].clients[seat.index()] {
                self.send(client, line(seat));
            }
        }
    }
}
