//! A practice server for the FIBS protocol, with accounts, rated matches, and saved matches that
//! survive a crash.
//!
//! It serves programs that use the client protocol and people with telnet. The protocol sends
//! passwords in clear text: listen on the loopback address unless the network is trusted.

mod board_picture;
mod calendar;
mod connection;
mod faults;
mod game;
mod in_process;
mod journal;
mod limits;
mod plain_text;
mod practice;
mod state;
mod stored_password;
mod to_client;

pub use faults::{FaultConfig, FaultCounts, FaultyLink};
pub use in_process::InProcessConnector;
#[cfg(feature = "virtual-clock")]
pub use in_process::play_in_process;
pub use limits::{Gate, Limits, LockedOut, NotAdmitted, Pass};
pub use practice::PracticeServer;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use tokio::sync::Semaphore;

use crate::Password;
use crate::rating::Standing;
use journal::{Journal, JournalEntry};
use state::{ConnectionId, Effects, ServerState};
use stored_password::hash_password;
use to_client::ToClient;

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The state file cannot be used.
    #[error("cannot use the state file {}: {cause}", path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// The error of the file system.
        cause: io::Error,
    },
    /// The state file is complete but contains an invalid entry.
    #[error("invalid state file {}: {why}", path.display())]
    InvalidState {
        /// The file.
        path: PathBuf,
        /// What is wrong with the entry.
        why: String,
    },
}

/// The configuration of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The state file; without one, the state is lost when the server ends.
    pub state: Option<PathBuf>,
    /// Whether to flush the state to disk before every answer, in case of a power failure.
    pub sync: bool,
    /// Seed of the dice.
    pub seed: u64,
    /// Probability, 0..=1, that the server forgets an automatic roll, as the real server sometimes
    /// does; for tests.
    pub forgets: f64,
    /// The clock, in Unix seconds; [`unix_seconds`] or a fixed one for tests.
    pub clock: fn() -> u64,
}

/// A practice server; clones share one state.
///
/// ```
/// use fibs::Password;
/// use fibs::rating::Standing;
/// use fibs::server::{Options, Server, unix_seconds};
///
/// let options =
///     Options { state: None, sync: false, seed: 7, forgets: 0.0, clock: unix_seconds };
/// let server = Server::open(&options)?;
/// server.register("ann", &Password::new("Zanzibar7")?);
/// assert_eq!(server.standing("ann"), Some(Standing::NEW));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Server {
    hub: Arc<Mutex<Hub>>,
    gate: Gate,
    /// One password is hashed at a time, so that logins take no more than one core and 4 MiB.
    hashing: Arc<Semaphore>,
}

/// The state, its journal, and the connections.
#[derive(Debug)]
struct Hub {
    state: ServerState,
    journal: Option<Journal>,
    senders: HashMap<ConnectionId, ToClient>,
    next: ConnectionId,
    failed: Option<String>,
    clock: fn() -> u64,
}

/// The clock of the system, in Unix seconds.
#[must_use]
pub fn unix_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

impl Server {
    /// Opens a server with the state in its state file and with the default [`Limits`].
    ///
    /// # Errors
    /// [`ServerError`] if the file cannot be used.
    pub fn open(options: &Options) -> Result<Server, ServerError> {
        Server::open_with(options, Limits::default())
    }

    /// Opens a server with the state in its state file and with these limits.
    ///
    /// # Errors
    /// [`ServerError`] if the file cannot be used.
    pub fn open_with(options: &Options, limits: Limits) -> Result<Server, ServerError> {
        let (mut journal, mut entries) = (None, Vec::new());
        if let Some(path) = &options.state {
            let failed = |cause| ServerError::State { path: path.clone(), cause };
            let (opened, found) = Journal::open(path, options.sync).map_err(failed)?;
            (journal, entries) = (Some(opened), found);
        }
        let path = || options.state.clone().unwrap_or_else(|| Path::new("-").to_owned());
        let state = ServerState::new(options.seed, options.forgets, entries)
            .map_err(|why| ServerError::InvalidState { path: path(), why })?;
        if let Some(journal) = &mut journal {
            let entries = state.entries();
            journal
                .rewrite(&entries)
                .map_err(|cause| ServerError::State { path: path(), cause })?;
        }
        let hub = Hub {
            state,
            journal,
            senders: HashMap::new(),
            next: 0,
            failed: None,
            clock: options.clock,
        };
        Ok(Server {
            hub: Arc::new(Mutex::new(hub)),
            gate: Gate::new(limits),
            hashing: Arc::new(Semaphore::new(1)),
        })
    }

    fn hub(&self) -> MutexGuard<'_, Hub> {
        self.hub.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers an account unless the name is taken. It takes a few milliseconds.
    pub fn register(&self, name: &str, password: &Password) {
        let mut hub = self.hub();
        if !hub.state.is_registered(name) {
            hub.state.register(name, hash_password(password.reveal()));
            hub.commit();
        }
    }

    /// Adds a line to the log.
    fn note(&self, line: String) {
        self.hub().state.log.push(line);
    }

    /// Gives an account a rating and experience from elsewhere; without such an account it does
    /// nothing.
    pub fn set_standing(&self, name: &str, standing: Standing) {
        let mut hub = self.hub();
        hub.state.set_standing(name, standing);
        hub.commit();
    }

    /// Rating and experience of an account; `None` if there is no such account.
    #[must_use]
    pub fn standing(&self, name: &str) -> Option<Standing> {
        self.hub().state.standing(name)
    }

    /// Number of matches that are saved or being played.
    #[must_use]
    pub fn unfinished(&self) -> usize {
        self.hub().state.saved()
    }

    /// Number of automatic rolls that were forgotten on purpose.
    #[must_use]
    pub fn forgotten(&self) -> u64 {
        self.hub().state.forgotten
    }

    /// The log since the last call: a line for each match that has ended, and for each trouble with
    /// connections.
    #[must_use]
    pub fn take_log(&self) -> Vec<String> {
        std::mem::take(&mut self.hub().state.log)
    }
}

impl Hub {
    /// Writes the changes to the journal first, then sends the lines.
    fn commit(&mut self) {
        let Effects { journal, out, closing } = self.state.take_effects();
        if let Err(error) = self.write_journal(&journal) {
            // A change that was not written must not be confirmed.
            self.failed = Some(error.to_string());
            self.senders.clear();
            return;
        }
        for (id, packet) in packets(out) {
            let full = self.senders.get(&id).is_some_and(|client| !client.send(packet));
            if full {
                self.senders.remove(&id);
            }
        }
        for id in closing {
            self.senders.remove(&id);
        }
    }

    fn write_journal(&mut self, entries: &[JournalEntry]) -> io::Result<()> {
        match &mut self.journal {
            Some(journal) if !entries.is_empty() && self.failed.is_none() => {
                journal.append(entries)
            }
            _ => Ok(()),
        }
    }
}

/// One packet for each connection, in the order of their first lines.
fn packets(lines: Vec<(ConnectionId, Vec<u8>)>) -> Vec<(ConnectionId, Vec<u8>)> {
    let mut packets: Vec<(ConnectionId, Vec<u8>)> = Vec::new();
    let mut places = HashMap::new();
    for (id, line) in lines {
        let place = *places.entry(id).or_insert(packets.len());
        match packets.get_mut(place) {
            Some((_, packet)) => packet.extend(line),
            None => packets.push((id, line)),
        }
    }
    packets
}
