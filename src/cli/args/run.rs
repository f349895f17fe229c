//! The folder of a training run, and that of several seeds.

use nonet::store::run_file;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::cli::error::usage;

/// Runs that an error names.
const NAMED: usize = 8;

/// The runs in a folder, such as that of `nonet train --seeds`: seeds by number, others by name.
pub(crate) fn runs_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut runs: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| run_file::is_run(path)).collect();
    runs.sort_by_cached_key(|path| {
        let name = name_of(path);
        (name.parse().unwrap_or(u64::MAX), name)
    });
    runs
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// What to name in place of a folder that is no run, but has some; `None` if it has none.
pub(crate) fn which_run(folder: &Path) -> Option<String> {
    let runs = runs_in(folder);
    let first = runs.first()?.display();
    let names: Vec<String> = runs.iter().take(NAMED).map(|run| name_of(run)).collect();
    let (names, s) = (names.join(", "), if runs.len() == 1 { "" } else { "s" });
    let more = match runs.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!("it has the run{s} {names}{more}: name one, such as {first}"))
}

/// Reads a file of the folder of a run. Another program may be writing to the folder: its files are
/// replaced whole.
pub(crate) fn read_run_file(folder: &Path, name: &str) -> anyhow::Result<String> {
    if !run_file::is_run(folder) {
        let (path, runs) = (folder.display(), which_run(folder));
        return Err(usage(match runs {
            Some(runs) => format!("{path} is no run itself: {runs}"),
            None => format!(
                "unknown run '{path}': expected the folder of a training run, with its config.toml"
            ),
        }));
    }
    let file = folder.join(name);
    fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with runs of these names.
    fn with_runs(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for name in names {
            let run = folder.path().join(name);
            fs::create_dir(&run).expect("made");
            fs::write(run.join(run_file::CONFIG), "").expect("written");
        }
        folder
    }

    #[test]
    fn the_runs_of_a_folder_are_in_the_order_of_their_seeds() {
        let folder = with_runs(&["10", "9", "first"]);
        fs::create_dir(folder.path().join("empty")).expect("made");
        fs::write(folder.path().join("seeds.svg"), "").expect("written");
        let names: Vec<String> = runs_in(folder.path()).iter().map(|run| name_of(run)).collect();
        assert_eq!(names, ["9", "10", "first"]);
        assert!(runs_in(&folder.path().join("missing")).is_empty());
    }

    #[test]
    fn an_error_names_the_runs_that_a_folder_has() {
        let folder = with_runs(&["1", "2"]);
        let error = read_run_file(folder.path(), run_file::HISTORY).expect_err("no run");
        let one = folder.path().join("1");
        let wanted = format!("it has the runs 1, 2: name one, such as {}", one.display());
        assert!(error.to_string().ends_with(&wanted), "{error}");
        assert_eq!(which_run(&one), None);
        let seeds: Vec<String> = (1..=20).map(|seed| seed.to_string()).collect();
        let many = with_runs(&seeds.iter().map(String::as_str).collect::<Vec<_>>());
        let words = which_run(many.path()).expect("runs");
        assert!(words.contains(" 7, 8 and 12 more: name one"), "{words}");
    }
}
