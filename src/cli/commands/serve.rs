//! `nonet serve`: a board, an analyst, a training room and an HTTP API in the browser.

use std::fs::TryLockError;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context;
use nonet::engine::Engine;
use nonet::search::SearchSettings;
use nonet::serve::{App, ServeConfig, ServeLimits, Workers, openapi_json};
use nonet::store::files::{self, Lock};

use crate::cli::args::engine::EngineArgs;
use crate::cli::book::BOOK;
use crate::cli::data_folder::data_folder;
use crate::cli::error::usage;
use crate::cli::interrupt::on_interrupt;
use crate::cli::output::examples::examples;
use crate::cli::output::log;

/// Play, analyse and train in the browser; also an HTTP API.
///
/// The server is for this machine and loads nothing from a network. Matches and analyses are kept
/// in the data folder, so a match continues after a crash of the browser or the server. Ctrl-C ends
/// the server and stops its training runs, which can be resumed.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Serve this machine at http://127.0.0.1:8642", "nonet serve"),
    (
        "Serve other machines, too; the printed address has a token",
        "nonet serve --host 0.0.0.0 --token new",
    ),
    ("Ask whether the server of this machine answers", "nonet serve --check"),
]))]
pub(crate) struct Args {
    /// Address to listen on.
    ///
    /// An address that other machines can reach needs --token.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    host: IpAddr,
    /// Port; 0 takes a free port.
    #[arg(long, value_name = "PORT", default_value_t = 8642)]
    port: u16,
    /// Token that requests must show; `new` makes one.
    ///
    /// The printed address contains it.
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// Folder of matches and analyses.
    ///
    /// Default: nonet in the user's data folder.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Folder of training runs.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// Show the match logs of a FIBS bot in this folder.
    #[arg(long, value_name = "DIR")]
    bot: Option<PathBuf>,
    /// Metrics file of this bot.
    ///
    /// `nonet fibs play --metrics` writes it. It shows whether the bot runs, and its incidents.
    #[arg(long, value_name = "FILE", requires = "bot")]
    bot_metrics: Option<PathBuf>,
    /// Print the OpenAPI 3.1 document of the API and stop.
    #[arg(long)]
    openapi: bool,
    /// Ask a running server whether it answers, and stop.
    ///
    /// The server is the one at --host and --port. For health checks of containers and services.
    #[arg(long, conflicts_with = "openapi")]
    check: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    if args.openapi {
        writeln!(std::io::stdout(), "{}", openapi_json())?;
        return Ok(());
    }
    if args.check {
        let address = SocketAddr::new(reachable(args.host), args.port);
        return check(address).with_context(|| format!("no healthy server at http://{address}"));
    }
    let token = match args.token.as_deref() {
        None if args.host.is_loopback() => None,
        None => {
            return Err(usage(format!(
                "other machines could use a server on {}: add --token new, or --token with a secret of yours",
                args.host
            )));
        }
        Some("new") => Some(new_token()?),
        Some(token)
            if token.len() < 8
                || !token.chars().all(|c| c.is_ascii_alphanumeric() || "-_.~".contains(c)) =>
        {
            return Err(usage("invalid --token: expected at least 8 letters, digits, or - _ . ~"));
        }
        Some(token) => Some(token.to_owned()),
    };
    // A folder that is missing is made by the first run, or by the bot.
    for folder in std::iter::once(&args.runs).chain(&args.bot) {
        if folder.exists() && !folder.is_dir() {
            return Err(usage(format!("{} is a file, not a folder", folder.display())));
        }
    }
    let data = data_folder(args.data.as_deref())?;
    // Names by which a browser on this machine addresses it; a server for others is kept by its
    // token.
    let hosts = match args.host.is_loopback() {
        true => {
            let mut hosts = ["127.0.0.1", "localhost", "::1"].map(str::to_owned).to_vec();
            // The address that is printed, too.
            let own = args.host.to_string();
            if !hosts.contains(&own) {
                hosts.push(own);
            }
            hosts
        }
        false => Vec::new(),
    };
    let threads = std::thread::available_parallelism().map_or(2, std::num::NonZeroUsize::get);
    let config = ServeConfig {
        data: data.clone(),
        runs: args.runs.clone(),
        bot: args.bot.clone(),
        bot_metrics: args.bot_metrics.clone(),
        book: BOOK,
        token: token.clone(),
        hosts,
        program: Some(std::env::current_exe().context("cannot find this program")?),
        workers: Workers::Threads,
        limits: ServeLimits {
            quick: threads.max(2) * 2,
            slow: threads.max(2),
            ..ServeLimits::default()
        },
    };
    log::start(log::LogLevel::Info);
    let engine = args.engine.open(Engine::PLAY_PLIES, SearchSettings::WIDE)?;
    let _lock = lock(&data)?;
    let app = App::new(&engine, &engine.on_the_callers_thread(), config)?;
    let stop = on_interrupt();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let address = SocketAddr::new(args.host, args.port);
        let listener = tokio::net::TcpListener::bind(address).await.map_err(|error| {
            anyhow::anyhow!("cannot listen on {address}: {error}; choose another port with --port, or 0 for a free one")
        })?;
        let address = listener.local_addr()?;
        let token = token.map_or(String::new(), |token| format!("#token={token}"));
        let mut out = std::io::stdout();
        writeln!(out, "listening on http://{address}/{token}")?;
        writeln!(out, "matches and analyses are in {}; Ctrl-C ends the server", data.display())?;
        out.flush()?;
        let stopped = async {
            while !stop.load(Ordering::Relaxed) {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        nonet::serve::run(listener, app.clone(), stopped).await;
        Ok::<_, anyhow::Error>(())
    })?;
    app.stop_runs();
    runtime.shutdown_timeout(Duration::from_millis(200));
    Ok(())
}

