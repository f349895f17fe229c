//! What the server may do, and where its files are.

use std::path::{Path, PathBuf};

use crate::Workers;

/// A file of the documentation, by its path in the folder of the book.
#[derive(Clone, Copy, Debug)]
pub struct BookFile {
    /// Its path, such as `training.md`.
    pub name: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

/// Where the server's files are, and who may use it.
#[derive(Clone, Debug)]
pub struct ServeConfig {
    /// Folder of matches and analyses; nothing is written outside of it and of `runs`.
    pub data: PathBuf,
    /// Folder with the folders of training runs.
    pub runs: PathBuf,
    /// Folder of match logs of a FIBS bot.
    pub bot: Option<PathBuf>,
    /// File of figures of this bot.
    pub bot_metrics: Option<PathBuf>,
    /// What requests to the API must show; `None` if everybody may use it.
    pub token: Option<String>,
    /// The names by which this server may be addressed; empty for any.
    pub hosts: Vec<String>,
    /// The program that trains, as `nonet train`; without it runs are only shown.
    pub program: Option<PathBuf>,
    /// The documentation in Markdown, with its pictures.
    pub book: &'static [BookFile],
    /// Who does the work.
    pub workers: Workers,
    /// The limits.
    pub limits: ServeLimits,
}

impl ServeConfig {
    /// Of a router that its caller asks directly, with all files in `folder`.
    ///
    /// There is no bot, no book and no program that trains. The caller may do everything.
    #[must_use]
    pub fn of_caller(folder: &Path, workers: Workers, limits: ServeLimits) -> ServeConfig {
        ServeConfig {
            data: folder.join("data"),
            runs: folder.join("runs"),
            bot: None,
            bot_metrics: None,
            token: None,
            hosts: Vec::new(),
            program: None,
            book: &[],
            workers,
            limits,
        }
    }
}

/// Limits of single requests and of concurrent work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServeLimits {
    /// Bytes of a request with a question.
    pub body: usize,
    /// Bytes of an uploaded record.
    pub upload: usize,
    /// Questions in a batch.
    pub batch: usize,
    /// Games of a rollout.
    pub games: u64,
    /// Events of an uploaded record.
    pub decisions: u64,
    /// Analyses that wait for a place or are at work.
    pub analyses: usize,
    /// Bytes of their records together.
    pub analysis_bytes: usize,
    /// Connections at a time.
    pub connections: usize,
    /// Quick answers that are worked on at a time.
    pub quick: usize,
    /// Rollouts, analyses and deep searches at a time.
    pub slow: usize,
    /// Training runs at a time.
    pub runs: usize,
    /// Matches that are kept in memory.
    pub matches: usize,
    /// Seconds that a request may wait for its turn and its answer.
    pub seconds: u64,
}

impl Default for ServeLimits {
    fn default() -> ServeLimits {
        ServeLimits {
            body: 64 << 10,
            upload: 4 << 20,
            batch: 256,
            games: 100_000,
            decisions: 20_000,
            analyses: 1000,
            analysis_bytes: 64 << 20,
            connections: 512,
            quick: 4,
            slow: 2,
            runs: 2,
            matches: 64,
            seconds: 30,
        }
    }
}
