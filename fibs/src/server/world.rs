//! Accounts, tables and talk, without I/O: lines and the time go in, lines and journal entries come out.

use std::collections::{BTreeMap, BTreeSet};

use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

use super::game::{Action, Match, Seat};
use super::journal::Entry;
use crate::message::Toggle;
use crate::rating::{Standing, changes, upset};
use crate::rules::Stake;

/// One connection.
pub(super) type Id = u64;

/// A registered player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Account {
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
enum Phase {
    Login,
    Password(String),
    Guest,
    NewPassword(String),
    NewPasswordAgain(String, String),
    Online,
}

#[derive(Clone, Debug)]
struct Connection {
    phase: Phase,
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
struct Table {
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
    accounts: BTreeMap<String, Account>,
    matches: BTreeMap<Pair, Match>,
    /// The moves of the last match that two have finished.
    finished: BTreeMap<Pair, Vec<String>>,
    tables: BTreeMap<Pair, Table>,
    connections: BTreeMap<Id, Connection>,
    rng: Pcg64,
    /// How often an automatic roll is forgotten, 0..=1, as the real server does at times.
    forgets: f64,
    pub(super) forgotten: u64,
    now: u64,
    out: Vec<(Id, Vec<u8>)>,
    closing: Vec<Id>,
    journal: Vec<Entry>,
    pub(super) log: Vec<String>,
}

/// What the last input led to.
#[derive(Debug, Default)]
pub(super) struct Effects {
    /// To be on the disk before anything is sent.
    pub(super) journal: Vec<Entry>,
    pub(super) out: Vec<(Id, Vec<u8>)>,
    pub(super) closing: Vec<Id>,
}

const BANNER: &str = "\r\n     Welcome to a practice server of the FIBS protocol\r\n\r\n\
     Log in with your name, or as 'guest' to register.\r\n\r\nlogin: ";

impl World {
    pub(super) fn new(seed: u64, forgets: f64, entries: Vec<Entry>) -> Result<World, String> {
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

    fn remember(&mut self, entry: Entry) -> Result<(), String> {
        match entry {
            Entry::Account(name, account) => drop(self.accounts.insert(name, account)),
            Entry::Finished { players: [a, b], log } => {
                drop(self.finished.insert(pair(&a, &b), log))
            }
            Entry::Begin { players, length, crawford } => {
                let key = pair(&players[0], &players[1]);
                self.finished.remove(&key);
                self.matches.insert(key, Match::new(players, length, crawford));
            }
            Entry::Act { players, action } => {
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
    pub(super) fn entries(&self) -> Vec<Entry> {
        let accounts =
            self.accounts.iter().map(|(name, a)| Entry::Account(name.clone(), a.clone()));
        let matches = self.matches.values().flat_map(|game| {
            let (players, length) = (game.players.clone(), game.length);
            let begin = Entry::Begin { players: players.clone(), length, crawford: game.crawford };
            let act = move |action: &Action| Entry::Act {
                players: players.clone(),
                action: action.clone(),
            };
            std::iter::once(begin).chain(game.actions.iter().map(act))
        });
        let finished = self.finished.iter().map(|((a, b), log)| Entry::Finished {
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
        let connection = Connection {
            phase: Phase::Login,
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
        if connection.phase != Phase::Online {
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
        let is = |(_, c): &(&Id, &Connection)| c.phase == Phase::Online && c.name == name;
        self.connections.iter().find(is).map(|(id, _)| *id)
    }

    fn everybody(&self) -> Vec<Id> {
        let online = self.connections.iter().filter(|(_, c)| c.phase == Phase::Online);
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
        let interactive =
            |c: &Connection| !c.clip && matches!(c.phase, Phase::Online | Phase::Guest);
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

    // Lines from clients.

    pub(super) fn line(&mut self, id: Id, line: &str, now: u64) {
        self.now = now;
        let Some(connection) = self.connections.get_mut(&id) else { return };
        connection.last = now;
        match connection.phase.clone() {
            Phase::Online => {
                self.command(id, line.trim());
                self.prompt(id);
            }
            phase => self.before_login(id, phase, line.trim()),
        }
    }

    fn before_login(&mut self, id: Id, phase: Phase, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let become_ = |world: &mut World, phase| {
            if let Some(connection) = world.connections.get_mut(&id) {
                connection.phase = phase;
            }
        };
        match (phase, words.as_slice()) {
            (Phase::Login, ["login", client, _version, name, password]) => {
                self.log_in(id, name, password, Some(client));
            }
            (Phase::Login, ["connect", name, password]) => self.log_in(id, name, password, None),
            (Phase::Login, ["guest"]) => {
                become_(self, Phase::Guest);
                self.say(id, "Type 'name username' to register.");
                self.prompt(id);
            }
            (Phase::Login, [name]) => {
                become_(self, Phase::Password((*name).to_owned()));
                // "I will echo", so that the terminal does not.
                self.out.push((id, vec![255, 251, 1]));
                self.raw(id, "password: ");
            }
            (Phase::Login, _) => self.raw(id, "login: "),
            (Phase::Password(name), _) => {
                self.out.push((id, vec![255, 252, 1, b'\r', b'\n']));
                become_(self, Phase::Login);
                self.log_in(id, &name, line, None);
            }
            (Phase::Guest, ["name", name]) => self.take_name(id, name),
            (Phase::Guest, ["bye" | "quit" | "exit"]) => self.closing.push(id),
            (Phase::Guest, _) => {
                self.say(id, "** Type 'name username' or 'bye'.");
                self.prompt(id);
            }
            (Phase::NewPassword(name), _) => {
                if crate::Password::new(line).is_err() {
                    self.say(id, "** Your password must have at least 4 characters and no colon.");
                    return self.raw(id, "Please give your password: ");
                }
                become_(self, Phase::NewPasswordAgain(name, line.to_owned()));
                self.raw(id, "Please retype your password: ");
            }
            (Phase::NewPasswordAgain(name, password), _) => {
                become_(self, Phase::Guest);
                if password == line {
                    self.register(&name, &password);
                    self.say(id, "You are registered.");
                } else {
                    self.say(
                        id,
                        "** The two passwords were not identical. Please give them again.",
                    );
                    become_(self, Phase::NewPassword(name));
                    return self.raw(id, "Please give your password: ");
                }
                self.prompt(id);
            }
            (Phase::Online, _) => {}
        }
    }

    fn take_name(&mut self, id: Id, name: &str) {
        let length = (3..=20).contains(&name.len());
        if !length || !name.chars().all(|c| c.is_ascii_alphabetic() || c == '_') {
            self.say(id, "** Your name may only contain letters and the underscore character _ .");
        } else if self.accounts.contains_key(name) {
            let text =
                format!("** Please use another name. '{name}' is already used by someone else.");
            self.say(id, &text);
        } else {
            if let Some(connection) = self.connections.get_mut(&id) {
                connection.phase = Phase::NewPassword(name.to_owned());
            }
            return self.raw(id, "Please give your password: ");
        }
        self.prompt(id);
    }

    pub(super) fn register(&mut self, name: &str, password: &str) {
        let salt = self.rng.next_u64();
        let account = Account {
            password: mixed(password, salt),
            salt,
            standing: Standing::NEW,
            on: DEFAULT_ON.iter().map(|toggle| toggle.name().to_owned()).collect(),
            last_login: self.now,
        };
        self.journal.push(Entry::Account(name.to_owned(), account.clone()));
        self.accounts.insert(name.to_owned(), account);
    }

    pub(super) fn is_registered(&self, name: &str) -> bool {
        self.accounts.contains_key(name)
    }

    fn log_in(&mut self, id: Id, name: &str, password: &str, client: Option<&str>) {
        let fits = |a: &Account| a.password == mixed(password, a.salt);
        let known = self.accounts.get(name).is_some_and(fits);
        if !known || client.is_some_and(|client| client.len() > 20) {
            return self.raw(id, "login: ");
        }
        if let Some(old) = self.online(name) {
            self.say(id, "** Warning: You are already logged in.");
            if let Some(connection) = self.connections.remove(&old)
                && let Some(opponent) = connection.opponent
            {
                let why = format!("** Closed old connection with user {name}. The game was saved.");
                self.rise(&opponent, &why);
            }
            self.closing.push(old);
        }
        let last = self.accounts.get(name).map_or(0, |account| account.last_login);
        let now = self.now;
        if let Some(account) = self.accounts.get_mut(name) {
            account.last_login = now;
        }
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.phase = Phase::Online;
            connection.name = name.to_owned();
            connection.clip = client.is_some();
            connection.client = client.unwrap_or("-").to_owned();
        }
        if client.is_some() {
            self.say(id, &format!("1 {name} {last} localhost"));
            let info = self.own_info(name);
            self.say(id, &info);
            self.say(id, "3\r\nThis server is for practice. Be polite all the same.\r\n4");
            self.who(id, true);
        } else {
            self.say(id, &format!("Welcome {name}."));
            self.who(id, false);
        }
        self.announce(name, 7, &format!("{name} logs in."));
        self.tell_who(name);
        self.prompt(id);
    }

    fn own_info(&self, name: &str) -> String {
        let on = |toggle| u8::from(self.has(name, toggle));
        let standing = self.standing(name).unwrap_or(Standing::NEW);
        use Toggle as T;
        format!(
            "2 {name} {} {} {} {} 0 {} {} {} {} {} {} {} {} {:.2} {} {} none {} {} UTC",
            on(T::Allowpip),
            on(T::Autoboard),
            on(T::Autodouble),
            on(T::Automove),
            on(T::Bell),
            on(T::Crawford),
            on(T::Double),
            standing.experience,
            on(T::Greedy),
            on(T::Moreboards),
            on(T::Moves),
            on(T::Notify),
            standing.rating,
            on(T::Ratings),
            on(T::Ready),
            on(T::Report),
            on(T::Silent),
        )
    }

    fn command(&mut self, id: Id, line: &str) {
        let Some(connection) = self.connections.get(&id) else { return };
        let (name, away) = (connection.name.clone(), connection.away);
        let words: Vec<&str> = line.split_whitespace().collect();
        let rest = |n: usize| line.splitn(n + 1, char::is_whitespace).nth(n).unwrap_or("").trim();
        match words.as_slice() {
            [] => {}
            ["login", ..] => {}
            ["bye" | "quit" | "exit" | "adios" | "logout" | "end", ..] => {
                self.goes(id, "logs out");
                self.raw(id, "Goodbye.\r\n");
                self.closing.push(id);
            }
            ["set", "boardstyle", "3"] => self.say(id, "Value of 'boardstyle' set to 3."),
            ["set", "boardstyle", ..] => self.say(id, "** This server knows boardstyle 3 only."),
            ["set", what, value, ..] => {
                let text = format!("Value of '{what}' set to {value}.");
                self.say(id, &text);
            }
            ["toggle"] => {
                for toggle in Toggle::ALL {
                    let state = if self.has(&name, *toggle) { "YES" } else { "NO" };
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
                self.tell_who(&name);
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

    fn set_away(&mut self, id: Id, away: bool) {
        let mut name = String::new();
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.away = away;
            name.clone_from(&connection.name);
        }
        self.tell_who(&name);
    }

    fn toggle(&mut self, id: Id, name: &str, what: &str) {
        let Some(toggle) = Toggle::named(what) else {
            return self.say(id, &format!("** Don't know how to toggle {what}."));
        };
        let Some(account) = self.accounts.get_mut(name) else { return };
        let on = account.on.insert(what.to_owned());
        if !on {
            account.on.remove(what);
        }
        self.journal.push(Entry::Account(name.to_owned(), account.clone()));
        let [yes, no] = toggle.answers();
        self.say(id, &format!("{}.", if on { yes } else { no }));
        if toggle == Toggle::Ready {
            self.tell_who(name);
        }
    }

    // Talk.

    fn chat_to(&mut self, id: Id, name: &str, to: &str, text: &str) {
        let Some(other) = self.online(to) else {
            return self.say(id, &format!("** There is no one called {to}"));
        };
        let clip = |id: Id| self.connections.get(&id).is_some_and(|c| c.clip);
        let heard =
            if clip(other) { format!("12 {name} {text}") } else { format!("{name} says: {text}") };
        let echo =
            if clip(id) { format!("16 {to} {text}") } else { format!("You tell {to}: {text}") };
        self.say(other, &heard);
        self.say(id, &echo);
    }

    fn shout(&mut self, id: Id, name: &str, text: &str) {
        for other in self.everybody() {
            let Some(c) = self.connections.get(&other) else { continue };
            let clip = c.clip;
            if other == id {
                self.say(id, &format!("17 {text}"));
            } else if !self.has(&c.name.clone(), Toggle::Silent) {
                let line = if clip {
                    format!("13 {name} {text}")
                } else {
                    format!("{name} shouts: {text}")
                };
                self.say(other, &line);
            }
        }
    }

    fn kibitz(&mut self, id: Id, name: &str, text: &str, to_opponent: bool) {
        let Some(c) = self.connections.get(&id) else { return };
        let opponent = c.opponent.clone().filter(|_| to_opponent);
        let watching = |c: &Connection| {
            c.watching.as_deref().is_some_and(|w| w == name || Some(w) == opponent.as_deref())
        };
        let mut heard = 0;
        for other in self.everybody() {
            let Some(c) = self.connections.get(&other) else { continue };
            if opponent.as_deref() == Some(c.name.as_str()) || watching(c) {
                let number = if to_opponent { 15 } else { 14 };
                self.say(other, &format!("{number} {name} {text}"));
                heard += 1;
            }
        }
        self.say(id, &format!("{} {text}", if to_opponent { 19 } else { 18 }));
        let s = if heard == 1 { "" } else { "s" };
        let line = if heard == 0 {
            "** But nobody heard you.".to_owned()
        } else {
            format!("** {heard} user{s} heard you.")
        };
        self.say(id, &line);
    }

    fn watch(&mut self, id: Id, name: &str, whom: &str) {
        if self.online(whom).is_none() {
            return self.say(id, &format!("** There is no one called {whom}"));
        }
        if let Some(c) = self.connections.get_mut(&id) {
            c.watching = Some(whom.to_owned());
        }
        self.say(id, &format!("You're now watching {whom}."));
        self.say_to(whom, &format!("{name} is watching you."));
        self.tell_who(name);
        if let Some(key) = self.playing(whom)
            && let Some(game) = self.matches.get(&key)
            && let Some(seat) = game.seat(whom)
        {
            let board = game.board(seat, whom).to_string();
            self.say(id, &board);
        }
    }

    // Matches.

    fn saved_of(&self, name: &str) -> Vec<&Match> {
        self.matches.values().filter(|game| game.seat(name).is_some()).collect()
    }

    fn playing(&self, name: &str) -> Option<Pair> {
        let c = self.connections.get(&self.online(name)?)?;
        c.opponent.as_ref().map(|opponent| pair(name, opponent))
    }

    fn show_saved(&mut self, id: Id, name: &str) {
        let line = |game: &&Match| {
            let seat = game.seat(name)?;
            let opponent = &game.players[1 - seat];
            let stars = match self.online(opponent) {
                Some(_) if self.playing(name) == Some(pair(name, opponent)) => " *",
                Some(_) => "**",
                None => "  ",
            };
            let length = game.length.map_or("unlimited".to_owned(), |n| n.to_string());
            let [own, other] = [game.score[seat], game.score[1 - seat]];
            Some(format!(" {stars}{opponent:<20} {length:>12} {own:>10} - {other:>2}"))
        };
        let lines: Vec<String> = self.saved_of(name).iter().filter_map(line).collect();
        if lines.is_empty() {
            return self.say(id, "no saved games.");
        }
        self.say(id, "  opponent          matchlength   score (your points first)");
        lines.iter().for_each(|line| self.say(id, line));
    }

    fn old_moves(&mut self, id: Id, name: &str, with: &str) {
        let key = pair(name, with);
        let lines = match self.matches.get(&key) {
            Some(game) if !game.log.is_empty() => game.old_moves(),
            _ => self.finished.get(&key).cloned().unwrap_or_default(),
        };
        if lines.is_empty() {
            return self.say(id, &format!("** There's no saved match with {with}."));
        }
        lines.iter().for_each(|line| self.say(id, line));
    }

    fn invite(&mut self, id: Id, name: &str, whom: &str, length: Option<Option<u32>>) {
        let saved = self.matches.get(&pair(name, whom));
        let experience = |name: &str| self.standing(name).map_or(0, |standing| standing.experience);
        let refuse = if whom == name {
            Some("** You can't invite yourself.".to_owned())
        } else if self.playing(name).is_some() {
            Some("** You are already playing.".to_owned())
        } else if self.online(whom).is_none() {
            Some(format!("** There is no one called {whom}"))
        } else if self.playing(whom).is_some() {
            Some(format!("** {whom} is already playing with someone else."))
        } else if !self.has(whom, Toggle::Ready) {
            Some(format!("** {whom} is refusing games."))
        } else if length.is_none() && saved.is_none() {
            Some(format!("** There's no saved match with {whom}. Please give a match length."))
        } else if length.flatten().is_some_and(|points| points > 9) && experience(name) <= 50 {
            Some("** You're not experienced enough to play a match of that length.".to_owned())
        } else {
            None
        };
        if let Some(why) = refuse {
            return self.say(id, &why);
        }
        if let Some(c) = self.connections.get_mut(&id) {
            c.invites = Some((whom.to_owned(), length));
        }
        let (ours, theirs) = match length {
            None => (
                format!("** You invited {whom} to resume a saved match."),
                format!("{name} wants to resume a saved match with you."),
            ),
            Some(None) => (
                format!("** You invited {whom} to an unlimited match."),
                format!("{name} wants to play an unlimited match with you."),
            ),
            Some(Some(n)) => (
                format!("** You invited {whom} to a {n} point match."),
                format!("{name} wants to play a {n} point match with you."),
            ),
        };
        let warning = saved.filter(|_| length.is_some()).map(|game| {
            let n = game.length.map_or("unlimited".to_owned(), |n| format!("{n} point"));
            format!("WARNING: Don't accept if you want to continue the saved {n} match!")
        });
        self.say(id, &ours);
        self.say_to(whom, &theirs);
        if let Some(warning) = warning {
            self.say_to(whom, &warning);
        }
        self.say_to(whom, &format!("Type 'join {name}' to accept."));
    }

    fn join(&mut self, id: Id, name: &str, whom: &str) {
        let Some(other) = self.online(whom) else {
            return self.say(id, &format!("** Error: can't find player {whom}"));
        };
        let invited = self.connections.get(&other).and_then(|c| c.invites.clone());
        if self.playing(name).is_some() {
            return self.say(id, "** You can't play two games at once");
        }
        if self.playing(whom).is_some() {
            return self
                .say(id, &format!("** Error: {whom} is already playing with someone else."));
        }
        let Some((_, length)) = invited.filter(|(invited, _)| invited == name) else {
            return self.say(id, &format!("** {whom} didn't invite you."));
        };
        let key = pair(name, whom);
        if length.is_none() && !self.matches.contains_key(&key) {
            return self.say(id, "** ERROR: Saved match is corrupt. Please start another one.");
        }
        for (id, opponent) in [(id, whom), (other, name)] {
            if let Some(c) = self.connections.get_mut(&id) {
                (c.opponent, c.invites, c.watching) = (Some(opponent.to_owned()), None, None);
            }
        }
        self.tables.insert(key.clone(), Table::default());
        self.tell_who(name);
        self.tell_who(whom);
        let Some(length) = length else { return self.go_on(&key, id, name, other, whom) };
        let text = length.map_or("an unlimited".to_owned(), |n| format!("a {n} point"));
        self.say(id, &format!("** You are now playing {text} match with {whom}"));
        self.say(other, &format!("** Player {name} has joined you for {text} match."));
        let crawford = self.has(name, Toggle::Crawford) || self.has(whom, Toggle::Crawford);
        let players = if self.rng.next_u32() & 1 == 0 { [name, whom] } else { [whom, name] };
        let players = players.map(str::to_owned);
        let begin = Entry::Begin { players, length, crawford };
        self.journal.push(begin.clone());
        // A match can always begin.
        let _ = self.remember(begin);
        self.new_game(&key);
    }

    fn go_on(&mut self, key: &Pair, id: Id, name: &str, other: Id, whom: &str) {
        self.say(id, &format!("You are now playing with {whom}. Your running match was loaded."));
        self.say(other, &format!("{name} has joined you. Your running match was loaded."));
        let Some(game) = self.matches.get(key).cloned() else { return };
        for id in [id, other] {
            if let Some(seat) = game.on_roll {
                self.say(id, &format!("turn: {}.", game.players[seat]));
            }
            match game.length {
                Some(n) => self.say(id, &format!("match length: {n}")),
                None => self.say(id, "unlimited match"),
            }
            for seat in 0..2 {
                self.say(id, &format!("points for {}: {}", game.players[seat], game.score[seat]));
            }
        }
        if game.on_roll.is_none() {
            for id in [id, other] {
                self.say(
                    id,
                    "Type 'join' if you want to play the next game, type 'leave' if you don't.",
                );
            }
            return;
        }
        self.boards(key);
        if game.dice.is_none() && !game.doubled {
            self.next_turn(key);
        }
    }

    fn die(&mut self) -> u8 {
        loop {
            // 252 is the highest multiple of 6 below 256.
            let byte = self.rng.next_u32() as u8;
            if byte < 252 {
                return byte % 6 + 1;
            }
        }
    }

    fn act(&mut self, key: &Pair, action: Action) -> Result<Option<super::game::GameResult>, ()> {
        let game = self.matches.get_mut(key).ok_or(())?;
        let result = game.apply(&action)?;
        self.journal.push(Entry::Act { players: game.players.clone(), action });
        Ok(result)
    }

    fn new_game(&mut self, key: &Pair) {
        let (mut x, mut o) = (self.die(), self.die());
        while x == o {
            (x, o) = (self.die(), self.die());
        }
        if self.act(key, Action::Open([x, o])).is_err() {
            return;
        }
        if let Some(table) = self.tables.get_mut(key) {
            *table = Table::default();
        }
        let Some(players) = self.matches.get(key).map(|game| game.players.clone()) else { return };
        for (seat, [own, other]) in [[x, o], [o, x]].into_iter().enumerate() {
            let (me, they) = (&players[seat], &players[1 - seat]);
            self.say_to(me, &format!("Starting a new game with {they}."));
            self.say_to(me, &format!("You rolled {own}, {they} rolled {other}"));
            let first = if own > other {
                "It's your turn to move.".to_owned()
            } else {
                format!("{they} makes the first move.")
            };
            self.say_to(me, &first);
            // Reset with each game, as on the real server.
            for (toggle, on) in
                [(Toggle::Double, true), (Toggle::Greedy, false), (Toggle::Moves, false)]
            {
                if let Some(account) = self.accounts.get_mut(me) {
                    if on {
                        account.on.insert(toggle.name().to_owned());
                    } else {
                        account.on.remove(toggle.name());
                    }
                }
            }
        }
        self.boards(key);
        self.after_roll(key);
    }

    fn boards(&mut self, key: &Pair) {
        let Some(game) = self.matches.get(key).cloned() else { return };
        for seat in 0..2 {
            let name = &game.players[seat];
            let playing = self.playing(name).as_ref() == Some(key);
            if playing && self.has(name, Toggle::Autoboard) {
                self.say_to(name, &game.board(seat, "You").to_string());
            }
            for id in self.everybody() {
                if self.connections.get(&id).is_some_and(|c| c.watching.as_ref() == Some(name)) {
                    self.say(id, &game.board(seat, name).to_string());
                }
            }
        }
    }

    /// Both players hear the same from their own side; watchers hear both by name.
    fn both(&mut self, key: &Pair, seat: Seat, own: &str, other: &str) {
        let Some(players) = self.matches.get(key).map(|game| game.players.clone()) else { return };
        self.say_to(&players[seat], own);
        self.say_to(&players[1 - seat], other);
        for id in self.everybody() {
            let watches = |c: &Connection| c.watching.as_ref().is_some_and(|w| players.contains(w));
            if self.connections.get(&id).is_some_and(watches) {
                self.say(id, other);
            }
        }
    }

    /// The player on roll is asked, or rolls by himself.
    fn next_turn(&mut self, key: &Pair) {
        let Some(game) = self.matches.get(key) else { return };
        let Some(seat) = game.on_roll else { return };
        let name = game.players[seat].clone();
        if game.may_double(seat) && self.has(&name, Toggle::Double) {
            return self.say_to(&name, "It's your turn. Please roll or double");
        }
        self.automatic_roll(key);
    }

    fn automatic_roll(&mut self, key: &Pair) {
        let chance = f64::from(self.rng.next_u32()) / f64::from(u32::MAX);
        if chance < self.forgets {
            self.forgotten += 1;
        } else {
            self.roll(key);
        }
    }

    fn roll(&mut self, key: &Pair) {
        let dice = [self.die(), self.die()];
        if self.act(key, Action::Roll(dice)).is_err() {
            return;
        }
        let Some(game) = self.matches.get(key) else { return };
        let Some(seat) = game.on_roll else { return };
        let name = game.players[seat].clone();
        let [a, b] = dice;
        self.both(
            key,
            seat,
            &format!("You roll {a} and {b}."),
            &format!("{name} rolls {a} and {b}."),
        );
        self.boards(key);
        self.after_roll(key);
    }

    fn after_roll(&mut self, key: &Pair) {
        let Some(game) = self.matches.get(key) else { return };
        let (Some(seat), Some(dice)) = (game.on_roll, game.dice) else { return };
        let name = game.players[seat].clone();
        let plays = game.seen_by(seat).plays(dice);
        if plays.is_empty() {
            if self.act(key, Action::Move(Vec::new())).is_ok() {
                self.both(key, seat, "You can't move.", &format!("{name} can't move."));
                self.next_turn(key);
            }
        } else if let ([only], true) = (plays.as_slice(), self.has(&name, Toggle::Automove)) {
            let steps: Vec<(u8, u8)> = only.steps.iter().map(|step| (step.from, step.to)).collect();
            let words = self.step_words(key, seat, &steps);
            self.say_to(&name, &format!("The only possible move is {words} ."));
            self.make_move(key, seat, steps);
        } else {
            let n = plays[0].steps.len();
            self.say_to(&name, &format!("Please move {n} pieces."));
        }
    }

    fn step_words(&self, key: &Pair, seat: Seat, steps: &[(u8, u8)]) -> String {
        let Some(game) = self.matches.get(key) else { return String::new() };
        let board = game.board(seat, "You");
        let step = |&(from, to): &(u8, u8)| board.write_step(crate::rules::Step { from, to });
        steps.iter().map(step).collect::<Vec<_>>().join(" ")
    }

    fn make_move(&mut self, key: &Pair, seat: Seat, steps: Vec<(u8, u8)>) {
        let words = self.step_words(key, seat, &steps);
        let Ok(result) = self.act(key, Action::Move(steps)) else { return };
        let Some(name) = self.matches.get(key).map(|game| game.players[seat].clone()) else {
            return;
        };
        let text = format!("{name} moves {words} .");
        let other = self.matches.get(key).map(|game| game.players[1 - seat].clone());
        self.say_to(&other.unwrap_or_default(), &text);
        for id in self.everybody() {
            let watches =
                |c: &Connection| c.watching.as_ref().is_some_and(|w| *w == key.0 || *w == key.1);
            if self.connections.get(&id).is_some_and(watches) {
                self.say(id, &text);
            }
        }
        match result {
            Some(result) => {
                let (s, n) = (if result.points == 1 { "" } else { "s" }, result.points);
                let own = format!("You win the game and get {n} point{s}. Congratulations!");
                let other = format!("{name} wins the game and gets {n} point{s}. Sorry.");
                self.both(key, seat, &own, &other);
                self.game_over(key, result.winner);
            }
            None => {
                self.boards(key);
                self.next_turn(key);
            }
        }
    }

    fn game_over(&mut self, key: &Pair, winner: Seat) {
        let Some(game) = self.matches.get(key).cloned() else { return };
        if let Some(table) = self.tables.get_mut(key) {
            *table = Table::default();
        }
        let [winner_name, loser_name] =
            [game.players[winner].clone(), game.players[1 - winner].clone()];
        let score = [game.score[winner], game.score[1 - winner]];
        if game.winner().is_none() {
            let length = game.length.map_or("unlimited".to_owned(), |n| format!("{n} point"));
            for seat in 0..2 {
                let (me, they) = (&game.players[seat], &game.players[1 - seat]);
                let (own, other) = (game.score[seat], game.score[1 - seat]);
                self.say_to(me, &format!("score in {length} match: {me}-{own} {they}-{other}"));
                self.say_to(
                    me,
                    "Type 'join' if you want to play the next game, type 'leave' if you don't.",
                );
            }
            return;
        }
        let Some(length) = game.length else { return };
        self.rate(&winner_name, &loser_name, length);
        let [w, l] = score;
        self.say_to(&winner_name, &format!("You win the {length} point match {w}-{l} ."));
        self.say_to(&loser_name, &format!("{winner_name} wins the {length} point match {w}-{l} ."));
        if let Some(mut game) = self.matches.remove(key) {
            self.finished.insert(key.clone(), std::mem::take(&mut game.log));
        }
        self.tables.remove(key);
        self.log
            .push(format!("{winner_name} beats {loser_name} {w}-{l} in a {length} point match"));
        for name in [&winner_name, &loser_name] {
            if let Some(c) = self.online(name).and_then(|id| self.connections.get_mut(&id)) {
                c.opponent = None;
            }
        }
        self.tell_who(&winner_name);
        self.tell_who(&loser_name);
    }

    fn rate(&mut self, winner: &str, loser: &str, length: u32) {
        let (Some(w), Some(l)) = (self.standing(winner), self.standing(loser)) else { return };
        let (won, lost) = changes(w, l, length);
        let difference = (w.rating - l.rating).abs();
        let pu = upset(difference, length);
        let p = won / w.factor() / 4.0 / f64::from(length).sqrt();
        for name in [winner, loser] {
            if !self.has(name, Toggle::Ratings) {
                continue;
            }
            let lines = [
                "rating calculation:".to_owned(),
                format!("rating difference D={difference:.6}"),
                format!("match length      N={length}"),
                format!("Experience: {winner} {} - {loser} {}", w.experience, l.experience),
                format!("Probability that underdog wins: Pu=1/(10^(D*sqrt(N)/2000)+1)={pu:.6}"),
                format!("P={p:.6} is 1-Pu if underdog wins and Pu if favorite wins"),
                format!("K=max(1 , -Experience/100+5) for {winner}: {:.6}", w.factor()),
                format!("change for {winner}: 4*K*sqrt(N)*P={won:.6}"),
                format!("K=max(1 , -Experience/100+5) for {loser}: {:.6}", l.factor()),
                format!("change for {loser}: -4*K*sqrt(N)*P={lost:.6}"),
            ];
            lines.iter().for_each(|line| self.say_to(name, line));
        }
        for (name, standing, change) in [(winner, w, won), (loser, l, lost)] {
            if let Some(account) = self.accounts.get_mut(name) {
                account.standing = standing.after(change, length);
                self.journal.push(Entry::Account(name.to_owned(), account.clone()));
            }
        }
    }

    fn game_command(&mut self, id: Id, name: &str, words: &[&str]) {
        let known = [
            "roll", "r", "move", "m", "double", "d", "accept", "a", "reject", "resign", "join",
            "leave", "board", "b",
        ];
        if !words.first().is_some_and(|word| known.contains(word)) {
            let what: String = words.first().unwrap_or(&"").chars().take(40).collect();
            return self.say(id, &format!("** Unknown command: '{what}'"));
        }
        let Some(key) = self.playing(name) else {
            let text = if words == ["leave"] {
                "** Error: No one to leave."
            } else {
                "** You're not playing."
            };
            return self.say(id, text);
        };
        let Some((game, seat)) =
            self.matches.get(&key).and_then(|g| Some((g.clone(), g.seat(name)?)))
        else {
            return self.say(id, "** You're not playing.");
        };
        let other = game.players[1 - seat].clone();
        let resigns = self.tables.get(&key).and_then(|table| table.resigns);
        let ours = game.on_roll == Some(seat);
        match words {
            ["board" | "b"] => return self.say(id, &game.board(seat, "You").to_string()),
            ["leave"] => return self.leave(id, name, &other),
            ["join"] if game.on_roll.is_none() => return self.join_next(&key, id, seat, &other),
            _ => {}
        }
        match (resigns, words) {
            (Some((by, stake)), ["accept" | "a"]) if by != seat => {
                return self.accept_resignation(&key, seat, by, stake);
            }
            (Some((by, _)), ["reject"]) if by != seat => {
                if let Some(table) = self.tables.get_mut(&key) {
                    table.resigns = None;
                }
                self.both(
                    &key,
                    seat,
                    "You reject. The game continues.",
                    &format!("{name} rejects. The game continues."),
                );
                return;
            }
            (Some((by, _)), _) => {
                let text = if by == seat {
                    format!("** {other} hasn't accepted or rejected your resign yet.")
                } else {
                    format!("** {other} wanted to resign. Type 'accept' or 'reject'.")
                };
                return self.say(id, &text);
            }
            (None, _) => {}
        }
        match words {
            ["resign", kind] if game.on_roll.is_some() => {
                let stake = match kind.chars().next() {
                    Some('n') => Stake::Single,
                    Some('g') => Stake::Gammon,
                    Some('b') => Stake::Backgammon,
                    _ => return self.say(id, "** Usage: resign n|g|b"),
                };
                if let Some(table) = self.tables.get_mut(&key) {
                    table.resigns = Some((seat, stake));
                }
                let points = stake.points() * game.cube;
                let s = if points == 1 { "" } else { "s" };
                let own = format!("You want to resign. {other} will win {points} point{s}.");
                let theirs = format!(
                    "{name} wants to resign. You will win {points} point{s}. Type 'accept' or 'reject'."
                );
                self.both(&key, seat, &own, &theirs);
            }
            ["accept" | "a"] if game.doubled && !ours => {
                if self.act(&key, Action::Take).is_ok() {
                    let cube = game.cube * 2;
                    let own = format!("You accept the double. The cube shows {cube}.");
                    self.both(
                        &key,
                        seat,
                        &own,
                        &format!("{name} accepts the double. The cube shows {cube}."),
                    );
                    self.automatic_roll(&key);
                }
            }
            ["reject"] if game.doubled && !ours => {
                if let Ok(Some(result)) = self.act(&key, Action::Drop) {
                    let (n, s) = (result.points, if result.points == 1 { "" } else { "s" });
                    let own = format!("You give up. {other} wins {n} point{s}.");
                    self.both(&key, seat, &own, &format!("{name} gives up. You win {n} point{s}."));
                    self.game_over(&key, result.winner);
                }
            }
            ["accept" | "a" | "reject"] => {
                self.say(id, &format!("** {other} didn't double or resign."))
            }
            _ if game.doubled && ours => {
                self.say(id, &format!("** {other} hasn't responded to your double yet."))
            }
            _ if game.doubled => {
                self.say(id, &format!("** {other} doubled. Type 'accept' or 'reject'."))
            }
            _ if !ours => self.say(id, "** It's not your turn to move."),
            ["roll" | "r"] if game.dice.is_some() => {
                self.say(id, "** You did already roll the dice.")
            }
            ["roll" | "r"] => self.roll(&key),
            ["double" | "d"] if game.dice.is_some() => {
                self.say(id, "** You can only double before you roll the dice.")
            }
            ["double" | "d"] if game.is_crawford => {
                self.say(id, "** The Crawford rule doesn't allow you to double.")
            }
            ["double" | "d"] => {
                if self.act(&key, Action::Double).is_err() {
                    return self.say(id, "** You can't double.");
                }
                let own = format!("You double. Please wait for {other} to accept or reject.");
                self.both(&key, seat, &own, &format!("{name} doubles. Type 'accept' or 'reject'."));
                self.boards(&key);
            }
            ["move" | "m", ..] if game.dice.is_none() => {
                self.say(id, "** You have to roll the dice before moving.")
            }
            ["move" | "m", steps @ ..] => self.try_move(&key, id, seat, &game, steps),
            _ => self.say(id, "** You can't do that now."),
        }
    }

    fn try_move(&mut self, key: &Pair, id: Id, seat: Seat, game: &Match, words: &[&str]) {
        let Some(dice) = game.dice else { return };
        let board = game.board(seat, "You");
        let Some(steps) = board.read_steps(&words.join(" "), true) else {
            return self
                .say(id, "** first move: legal words are 'bar', 'home', 'off', 'b', 'o' and 'h'.");
        };
        let wanted = game.seen_by(seat).plays(dice).first().map_or(0, |play| play.steps.len());
        if steps.len() < wanted {
            return self.say(id, &format!("** You must give {wanted} moves."));
        }
        if steps.len() > wanted {
            return self.say(id, &format!("** Please don't give more than {wanted} moves."));
        }
        let steps: Vec<(u8, u8)> = steps.iter().map(|step| (step.from, step.to)).collect();
        if game.clone().apply(&Action::Move(steps.clone())).is_err() {
            let from = words.first().and_then(|word| word.split('-').next()).unwrap_or("");
            return self.say(id, &format!("** You can't move from {from} in your first move."));
        }
        self.make_move(key, seat, steps);
    }

    fn accept_resignation(&mut self, key: &Pair, seat: Seat, by: Seat, stake: Stake) {
        let points = u8::try_from(stake.points()).unwrap_or(1);
        let Ok(Some(result)) = self.act(key, Action::GiveUp(by, points)) else { return };
        let Some(name) = self.matches.get(key).map(|game| game.players[seat].clone()) else {
            return;
        };
        let (n, s) = (result.points, if result.points == 1 { "" } else { "s" });
        self.both(
            key,
            seat,
            &format!("You accept and win {n} point{s}."),
            &format!("{name} accepts and wins {n} point{s}."),
        );
        self.game_over(key, result.winner);
    }

    fn join_next(&mut self, key: &Pair, id: Id, seat: Seat, other: &str) {
        let Some(table) = self.tables.get_mut(key) else { return };
        table.joined[seat] = true;
        if table.joined == [true, true] {
            self.new_game(key);
        } else {
            self.say(id, &format!("** Please wait for {other} to join too."));
        }
    }

    fn leave(&mut self, id: Id, name: &str, other: &str) {
        if let Some(c) = self.connections.get_mut(&id) {
            c.opponent = None;
        }
        self.tables.remove(&pair(name, other));
        self.say(id, "** You terminated the game. The game was saved.");
        self.tell_who(name);
        self.rise(other, &format!("** Player {name} has left the game. The game was saved."));
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
