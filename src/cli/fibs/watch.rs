//! `nonet fibs watch`: other people's matches, ready to learn from.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::Context;
use nonet::bot::{MatchLogError, NetError, Pace, WatchedMatches, Watcher};
use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64;

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
    /// Where the .mat files go: one for each match, up to date at the end of every game.
    #[arg(long, value_name = "DIR", default_value = "runs/watched")]
    records: PathBuf,
}

/// The shortest and the longest pause before a connection is tried again.
const PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(300)];
/// A connection that held for so long was a good one.
const GOOD: Duration = Duration::from_secs(30);

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let account = args.account.check(Pace::default(), 0)?;
    let player = &args.player;
    if *player == account.name {
        return Err(usage("nobody can watch himself"));
    }
    let mut album = WatchedMatches::open(&args.records)?;
    let mut watcher = Watcher::new(player);
    line(&format!("watching {player}; Ctrl-C ends it"));
    let stop = on_interrupt();
    let mut failed: Option<MatchLogError> = None;
    let mut keep = |watcher: &mut Watcher| {
        for game in watcher.take() {
            match album.keep(game, now()) {
                Ok(path) => line(&format!("a game is in {}", path.display())),
                Err(error) => {
                    // There is no use in watching any more.
                    stop.store(true, Ordering::Relaxed);
                    failed.get_or_insert(error);
                }
            }
        }
    };
    let done = block_on(async {
        let (mut pause, mut known) = (PAUSES[0], false);
        let mut rng = Pcg64::seed_from_u64(now().to_bits());
        loop {
            let began = Instant::now();
            let seen = |watcher: &mut Watcher| {
                known = true;
                keep(watcher);
            };
            let stopped = set(Arc::clone(&stop));
            let ended = nonet::bot::watch(&account, player, &mut watcher, stopped, seen).await;
            // What was seen of a game is kept, however it ended.
            watcher.stop();
            keep(&mut watcher);
            let error = match ended {
                Ok(()) => return Ok(()),
                Err(error) if !known || matches!(error, NetError::Refused) => {
                    return Err(error).with_context(|| {
                        format!("cannot watch {player} on {}", account.place.host)
                    });
                }
                Err(error) => error,
            };
            if began.elapsed() >= GOOD {
                pause = PAUSES[0];
            }
            // Between half and all of it, so that not everybody comes back at once.
            let again = pause.mul_f64(0.5 + 0.5 * f64::from(rng.next_u32()) / f64::from(u32::MAX));
            line(&format!("{error}; again in {:.1} s", again.as_secs_f64()));
            tokio::select! {
                () = tokio::time::sleep(again) => {}
                () = set(Arc::clone(&stop)) => return Ok(()),
            }
            pause = (2 * pause).min(PAUSES[1]);
        }
    });
    match failed {
        Some(error) => Err(error.into()),
        None => done,
    }
}
