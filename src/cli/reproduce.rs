//! `nonet reproduce`: the papers' experiments.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use nonet::experiment::{Cell, Experiment, Findings, Keep, Settings};
use nonet::store::write_atomic;
use nonet::train::{Cast, GameSource, TrainConfig};

use super::show::Show;
use super::{interrupt::on_interrupt, opponent::open_expert, pool, train, usage};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The experiment; without one, all are listed.
    name: Option<String>,
    /// How large it is beside the paper's: 1 is the whole, 0.05 a twentieth of the games.
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
    open_expert(&args.expert)?;
    let bytes =
        std::fs::read(&args.expert).with_context(|| format!("cannot read {}", args.expert))?;
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from("reports/paper").join(name));
    std::fs::create_dir_all(folder.join("runs"))
        .with_context(|| format!("cannot make {}", folder.display()))?;
    let pool = pool(args.threads)?;
    let stop = on_interrupt();
    let simulations = experiment.repeats * experiment.variants.len() as u64;
    let games = experiment.marks(args.scale).last().copied().unwrap_or(0);
    let show = Show::new("games", 0, simulations * games);
    let mut keeper = Keeper { folder: folder.clone(), show, done: BTreeMap::new(), games };
    let settings = Settings { scale: args.scale, seed: args.seed, expert: &args.expert };
    let cells = pool.install(|| experiment.run(&settings, &mut keeper, &stop))?;
    keeper.show.end();
    let Some(cells) = cells else {
        writeln!(out, "stopped; the same command goes on with the simulations that are missing")?;
        return Ok(());
    };
    let findings = Findings::new(experiment, args.scale, &cells);
    let command = format!(
        "nonet reproduce {name} --scale {} --seed {} --expert {}",
        args.scale, args.seed, args.expert
    );
    let facts = [
        format!("made with `{command}`"),
        format!("the expert's file has the CRC-32 {:08x}", crc32fast::hash(&bytes)),
        format!(
            "the first simulation: `{}`",
            cells.first().map(|cell| cell.command.as_str()).unwrap_or_default()
        ),
    ];
    let report = findings.report(&facts);
    write_atomic(&folder.join("table.csv"), findings.csv().as_bytes())?;
    write_atomic(&folder.join("plot.svg"), findings.plot(&command)?.as_bytes())?;
    write_atomic(&folder.join("report.md"), report.as_bytes())?;
    write!(out, "{report}\nin {}\n", folder.display())?;
    Ok(())
}

struct Keeper {
    folder: PathBuf,
    show: Show,
    /// Games learned from by each simulation, by its name.
    done: BTreeMap<String, u64>,
    /// Games of a whole one.
    games: u64,
}

impl Keeper {
    fn count(&mut self, name: String, games: u64) {
        self.done.insert(name, games);
        self.show.at(self.done.values().sum());
    }

    fn path(&self, variant: usize, repeat: u64) -> PathBuf {
        self.folder.join("runs").join(format!("{variant}-{repeat}.json"))
    }
}

impl Keep for Keeper {
    type Error = anyhow::Error;

    fn known(&mut self, config: &TrainConfig, variant: usize, repeat: u64) -> Option<Cell> {
        let text = std::fs::read(self.path(variant, repeat)).ok()?;
        let cell: Cell = serde_json::from_slice(&text).ok()?;
        (cell.command == config.command()).then(|| {
            self.count(format!("kept {variant} {repeat}"), self.games);
            cell
        })
    }

    fn keep(&mut self, cell: &Cell) -> anyhow::Result<()> {
        let text = serde_json::to_vec_pretty(cell)?;
        Ok(write_atomic(&self.path(cell.variant, cell.repeat), &text)?)
    }

    fn cast(&mut self, config: &TrainConfig) -> anyhow::Result<(Cast, Box<dyn GameSource>)> {
        train::cast(config)
    }

    fn learned(&mut self, name: &str, repeat: u64, games: u64) {
        self.show.note(&format!("{name}, simulation {}", repeat + 1));
        self.count(format!("{name} {repeat}"), games);
    }
}
