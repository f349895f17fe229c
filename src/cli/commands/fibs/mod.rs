//! `nonet fibs`: plays on FIBS or another server with its protocol, and runs a practice server.

mod account;
mod demo;
mod play;
mod report;
mod serve;
mod watch;

use clap::Subcommand;

use crate::cli::output::examples::examples;
use crate::cli::output::log;

/// Play on FIBS, or run a practice server for FIBS clients.
///
/// FIBS is the First Internet Backgammon Server.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: FibsCommand,
    #[command(flatten)]
    log: log::LogArgs,
}

#[derive(Subcommand)]
enum FibsCommand {
    Play(Box<play::Args>),
    /// Create an account
    #[command(after_long_help = examples(&[
        ("Create an account on FIBS", "FIBS_PASSWORD=secret nonet fibs register --user mybot"),
        (
            "Create one on a practice server of this machine",
            "FIBS_PASSWORD=secret nonet fibs register --user mybot --host 127.0.0.1",
        ),
    ]))]
    Register(account::Args),
    /// Log in, show the account's data, and log out: a first test
    #[command(after_long_help = examples(&[
        ("Test an account of FIBS", "FIBS_PASSWORD=secret nonet fibs whoami --user mybot"),
        (
            "Take the password from a file",
            "nonet fibs whoami --user mybot --password-file password.txt",
        ),
    ]))]
    Whoami(account::Args),
    Watch(watch::Args),
    Report(report::Args),
    Serve(serve::Args),
    Demo(demo::Args),
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    args.log.start();
    match &args.command {
        FibsCommand::Play(args) => play::run(args),
        FibsCommand::Register(args) => account::register(args),
        FibsCommand::Whoami(args) => account::whoami(args),
        FibsCommand::Watch(args) => watch::run(args),
        FibsCommand::Report(args) => crate::cli::bot::report::run(&args.report),
        FibsCommand::Serve(args) => serve::run(args),
        FibsCommand::Demo(args) => demo::run(args),
    }
}
