//! `nonet train --seeds`: runs that differ in their seed alone, one after the other, and their
//! results together.

use nonet::store::run_file;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use nonet::progress::Progress;
use nonet::report::{Chart, comparison_chart};
use nonet::stats::Estimate;
use nonet::store::write_atomic;
use nonet::train::{PlayOffTeam, RunCurve, TestedWeights, TrainSpec, run_groups};
use serde_json::json;

use super::args::Args;
use super::output::{EndedRun, end_run, score};
use super::{begin_in, plan, resume, train};
use crate::cli::error::usage;
use crate::cli::output::counted::counted;
use crate::cli::output::shell_word::shell_word;

/// The result of one seed.
struct SeedResult {
    seed: u64,
    folder: PathBuf,
    team: PlayOffTeam,
    /// Points per game: of the last match, or of the last test if there is none.
    ppg: f64,
    stderr: f64,
}

/// Runs `count` seeds from that of the options on. The same command continues where it was stopped.
pub(super) fn run_seeds(
    args: &Args,
    count: u64,
    pool: &rayon::ThreadPool,
    stop: &Progress,
) -> anyhow::Result<()> {
    let first = args.spec.seed;
    let most = TrainSpec::MAX_NUMBER;
    let last = first.checked_add(count.saturating_sub(1));
    let Some(last) = last.filter(|last| count > 0 && *last <= most) else {
        return Err(usage(format!("--seeds must be at least 1, and the last seed at most {most}")));
    };
    let out = args.control.out.as_deref();
    let mut results = Vec::new();
    let mut go_on = format!("{} --seeds {count}", args.spec.to_command_line());
    if let Some(out) = out {
        go_on += &format!(" --out {}", shell_word(out));
    }
    for seed in first..=last {
        let plan = plan(TrainSpec { seed, ..args.spec.clone() })?;
        let folder = match out {
            Some(out) => out.join(seed.to_string()),
            None => PathBuf::from(format!("runs/{}-{seed}", plan.spec().preset.file_name())),
        };
        let run = if run_file::is_run(&folder) {
            let run = resume(&folder)?;
            if *run.1.plan() != plan {
                return Err(usage(format!(
                    "{} has a run with other options: choose another folder with --out",
                    folder.display()
                )));
            }
            run
        } else {
            begin_in(&folder, plan)?
        };
        let place = seed - first + 1;
        writeln!(std::io::stderr(), "seed {seed}, {place} of {count}")?;
        let Some(run) = train(run, pool, stop, &go_on)? else { return Ok(()) };
        let Some(ended) = end_run(pool, run, stop, &go_on)? else { return Ok(()) };
        results.push(result(seed, folder, &ended)?);
    }
    let spec = &args.spec;
    let plot = match out {
        Some(out) => out.join("seeds.svg"),
        None => PathBuf::from(format!("runs/{}-{first}-to-{last}.svg", spec.preset.file_name())),
    };
    draw(&results, &plot, &spec.against.first().to_string(), &go_on)?;
    let text = match args.control.json {
        true => in_json(&results, spec, &plot).to_string() + "\n",
        false => in_words(&results, spec, &plot),
    };
    write!(std::io::stdout(), "{text}")?;
    Ok(())
}

fn result(seed: u64, folder: PathBuf, ended: &EndedRun) -> anyhow::Result<SeedResult> {
    let progress = ended.trainer.progress();
    let team =
        ended.trainer.best().map(PlayOffTeam::from).context("the run ended without a test")?;
    let tested = match (&progress.last_match, progress.history.last()) {
        (Some(played), _) => played.result,
        (None, Some(row)) => *score(row),
        (None, None) => anyhow::bail!("the run ended without a test"),
    };
    Ok(SeedResult { seed, folder, team, ppg: tested.ppg, stderr: tested.stderr })
}

/// Draws the learning curves of all seeds as one line with a band.
fn draw(results: &[SeedResult], plot: &Path, against: &str, command: &str) -> anyhow::Result<()> {
    let read = |one: &SeedResult| super::super::compare::read(&one.folder);
    let runs = results.iter().map(read).collect::<anyhow::Result<Vec<RunCurve>>>()?;
    let weights = match runs.iter().all(RunCurve::has_average) {
        true => TestedWeights::Averaged,
        false => TestedWeights::Last,
    };
    let groups = run_groups(&runs, weights)?;
    let svg = comparison_chart(&groups, weights, against, command).render()?;
    Ok(write_atomic(plot, svg.as_bytes())?)
}

/// The mean over the seeds and half its 95 % interval; no interval for one seed.
fn mean(results: &[SeedResult]) -> (f64, Option<f64>) {
    let mean = Estimate::from_values(results.iter().map(|one| one.ppg));
    (mean.mean, (results.len() > 1).then(|| mean.student_half95()))
}

fn in_words(results: &[SeedResult], spec: &TrainSpec, plot: &Path) -> String {
    let what = match spec.final_games {
        0 => "last tests".to_owned(),
        games => format!("last matches of {games} games"),
    };
    let mut text = format!(
        "Equity against {}, points per game, {what}, with 95 % intervals\n{:>6}  {:>17}  best team\n",
        spec.against.first(),
        "seed",
        "equity"
    );
    for SeedResult { seed, team, ppg, stderr, .. } in results {
        let half = nonet::stats::Z95 * stderr;
        let weights = if team.weights == "average" { "moving average" } else { "weights" };
        let games = counted(team.games, "game");
        text += &format!("{seed:>6}  {ppg:>+8.4} ± {half:.4}  {weights} after {games}\n");
    }
    match mean(results) {
        (mean, Some(half)) => {
            text += &format!(
                "{:>6}  {mean:>+8.4} ± {half:.4}  over {} seeds (Student's t: how runs differ is in it)\n",
                "mean",
                results.len()
            );
        }
        (mean, None) => text += &format!("{:>6}  {mean:>+8.4}\n", "mean"),
    }
    if let (Some(first), Some(last)) = (results.first(), results.last()) {
        let (first, last) = (first.folder.display(), last.folder.display());
        text += &format!("runs: {first} to {last}\n");
    }
    text + &format!("plot: {}\n", plot.display())
}

fn in_json(results: &[SeedResult], spec: &TrainSpec, plot: &Path) -> serde_json::Value {
    let runs: Vec<_> = results
        .iter()
        .map(|one| {
            json!({
                "seed": one.seed, "folder": one.folder.display().to_string(), "ppg": one.ppg, "stderr": one.stderr,
                "weights": one.team.weights, "best_after": one.team.games,
            })
        })
        .collect();
    let (mean, half95) = mean(results);
    json!({
        "against": spec.against.first().to_string(), "runs": runs, "mean": mean, "half95": half95,
        "plot": plot.display().to_string(),
    })
}
