//! The matches of record files: reads them, analyses them, and looks for a player.

use std::fs::File;
use std::io::{BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};

use nonet::analysis::{Analysis, analyse, decisions_in, matches_in};
use nonet::backgammon::record::{
    Location, ReadRecord, RecordError, RecordErrorKind, RecordedGame, read_record,
};
use nonet::engine::Engine;
use nonet::progress::Progress;
use nonet::report::AnalysedMatch;
use nonet::store::record_files;

use crate::cli::error::usage;
use crate::cli::output::progress_bar::show_progress;
use crate::cli::output::shell_word::shell_word;

/// A record with the name of its file.
pub(in crate::cli::commands) type NamedRecord = (PathBuf, ReadRecord);

/// The records of a file or folder; what cannot be used is said on stderr.
pub(in crate::cli::commands) fn read_all(
    path: &Path,
    several: bool,
) -> anyhow::Result<Vec<NamedRecord>> {
    let mut read = Vec::new();
    let mut failed = Vec::new();
    for file in files(path)? {
        match open(&file) {
            Ok(record) => read.push((file, record)),
            Err(error) => failed.push(error),
        }
    }
    if read.is_empty() && !several {
        let error = failed.pop().expect("a file is read or has failed");
        if let Some(position) = error.single_position() {
            let id = position.xgid();
            let hint = format!("nonet hint {}", shell_word(Path::new(&id)));
            return Err(usage(format!("{error}; ask about it: {hint}")));
        }
        return Err(usage(format!("no usable game: {error}")));
    }
    for error in &failed {
        writeln!(std::io::stderr(), "cannot use {error}")?;
    }
    if read.is_empty() {
        return Err(usage(format!("no usable game in {}", path.display())));
    }
    for warning in read.iter().flat_map(|(_, record)| &record.warnings) {
        writeln!(std::io::stderr(), "warning: {warning}")?;
    }
    Ok(read)
}

/// The matches of all records, analysed; `None` if the work was stopped.
pub(in crate::cli::commands) fn analysed(
    read: &[NamedRecord],
    engine: &Engine,
    progress: &Progress,
) -> anyhow::Result<Option<Vec<AnalysedMatch>>> {
    let all: Vec<RecordedGame> =
        read.iter().flat_map(|(_, record)| record.games.iter().cloned()).collect();
    let analysis = show_progress("decisions", decisions_in(&all), progress, |progress| {
        engine.install(|| analyse(&all, engine, progress))
    });
    let analysis = analysis.map_err(usage)?;
    let Some(analysis) = analysis else { return Ok(None) };
    let mut analysis = analysis.into_iter();
    let mut matches = Vec::new();
    for (file, record) in read {
        for range in matches_in(&record.games) {
            let games: Vec<Analysis> = analysis.by_ref().take(range.len()).collect();
            matches.push(AnalysedMatch { file: file.display().to_string(), games });
        }
    }
    Ok(Some(matches))
}

/// Refuses a player who occurs in none of the records; case does not matter.
pub(in crate::cli::commands) fn check_player(
    name: &str,
    read: &[NamedRecord],
) -> anyhow::Result<()> {
    let mut names: Vec<&str> = Vec::new();
    let games = read.iter().flat_map(|(_, record)| &record.games);
    for name in games.flat_map(|game| &game.header().names) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    if names.iter().any(|known| known.to_lowercase() == name.to_lowercase()) {
        return Ok(());
    }
    let shown = names.iter().take(8).copied().collect::<Vec<_>>().join(", ");
    let more = if names.len() > 8 { " and others" } else { "" };
    Err(usage(format!("unknown player '{name}': expected one of {shown}{more}")))
}

/// The files to analyse.
fn files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let standard_input = path == Path::new("-");
    if standard_input && std::io::stdin().is_terminal() {
        return Err(usage("standard input is a terminal; send a record to it"));
    }
    if standard_input {
        return Ok(vec![path.to_owned()]);
    }
    if !path.exists() {
        let path = path.display();
        return Err(usage(format!(
            "cannot read {path}: expected an existing file or folder, or -"
        )));
    }
    let files = record_files(path).map_err(usage)?;
    if files.is_empty() {
        return Err(usage(format!("no file in {}: expected at least one record", path.display())));
    }
    Ok(files)
}

/// All that can be used of a record.
fn open(path: &Path) -> Result<ReadRecord, RecordError> {
    if path == Path::new("-") {
        return read_record(std::io::stdin().lock(), "standard input");
    }
    let name = path.to_string_lossy();
    let file = File::open(path).map_err(|error| RecordError {
        file: name.as_ref().into(),
        place: Location::Line(1),
        reason: RecordErrorKind::Io(error),
    })?;
    read_record(BufReader::new(file), &name)
}
