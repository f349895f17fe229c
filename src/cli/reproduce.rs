//! `nonet reproduce`: the papers' experiments.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use nonet::engine::Engine;
use nonet::experiment::{
    Experiment, ExperimentReport, ExperimentSettings, ExperimentStore, MatchResult, RunResult,
};
use nonet::game::Player;
use nonet::game::Series;
use nonet::progress::Progress;
use nonet::search::{CubePlayer, DoublingRule, Plies, Search, SearchSettings};
use nonet::store::{NetFile, read_net, write_atomic, write_net};
use nonet::train::{GameSource, Participants, TrainPlan, TrainSpec};

use super::players::open_expert;
use super::progress::{ProgressDisplay, show_progress};
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
            "unknown experiment '{name}': expected one of {}",
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
    let progress = interruptible();
    let simulations = experiment.repeats * experiment.variants.len() as u64;
    let games = experiment.eval_at(args.scale).last().copied().unwrap_or(0);
    let show = ProgressDisplay::new("games", 0, simulations * games);
    let mut keeper = ExperimentKeeper {
        folder: folder.clone(),
        show,
        done: BTreeMap::new(),
        games,
        expert: args.expert.clone(),
        keeps_teams: !experiment.matches(args.scale).is_empty(),
    };
    let settings = ExperimentSettings { scale: args.scale, seed: args.seed, expert: &args.expert };
    let runs = pool.install(|| experiment.run(&settings, &mut keeper, &progress))?;
    keeper.show.end();
    let done = match runs {
        None => None,
        Some(runs) => {
            let play = || experiment.play_matches(&settings, &runs, &mut keeper, &progress);
            pool.install(play)?.map(|matches| (runs, matches))
        }
    };
    let Some((runs, matches)) = done else {
        writeln!(out, "stopped; repeat the command to run the missing simulations")?;
        return Ok(());
    };
    let findings = ExperimentReport::new(experiment, args.scale, &runs, &matches);
    let command = format!(
        "nonet reproduce {name} --scale {} --seed {} --expert {}",
        args.scale, args.seed, args.expert
    );
    let mut facts = vec![
        format!("made with `{command}`"),
        format!("the expert's file has the CRC-32 {:08x}", crc32fast::hash(&bytes)),
    ];
    facts.extend(runs.first().map(|run| format!("the first simulation: `{}`", run.command)));
    let mut report = findings.report(&facts);
    // The discussion, written by hand, is in a separate file, so that a new run does not overwrite it.
    if let Ok(discussion) = std::fs::read_to_string(folder.join("discussion.md")) {
        report = format!("{report}\n## Discussion\n\n{discussion}");
    }
    write_atomic(&folder.join("table.csv"), findings.csv().as_bytes())?;
    write_atomic(&folder.join("plot.svg"), findings.plot(&command)?.as_bytes())?;
    write_atomic(&folder.join("report.md"), report.as_bytes())?;
    write!(out, "{report}\nin {}\n", folder.display())?;
    Ok(())
}

struct ExperimentKeeper {
    folder: PathBuf,
    show: ProgressDisplay,
    /// Games learned from by each simulation, by its name.
    done: BTreeMap<String, u64>,
    /// Games of one complete simulation.
    games: u64,
    /// The expert's net file.
    expert: String,
    /// Whether the matches need the nets of simulations.
    keeps_teams: bool,
}

impl ExperimentKeeper {
    fn count(&mut self, name: String, games: u64) {
        self.done.insert(name, games);
        self.show.at(self.done.values().sum());
    }

    fn path(&self, variant: usize, repeat: u64) -> PathBuf {
        self.folder.join("runs").join(format!("{variant}-{repeat}.json"))
    }

    fn team(&self, variant: usize, repeat: u64) -> PathBuf {
        self.folder.join("runs").join(format!("{variant}-{repeat}.nonet"))
    }

    fn match_path(&self, index: usize) -> PathBuf {
        self.folder.join("runs").join(format!("bout-{index}.json"))
    }
}

impl ExperimentStore for ExperimentKeeper {
    type Error = anyhow::Error;

    fn stored_run(&mut self, plan: &TrainPlan, variant: usize, repeat: u64) -> Option<RunResult> {
        let text = std::fs::read(self.path(variant, repeat)).ok()?;
        let run: RunResult = serde_json::from_slice(&text).ok()?;
        let whole = !self.keeps_teams || self.team(variant, repeat).is_file();
        let same = TrainSpec::from_command_line(&run.command).as_ref() == Some(plan.spec());
        (same && whole).then(|| {
            self.count(format!("stored {variant} {repeat}"), self.games);
            run
        })
    }

    fn store_run(&mut self, run: &RunResult, team: &NetFile) -> anyhow::Result<()> {
        if self.keeps_teams {
            write_net(&self.team(run.variant, run.repeat), team)?;
        }
        let text = serde_json::to_vec_pretty(run)?;
        Ok(write_atomic(&self.path(run.variant, run.repeat), &text)?)
    }

    fn stored_match(&mut self, index: usize, description: &str) -> Option<MatchResult> {
        let text = std::fs::read(self.match_path(index)).ok()?;
        let same = |result: &MatchResult| result.description == description;
        serde_json::from_slice(&text).ok().filter(same)
    }

    fn store_match(&mut self, index: usize, result: &MatchResult) -> anyhow::Result<()> {
        let text = serde_json::to_vec_pretty(result)?;
        Ok(write_atomic(&self.match_path(index), &text)?)
    }

    fn player(
        &mut self,
        variant: Option<usize>,
        repeat: u64,
        plies: u8,
        cube: Option<DoublingRule>,
    ) -> anyhow::Result<Arc<dyn Player>> {
        let path = match variant {
            None => PathBuf::from(&self.expert),
            Some(variant) => self.team(variant, repeat),
        };
        let (team, plies) = (Arc::new(read_net(&path)?.team), Plies::new(plies)?);
        Ok(match cube {
            None => Engine::builder().evaluator(team).plies(plies).build()?.player(),
            Some(rule) => {
                Arc::new(CubePlayer::new(Search::new(team, plies, SearchSettings::NORMAL), rule))
            }
        })
    }

    fn show_match(
        &mut self,
        name: &str,
        games: u64,
        progress: Progress,
        play: &(dyn Fn(&Progress) -> Option<Series> + Sync),
    ) -> Option<Series> {
        show_progress(&format!("games {name}"), games, &progress, play)
    }

    fn open_participants(
        &mut self,
        plan: &TrainPlan,
    ) -> anyhow::Result<(Participants, Box<dyn GameSource>)> {
        train::open_participants(plan)
    }

    fn learned(&mut self, name: &str, repeat: u64, games: u64) {
        self.show.note(&format!("{name}, simulation {}", repeat + 1));
        self.count(format!("{name} {repeat}"), games);
    }
}
