//! The folder of a training run.

use nonet::store::run_file;
use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::cli::error::usage;

/// Reads a file of the folder of a run. Another program may be writing to the folder: its files are
/// replaced whole.
pub(crate) fn read_run_file(folder: &Path, name: &str) -> anyhow::Result<String> {
    if !folder.join(run_file::CONFIG).is_file() {
        let folder = folder.display();
        return Err(usage(format!(
            "unknown run '{folder}': expected the folder of a training run, with its config.toml"
        )));
    }
    let file = folder.join(name);
    fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))
}
