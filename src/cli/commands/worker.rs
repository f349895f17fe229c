//! `nonet worker`: does parts of the work of other machines.

use crate::cli::output::examples::examples;

/// Compute tasks for a coordinator, over NATS.
///
/// A coordinator is a command with --nats, such as `nonet train --nats URL`. The worker runs until
/// Ctrl-C. Unfinished tasks then go back to the queue.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Work for the coordinators of a server", "nonet worker --nats nats://127.0.0.1:4222"),
    (
        "Use two threads, under a name",
        "nonet worker --nats tls://nats.example.org:4222 --threads 2 --name attic",
    ),
]))]
pub(crate) struct Args {
    /// NATS server: nats://HOST:4222 or tls://HOST:4222.
    ///
    /// Credentials are in the variables of NATS's own tools: NATS_USER and NATS_PASSWORD,
    /// NATS_TOKEN, NATS_CREDS, NATS_NKEY, NATS_CA, NATS_CERT and NATS_KEY.
    #[arg(long, value_name = "URL")]
    nats: String,
    /// Tasks to compute at a time [default: one per processor]
    ///
    /// Each task has a thread of its own.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Name of this worker in messages.
    ///
    /// Default: the name of the machine and the number of the process.
    #[arg(long)]
    name: Option<String>,
}

/// Works until SIGTERM or Ctrl-C: what cannot be finished in a few seconds is handed back to the
/// queue.
#[cfg(feature = "nats")]
pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    use nonet::distributed::{Build, WorkerOptions, run_worker};

    use crate::cli::args::nats::{login, say};
    use crate::cli::error::usage;

    let threads = match args.threads {
        Some(0) => return Err(usage("--threads must be at least 1")),
        Some(threads) => threads,
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let name = args.name.clone().unwrap_or_else(usual_name);
    if name.is_empty() || name.len() > 100 || name.chars().any(char::is_control) {
        return Err(usage("invalid --name: expected 1 to 100 letters"));
    }
    let stop = crate::cli::interrupt::interruptible();
    let build = Build::own();
    let login = login(&args.nats)?;
    say(&format!("worker {name}, {threads} threads, {build}, server {}", login.place()));
    let options = WorkerOptions { login, name, threads, build };
    let report = run_worker(options, &stop, say)?;
    say(&format!("{} parts done, {} handed back", report.parts, report.given_back));
    Ok(())
}

#[cfg(not(feature = "nats"))]
pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let Args { nats: _, threads: _, name: _ } = args;
    Err(crate::cli::args::nats::without())
}

/// The name of the machine and the number of the process.
#[cfg(feature = "nats")]
fn usual_name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let host = host.or_else(|| std::env::var("HOSTNAME").ok()).unwrap_or_default();
    let host = if host.trim().is_empty() { "machine" } else { host.trim() };
    format!("{host}-{}", std::process::id())
}
