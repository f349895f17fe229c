//! `nonet man`: the manual pages.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Command;

use crate::cli::output::examples::examples;

/// Write the manual pages.
///
/// Writes a manual page for the program and one for each command, with the options for research.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Write the pages into a folder", "nonet man man1"),
    (
        "Install them for yourself; then `man nonet-train` works",
        "nonet man ~/.local/share/man/man1",
    ),
]))]
pub(crate) struct Args {
    /// Folder for the pages, made if it is missing.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(args: &Args, command: Command) -> anyhow::Result<()> {
    let folder = args.folder.display();
    std::fs::create_dir_all(&args.folder)
        .with_context(|| format!("cannot make the folder {folder}"))?;
    clap_mangen::generate_to(command, &args.folder)
        .with_context(|| format!("cannot write the manual pages in {folder}"))?;
    writeln!(std::io::stdout(), "manual pages: {folder}")?;
    Ok(())
}
