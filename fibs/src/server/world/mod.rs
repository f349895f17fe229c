//! Accounts, tables and talk, without I/O: lines and the time go in, lines and journal entries come out.

mod invite;
mod login;
mod orders;
mod talk;
mod turns;

use std::collections::{BTreeMap, BTreeSet};

use backgammon::{Seat, Stake};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

use super::game::{Action, Match};
use super::journal::JournalEntry;
use crate::message::Toggle;
use crate::rating::Standing;

/// One connection.
pub(super) type Id = u64;

/// A registered player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ServerAccount {
    /// Salted, and mixed many times.
    password: u64,
    salt: u64,
    pub(super) standing: Standing,
    /// Names of the toggles that are on.
    on: BTreeSet<String>,
    last_login: u64,
}

const DEFAULT_ON: [Toggle; 9] = [
    Toggle::Allowpip,
    Toggle::Autoboard,
    Toggle::Automove,
    Toggle::Bell,
    Toggle::Crawford,
    Toggle::Double,
    Toggle::Moreboards,
    Toggle::Notify,
    Toggle::Ready,
];

/// Not for secrets that matter: the protocol sends passwords in clear text. It keeps them out of the file.
fn mixed(password: &str, salt: u64) -> u64 {
    let mut state = salt;
    for _ in 0..1000 {
        for byte in password.bytes() {
            state = (state ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        }
    }
    state
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ConnectionPhase {
    Login,
    Password(String),
    Guest,
    NewPassword(String),
    NewPasswordAgain(String, String),
    Online,
}

#[derive(Clone, Debug)]
struct ClientState {
    phase: ConnectionPhase,
    name: String,
    clip: bool,
    client: String,
    opponent: Option<String>,
    watching: Option<String>,
    invites: Option<(String, Option<Option<u32>>)>,
    away: bool,
    since: u64,
    last: u64,
}

/// What is not saved with a match.
#[derive(Clone, Debug, Default)]
struct GameTable {
    resigns: Option<(Seat, Stake)>,
    joined: [bool; 2],
}

type Pair = (String, String);

fn pair(a: &str, b: &str) -> Pair {
    if a < b { (a.to_owned(), b.to_owned()) } else { (b.to_owned(), a.to_owned()) }
}

/// The whole of a server.
#[derive(Debug)]
pub(super) struct World {
    accounts: BTreeMap<String, ServerAccount>,
    matches: BTreeMap<Pair, Match>,
    /// The moves of the last match that two have finished.
    finished: BTreeMap<Pair, Vec<String>>,
    tables: BTreeMap<Pair, GameTable>,
    connections: BTreeMap<Id, ClientState>,
    rng: Pcg64,
    /// How often an automatic roll is forgotten, 0..=1, as the real server does at times.
    forgets: f64,
    pub(super) forgotten: u64,
    now: u64,
    out: Vec<(Id, Vec<u8>)>,
    closing: Vec<Id>,
    journal: Vec<JournalEntry>,
    pub(super) log: Vec<String>,
}

/// What the last input led to.
#[derive(Debug, Default)]
pub(super) struct Effects {
    /// To be on the disk before anything is sent.
    pub(super) journal: Vec<JournalEntry>,
    pub(super) out: Vec<(Id, Vec<u8>)>,
    pub(super) closing: Vec<Id>,
}

const BANNER: &str = "\r\n     Welcome to a practice server of the FIBS protocol\r\n\r\n\
     Log in with your name, or as 'guest' to register.\r\n\r\nlogin: ";

impl World {
    pub(super) fn new(
        seed: u64,
        forgets: f64,
        entries: Vec<JournalEntry>,
    ) -> Result<World, String> {
        let mut world = World {
            accounts: BTreeMap::new(),
            matches: BTreeMap::new(),
            finished: BTreeMap::new(),
            tables: BTreeMap::new(),
            connections: BTreeMap::new(),
            rng: Pcg64::seed_from_u64(seed),
            forgets,
            forgotten: 0,
            now: 0,
            out: Vec::new(),
            closing: Vec::new(),
            journal: Vec::new(),
            log: Vec::new(),
        };
        for entry in entries {
            world.remember(entry)?;
        }
        Ok(world)
    }

    fn remember(&mut self, entry: JournalEntry) -> Result<(), String> {
        match entry {
            JournalEntry::Account(name, account) => drop(self.accounts.insert(name, account)),
            JournalEntry::Finished { players: [a, b], log } => {
                drop(self.finished.insert(pair(&a, &b), log))
            }
            JournalEntry::Begin { players, length, crawford } => {
                let key = pair(&players[0], &players[1]);
                self.finished.remove(&key);
                self.matches.insert(key, Match::new(players, length, crawford));
            }
            JournalEntry::Act { players, action } => {
                let key = pair(&players[0], &players[1]);
                let Some(game) = self.matches.get_mut(&key) else {
                    return Err(format!("nobody began the match of {} and {}", key.0, key.1));
                };
                game.apply(&action).map_err(|()| format!("{action:?} is illegal"))?;
                if game.winner().is_some() {
                    let log = std::mem::take(&mut game.log);
                    self.matches.remove(&key);
                    self.finished.insert(key, log);
                }
            }
        }
        Ok(())
    }

    /// Everything that has to be remembered, for a fresh journal.
    pub(super) fn entries(&self) -> Vec<JournalEntry> {
        let accounts =
            self.accounts.iter().map(|(name, a)| JournalEntry::Account(name.clone(), a.clone()));
        let matches = self.matches.values().flat_map(|game| {
            let (players, length) = (game.players.clone(), game.length);
            let begin =
                JournalEntry::Begin { players: players.clone(), length, crawford: game.crawford };
            let act = move |action: &Action| JournalEntry::Act {
                players: players.clone(),
                action: action.clone(),
            };
            std::iter::once(begin).chain(game.actions.iter().map(act))
        });
        let finished = self.finished.iter().map(|((a, b), log)| JournalEntry::Finished {
            players: [a.clone(), b.clone()],
            log: log.clone(),
        });
        accounts.chain(finished).chain(matches).collect()
    }

    pub(super) fn take_effects(&mut self) -> Effects {
        Effects {
            journal: std::mem::take(&mut self.journal),
            out: std::mem::take(&mut self.out),
            closing: std::mem::take(&mut self.closing),
        }
    }

    /// Finished matches: who won, by pair. For tests and statistics.
    pub(super) fn standing(&self, name: &str) -> Option<Standing> {
        self.accounts.get(name).map(|account| account.standing)
    }

    pub(super) fn saved(&self) -> usize {
        self.matches.len()
    }

    // Connections.

    pub(super) fn connected(&mut self, id: Id, now: u64) {
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

    pub(super) fn closed(&mut self, id: Id, now: u64) {
        self.now = now;
        self.goes(id, "drops connection");
    }

    fn goes(&mut self, id: Id, how: &str) {
        let Some(connection) = self.connections.remove(&id) else { return };
        if connection.phase != ConnectionPhase::Online {
            return;
        }
        let name = connection.name;
        if let Some(opponent) = &connection.opponent {
            self.rise(opponent, &format!("** Player {name} {how}. The game was saved."));
        }
        self.announce(&name, 8, &format!("{name} {how}."));
    }

    /// The opponent of somebody who is gone plays no more.
    fn rise(&mut self, name: &str, why: &str) {
        if let Some(id) = self.online(name) {
            if let Some(connection) = self.connections.get_mut(&id) {
                let other = connection.opponent.take();
                if let Some(other) = other {
                    self.tables.remove(&pair(name, &other));
                }
            }
            self.say(id, why);
            self.tell_who(name);
        }
    }

    fn online(&self, name: &str) -> Option<Id> {
        let is =
            |(_, c): &(&Id, &ClientState)| c.phase == ConnectionPhase::Online && c.name == name;
        self.connections.iter().find(is).map(|(id, _)| *id)
    }

    fn everybody(&self) -> Vec<Id> {
        let online = self.connections.iter().filter(|(_, c)| c.phase == ConnectionPhase::Online);
        online.map(|(id, _)| *id).collect()
    }

    // Words.

    fn raw(&mut self, id: Id, text: &str) {
        self.out.push((id, text.as_bytes().to_vec()));
    }

    fn say(&mut self, id: Id, line: &str) {
        self.out.push((id, format!("{line}\r\n").into_bytes()));
    }

    fn say_to(&mut self, name: &str, line: &str) {
        if let Some(id) = self.online(name) {
            self.say(id, line);
        }
    }

    fn prompt(&mut self, id: Id) {
        let interactive = |c: &ClientState| {
            !c.clip && matches!(c.phase, ConnectionPhase::Online | ConnectionPhase::Guest)
        };
        if self.connections.get(&id).is_some_and(interactive) {
            self.raw(id, "> ");
        }
    }

    fn has(&self, name: &str, toggle: Toggle) -> bool {
        self.accounts.get(name).is_some_and(|account| account.on.contains(toggle.name()))
    }

    fn announce(&mut self, about: &str, number: u8, text: &str) {
        for id in self.everybody() {
            let Some(c) = self.connections.get(&id) else { continue };
            if c.name == about || !self.has(&c.name.clone(), Toggle::Notify) {
                continue;
            }
            let line = if c.clip { format!("{number} {about} {text}") } else { text.to_owned() };
            self.say(id, &line);
        }
    }

    fn who_line(&self, id: Id) -> Option<String> {
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

    /// Everybody hears that somebody's state has changed.
    fn tell_who(&mut self, name: &str) {
        let Some(line) = self.online(name).and_then(|id| self.who_line(id)) else { return };
        for id in self.everybody() {
            if self.connections.get(&id).is_some_and(|c| c.clip) {
                self.say(id, &line);
                self.say(id, "6");
            }
        }
    }

    fn who(&mut self, id: Id, raw: bool) {
        let clip = self.connections.get(&id).is_some_and(|c| c.clip);
        for other in self.everybody() {
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
    /// A who line for people.
    fn split_off_number(self) -> String {
        self.strip_prefix("5 ").map(str::to_owned).unwrap_or(self)
    }
}
