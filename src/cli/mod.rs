//! The command line: parses it, runs the command, prints an error, and chooses the exit code.

mod args;
#[cfg(feature = "serve")]
mod book;
mod bot;
mod clock;
mod commands;
mod data_folder;
mod error;
mod help;
mod interrupt;
mod output;
mod typing;
mod version;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{ColorChoice, FromArgMatches, Parser};
use nonet::bot::LEARNER_THREAD;

use self::commands::CliCommand;
use self::error::{Usage, is_broken_pipe, print_parse_error};
use self::help::{Detail, colours_of, command_line};

/// Nine specialist networks learn backgammon by temporal differences, and play it.
#[derive(Parser)]
#[command(
    version = version::VERSION,
    max_term_width = 100,
    arg_required_else_help = true,
    after_help = "`nonet COMMAND --help` explains a command and has examples; `-h` is shorter.",
)]
struct Cli {
    /// Colour the output: auto, always or never.
    ///
    /// With `auto` a terminal gets colours, unless NO_COLOR is set.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true
    )]
    color: ColorChoice,
    #[command(subcommand)]
    command: CliCommand,
}

/// Runs the command line and returns its exit code.
pub(crate) fn run() -> ExitCode {
    let cli = match parse() {
        Ok(cli) => cli,
        Err(error) => {
            print_parse_error(&error);
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    if !cli.command.outlives_panics() {
        end_on_panic();
    }
    use_colours(cli.color);
    match cli.command.run(|| command_line(Detail::All)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
        }
    }
}

fn parse() -> Result<Cli, clap::Error> {
    let arguments: Vec<_> = std::env::args_os().collect();
    let mut command = command_line(Detail::of(&arguments)).color(colours_of(&arguments));
    let matches = command.try_get_matches_from_mut(arguments)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Says where colours are wanted, to whatever prints.
fn use_colours(choice: ColorChoice) {
    let choice = match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// Lets a panic in any thread end the program, after its message: nothing waits for a thread that
/// is gone. A bot is told when its learner is gone, and plays on.
fn end_on_panic() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        report(panic);
        if std::thread::current().name() != Some(LEARNER_THREAD) {
            std::process::abort();
        }
    }));
}
