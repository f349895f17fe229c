//! `nonet bearoff`: makes the bearoff databases, or writes them in gnubg's format.

mod hypergammon;

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use nonet::bearoff::{BearoffDatabases, gnubg};
use nonet::engine::bearoff_cache_path;
use nonet::hypergammon::MOST_CHECKERS;
use nonet::store::{write_atomic, write_bearoff};
use serde_json::json;

use crate::cli::args::output_file::check_outputs;
use crate::cli::args::threads::pool;
use crate::cli::error::usage;
use crate::cli::interrupt::{NOTHING_WRITTEN, interruptible};
use crate::cli::output::examples::examples;
use crate::cli::output::progress_bar::show_progress;

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
    ("Solve hypergammon with two checkers a side", "nonet bearoff --gnubg hypergammon --checkers 2 --out hyper2.bd"),
]))]
pub(crate) struct Args {
    /// File to write [default: bearoff.nonet in the cache folder]
    ///
    /// Other commands read the default file, or the file that NONET_BEAROFF names.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write a database in GNU Backgammon's format instead.
    ///
    /// There it is gnubg_os0.bd (one-sided), gnubg_ts0.bd (two-sided) or hyper3.bd (hypergammon).
    #[arg(long, value_name = "KIND", value_enum, requires = "out")]
    gnubg: Option<Database>,
    /// Checkers a side: 1 to 11, 1 to 3 in hypergammon [default: 6, or 3]
    ///
    /// Two-sided, 11 takes a long time and 1.2 GB. Players look up positions of more than six
    /// checkers in the file that NONET_TWO_SIDED names. Hypergammon with 3 takes 4 GB of memory,
    /// and eight minutes of two cores with --threshold 1e-4; with less it takes longer.
    #[arg(long, value_name = "N", requires = "gnubg")]
    checkers: Option<u8>,
    /// Hypergammon: largest change of the last round, in points [default: 1e-9]
    ///
    /// A round that changes no value by more ends the work. The error that is left was smaller
    /// where it was measured: with two checkers and 1e-3 below 1e-8.
    #[arg(long, value_name = "POINTS", requires = "gnubg")]
    threshold: Option<f64>,
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
enum Database {
    /// Six points, 15 checkers, rolls until all are off and until the first is.
    OneSided,
    /// Six points, equities without and with a cube.
    TwoSided,
    /// Backgammon with three checkers, solved: all positions, equities without and with a cube.
    Hypergammon,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let (most, usual) = match args.gnubg {
        Some(Database::Hypergammon) => (MOST_CHECKERS, MOST_CHECKERS),
        _ => (11, 6),
    };
    let checkers = args.checkers.unwrap_or(usual);
    if !(1..=most).contains(&checkers) {
        return Err(usage(format!("invalid --checkers '{checkers}': expected 1 to {most}")));
    }
    let threshold = args.threshold.unwrap_or(hypergammon::SETTLED);
    if !(hypergammon::SETTLED..).contains(&threshold) {
        return Err(usage(format!(
            "invalid --threshold '{threshold}': expected at least {:e}",
            hypergammon::SETTLED
        )));
    }
    let unused = match args.gnubg {
        Some(Database::OneSided) if args.checkers.is_some() => Some("--checkers"),
        Some(Database::OneSided | Database::TwoSided) if args.threshold.is_some() => {
            Some("--threshold")
        }
        _ => None,
    };
    if let Some(unused) = unused {
        return Err(usage(format!("{unused} is no option of this kind of database: leave it out")));
    }
    let pool = pool(args.threads)?;
    let started = Instant::now();
    let path = match &args.out {
        Some(path) => path.clone(),
        None => bearoff_cache_path().context("no cache folder found: name a file with --out")?,
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    check_outputs([&path])?;
    let crc = match args.gnubg {
        Some(side) => {
            let bytes = pool.install(|| match side {
                Database::OneSided => Ok(gnubg::one_sided()),
                Database::TwoSided => two_sided(checkers),
                Database::Hypergammon => hypergammon::solve(checkers, threshold, &path),
            })?;
            write_atomic(&path, &bytes)?;
            if matches!(side, Database::Hypergammon) {
                hypergammon::remove_kept(&path)?;
            }
            crc32fast::hash(&bytes)
        }
        None => write_bearoff(&path, &pool.install(BearoffDatabases::generate))?,
    };
    let seconds = started.elapsed().as_secs_f64();
    let text = if args.json {
        let crc = format!("{crc:08x}");
        json!({"file": path.display().to_string(), "crc32": crc, "seconds": seconds}).to_string()
    } else {
        format!("{}: CRC-32 {crc:08x}, made in {seconds:.1} s", path.display())
    };
    writeln!(std::io::stdout(), "{text}")?;
    Ok(())
}

/// The file of a two-sided database, with progress.
fn two_sided(checkers: u8) -> anyhow::Result<Vec<u8>> {
    let positions = gnubg::two_sided_positions(checkers);
    let made = show_progress("positions", positions, &interruptible(), |progress| {
        gnubg::two_sided_with(checkers, progress)
    });
    made.context(NOTHING_WRITTEN)
}
