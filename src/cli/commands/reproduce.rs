//! `nonet reproduce`: the papers' experiments.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use nonet::game::Series;
use nonet::open::{Expert, PlayerSpec};
use nonet::papers::{
    Claims, Experiment, ExperimentError, ExperimentObserver, ExperimentReport, ExperimentSettings,
    ExperimentStore, FinishedExperiment, PlayingSpeed,
};
use nonet::progress::Progress;
use nonet::report::time_estimate;

use crate::cli::args::nats::NatsArgs;
use crate::cli::args::player::open_expert;
use crate::cli::args::threads::pool;
use crate::cli::error::usage;
use crate::cli::interrupt::interruptible;
use crate::cli::output::counted::counted;
use crate::cli::output::examples::examples;
use crate::cli::output::progress_bar::{ProgressDisplay, show_progress};
use crate::cli::version::VERSION;

/// Repeat an experiment of a paper at full or reduced size.
///
/// Without a name, the experiments are listed.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("List the experiments, with the time that each takes here", "nonet reproduce --list"),
    (
        "Repeat one at a hundredth of its size within minutes, with an expert that is built in",
        "nonet reproduce wiering-table4 --scale 0.01 --expert small",
    ),
]))]
pub(crate) struct Args {
    /// Experiment: a name of the list, or your own TOML file.
    name: Option<String>,
    /// List the experiments with their times on this machine.
    #[arg(long, conflicts_with_all = ["name", "out", "seed"])]
    list: bool,
    /// Write the report of this folder again; run nothing.
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = RUNNING
    )]
    report: Option<PathBuf>,
    /// Write the table of claims of this folder; run nothing.
    ///
    /// The table is README.md. It comes from claims.toml and the reports.
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with = "report",
        conflicts_with_all = RUNNING,
        hide_long_help = true
    )]
    claims: Option<PathBuf>,
    /// Size: 1 is full size, 0.05 a twentieth of the games.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    scale: f64,
    /// Folder of the report [default: runs/paper/NAME]
    ///
    /// Finished simulations in it are not run again.
    #[arg(long, value_name = "DIR", requires = "name")]
    out: Option<PathBuf>,
    /// Expert: a net.
    ///
    /// The default is a file of nonet's repository. The net small is built in, and about as fast;
    /// champion takes five times as long.
    #[arg(long, default_value = DEFAULT_EXPERT, value_name = "NET")]
    expert: String,
    /// Seed of the first simulation; the others follow.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "name")]
    seed: u64,
    /// Number of threads [default: one per processor]
    ///
    /// The result does not depend on it.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    nats: NatsArgs,
}

/// What has no meaning where nothing runs.
const RUNNING: [&str; 8] =
    ["name", "list", "out", "scale", "expert", "seed", "threads", "NatsArgs"];

const DEFAULT_EXPERT: &str = "nets/paper-expert.nonet";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    if !(args.scale > 0.0 && args.scale <= 100.0) {
        return Err(usage("--scale must lie in 0..100, above 0"));
    }
    if let Some(folder) = &args.report {
        let finished = FinishedExperiment::read(folder).map_err(usage)?;
        let text = finished.write_report()?;
        write!(std::io::stdout(), "{text}\nin {}\n", folder.display())?;
        return Ok(());
    }
    if let Some(folder) = &args.claims {
        let table = Claims::write_table(folder).map_err(usage)?;
        write!(std::io::stdout(), "{table}\nin {}\n", folder.join("README.md").display())?;
        return Ok(());
    }
    let expert: PlayerSpec = args.expert.parse().map_err(usage)?;
    let settings = ExperimentSettings {
        scale: args.scale,
        seed: args.seed,
        expert,
        program: format!("nonet {VERSION}"),
    };
    let pool = pool(args.threads)?;
    let Some(name) = args.name.as_ref().filter(|_| !args.list) else {
        if args.nats.is_given() {
            return Err(usage("--nats needs the name of an experiment: the list is made here"));
        }
        return pool.install(|| list(&settings));
    };
    let (experiment, text) = Experiment::open(name).map_err(usage)?;
    // Opened once here, so that a wrong name is found before any work.
    let expert = expert_of(&settings)?;
    let folder = args.out.clone().unwrap_or_else(|| Path::new("runs/paper").join(&experiment.name));
    let store = ExperimentStore::open(&folder, &experiment, &text, &settings)?;
    let machines = args.nats.connect()?;
    let progress = machines.of(interruptible());
    let speed = pool.install(|| PlayingSpeed::measure(expert.player.as_ref()));
    let left = experiment.work(&settings, Some(&store))?;
    let all = experiment.work(&settings, None)?;
    let done = if left < all { ", the finished part left out" } else { "" };
    let mut err = std::io::stderr();
    if store.moved() > 0 {
        writeln!(
            err,
            "{} of an earlier version moved to {}",
            counted(store.moved(), "result"),
            folder.join("runs.jsonl").display()
        )?;
    }
    if left > 0.0
        && let (others @ 1.., names) = store.made_by_others(&settings.program)
    {
        let names: Vec<String> = names.into_iter().collect();
        let by = if names.is_empty() { "another program".to_owned() } else { names.join(", ") };
        writeln!(
            err,
            "warning: {} made by {by}, and this is {}, whose figures may differ; remove {} to run all of them again",
            counted(others, "simulation"),
            settings.program,
            folder.join("runs.jsonl").display()
        )?;
    }
    writeln!(
        err,
        "{}: about {} in {}{done}",
        experiment.name,
        time_estimate(speed.seconds(left)),
        folder.display()
    )?;
    let games = experiment.variants.iter();
    let games: BTreeMap<String, u64> =
        games.map(|one| (one.name.clone(), experiment.games_of(one, args.scale))).collect();
    let show = ProgressDisplay::new("games", 0, experiment.repeats * games.values().sum::<u64>());
    let mut display = ReproduceDisplay { show, done: BTreeMap::new(), games };
    let ran = pool.install(|| experiment.run(&settings, &store, &mut display, &progress));
    let ran = ran.map_err(with_place)?;
    display.show.end();
    let done = match ran {
        None => None,
        Some(simulations) => {
            let runs = &simulations.runs;
            let play = || experiment.play_matches(&settings, runs, &store, &mut display, &progress);
            pool.install(play).map_err(with_place)?.map(|matches| (simulations, matches))
        }
    };
    machines.check()?;
    machines.end();
    let mut out = std::io::stdout();
    let Some((simulations, matches)) = done else {
        writeln!(
            out,
            "stopped; the same command goes on with the simulations and matches that are missing"
        )?;
        return Ok(());
    };
    let report = ExperimentReport::new(&experiment, &settings, &simulations, &matches);
    let text = store.write_report(&report, &simulations.runs)?;
    write!(out, "{text}\nin {}\n", folder.display())?;
    Ok(())
}

