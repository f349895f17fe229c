//! `nonet calibrate`: the chances that a net says, beside what happens in games played to the end.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use nonet::calibration::{Calibration, CalibrationConfig, KeptCalibration};
use nonet::open::{BUILT_IN, PlayerSetup, PlayerSpec, SERIES_PLIES};
use nonet::report::{calibration_charts, calibration_text};
use nonet::store::write_atomic;

use super::bearoff::databases;
use super::interrupt::interruptible;
use super::player_args::{self, open_net};
use super::progress_bar::show_progress;
use super::{pool, usage};

/// Compares the chances that a net says at 1-ply with what happens: games are played to the end, without the cube, and every
/// position counts.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The net: a name as champion, a net file, or the folder of a run.
    #[arg(default_value = BUILT_IN)]
    net: String,
    /// Games.
    #[arg(long, default_value_t = 20_000)]
    games: u64,
    /// Seed of the dice.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Who plays the games, both sides: a net file, `built-in`, `gnubg:N`, or another player as for `eval`; `:N` is the depth.
    /// [default: the net at 1-ply]
    #[arg(long, value_name = "PLAYER")]
    played_by: Option<PlayerSpec>,
    /// Draw the deviations in this folder: by prediction and by class.
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// Keep the sums in this file.
    #[arg(long, value_name = "FILE.json")]
    keep: Option<PathBuf>,
    /// Show (and draw) what such a file holds; nothing is played.
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["net", "games", "seed", "played_by", "keep", "no_bearoff"])]
    read: Option<PathBuf>,
    /// Do not judge plays in the bearoff by the databases.
    #[arg(long)]
    no_bearoff: bool,
    /// Print the sums as JSON.
    #[arg(long)]
    json: bool,
    /// Threads; the result does not depend on it. [default: as many as the machine has]
    #[arg(long)]
    threads: Option<usize>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let kept = match &args.read {
        Some(path) => read(path)?,
        None => play(args)?,
    };
    let in_json = serde_json::to_string(&kept)?;
    if let Some(path) = &args.keep {
        write_atomic(path, format!("{in_json}\n").as_bytes())?;
    }
    if let Some(folder) = &args.plots {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        for (name, chart) in calibration_charts(&kept.calibration, &kept.command) {
            write_atomic(&folder.join(name), chart.render()?.as_bytes())?;
        }
    }
    let text = if args.json { format!("{in_json}\n") } else { calibration_text(&kept) };
    write!(std::io::stdout(), "{text}")?;
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<KeptCalibration> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
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
    let player = player_args::open(&spec, &PlayerSetup::cubeless(SERIES_PLIES))?;
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
    let Some(calibration) = found else {
        anyhow::bail!("interrupted: an unfinished comparison has no result");
    };
    Ok(KeptCalibration { command: command(args), config, calibration })
}

fn command(args: &Args) -> String {
    let mut words =
        format!("nonet calibrate {} --games {} --seed {}", args.net, args.games, args.seed);
    if let Some(player) = &args.played_by {
        words += &format!(" --played-by {}", player_args::in_word(player));
    }
    if args.no_bearoff {
        words += " --no-bearoff";
    }
    words
}
