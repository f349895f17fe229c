//! A practice server for the FIBS protocol, with accounts, rated matches, and saved matches that survive a crash.
//!
//! It serves programs that use the client protocol and people with telnet, and sends boards in style 3. Passwords are hashed
//! weakly and sent in clear text: listen on the loopback address only.

mod faults;
mod game;
mod in_process;
mod journal;
mod state;

pub use faults::{FaultConfig, FaultCounts, FaultyLink};
pub use in_process::InProcessConnector;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::Password;
use crate::codec::{Decoder, Line};
use crate::rating::Standing;
use journal::{Journal, JournalEntry};
use state::{ConnectionId, Effects, ServerState};

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
    /// Probability, 0..=1, that the server forgets an automatic roll, as the real server sometimes does; for tests.
    pub forgets: f64,
    /// The clock, in Unix seconds; [`unix_seconds`] or a fixed one for tests.
    pub clock: fn() -> u64,
}

/// The most packets that wait for a client; a client that reads too slowly is disconnected.
const BACKLOG: usize = 4096;

/// A practice server; clones share one state.
#[derive(Clone, Debug)]
pub struct Server(Arc<Mutex<Hub>>);

/// The state, its journal, and the connections.
#[derive(Debug)]
struct Hub {
    state: ServerState,
    journal: Option<Journal>,
    senders: HashMap<ConnectionId, mpsc::Sender<Vec<u8>>>,
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
    /// Opens a server with the state in its state file.
    ///
    /// # Errors
    /// [`ServerError`] if the file cannot be used.
    pub fn open(options: &Options) -> Result<Server, ServerError> {
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
        Ok(Server(Arc::new(Mutex::new(hub))))
    }

    fn hub(&self) -> MutexGuard<'_, Hub> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers an account unless the name is taken.
    pub fn register(&self, name: &str, password: &Password) {
        let mut hub = self.hub();
        if !hub.state.is_registered(name) {
            hub.state.register(name, password.reveal());
            hub.commit();
        }
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

    /// One line for each match that has ended since the last call.
    #[must_use]
    pub fn take_log(&self) -> Vec<String> {
        std::mem::take(&mut self.hub().state.log)
    }

    /// Accepts connections until an error.
    ///
    /// # Errors
    /// If a connection cannot be accepted, or the state can no longer be written.
    pub async fn listen(&self, listener: &TcpListener) -> io::Result<()> {
        loop {
            let (stream, _) = listener.accept().await?;
            if let Some(why) = self.hub().failed.clone() {
                return Err(io::Error::other(why));
            }
            let _ = stream.set_nodelay(true);
            tokio::spawn(self.clone().serve(stream));
        }
    }

    /// Serves one connection until it ends.
    pub async fn serve(self, stream: impl AsyncRead + AsyncWrite + Send + 'static) {
        let (mut reader, mut writer) = tokio::io::split(stream);
        let (sender, mut receiver) = mpsc::channel(BACKLOG);
        let id = {
            let mut hub = self.hub();
            let id = hub.next;
            hub.next += 1;
            hub.senders.insert(id, sender);
            let now = (hub.clock)();
            hub.state.connected(id, now);
            hub.commit();
            id
        };
        let write = async {
            while let Some(bytes) = receiver.recv().await {
                if writer.write_all(&bytes).await.is_err() || writer.flush().await.is_err() {
                    break;
                }
            }
            let _ = writer.shutdown().await;
        };
        let read = async {
            let (mut decoder, mut buffer) = (Decoder::default(), vec![0; 4096]);
            while let Ok(n @ 1..) = reader.read(&mut buffer).await {
                let mut hub = self.hub();
                let now = (hub.clock)();
                decoder.decode(&buffer[..n], |line| match line {
                    Line::Text(text) => hub.state.line(id, &text, now),
                    Line::TooLong => hub.state.line(id, "too-long-a-line", now),
                    Line::LoginPrompt | Line::PasswordPrompt => {}
                });
                hub.commit();
            }
        };
        tokio::select! {
            biased;
            () = write => {}
            () = read => {}
        }
        let mut hub = self.hub();
        hub.senders.remove(&id);
        let now = (hub.clock)();
        hub.state.closed(id, now);
        hub.commit();
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
        for (id, bytes) in out {
            let full = self.senders.get(&id).is_some_and(|sender| sender.try_send(bytes).is_err());
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
