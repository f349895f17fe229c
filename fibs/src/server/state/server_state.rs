//! The type of the server's state (accounts, matches and connections), and the journal entries that
//! restore it.

use std::collections::{BTreeMap, BTreeSet};

use backgammon::{Seat, Stake};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

use super::statistics::Statistics;
use crate::message::Toggle;
use crate::rating::Standing;
use crate::server::game::{MatchAction, ServerMatch};
use crate::server::journal::JournalEntry;
use crate::server::stored_password::{PasswordJob, StoredPassword};

/// The number of a connection.
pub(in crate::server) type ConnectionId = u64;

/// A registered player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::server) struct ServerAccount {
    pub(super) password: StoredPassword,
    /// Salt of a weak hash of an older file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) salt: Option<u64>,
    pub(in crate::server) standing: Standing,
    /// Names of the toggles that are on.
    pub(super) on: BTreeSet<String>,
    /// Unix seconds, as all times here.
    pub(super) last_login: u64,
    #[serde(default)]
    pub(super) last_logout: u64,
    /// Where the last login came from.
    #[serde(default)]
    pub(super) last_host: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) email: Option<String>,
    /// Values of `set` that differ from the defaults.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) settings: BTreeMap<String, String>,
    /// Messages left by other users: who, when, what.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) messages: Vec<(String, u64, String)>,
}

pub(super) const DEFAULT_ON: [Toggle; 9] = [
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ConnectionPhase {
    Login,
    Password(String),
    /// A login waits for its password to be checked: the name, and the client's name.
    Checking(String, Option<String>),
    Guest,
    NewPassword(String),
    NewPasswordAgain(String, String),
    /// The password of a new account is being hashed.
    Registering(String),
    Online,
}

/// How far a connection is, which decides how long it may be silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::server) enum ConnectionStage {
    /// Not logged in.
    Login,
    /// Registering.
    Guest,
    /// Logged in.
    Online,
}

#[derive(Clone, Debug)]
pub(super) struct ClientState {
    pub(super) phase: ConnectionPhase,
    pub(super) name: String,
    pub(super) clip: bool,
    pub(super) client: String,
    pub(super) opponent: Option<String>,
    pub(super) watching: Option<String>,
    pub(super) invites: Option<(String, Option<Option<u32>>)>,
    /// What a user who is away has said about it.
    pub(super) away: Option<String>,
    pub(super) since: u64,
    pub(super) last: u64,
    /// Where the connection comes from.
    pub(super) host: String,
    /// Whether the last thing that a person sees is the command prompt.
    pub(super) at_prompt: bool,
    pub(super) waved: bool,
    /// The user waits for these users to log in.
    pub(super) waits_for: BTreeSet<String>,
    /// Users that the user does not hear.
    pub(super) gagged: BTreeSet<String>,
    /// Who may not watch the user.
    pub(super) blinded: BTreeSet<String>,
    /// Shouts since a time.
    pub(super) shouts: (u64, u32),
}

/// The part of a match's state that is not saved.
#[derive(Clone, Debug, Default)]
pub(super) struct GameTable {
    pub(super) resigns: Option<(Seat, Stake)>,
    pub(super) joined: [bool; 2],
}

pub(super) type Pair = (String, String);

pub(super) fn pair(a: &str, b: &str) -> Pair {
    if a < b { (a.to_owned(), b.to_owned()) } else { (b.to_owned(), a.to_owned()) }
}

/// The whole state of a server.
#[derive(Debug)]
pub(in crate::server) struct ServerState {
    pub(super) accounts: BTreeMap<String, ServerAccount>,
    pub(super) matches: BTreeMap<Pair, ServerMatch>,
    /// The moves of the last match that two players have finished.
    pub(super) finished: BTreeMap<Pair, Vec<String>>,
    pub(super) tables: BTreeMap<Pair, GameTable>,
    pub(super) connections: BTreeMap<ConnectionId, ClientState>,
    pub(super) rng: Pcg64,
    /// Probability, 0..=1, that an automatic roll is forgotten, as it happens on the real server.
    pub(super) forgets: f64,
    pub(in crate::server) forgotten: u64,
    pub(super) now: u64,
    pub(super) statistics: Statistics,
    pub(super) out: Vec<(ConnectionId, Vec<u8>)>,
    pub(super) closing: Vec<ConnectionId>,
    /// Work on passwords that waits to be done.
    pub(super) jobs: BTreeMap<ConnectionId, PasswordJob>,
    pub(super) journal: Vec<JournalEntry>,
    pub(in crate::server) log: Vec<String>,
}

