//! The names of the files in the folder of a run.

use std::path::Path;

use super::files;

/// Whether a folder is that of a run: it has a configuration.
#[must_use]
pub fn is_run(folder: &Path) -> bool {
    files::is_file(&folder.join(CONFIG))
}

/// The file that a program locks while it works on the run.
pub const LOCK: &str = ".lock";
/// The configuration: all options.
pub const CONFIG: &str = "config.toml";
/// The complete state of the run.
pub const CHECKPOINT: &str = "checkpoint.nonet";
/// A row for each test.
pub const HISTORY: &str = "history.csv";
/// What the net knew at each test.
pub const KNOWLEDGE: &str = "knowledge.json";
/// The result: the team that was best in a test.
pub const BEST: &str = "best.nonet";
/// The team after the last game.
pub const LAST: &str = "last.nonet";
/// The moving average of the weights.
pub const AVERAGE: &str = "average.nonet";
/// The page about the run.
pub const REPORT: &str = "report.html";
/// When, where and how fast the run was worked on.
pub const SESSIONS: &str = "sessions.csv";