/// Where the nets are that definitions name.
const PLACE: &str = "the definitions name nets of nonet's repository: run this in its folder";

/// Opens the expert. The usual one is a file that other folders lack.
fn expert_of(settings: &ExperimentSettings) -> anyhow::Result<Expert> {
    let missing =
        settings.expert.to_string() == DEFAULT_EXPERT && !Path::new(DEFAULT_EXPERT).exists();
    open_expert(&settings.expert).map_err(|error| match missing {
        true => usage(format!("{error}; {PLACE}, or with --expert small, which is built in")),
        false => error,
    })
}

/// An error, with the place of a net that is missing.
fn with_place(error: ExperimentError) -> anyhow::Error {
    match error {
        ExperimentError::Open(error) if error.is_wrong_name() => usage(format!("{error}; {PLACE}")),
        error => error.into(),
    }
}

fn list(settings: &ExperimentSettings) -> anyhow::Result<()> {
    let speed = match expert_of(settings) {
        Ok(expert) => Some(PlayingSpeed::measure(expert.player.as_ref())),
        Err(error) => {
            writeln!(std::io::stderr(), "no times, which need the expert: {error:#}")?;
            None
        }
    };
    let experiments = Experiment::all()?;
    let wide = experiments.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
    let mut out = std::io::stdout();
    for experiment in &experiments {
        let Experiment { name, title, paper, .. } = experiment;
        let time = match &speed {
            Some(speed) => {
                format!(
                    "; about {}",
                    time_estimate(speed.seconds(experiment.work(settings, None)?))
                )
            }
            None => String::new(),
        };
        writeln!(out, "{name:<wide$} {title}\n{:<wide$} {paper}{time}", "")?;
    }
    Ok(())
}

/// Shows progress on stderr.
struct ReproduceDisplay {
    show: ProgressDisplay,
    /// Games learned from by each simulation, by its variant and number.
    done: BTreeMap<(String, u64), u64>,
    /// Games of a finished simulation of each variant.
    games: BTreeMap<String, u64>,
}

impl ReproduceDisplay {
    fn count(&mut self, name: &str, repeat: u64, games: u64) {
        self.done.insert((name.to_owned(), repeat), games);
        self.show.at(self.done.values().sum());
    }
}

impl ExperimentObserver for ReproduceDisplay {
    fn playing(
        &mut self,
        name: &str,
        games: u64,
        progress: Progress,
        play: &(dyn Fn(&Progress) -> Option<Vec<Series>> + Sync),
    ) -> Option<Vec<Series>> {
        show_progress(&format!("games {name}"), games, &progress, play)
    }

    fn learned(&mut self, name: &str, repeat: u64, games: u64) {
        self.show.note(&format!("{name}, simulation {}", repeat + 1));
        self.count(name, repeat, games);
    }

    fn diverged(&mut self, name: &str, repeat: u64, games: u64) {
        let within = counted(games, "game");
        self.show.line(&format!(
            "{name}, simulation {}: the weights have diverged within {within}; the others go on",
            repeat + 1
        ));
        // None of its games is left.
        self.resumed(name, repeat);
    }

    fn resumed(&mut self, name: &str, repeat: u64) {
        let games = self.games.get(name).copied().unwrap_or(0);
        self.count(name, repeat, games);
    }
}
