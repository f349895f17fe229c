//! `nonet train`: training runs.

mod args;
mod output;
mod recipe;
mod seeds;
mod test_times;

use nonet::store::run_file;
use std::io::Write;
use std::path::Path;

use nonet::progress::Progress;
use nonet::store::{RunFolder, StoreError};
use nonet::train::{
    GameSource, OnExtension, OpenRunError, OpenedRun, RunConfig, RunOutcome, RunProgress,
    TrainPlan, TrainSpec, Trainer,
};

use crate::cli::args::databases::note;
use crate::cli::args::player::as_usage as name_error;
use crate::cli::args::run::which_run;
use crate::cli::args::threads::pool;
use crate::cli::error::usage;
use crate::cli::interrupt::interruptible;
use crate::cli::output::counted::counted;
use crate::cli::output::shell_word::shell_word;

pub(super) use args::{Args, in_flags};
use output::{RunDisplay, finish};

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    args.check()?;
    let pool = pool(args.control.threads)?;
    let machines = args.control.nats.connect()?;
    let ended = run_on(args, &pool, &machines.of(interruptible()));
    machines.end();
    // Why the work was given up says more than that it was stopped.
    machines.check().and(ended)
}

/// Runs the command; whoever does the work of `stop` plays its games.
fn run_on(args: &Args, pool: &rayon::ThreadPool, stop: &Progress) -> anyhow::Result<()> {
    let control = &args.control;
    if let Some(word) = &control.recipe {
        return recipe::follow(word, control.out.as_deref(), pool, stop);
    }
    if let Some(count) = control.seeds {
        return seeds::run_seeds(args, count, pool, stop);
    }
    let run = match &control.resume {
        Some(path) => match args.longer() {
            None => resume(path)?,
            Some(games) => extend(path, games, control.schedule)?,
        },
        None => {
            let plan = plan(args.spec.clone())?;
            let TrainSpec { preset, seed, .. } = plan.spec();
            let usual = || format!("runs/{}-{seed}", preset.file_name()).into();
            let path = control.out.clone().unwrap_or_else(usual);
            begin_in(&path, plan)?
        }
    };
    let go_on = format!("nonet train --resume {}", shell_word(run.0.path()));
    let Some(run) = train(run, pool, stop, &go_on)? else { return Ok(()) };
    finish(control, pool, run, stop, &go_on)
}

/// A new or a resumed run.
pub(super) type Run = (RunFolder, Trainer, Box<dyn GameSource>);

/// Learns until the end; the run, or `None` if it was stopped: then the command `go_on` is named,
/// which continues it.
pub(super) fn train(
    (folder, mut trainer, mut source): Run,
    pool: &rayon::ThreadPool,
    stop: &Progress,
    go_on: &str,
) -> anyhow::Result<Option<LearnedRun>> {
    let mut display = RunDisplay::new(&trainer, folder, pool.current_num_threads(), stop.part());
    let ended = pool.install(|| trainer.run(source.as_mut(), &mut display, &stop.part()))?;
    let games = trainer.progress().games;
    display.end();
    if ended == RunOutcome::Stopped {
        let games = counted(games, "game");
        writeln!(std::io::stdout(), "stopped after {games}; continue with: {go_on}")?;
        return Ok(None);
    }
    Ok(Some(LearnedRun { trainer, display }))
}

/// A run that has learned from all its games.
pub(super) struct LearnedRun {
    trainer: Trainer,
    display: RunDisplay,
}

impl LearnedRun {
    /// Ends a run without a play-off and a last match.
    pub(super) fn end(mut self) -> anyhow::Result<()> {
        self.display.save_at_end(&self.trainer)
    }
}

/// The plan of these options; a net to begin with brings its architecture.
pub(super) fn plan(spec: TrainSpec) -> anyhow::Result<TrainPlan> {
    let spec = spec.with_preset_of_start().map_err(name_error)?;
    spec.plan().map_err(|error| usage(in_flags(&error.to_string())))
}

/// Begins a run in a new folder.
pub(super) fn begin_in(path: &Path, plan: TrainPlan) -> anyhow::Result<Run> {
    let OpenedRun { participants, source, .. } = open_run(&plan)?;
    let text = RunConfig::new(plan.spec().clone()).text()?;
    let folder = RunFolder::create(path, &text).map_err(as_usage)?;
    Ok((folder, Trainer::new(plan, participants), source))
}

/// Opens the folder of a run to continue it.
pub(super) fn resume(path: &Path) -> anyhow::Result<Run> {
    open_folder(path, |_, _| Ok(None))
}

/// Opens the folder of a run that has ended and makes the run longer.
fn extend(path: &Path, games: u64, how: OnExtension) -> anyhow::Result<Run> {
    open_folder(path, |config, progress| {
        config.check_ended(progress).map_err(|lack| {
            usage(format!(
                "{} cannot be extended: {lack}; end it first: nonet train --resume {}",
                path.display(),
                shell_word(path)
            ))
        })?;
        let folder = path.display().to_string();
        config.extend(games, how, &folder).map(Some).map_err(usage)
    })
}

/// Opens the folder of a run. `change` gets its progress. It may make the run longer, and says in
/// words what that means.
fn open_folder(
    path: &Path,
    change: impl FnOnce(&mut RunConfig, &RunProgress) -> anyhow::Result<Option<String>>,
) -> anyhow::Result<Run> {
    let (folder, text, checkpoint) = RunFolder::open(path).map_err(as_usage)?;
    let wrong = |reason: String| StoreError::Config { path: path.join(run_file::CONFIG), reason };
    let mut config = RunConfig::read(&text).map_err(wrong)?;
    let begun = RunProgress::default();
    let progress = checkpoint.as_ref().map_or(&begun, |checkpoint| &checkpoint.progress);
    let words = change(&mut config, progress)?;
    let plan = config.spec.clone().plan().map_err(|error| wrong(error.to_string()))?;
    let OpenedRun { participants, source, .. } = open_run(&plan)?;
    let mut trainer = match checkpoint {
        Some(checkpoint) => Trainer::resume(plan, participants, checkpoint)?,
        None => Trainer::new(plan, participants),
    };
    trainer.set_command(config.command());
    if let Some(words) = words {
        if let Some(reason) = trainer.ended_early() {
            return Err(usage(format!("{} cannot be extended: {reason}", path.display())));
        }
        folder.write_config(&config.text()?)?;
        writeln!(std::io::stderr(), "{words}")?;
    }
    Ok((folder, trainer, source))
}

/// Opens what a run needs.
pub(super) fn open_run(plan: &TrainPlan) -> anyhow::Result<OpenedRun> {
    let opened = plan.open().map_err(run_error)?;
    opened.bearoff.as_ref().map_or(Ok(()), note)?;
    Ok(opened)
}

/// A wrong name, file or option is an error in the arguments; a program that does not start is not.
fn run_error(error: OpenRunError) -> anyhow::Error {
    match error {
        OpenRunError::Name(error) => name_error(error),
        OpenRunError::Options(error) => usage(in_flags(&error.to_string())),
        error => usage(error),
    }
}

/// A wrong folder is an error in the arguments; an I/O error is not.
fn as_usage(error: StoreError) -> anyhow::Error {
    match error {
        StoreError::NoRun { ref path, .. } => match which_run(path) {
            Some(runs) => usage(format!("{error}; {runs}")),
            None => usage(error),
        },
        StoreError::HoldsARun { .. } | StoreError::NotEmpty { .. } => usage(error),
        other => other.into(),
    }
}
