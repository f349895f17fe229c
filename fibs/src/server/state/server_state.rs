//! The type of the server's state (accounts, matches and connections), and the journal entries that restore it.

use std::collections::{BTreeMap, BTreeSet};

use backgammon::{Seat, Stake};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

use crate::message::Toggle;
use crate::rating::Standing;
use crate::server::game::{MatchAction, ServerMatch};
use crate::server::journal::JournalEntry;

/// The number of a connection.
pub(in crate::server) type ConnectionId = u64;

/// A registered player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::server) struct ServerAccount {
    /// Salted hash by [`hash_password`].
    pub(super) password: u64,
    pub(super) salt: u64,
    pub(in crate::server) standing: Standing,
    /// Names of the toggles that are on.
    pub(super) on: BTreeSet<String>,
    pub(super) last_login: u64,
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

/// A weak hash that keeps passwords out of the state file; the protocol sends them in clear text anyway.
pub(super) fn hash_password(password: &str, salt: u64) -> u64 {
    let mut state = salt;
    for _ in 0..1000 {
        for byte in password.bytes() {
            state = (state ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        }
    }
    state
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ConnectionPhase {
    Login,
    Password(String),
    Guest,
    NewPassword(String),
    NewPasswordAgain(String, String),
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
    pub(super) away: bool,
    pub(super) since: u64,
    pub(super) last: u64,
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
    pub(super) out: Vec<(ConnectionId, Vec<u8>)>,
    pub(super) closing: Vec<ConnectionId>,
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
     Log in with your name, or as 'guest' to register.\r\n\r\nlogin: ";

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
            out: Vec::new(),
            closing: Vec::new(),
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

    pub(in crate::server) fn take_effects(&mut self) -> Effects {
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

    pub(in crate::server) fn saved(&self) -> usize {
        self.matches.len()
    }
}
