//! `nonet reproduce`: the papers' experiments.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use nonet::experiment::{
    Experiment, ExperimentHost, ExperimentReport, ExperimentSettings, ExperimentStore,
};
use nonet::game::Series;
use nonet::progress::Progress;
use nonet::search::PliesError;
use nonet::train::{GameSource, Participants, TrainPlan};

use super::player_args::open_expert;
use super::progress_bar::{ProgressDisplay, show_progress};
use super::{interrupt::interruptible, pool, train, usage};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The experiment; without one, all are listed.
    name: Option<String>,
    /// Size relative to the paper: 1 is full size, 0.05 a twentieth of the games.
    #[arg(long, default_value_t = 1.0)]
    scale: f64,
    /// The folder for the report; finished simulations in it are not run again. [default: reports/paper/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The expert's net file.
    #[arg(long, default_value = "nets/expert.nonet", value_name = "NET")]
    expert: String,
    /// Seed of the first simulation; the others have the following ones.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; the result does not depend on it. [default: as many as the machine has]
    #[arg(long)]
    threads: Option<usize>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let all = Experiment::all()?;
    let mut out = std::io::stdout();
    let Some(name) = &args.name else {
        for experiment in &all {
            writeln!(
                out,
                "{:<16} {}\n{:<16} {}",
                experiment.name, experiment.title, "", experiment.paper
            )?;
        }
        return Ok(());
    };
    let Some(experiment) = all.iter().find(|experiment| experiment.name == *name) else {
        let known: Vec<&str> = all.iter().map(|experiment| experiment.name.as_str()).collect();
        return Err(usage(format!(
            "the experiment '{name}' is unknown; known are {}",
            known.join(", ")
        )));
    };
    if !(args.scale > 0.0 && args.scale <= 100.0) {
        return Err(usage("--scale must lie in 0..100, above 0"));
    }
    // Opened once here, so that a wrong name is found before any work.
    open_expert(&args.expert.parse().map_err(|error: PliesError| usage(error))?)?;
    let settings = ExperimentSettings { scale: args.scale, seed: args.seed, expert: &args.expert };
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from("reports/paper").join(name));
    let store = ExperimentStore::open(&folder, experiment, &settings)?;
    let pool = pool(args.threads)?;
    let progress = interruptible();
    let simulations = experiment.repeats * experiment.variants.len() as u64;
    let games = experiment.eval_at(args.scale).last().copied().unwrap_or(0);
    let show = ProgressDisplay::new("games", 0, simulations * games);
    let mut host = ReproduceHost { show, done: BTreeMap::new(), games };
    let runs = pool.install(|| experiment.run(&settings, &store, &mut host, &progress))?;
    host.show.end();
    let done = match runs {
        None => None,
        Some(runs) => {
            let play = || experiment.play_matches(&settings, &runs, &store, &mut host, &progress);
            pool.install(play)?.map(|matches| (runs, matches))
        }
    };
    let Some((runs, matches)) = done else {
        writeln!(out, "stopped; the same command goes on with the simulations that are missing")?;
        return Ok(());
    };
    let command = format!(
        "nonet reproduce {name} --scale {} --seed {} --expert {}",
        args.scale, args.seed, args.expert
    );
    let report = ExperimentReport::new(experiment, args.scale, &runs, &matches);
    let text = store.write_report(&report, &command, &runs)?;
    write!(out, "{text}\nin {}\n", folder.display())?;
    Ok(())
}

/// Opens players as the command line does, and shows progress on stderr.
struct ReproduceHost {
    show: ProgressDisplay,
    /// Games learned from by each simulation, by its variant and number.
    done: BTreeMap<(String, u64), u64>,
    /// Games of a finished one.
    games: u64,
}

impl ReproduceHost {
    fn count(&mut self, name: &str, repeat: u64, games: u64) {
        self.done.insert((name.to_owned(), repeat), games);
        self.show.at(self.done.values().sum());
    }
}

impl ExperimentHost for ReproduceHost {
    type Error = anyhow::Error;

    fn participants(
        &mut self,
        plan: &TrainPlan,
    ) -> anyhow::Result<(Participants, Box<dyn GameSource>)> {
        train::open_participants(plan)
    }

    fn playing(
        &mut self,
        name: &str,
        games: u64,
        progress: Progress,
        play: &(dyn Fn(&Progress) -> Option<Series> + Sync),
    ) -> Option<Series> {
        show_progress(&format!("games {name}"), games, &progress, play)
    }

    fn learned(&mut self, name: &str, repeat: u64, games: u64) {
        self.show.note(&format!("{name}, simulation {}", repeat + 1));
        self.count(name, repeat, games);
    }

    fn resumed(&mut self, name: &str, repeat: u64) {
        self.count(name, repeat, self.games);
    }
}
