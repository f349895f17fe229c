//! A practice server without I/O: lines of clients go in, lines to clients come out.
//!
//! It follows the protocol as far as a client needs it, with the rules of `nonet-backgammon`. It
//! has no ratings, private matches, spectators and other games.

mod events;
mod lobby;
mod play;
mod table;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use rand::SeedableRng;
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
/// A client that sends no line for this time is disconnected.
const TIMEOUT: Duration = Duration::from_secs(40);
/// A client that does not log in within this time is disconnected, whatever it sends.
const LOGIN: Duration = Duration::from_secs(60);
/// A seat is kept for this time.
const KEPT: Duration = Duration::from_secs(15 * 60);
/// The longest line of a client that is read, in bytes.
pub const LONGEST_LINE: usize = 4096;

/// A client that is connected.
#[derive(Debug)]
struct Client {
    /// `None` before the login.
    name: Option<String>,
    connected: Duration,
    heard: Duration,
    pinged: Duration,
    autoplay: bool,
}

/// A login with a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The name of the account, in lower case. There may be no such account.
    pub name: String,
    /// Whether there is one and the password is its.
    pub correct: bool,
}

/// The first word of a line in lower case, and the other words. Characters beyond
/// [`LONGEST_LINE`] are left out.
fn split(line: &str) -> Option<(String, Vec<&str>)> {
    let end = line.char_indices().nth(LONGEST_LINE).map_or(line.len(), |(end, _)| end);
    let mut words = line[..end].split_whitespace();
    let keyword = words.next()?.to_ascii_lowercase();
    Some((keyword, words.collect()))
}

/// Whether a line with this first word is a login.
fn is_login(keyword: &str) -> bool {
    matches!(keyword, "lj" | "loginjson")
}

/// The line that tells a client why its connection is closed.
///
/// ```
/// use bgammon::Message;
/// use bgammon::server::refusal;
///
/// let notice = Message::Notice("Connection terminated: The server is full.".into());
/// assert_eq!(Message::parse(&refusal("The server is full.")), notice);
/// ```
#[must_use]
pub fn refusal(why: &str) -> String {
    events::notice(&format!("Connection terminated: {why}"))
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
        let client = Client { name: None, connected: now, heard: now, pinged: now, autoplay: true };
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
            let logged_in = client.name.is_some();
            let late = !logged_in && now >= client.connected + LOGIN;
            if late || now >= client.heard + TIMEOUT {
                gone.push(id);
            } else if logged_in && now >= client.pinged + PING {
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

    /// Tells a client why, and closes its connection.
    pub fn refuse(&mut self, id: ClientId, why: &str, now: Duration) {
        self.send(id, refusal(why));
        self.out.push_back((id, Output::Close));
        self.disconnect(id, now);
    }

    /// The login with a password that a line of a client would be.
    ///
    /// With it a caller can delay or refuse what looks like guesses, before [`Server::line`] takes
    /// it.
    #[must_use]
    pub fn attempt(&self, id: ClientId, line: &str) -> Option<Attempt> {
        if self.clients.get(&id)?.name.is_some() {
            return None;
        }
        let (keyword, words) = split(line)?;
        let (name, password) = lobby::credentials(&words);
        let password = password.filter(|_| is_login(&keyword))?;
        let correct = self.is_correct(&name, password);
        Some(Attempt { name, correct })
    }

    fn is_correct(&self, name: &str, password: &str) -> bool {
        self.passwords.get(name).is_some_and(|known| known == password)
    }

    /// A line of a client.
    pub fn line(&mut self, id: ClientId, line: &str, now: Duration) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        client.heard = now;
        let Some((keyword, words)) = split(line) else { return };
        let words = words.as_slice();
        if client.name.is_none() {
            if is_login(&keyword) {
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
