//! `nonet bearoff`: makes the bearoff databases, or writes them in gnubg's format.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use nonet::bearoff::{BearoffDatabases, gnubg};
use nonet::engine::bearoff_cache_path;
use nonet::store::{write_atomic, write_bearoff};
use serde_json::json;

use crate::cli::args::threads::pool;
use crate::cli::error::usage;
use crate::cli::output::examples::examples;

/// Generate bearoff databases, also in GNU Backgammon's format.
///
/// Other commands generate and keep the databases by themselves when they first need them.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Generate the databases in nonet's cache folder", "nonet bearoff"),
    (
        "Write GNU Backgammon's one-sided database",
        "nonet bearoff --gnubg one-sided --out gnubg_os0.bd",
    ),
]))]
pub(crate) struct Args {
    /// File to write [default: bearoff.nonet in the cache folder]
    ///
    /// Other commands read the default file, or the file that NONET_BEAROFF names.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write a database in GNU Backgammon's format instead.
    ///
    /// There it is gnubg_os0.bd (one-sided) or gnubg_ts0.bd (two-sided).
    #[arg(long, value_name = "KIND", value_enum, requires = "out")]
    gnubg: Option<DatabaseSide>,
    /// Checkers a side of a two-sided database, 1 to 11.
    ///
    /// 11 takes a long time and 1.2 GB. Players look up positions of more than six checkers in the
    /// file that NONET_TWO_SIDED names.
    #[arg(long, value_name = "N", default_value_t = 6, requires = "gnubg")]
    checkers: u8,
    /// Number of threads [default: one per processor]
    ///
    /// The bytes do not depend on it.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Print one line of JSON.
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
