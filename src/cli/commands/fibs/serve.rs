//! `nonet fibs serve`: the practice server.

use std::io::Write;
use std::path::PathBuf;

use nonet::bot::ServerAddr;

use crate::cli::bot::{block_on, is_set};
use crate::cli::clock::now;
use crate::cli::interrupt::on_interrupt;
use crate::cli::output::examples::examples;

/// Run a practice server for any FIBS client.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Serve this machine at port 4321", "nonet fibs serve"),
    ("Keep accounts and matches", "nonet fibs serve --state practice.json"),
]))]
pub(super) struct Args {
    /// Address to listen on.
    ///
    /// With another address than the default, other machines can log in. Passwords are sent in
    /// clear text.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    host: String,
    /// Port; 0 takes a free port.
    #[arg(long, value_name = "PORT", default_value_t = 4321)]
    port: u16,
    /// File of accounts and matches.
    ///
    /// Only you can read it. Without it, they are lost when the server ends.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Seed of the dice [default: the time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let address = ServerAddr { host: args.host.clone(), port: args.port };
    let stop = on_interrupt();
    let seed = args.seed.unwrap_or_else(|| now().to_bits());
    block_on(async {
        let served = nonet::bot::serve(&address, args.state.clone(), seed).await?;
        writeln!(std::io::stdout(), "listening on {}:{}", address.host, served.port)?;
        let log = async {
            loop {
                tokio::time::sleep(std::time::Duration::from_secs(1)).await;
                served.take_log().iter().for_each(|text| tracing::info!("{text}"));
            }
        };
        tokio::select! {
            result = served.run() => result?,
            () = is_set(stop) => {}
            () = log => {}
        }
        Ok(())
    })
}
