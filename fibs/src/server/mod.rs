//! A server of the protocol for practice and tests: rated matches with legal moves only, and nothing lost in a crash.
//!
//! It speaks to clients of the client protocol and to people with a telnet, sends boards in style 3, and listens where
//! it is told: there are no secrets here worth more than the loopback address.

mod faults;
mod game;
mod journal;
mod memory;
mod world;

pub use faults::{Faults, FaultyLink, Figures};
pub use memory::Memory;

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
use world::{Effects, Id, World};

/// Why a server cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The file of its state cannot be used.
    #[error("cannot use the state file {}: {cause}", path.display())]
    State {
        /// Which file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// The file is whole, but tells an impossible story.
    #[error("the state file {} cannot be true: {why}", path.display())]
    MatchRecord {
        /// Which file.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where its state is kept; nowhere without it.
    pub state: Option<PathBuf>,
    /// Whether to flush the state to the disk before every answer, against loss of power.
    pub sync: bool,
    /// Seed of its dice.
    pub seed: u64,
    /// How often it forgets an automatic roll, 0..=1: a trap of the real server, for tests.
    pub forgets: f64,
    /// Unix seconds; a clock is an argument.
    pub clock: fn() -> u64,
}

/// Bytes that wait for a client that does not read, in pieces, before it is dropped.
const BACKLOG: usize = 4096;

/// A server; clones are the same one.
#[derive(Clone, Debug)]
pub struct Server(Arc<Mutex<Hub>>);

#[derive(Debug)]
struct Hub {
    world: World,
    journal: Option<Journal>,
    senders: HashMap<Id, mpsc::Sender<Vec<u8>>>,
    next: Id,
    failed: Option<String>,
    clock: fn() -> u64,
}

/// The clock of the system, in Unix seconds.
#[must_use]
pub fn unix_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

impl Server {
    /// Opens a server with the state that its file holds.
    ///
    /// # Errors
    /// [`ServerError`] when the file cannot be used.
    pub fn open(options: &Options) -> Result<Server, ServerError> {
        let (mut journal, mut entries) = (None, Vec::new());
        if let Some(path) = &options.state {
            let state = |cause| ServerError::State { path: path.clone(), cause };
            let (opened, found) = Journal::open(path, options.sync).map_err(state)?;
            (journal, entries) = (Some(opened), found);
        }
        let path = || options.state.clone().unwrap_or_else(|| Path::new("-").to_owned());
        let world = World::new(options.seed, options.forgets, entries)
            .map_err(|why| ServerError::MatchRecord { path: path(), why })?;
        if let Some(journal) = &mut journal {
            let entries = world.entries();
            journal
                .rewrite(&entries)
                .map_err(|cause| ServerError::State { path: path(), cause })?;
        }
        let hub = Hub {
            world,
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

    /// Makes an account, if there is none of the name.
    pub fn register(&self, name: &str, password: &Password) {
        let mut hub = self.hub();
        if !hub.world.is_registered(name) {
            hub.world.register(name, password.reveal());
            hub.commit();
        }
    }

    /// Rating and experience of an account.
    #[must_use]
    pub fn standing(&self, name: &str) -> Option<Standing> {
        self.hub().world.standing(name)
    }

    /// How many matches are saved or being played.
    #[must_use]
    pub fn unfinished(&self) -> usize {
        self.hub().world.saved()
    }

    /// How many automatic rolls were forgotten on purpose.
    #[must_use]
    pub fn forgotten(&self) -> u64 {
        self.hub().world.forgotten
    }

    /// Matches that have ended since the last call, in words.
    #[must_use]
    pub fn take_log(&self) -> Vec<String> {
        std::mem::take(&mut self.hub().world.log)
    }

    /// Accepts connections for ever.
    ///
    /// # Errors
    /// When no more connections can be accepted, or the state cannot be written any more.
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
            hub.world.connected(id, now);
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
                    Line::Text(text) => hub.world.line(id, &text, now),
                    Line::TooLong => hub.world.line(id, "too-long-a-line", now),
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
        hub.world.closed(id, now);
        hub.commit();
    }
}

impl Hub {
    /// What was promised goes to the file first, and then out.
    fn commit(&mut self) {
        let Effects { journal, out, closing } = self.world.take_effects();
        if let Err(error) = self.remember(&journal) {
            // What cannot be remembered must not be said.
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

    fn remember(&mut self, entries: &[JournalEntry]) -> io::Result<()> {
        match &mut self.journal {
            Some(journal) if !entries.is_empty() && self.failed.is_none() => {
                journal.append(entries)
            }
            _ => Ok(()),
        }
    }
}