/// The effects of the last input.
#[derive(Debug, Default)]
pub(in crate::server) struct Effects {
    /// Entries to write before the lines in `out` are sent.
    pub(in crate::server) journal: Vec<JournalEntry>,
    pub(in crate::server) out: Vec<(ConnectionId, Vec<u8>)>,
    pub(in crate::server) closing: Vec<ConnectionId>,
}

pub(super) const BANNER: &str = "\r\n     Welcome to a practice server of the FIBS protocol\r\n\r\n\
     Log in with your name, or as 'guest' to register.\r\n";

impl ServerState {
    pub(in crate::server) fn new(
        seed: u64,
        forgets: f64,
        entries: Vec<JournalEntry>,
    ) -> Result<ServerState, String> {
        let mut state = ServerState {
            accounts: BTreeMap::new(),
            matches: BTreeMap::new(),
            finished: BTreeMap::new(),
            tables: BTreeMap::new(),
            connections: BTreeMap::new(),
            rng: Pcg64::seed_from_u64(seed),
            forgets,
            forgotten: 0,
            now: 0,
            statistics: Statistics::default(),
            out: Vec::new(),
            closing: Vec::new(),
            jobs: BTreeMap::new(),
            journal: Vec::new(),
            log: Vec::new(),
        };
        for entry in entries {
            state.restore(entry)?;
        }
        Ok(state)
    }

    pub(super) fn restore(&mut self, entry: JournalEntry) -> Result<(), String> {
        match entry {
            JournalEntry::Account(name, account) => drop(self.accounts.insert(name, account)),
            JournalEntry::Finished { players: [a, b], log } => {
                drop(self.finished.insert(pair(&a, &b), log))
            }
            JournalEntry::Begin { players, length, crawford } => {
                let key = pair(&players[0], &players[1]);
                self.finished.remove(&key);
                self.matches.insert(key, ServerMatch::new(players, length, crawford));
            }
            JournalEntry::Action { players, action } => {
                let key = pair(&players[0], &players[1]);
                let Some(game) = self.matches.get_mut(&key) else {
                    return Err(format!(
                        "an action in a match of {} and {} that has not started",
                        key.0, key.1
                    ));
                };
                game.apply(&action).map_err(|()| format!("illegal action {action:?}"))?;
                if game.winner().is_some() {
                    let log = std::mem::take(&mut game.log);
                    self.matches.remove(&key);
                    self.finished.insert(key, log);
                }
            }
        }
        Ok(())
    }

    /// The entries that restore the current state, for a new journal.
    pub(in crate::server) fn entries(&self) -> Vec<JournalEntry> {
        let accounts =
            self.accounts.iter().map(|(name, a)| JournalEntry::Account(name.clone(), a.clone()));
        let matches = self.matches.values().flat_map(|game| {
            let (players, length) = (game.players.clone(), game.length);
            let begin =
                JournalEntry::Begin { players: players.clone(), length, crawford: game.crawford };
            let act = move |action: &MatchAction| JournalEntry::Action {
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

    /// The work on a password that the last line of a connection has caused.
    pub(in crate::server) fn take_job(&mut self, id: ConnectionId) -> Option<PasswordJob> {
        self.jobs.remove(&id)
    }

    pub(in crate::server) fn take_effects(&mut self) -> Effects {
        self.prompts();
        Effects {
            journal: std::mem::take(&mut self.journal),
            out: std::mem::take(&mut self.out),
            closing: std::mem::take(&mut self.closing),
        }
    }

    /// Rating and experience of an account.
    pub(in crate::server) fn standing(&self, name: &str) -> Option<Standing> {
        self.accounts.get(name).map(|account| account.standing)
    }

    pub(in crate::server) fn set_standing(&mut self, name: &str, standing: Standing) {
        if let Some(account) = self.accounts.get_mut(name) {
            account.standing = standing;
            self.journal.push(JournalEntry::Account(name.to_owned(), account.clone()));
        }
    }

    pub(in crate::server) fn saved(&self) -> usize {
        self.matches.len()
    }
}
