//! `nonet completions`: the completions of a shell.

use clap::Command;
use clap_complete::{Shell, generate};

use crate::cli::output::examples::examples;

/// Print the completions of a shell.
///
/// Prints a script that completes commands, options and values in this shell.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    (
        "Complete in bash from now on",
        "nonet completions bash > ~/.local/share/bash-completion/completions/nonet",
    ),
    (
        "Complete in fish from now on",
        "nonet completions fish > ~/.config/fish/completions/nonet.fish",
    ),
]))]
pub(crate) struct Args {
    /// The shell.
    shell: Shell,
}

pub(super) fn run(args: &Args, mut command: Command) -> anyhow::Result<()> {
    // A closed pipe would be a panic of the writer.
    let mut script = Vec::new();
    generate(args.shell, &mut command, "nonet", &mut script);
    Ok(std::io::Write::write_all(&mut std::io::stdout(), &script)?)
}
