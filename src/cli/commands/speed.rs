//! `nonet speed`: measures the speed of this program on this machine.

use std::io::Write;
use std::time::{Duration, Instant};

use nonet::speed_workload::{MEASURES, Workload, verify};

use crate::cli::args::player::open_net;
use crate::cli::args::threads::pool;
use crate::cli::interrupt::{interrupted, on_interrupt};
use crate::cli::output::examples::examples;

/// Measure the speed of this program on this machine.
///
/// Ctrl-C ends it with the figures that are measured.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Measure a net of the large preset", "nonet speed"),
    ("Measure the built-in net for 5 seconds a figure", "nonet speed built-in --seconds 5"),
]))]
pub(crate) struct Args {
    /// Net to measure [default: a net of the large preset]
    ///
    /// A name as champion, a file or the folder of a run. Training games are always those of the
    /// large preset.
    #[arg(value_name = "NET")]
    net: Option<String>,
    /// Print all figures as one line of JSON.
    #[arg(long)]
    json: bool,
    /// Threads of the training games; the rest uses one.
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Seconds for each figure.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    seconds: f64,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    if !(args.seconds > 0.0 && args.seconds <= 3600.0) {
        return Err(crate::cli::error::usage("--seconds must lie in 0..3600, above 0"));
    }
    let net = args.net.as_deref().map(open_net).transpose()?;
    let pool = pool(Some(args.threads))?;
    let mut figures = serde_json::Map::new();
    on_interrupt();
    pool.install(|| -> anyhow::Result<()> {
        verify();
        let mut workload = Workload::new(3_000);
        if let Some(net) = net {
            workload.play_with(net.team.quantized());
        }
        for measure in &MEASURES {
            // The best of several rounds, because other programs on the machine can only reduce the
            // speed.
            let until = Instant::now() + Duration::from_secs_f64(args.seconds);
            let mut best = 0.0_f64;
            while !interrupted() && (Instant::now() < until || best == 0.0) {
                let started = Instant::now();
                let done = (measure.work)(&mut workload);
                best = best.max(done as f64 / started.elapsed().as_secs_f64());
            }
            // A figure of a part of its time is not the best of as many rounds.
            if interrupted() {
                break;
            }
            if !args.json {
                let each = 1e9 / best;
                writeln!(
                    std::io::stdout(),
                    "{:<9} {best:>12.0} {}/s ({each:.0} ns)",
                    measure.name,
                    measure.unit
                )?;
            }
            figures.insert(measure.name.to_owned(), best.into());
        }
        Ok(())
    })?;
    if interrupted() {
        let (done, all) = (figures.len(), MEASURES.len());
        anyhow::ensure!(done > 0, "interrupted before the first figure: there is no result");
        writeln!(std::io::stderr(), "stopped after {done} of {all} figures")?;
    }
    if args.json {
        figures.insert("threads".to_owned(), args.threads.into());
        writeln!(std::io::stdout(), "{}", serde_json::Value::Object(figures))?;
    }
    Ok(())
}
