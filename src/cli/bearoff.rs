//! `nonet bearoff`: makes the bearoff databases, or writes them in gnubg's format.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use nonet::bearoff::{BearoffDatabases, gnubg};
use nonet::engine::{BearoffOrigin, bearoff_cache_path, bearoff_for_play};
use nonet::store::{write_atomic, write_bearoff};
use serde_json::json;

use super::{pool, usage};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Where to write; other commands read the default place or the file that NONET_BEAROFF names.
    /// [default: bearoff.nonet in nonet's cache folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write a database in GNU Backgammon's format instead: its gnubg_os0.bd (one-sided) or gnubg_ts0.bd (two-sided).
    #[arg(long, value_enum, requires = "out")]
    gnubg: Option<DatabaseSide>,
    /// Checkers a side of a two-sided database in GNU Backgammon's format, 1 to 11; 11 takes a long time and 1.2 GB. Players
    /// look positions of more than six checkers up in the file that NONET_TWO_SIDED names.
    #[arg(long, default_value_t = 6, requires = "gnubg")]
    checkers: u8,
    /// Threads; the bytes do not depend on it. [default: as many as the machine has]
    #[arg(long)]
    threads: Option<usize>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum DatabaseSide {
    /// Six points, 15 checkers, rolls until all are off and until the first is.
    OneSided,
    /// Six points, equities without and with a cube.
    TwoSided,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    if !(1..=11).contains(&args.checkers) {
        return Err(usage(format!("invalid --checkers '{}': expected 1 to 11", args.checkers)));
    }
    let pool = pool(args.threads)?;
    let started = Instant::now();
    let path = match &args.out {
        Some(path) => path.clone(),
        None => bearoff_cache_path().context("no cache folder found: name a file with --out")?,
    };
    let crc = match args.gnubg {
        Some(side) => {
            let bytes = pool.install(|| match side {
                DatabaseSide::OneSided => gnubg::one_sided(),
                DatabaseSide::TwoSided => gnubg::two_sided(args.checkers),
            });
            write_atomic(&path, &bytes)?;
            crc32fast::hash(&bytes)
        }
        None => write(&path, &pool.install(BearoffDatabases::generate))?,
    };
    let seconds = started.elapsed().as_secs_f64();
    let text = if args.json {
        let crc = format!("{crc:08x}");
        json!({"file": path, "crc32": crc, "seconds": seconds}).to_string()
    } else {
        format!("{}: CRC-32 {crc:08x}, made in {seconds:.1} s", path.display())
    };
    writeln!(std::io::stdout(), "{text}")?;
    Ok(())
}

fn write(path: &Path, databases: &BearoffDatabases) -> anyhow::Result<u32> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    Ok(write_bearoff(path, databases)?)
}

/// The databases from the cache folder, which are generated and kept there the first time, for players.
pub(super) fn databases() -> anyhow::Result<Arc<BearoffDatabases>> {
    let cached = bearoff_for_play().map_err(usage)?;
    note(&cached.origin)?;
    Ok(cached.databases)
}

/// Says where new databases are.
pub(super) fn note(origin: &BearoffOrigin) -> anyhow::Result<()> {
    let note = match origin {
        BearoffOrigin::File(_) | BearoffOrigin::NotKept(None) => None,
        BearoffOrigin::Generated(path) => Some(format!(
            "note: generated the bearoff databases and kept them in {}",
            path.display()
        )),
        BearoffOrigin::NotKept(Some(error)) => {
            Some(format!("note: the bearoff databases cannot be kept: {error}"))
        }
    };
    if let Some(note) = note {
        writeln!(std::io::stderr(), "{note}")?;
    }
    Ok(())
}
