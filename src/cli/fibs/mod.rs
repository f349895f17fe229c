//! `nonet fibs`: plays on FIBS or another server with its protocol, and runs a practice server.

mod account;
mod account_lock;
mod demo;
mod observation;
mod play;
mod report;
mod serve;
mod watch;

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Subcommand;
use jiff::Timestamp;

use super::log;

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: FibsCommand,
    /// Least important lines to log on standard error.
    #[arg(long, global = true, value_enum, default_value = "info", value_name = "LEVEL")]
    log_level: log::LogLevel,
}

#[derive(Subcommand)]
enum FibsCommand {
    /// Log in and play rated matches until Ctrl-C; the server saves a match in progress.
    Play(Box<play::Args>),
    /// Create an account.
    Register(account::Args),
    /// Log in, show the account's data, and log out. A good first test.
    Whoami(account::Args),
    /// Watch another player's matches and save them as .mat files.
    Watch(watch::Args),
    /// Report results, ratings and opponents from a folder of match records.
    Report(report::Args),
    /// Run a practice server for any FIBS client.
    Serve(serve::Args),
    /// Play one match against a scripted opponent on a practice server, all in this process.
    Demo(demo::Args),
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    log::start(args.log_level);
    match &args.command {
        FibsCommand::Play(args) => play::run(args),
        FibsCommand::Register(args) => account::register(args),
        FibsCommand::Whoami(args) => account::whoami(args),
        FibsCommand::Watch(args) => watch::run(args),
        FibsCommand::Report(args) => report::run(args),
        FibsCommand::Serve(args) => serve::run(args),
        FibsCommand::Demo(args) => demo::run(args),
    }
}

/// Runs a future to its end on this thread.
fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
}

/// Completes when the flag is set.
async fn is_set(flag: Arc<AtomicBool>) {
    while !flag.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// The time in Unix seconds.
pub(super) fn now() -> f64 {
    Timestamp::now().as_nanosecond() as f64 / 1e9
}
