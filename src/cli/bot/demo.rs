//! A demonstration of the bot: its options, its records, and what is printed of them.

use std::io::Write;
use std::path::{Path, PathBuf};

use nonet::bot::match_records;
use tempfile::TempDir;

use super::engine::BotEngineArgs;

// The options of a demonstration, on any server. A doc comment would be the help of the command.
#[derive(clap::Args)]
pub(crate) struct DemoArgs {
    /// Length of the match in points.
    #[arg(default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=9))]
    pub(crate) points: u32,
    #[command(flatten)]
    pub(crate) engine: BotEngineArgs,
    /// Folder of the record [default: a temporary folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) records: Option<PathBuf>,
    /// Longest pause before a decision.
    #[arg(long, default_value_t = 0.0, value_name = "SECONDS")]
    pub(crate) pace: f64,
    /// Seed of the dice.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

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
        let word = if games == 1 { "game" } else { "games" };
        writeln!(
            out,
            "{name} {result} {own}-{other} against {opponent}: {games} {word}, {turns} turns"
        )?;
    }
    Ok(())
}
