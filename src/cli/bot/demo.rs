//! The records of a demonstration, and what is printed of them.

use std::io::Write;
use std::path::{Path, PathBuf};

use nonet::bot::match_records;
use tempfile::TempDir;

/// The folder of the records: this one, or a temporary one that is removed with the second value.
pub(crate) fn records_folder(given: Option<&Path>) -> anyhow::Result<(PathBuf, TempDir)> {
    let temporary = tempfile::tempdir()?;
    Ok((given.unwrap_or_else(|| temporary.path()).to_owned(), temporary))
}

/// Prints the results of the matches in a folder that are over.
pub(crate) fn print_matches(folder: &Path) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    for record in match_records(folder)? {
        let Some((won, [own, other])) = record.result else { continue };
        let turns: usize = record.games().iter().map(|game| game.turns().count()).sum();
        let games = record.games().len();
        let result = if won { "won" } else { "lost" };
        let (name, opponent) = (&record.own, &record.opponent);
        writeln!(
            out,
            "{name} {result} {own}-{other} against {opponent}: {games} games, {turns} turns"
        )?;
    }
    Ok(())
}
