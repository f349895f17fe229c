//! `nonet fibs`: playing on FIBS or any server of its protocol, and a server to practise on.

mod account;
mod demo;
mod lock;
mod play;
mod report;
mod serve;
mod watch;

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Subcommand;

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Log in and play rated matches around the clock; Ctrl-C leaves at once, with the match saved.
    Play(Box<play::Args>),
    /// Make an account.
    Register(account::Args),
    /// Log in, show what the server says of the account, and log out: the first thing to try.
    Whoami(account::Args),
    /// Watch another player's matches and write them down as .mat files.
    Watch(watch::Args),
    /// Results, ratings and opponents from a folder of records.
    Report(report::Args),
    /// Run a practice server; any FIBS client can log in.
    Serve(serve::Args),
    /// Play a match on a practice server of its own against a scripted opponent, all in this process.
    Demo(demo::Args),
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Play(args) => play::run(args),
        Command::Register(args) => account::register(args),
        Command::Whoami(args) => account::whoami(args),
        Command::Watch(args) => watch::run(args),
        Command::Report(args) => report::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Demo(args) => demo::run(args),
    }
}

/// Runs something that waits for a network.
fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
}

/// Done when the flag is set.
async fn set(flag: Arc<AtomicBool>) {
    while !flag.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Unix seconds.
fn now() -> f64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64())
}

/// A line of progress, with the time of day in UTC.
fn line(text: &str) {
    use std::io::Write;
    let seconds = now() as u64 % 86_400;
    let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let _ = writeln!(std::io::stderr(), "{h:02}:{m:02}:{s:02} {text}");
}
