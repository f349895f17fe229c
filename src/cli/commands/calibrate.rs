//! `nonet calibrate`: the chances that a net says, compared with the results of games played to the
//! end.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use nonet::calibration::{Calibration, CalibrationConfig, CalibrationStopped, KeptCalibration};
use nonet::open::{CHAMPION, PlayerSetup, PlayerSpec, SERIES_PLIES, count};
use nonet::report::{calibration_charts, calibration_text};
use nonet::store::write_atomic;

use crate::cli::args::databases::databases;
use crate::cli::args::output_file::check_outputs;
use crate::cli::args::player::{self, open_net};
use crate::cli::args::threads::pool;
use crate::cli::error::usage;
use crate::cli::interrupt::interruptible;
use crate::cli::output::examples::examples;
use crate::cli::output::progress_bar::show_progress;
use crate::cli::output::series_text::stopped_after;
use crate::cli::output::shell_word::shell_word;
use crate::cli::output::terminal::Terminal;

/// The error of a calibration that was interrupted at its beginning.
const NO_GAME: &str = "interrupted before any game ended: there is no result";

/// Check calibration: predicted against observed outcome frequencies.
///
/// The games are played to the end without the cube. Every position counts. Ctrl-C shows the result
/// of the games so far.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Check the built-in net in 2,000 games", "nonet calibrate --games 2000"),
    (
        "Check a net in games of a stronger player, and draw the deviations",
        "nonet calibrate small --played-by champion:2 --plots plots",
    ),
]))]
pub(crate) struct Args {
    /// The net: a name as champion, a file or the folder of a run.
    #[arg(default_value = CHAMPION)]
    net: String,
    /// Number of games.
    #[arg(long, value_name = "N", value_parser = count, default_value_t = 20_000)]
    games: u64,
    /// Seed of the dice.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Player of both sides [default: the net at 1-ply]
    ///
    /// A net, gnubg:N, or another player as for `nonet eval`; `:N` is the depth.
    #[arg(long, value_name = "PLAYER")]
    played_by: Option<PlayerSpec>,
    /// Draw the deviations in this folder.
    ///
    /// One plot is by prediction and one by class.
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// Keep the sums in this file.
    #[arg(long, value_name = "FILE.json")]
    keep: Option<PathBuf>,
    /// Show and draw the sums of such a file; play nothing.
    #[arg(
        long,
        value_name = "FILE.json",
        conflicts_with_all =
            ["net", "games", "seed", "played_by", "keep", "no_bearoff", "threads"]
    )]
    read: Option<PathBuf>,
    /// Do not judge bearoff plays by the databases.
    #[arg(long)]
    no_bearoff: bool,
    /// Print the sums as JSON.
    #[arg(long)]
    json: bool,
    /// Number of threads [default: one per processor]
    ///
    /// The result does not depend on it.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    check_outputs(&args.keep)?;
    if let Some(folder) = &args.plots {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let kept = match &args.read {
        Some(path) => read(path)?,
        None => play(args)?,
    };
    let in_json = serde_json::to_string(&kept)?;
    if let Some(path) = &args.keep {
        write_atomic(path, format!("{in_json}\n").as_bytes())?;
    }
    if let Some(folder) = &args.plots {
        for (name, chart) in calibration_charts(&kept) {
            write_atomic(&folder.join(name), chart.render()?.as_bytes())?;
        }
    }
    let text = match args.json {
        true => format!("{in_json}\n"),
        false => Terminal::of_stdout().fitted(&calibration_text(&kept)),
    };
    write!(std::io::stdout(), "{text}")?;
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<KeptCalibration> {
    let text = fs::read_to_string(path)
        .map_err(|error| usage(format!("cannot read {}: {error}", path.display())));
    serde_json::from_str(&text?).map_err(|error| {
        usage(format!("{} is not what `nonet calibrate --keep` writes: {error}", path.display()))
    })
}

fn play(args: &Args) -> anyhow::Result<KeptCalibration> {
    if args.games < 2 {
        return Err(usage("invalid --games: expected at least 2"));
    }
    let config = CalibrationConfig { games: args.games, seed: args.seed };
    let team = open_net(&args.net)?.team.quantized();
    let spec = match &args.played_by {
        Some(spec) => spec.clone(),
        None => args.net.parse().map_err(usage)?,
    };
    let bearoff = if args.no_bearoff { None } else { Some(databases()?) };
    let player = player::open(&spec, &PlayerSetup::cubeless(SERIES_PLIES))?;
    let pool = pool(args.threads)?;
    let progress = interruptible();
    let found = show_progress("games", args.games, &progress, |progress| {
        let bearoff = bearoff.as_deref();
        let play = || Calibration::of(&team, player.player.as_ref(), bearoff, &config, progress);
        pool.install(play)
    });
    if !progress.is_stopped() {
        player.check()?;
    }
    let interrupted = found.is_err();
    let calibration = match found {
        Ok(calibration) => calibration,
        Err(CalibrationStopped(Some(calibration))) => {
            stopped_after(calibration.games, config.games, "games")?;
            *calibration
        }
        Err(CalibrationStopped(None)) => anyhow::bail!(NO_GAME),
    };
    Ok(KeptCalibration { command: command(args), config, calibration, interrupted })
}

fn command(args: &Args) -> String {
    let net = shell_word(Path::new(&args.net));
    let mut words = format!("nonet calibrate {net} --games {} --seed {}", args.games, args.seed);
    if let Some(player) = &args.played_by {
        words += &format!(" --played-by {}", player::in_word(player));
    }
    if args.no_bearoff {
        words += " --no-bearoff";
    }
    words
}
