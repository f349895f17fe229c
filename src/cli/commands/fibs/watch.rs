//! `nonet fibs watch`: saves the matches of another player as .mat files, to learn from or to
//! analyse.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::Context;
use nonet::backgammon::record::RecordEnd;
use nonet::bot::{Direction, MatchLogError, NetError, Pace, Site, WatchedMatches, Watcher};
use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64;

use super::account::AccountArgs;
use crate::cli::bot::account_lock::Lock;
use crate::cli::bot::observation::TranscriptArgs;
use crate::cli::bot::{block_on, is_set};
use crate::cli::clock::now;
use crate::cli::error::usage;
use crate::cli::interrupt::on_interrupt;
use crate::cli::output::examples::examples;

/// Watch another player's matches and save them as .mat files.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Watch a player of FIBS", "FIBS_PASSWORD=secret nonet fibs watch anna --user mybot"),
    (
        "Watch on a practice server of this machine",
        "FIBS_PASSWORD=secret nonet fibs watch anna --user mybot --host 127.0.0.1 --wait",
    ),
]))]
pub(super) struct Args {
    /// Player to watch.
    player: String,
    #[command(flatten)]
    account: AccountArgs,
    /// Folder of the .mat files.
    ///
    /// Each match is a file, which is updated after every game.
    #[arg(
        long,
        value_name = "DIR",
        default_value = "runs/watched",
        help_heading = "Records and logs"
    )]
    records: PathBuf,
    #[command(flatten)]
    transcript: TranscriptArgs,
    /// Wait until the server can be reached.
    #[arg(long, help_heading = "Account")]
    wait: bool,
}

/// Shortest and longest pause before connecting again.
const PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(300)];
/// A connection that lasted this long resets the pause to the shortest.
const GOOD: Duration = Duration::from_secs(30);

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let account = args.account.account(Pace::default(), 0)?;
    let player = &args.player;
    if *player == account.name {
        return Err(usage("an account cannot watch itself: log in with another one"));
    }
    let _lock =
        Lock::account(Site::Fibs, &account.server, &account.name)?.with_records(&args.records)?;
    let mut transcript = args.transcript.open(Some(&account.password))?;
    let mut matches = WatchedMatches::open(&args.records)?;
    let mut watcher = Watcher::new(player);
    tracing::info!("watching {player}; Ctrl-C stops");
    let stop = on_interrupt();
    let mut failed: Option<MatchLogError> = None;
    let mut save = |watcher: &mut Watcher| {
        for game in watcher.take_games() {
            let what = if game.end() == RecordEnd::Unfinished {
                "game saved without its end, which could not be followed,"
            } else {
                "game saved"
            };
            match matches.add(game, now()) {
                Ok(path) => tracing::info!("{what} in {}", path.display()),
                Err(error) => {
                    // Without saving, watching has no purpose.
                    stop.store(true, Ordering::Relaxed);
                    failed.get_or_insert(error);
                }
            }
        }
    };
    let done = block_on(async {
        let (mut pause, mut logged_in) = (PAUSES[0], false);
        let mut rng = Pcg64::seed_from_u64(now().to_bits());
        loop {
            let began = Instant::now();
            let after_each = |watcher: &mut Watcher| {
                logged_in = true;
                save(watcher);
            };
            let stopped = is_set(Arc::clone(&stop));
            let tap = |direction: Direction, line: &str| {
                if let Some(transcript) = &mut transcript {
                    transcript.line(now(), direction, line);
                }
            };
            let ended =
                nonet::bot::watch(&account, player, &mut watcher, stopped, tap, after_each).await;
            // The part of a game that was seen is saved.
            watcher.stop();
            save(&mut watcher);
            let error = match ended {
                Ok(()) => return Ok(()),
                Err(error) if !(logged_in || args.wait) || matches!(error, NetError::Refused) => {
                    return Err(error).with_context(|| {
                        format!("cannot watch {player} on {}", account.server.host)
                    });
                }
                Err(error) => error,
            };
            if began.elapsed() >= GOOD {
                pause = PAUSES[0];
            }
            // At random, so that not all clients connect at the same moment.
            let again = pause.mul_f64(0.5 + 0.5 * f64::from(rng.next_u32()) / f64::from(u32::MAX));
            let line = format!("{error}; trying again in {:.1} s", again.as_secs_f64());
            tracing::warn!("{line}");
            if let Some(transcript) = &mut transcript {
                transcript.note(now(), &line);
            }
            tokio::select! {
                () = tokio::time::sleep(again) => {}
                () = is_set(Arc::clone(&stop)) => return Ok(()),
            }
            pause = (2 * pause).min(PAUSES[1]);
        }
    });
    match failed {
        Some(error) => Err(error.into()),
        None => done,
    }
}