/// Makes the data folder and locks it. Two servers would overwrite each other's matches and notes.
fn lock(data: &Path) -> anyhow::Result<Lock> {
    files::make_folders(data).with_context(|| format!("cannot make {}", data.display()))?;
    let path = data.join(".server-lock");
    files::lock(&path).map_err(|error| match error {
        TryLockError::WouldBlock => anyhow::anyhow!(
            "another server uses the data folder {}: stop it, or name another folder with --data",
            data.display()
        ),
        TryLockError::Error(error) => {
            anyhow::anyhow!("cannot lock {}: {error}", path.display())
        }
    })
}

/// 128 random bits of the operating system, in hexadecimal digits.
fn new_token() -> anyhow::Result<String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).context("cannot make a token: name one with --token")?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The address at which this machine reaches a server that listens on `host`.
fn reachable(host: IpAddr) -> IpAddr {
    match host {
        IpAddr::V4(own) if own.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(own) if own.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        _ => host,
    }
}

/// Asks for a page; a server that wants a token answers, too.
fn check(address: SocketAddr) -> anyhow::Result<()> {
    const PATIENCE: Duration = Duration::from_secs(3);
    let mut server = TcpStream::connect_timeout(&address, PATIENCE)?;
    server.set_read_timeout(Some(PATIENCE))?;
    server.set_write_timeout(Some(PATIENCE))?;
    write!(server, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut start = [0; 12];
    server.read_exact(&mut start)?;
    let status = start.strip_prefix(b"HTTP/1.1 ").context("it does not speak HTTP")?;
    anyhow::ensure!(status[0] < b'5', "it answers with {}", String::from_utf8_lossy(status));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_new_token_is_another_one() {
        let [first, second] = [0; 2].map(|_| new_token().expect("random bits"));
        assert_ne!(first, second);
        for token in [first, second] {
            assert_eq!(token.len(), 32);
            assert!(token.chars().all(|c| c.is_ascii_hexdigit()), "{token}");
        }
    }
}
