//! `nonet fibs watch`: other people's matches, ready to learn from.

use std::path::PathBuf;

use anyhow::Context;
use nonet::bot::{Pace, Watcher};
use nonet::record::MatWriter;
use nonet::store::write_atomic;

use super::account::AccountArgs;
use super::{block_on, line, now, set};
use crate::cli::interrupt::on_interrupt;
use crate::cli::usage;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Whom to watch.
    player: String,
    #[command(flatten)]
    account: AccountArgs,
    /// Where the .mat file goes.
    #[arg(long, value_name = "DIR", default_value = "runs/watched")]
    records: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let account = args.account.check(Pace::default(), 0)?;
    if args.player == account.name {
        return Err(usage("nobody can watch himself"));
    }
    std::fs::create_dir_all(&args.records)
        .with_context(|| format!("cannot make the folder {}", args.records.display()))?;
    let path = args.records.join(format!("{}-{}.mat", args.player, now() as u64));
    let mut watcher = Watcher::new(&args.player);
    line(&format!("watching {}; Ctrl-C ends it", args.player));
    let stop = on_interrupt();
    let done = block_on(async {
        Ok(nonet::bot::watch(&account, &args.player, &mut watcher, set(stop)).await)
    })?;
    // What was seen is kept, however it ended.
    watcher.stop();
    let games = watcher.take();
    if !games.is_empty() {
        let mut writer = MatWriter::new(Vec::new());
        games.iter().try_for_each(|game| writer.write(game))?;
        write_atomic(&path, &writer.into_inner())?;
        line(&format!("{} games are in {}", games.len(), path.display()));
    }
    done.with_context(|| format!("cannot watch {} on {}", args.player, account.place.host))
}
