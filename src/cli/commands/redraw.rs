//! `nonet redraw`: the plots and the page of runs, drawn again from the data in their folders.

use nonet::store::run_file;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use nonet::report::{RunReport, RunSession, opponent_of_tests};
use nonet::store::{Checkpoint, NetFile, read_checkpoint, write_atomic};
use nonet::train::{HistoryTable, NetLearner, RunConfig, RunProgress, read_knowledge};

use crate::cli::args::run::read_run_file;
use crate::cli::output::examples::examples;

/// Draw the plots and the page of training runs again.
///
/// A folder may be incomplete. Without a checkpoint the play-off and the last match are not drawn.
/// Without knowledge.json the knowledge of the net is not drawn.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Draw one run again", "nonet redraw runs/medium-1"),
    ("Draw several runs again", "nonet redraw runs/medium-1 runs/medium-2"),
]))]
pub(crate) struct Args {
    /// Folders of training runs.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    for path in &args.runs {
        let written = redraw(path).with_context(|| format!("cannot redraw {}", path.display()))?;
        writeln!(std::io::stdout(), "{}: {}", path.display(), written.join(", "))?;
    }
    Ok(())
}

/// What the folder of a run holds.
struct Data {
    progress: RunProgress,
    others: Vec<String>,
    best: Option<NetFile>,
    /// Whether there is a checkpoint.
    resumable: bool,
}

/// Draws the pictures of a run and returns their names.
fn redraw(path: &Path) -> anyhow::Result<Vec<&'static str>> {
    let text = read_run_file(path, run_file::CONFIG)?;
    let config = RunConfig::read(&text).map_err(|reason| {
        anyhow::anyhow!("invalid configuration {}: {reason}", path.join(run_file::CONFIG).display())
    })?;
    let Data { progress, others, best, resumable } = data(path, &config)?;
    let sessions = match path.join(run_file::SESSIONS).exists() {
        true => RunSession::read(&read_run_file(path, run_file::SESSIONS)?),
        false => Vec::new(),
    };
    // A folder without a checkpoint cannot be resumed: its run has ended.
    let learned = progress.games >= config.spec.games
        || progress.exhausted
        || progress.is_topped()
        || !resumable;
    let measured = progress.last_match.is_some() || progress.play_off.is_none();
    let finished = learned && (measured || config.spec.final_games == 0);
    let report = RunReport {
        progress: &progress,
        command: &config.command(),
        against: &opponent_of_tests(&config.spec),
        others: &others,
        team: best.as_ref().filter(|_| finished).map(|best| &best.team),
        nets: path.join(run_file::LAST).exists(),
        games: config.spec.games,
        finished,
        sessions: &sessions,
    };
    let pictures = report.pictures()?;
    for (name, text) in &pictures {
        write_atomic(&path.join(name), text.as_bytes())?;
    }
    Ok(pictures.into_iter().map(|(name, _)| name).collect())
}

/// The results of a run: from its checkpoint, or else from the table of its tests.
fn data(path: &Path, config: &RunConfig) -> anyhow::Result<Data> {
    let checkpoint = path.join(run_file::CHECKPOINT);
    if checkpoint.exists() {
        let Checkpoint { progress, best, .. } =
            read_checkpoint::<RunProgress, Vec<NetLearner>>(&checkpoint)?;
        let others = config.spec.against.others().iter().map(ToString::to_string).collect();
        return Ok(Data { progress, others, best, resumable: true });
    }
    let history = path.join(run_file::HISTORY);
    let HistoryTable { rows, others } =
        HistoryTable::read(&read_run_file(path, run_file::HISTORY)?)
            .with_context(|| format!("cannot read {}", history.display()))?;
    let knowledge = path.join(run_file::KNOWLEDGE);
    let knowledge = match knowledge.exists() {
        true => read_knowledge(&read_run_file(path, run_file::KNOWLEDGE)?)
            .with_context(|| format!("cannot read {}", knowledge.display()))?,
        false => Vec::new(),
    };
    let mut progress = RunProgress {
        games: rows.last().map_or(0, |row| row.games),
        history: rows,
        knowledge,
        ..RunProgress::default()
    };
    progress.positions = progress.examples().values().sum();
    Ok(Data { progress, others, best: None, resumable: false })
}
