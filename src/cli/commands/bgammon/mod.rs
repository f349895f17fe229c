//! `nonet bgammon`: plays on bgammon.org or another server of its protocol.

mod demo;
mod play;
mod report;

use clap::Subcommand;

use crate::cli::output::log;

/// Play on bgammon.org.
///
/// bgammon.org is an open server on which bots are welcome.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: BgammonCommand,
    #[command(flatten)]
    log: log::LogArgs,
}

#[derive(Subcommand)]
enum BgammonCommand {
    Play(Box<play::Args>),
    Report(report::Args),
    Demo(demo::Args),
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    args.log.start();
    match &args.command {
        BgammonCommand::Play(args) => play::run(args),
        BgammonCommand::Report(args) => crate::cli::bot::report::run(&args.report),
        BgammonCommand::Demo(args) => demo::run(args),
    }
}
