//! `nonet train`: training runs.

mod args;
mod output;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use nonet::progress::Progress;
use nonet::search::Plies;
use nonet::store::{RunFolder, StoreError};
use nonet::train::{
    GameSource, Games, GeneratedGames, Observer, Participants, RecordedGames, RunOutcome, Seats,
    Start, TrainPlan, TrainSpec, Trainer,
};

use super::bearoff::databases;
use super::player_args::{PlayerSetup, open, open_expert, open_team};
use super::{interrupt::interruptible, pool, recipe, record_args, usage};

pub(super) use args::{Args, in_flags};
use output::{RunDisplay, finish};

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    args.check()?;
    let control = &args.control;
    let pool = pool(control.threads)?;
    let stop = interruptible();
    if let Some(word) = &control.recipe {
        return recipe::follow(word, control.out.as_deref(), &pool, &stop);
    }
    let run = match &control.resume {
        Some(path) => resume(path)?,
        None => {
            let plan = plan(args.spec.clone())?;
            let TrainSpec { preset, seed, .. } = plan.spec();
            let usual = || format!("runs/{preset}-{seed}").into();
            let path = control.out.clone().unwrap_or_else(usual);
            begin_in(&path, plan)?
        }
    };
    let Some((folder, trainer, rate)) = train(run, &pool, &stop)? else { return Ok(()) };
    finish(control, &pool, &trainer, &folder, &stop, rate)
}

/// A new or a resumed run.
pub(super) type Run = (RunFolder, Trainer, Box<dyn GameSource>);

/// Learns until the end; the run and its speed in games a second, or `None` if it was stopped.
pub(super) fn train(
    (folder, mut trainer, mut source): Run,
    pool: &rayon::ThreadPool,
    stop: &Progress,
) -> anyhow::Result<Option<(RunFolder, Trainer, f64)>> {
    let mut display = RunDisplay::new(&trainer, &folder);
    let ended = pool.install(|| trainer.run(source.as_mut(), &mut display, &stop.part()))?;
    if ended == RunOutcome::Finished {
        // Written again, so that resuming a finished run updates its plots.
        display.save(&trainer.checkpoint()).map_err(|error| anyhow::anyhow!(error))?;
    }
    let games = trainer.progress().games;
    let rate = display.end(games);
    if ended == RunOutcome::Stopped {
        let path = folder.path().display();
        writeln!(
            std::io::stdout(),
            "stopped after {games} games; continue with: nonet train --resume {path}"
        )?;
        return Ok(None);
    }
    Ok(Some((folder, trainer, rate)))
}

/// The plan of these options; a net file to begin with brings its architecture.
pub(super) fn plan(mut spec: TrainSpec) -> anyhow::Result<TrainPlan> {
    if let Some(from) = &spec.from {
        spec.preset = open_team(from)?.preset.parse().map_err(usage)?;
    }
    spec.plan().map_err(|error| usage(in_flags(&error.to_string())))
}

/// Begins a run in a new folder.
pub(super) fn begin_in(path: &Path, plan: TrainPlan) -> anyhow::Result<Run> {
    let (participants, source) = open_participants(&plan)?;
    let text = format!("# {}\n{}", plan.spec().to_command_line(), toml::to_string(plan.spec())?);
    let folder = RunFolder::create(path, &text).map_err(as_usage)?;
    Ok((folder, Trainer::new(plan, participants), source))
}

/// Opens the folder of a run to continue it.
pub(super) fn resume(path: &Path) -> anyhow::Result<Run> {
    let (folder, text, checkpoint) = RunFolder::open(path).map_err(as_usage)?;
    let wrong = |reason: String| StoreError::Config { path: path.join("config.toml"), reason };
    let spec: TrainSpec =
        toml::from_str(&text).map_err(|error| wrong(error.message().to_owned()))?;
    let plan = spec.plan().map_err(|error| wrong(error.to_string()))?;
    let (participants, source) = open_participants(&plan)?;
    let trainer = match checkpoint {
        Some(checkpoint) => Trainer::resume(plan, participants, checkpoint)?,
        None => Trainer::new(plan, participants),
    };
    Ok((folder, trainer, source))
}

/// Opens the players, nets, databases and records of a run.
#[allow(clippy::expect_used, reason = "the plan was checked")]
pub(super) fn open_participants(
    plan: &TrainPlan,
) -> anyhow::Result<(Participants, Box<dyn GameSource>)> {
    let spec = plan.spec();
    let expert = plan.expert().map(open_expert).transpose()?;
    let player = || {
        let expert = expert.as_ref().expect("a checked plan names the expert that it needs");
        Arc::clone(&expert.player)
    };
    let generated = |plies, epsilon, seats| -> Box<dyn GameSource> {
        Box::new(GeneratedGames { seed: spec.seed, plies, epsilon, seats })
    };
    let source = match plan.games() {
        Games::SelfPlay { plies, epsilon } => generated(*plies, *epsilon, Seats::SelfPlay),
        Games::Versus { plies, .. } => generated(*plies, 0.0, Seats::Expert(player())),
        Games::Observe(_) => generated(Plies::ONE, 0.0, Seats::Observe(player())),
        Games::Records { records, unfinished } => {
            Box::new(RecordedGames::new(record_args::opener(records, *unfinished)?, *unfinished))
        }
    };
    let teacher = expert.as_ref().filter(|_| plan.learns_expert());
    let start = match plan.start() {
        Start::Random => None,
        Start::Net { path, .. } => Some(Arc::new(open_team(path)?.team)),
    };
    let participants = Participants {
        against: open(&spec.against, &PlayerSetup::cubeless(spec.eval_ply))?.player,
        teacher: teacher.map(|expert| Arc::clone(&expert.evaluator)),
        bearoff: plan.needs_bearoff().then(databases).transpose()?,
        start,
    };
    Ok((participants, source))
}

/// A wrong folder is an error in the arguments; an I/O error is not.
fn as_usage(error: StoreError) -> anyhow::Error {
    match error {
        StoreError::HoldsARun { .. } | StoreError::NotEmpty { .. } | StoreError::NoRun { .. } => {
            usage(error)
        }
        other => other.into(),
    }
}
