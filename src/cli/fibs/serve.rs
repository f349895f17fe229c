//! `nonet fibs serve`: the practice server.

use std::io::Write;
use std::path::PathBuf;

use nonet::bot::ServerAddr;

use super::{block_on, line, now, set};
use crate::cli::interrupt::on_interrupt;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Where to listen; another address than the default lets others in, with their passwords in clear text.
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// The port; 0 is any that is free.
    #[arg(long, default_value_t = 4321)]
    port: u16,
    /// The file that holds accounts and matches. Without it they are gone with the server.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Seed of the dice. [default: from the clock]
    #[arg(long)]
    seed: Option<u64>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let place = ServerAddr { host: args.host.clone(), port: args.port };
    let stop = on_interrupt();
    let seed = args.seed.unwrap_or_else(|| now().to_bits());
    block_on(async {
        let served = nonet::bot::serve(&place, args.state.clone(), seed).await?;
        writeln!(std::io::stdout(), "listening on {}:{}", place.host, served.port)?;
        let log = async {
            loop {
                tokio::time::sleep(std::time::Duration::from_secs(1)).await;
                served.take_log().iter().for_each(|text| line(text));
            }
        };
        tokio::select! {
            result = served.run() => result?,
            () = set(stop) => {}
            () = log => {}
        }
        Ok(())
    })
}
