//! `nonet fibs serve`: the practice server.

use std::io::Write;
use std::path::PathBuf;

use nonet::bot::ServerAddr;

use super::{block_on, is_set, now};
use crate::cli::interrupt::on_interrupt;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Address to listen on. With an address other than the default, other machines can log in; passwords are sent in clear text.
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Port; 0 for any free port.
    #[arg(long, default_value_t = 4321)]
    port: u16,
    /// File of accounts and matches, which only you can read; without it they are lost when the server ends.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Seed of the dice. [default: from the clock]
    #[arg(long)]
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
