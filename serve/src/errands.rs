//! Long work where the program has no threads.
//!
//! It is an errand for another process with the same files. Whoever runs the router sends it there.
//! The other process has an [`App`] of its own.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use nonet_engine::progress::{DispatchError, Dispatcher, Job, Progress};
use nonet_engine::search::Plies;
use serde::{Deserialize, Serialize};

use crate::App;

/// Who does the work of an [`App`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Workers {
    /// Threads of this process.
    #[default]
    Threads,
    /// The thread that asks does quick work. Slow work is refused with the code `elsewhere`:
    /// another process may answer. Long work is an [`Errand`].
    Caller,
    /// The thread that asks does all work.
    CallerAndSlow,
}

/// Long work for another process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Errand {
    /// The analysis of an upload, by its name.
    Analysis {
        /// The upload.
        id: String,
        /// Plies of plays and of cube decisions.
        plies: [u8; 2],
    },
    /// A training run: `nonet train` with these options.
    Run {
        /// The name of its folder.
        name: String,
        /// The options.
        options: Vec<String>,
    },
    /// The run is to stop, as Ctrl-C stops it.
    Stop {
        /// The name of its folder.
        name: String,
    },
    /// The analysis of an upload that was removed is to end.
    StopAnalysis {
        /// The upload.
        id: String,
    },
}

/// Errands that are not taken yet.
#[derive(Default)]
pub(super) struct Errands(Mutex<Vec<Errand>>);

impl Errands {
    pub(super) fn add(&self, errand: Errand) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(errand);
    }
}

/// Told how far work is.
pub type Tell = Arc<dyn Fn(u64) + Send + Sync>;

impl App {
    /// The errands since the last call.
    #[must_use]
    pub fn take_errands(&self) -> Vec<Errand> {
        std::mem::take(&mut self.errands.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Does an analysis on this thread; `tell` hears of every decision.
    ///
    /// # Errors
    /// Why it has failed, in words.
    pub fn analyse(&self, id: &str, plies: [u8; 2], tell: Tell) -> Result<(), String> {
        let depth = |plies| Plies::try_from(plies).map_err(|error| format!("{error}"));
        let plies = [depth(plies[0])?, depth(plies[1])?];
        crate::analysis::analysis_jobs::do_here(self, id, plies, tell)
    }

    /// Another process says how far an analysis is.
    pub fn analysis_at(&self, id: &str, done: u64) {
        self.analyses.at(id, done);
    }

    /// Another process has ended an errand: its files are there, or `error` says why not.
    pub fn ended(&self, errand: &Errand, error: Option<String>) {
        match errand {
            Errand::Analysis { id, .. } => self.analyses.ended(id, error),
            Errand::Run { name, .. } => self.runs.ended(name, error.is_none()),
            Errand::Stop { .. } | Errand::StopAnalysis { .. } => {}
        }
    }
}

/// Does work one piece after the other, and tells how far it is after each.
pub(super) struct OneByOne<T> {
    pub(super) tell: Tell,
    /// What holds the count.
    pub(super) of: Weak<T>,
    pub(super) progress: fn(&T) -> &Progress,
}

impl<T> fmt::Debug for OneByOne<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OneByOne")
    }
}

impl<T: Send + Sync> Dispatcher for OneByOne<T> {
    fn dispatch(&self, job: &dyn Job, numbers: Range<u64>) -> Result<(), DispatchError> {
        for number in numbers {
            if !job.here(number..number + 1) {
                return Err(DispatchError::Stopped);
            }
            if let Some(of) = self.of.upgrade() {
                (self.tell)((self.progress)(&of).done());
            }
        }
        Ok(())
    }
}
