//! `nonet compare`: the learning curves of several runs next to each other.

use nonet::store::run_file;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use nonet::report::{Chart, LineChart, comparison_chart};
use nonet::store::write_atomic;
use nonet::train::{RunCurve, RunGroup, TestedWeights, run_groups};
use serde_json::json;

use crate::cli::args::output_file::check_pictures;
use crate::cli::args::run::{read_run_file, runs_in};
use crate::cli::error::usage;
use crate::cli::output::examples::examples;
use crate::cli::output::shell_word::shell_word;
use crate::cli::output::terminal::Terminal;

/// Plot the learning curves of training runs, with a table.
///
/// Runs that differ only in their seed are one curve. A folder of `nonet train --seeds` stands for
/// all its runs.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Compare two runs", "nonet compare runs/medium-1 runs/large-1"),
    (
        "Compare the tests of the last weights, not of the averages",
        "nonet compare runs/medium-1 runs/medium-2 --weights last --plot curves.svg",
    ),
]))]
pub(crate) struct Args {
    /// Folders of training runs, or of seeds, finished or not.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Weights of the tests [default: averaged, if there are any]
    ///
    /// The default is `averaged` if all runs keep an average.
    #[arg(long, value_enum)]
    weights: Option<Weights>,
    /// File of the plot.
    #[arg(long, value_name = "FILE.svg", default_value = "compare.svg")]
    plot: PathBuf,
    /// Print the table as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Weights {
    /// The weights at each test.
    Last,
    /// Their moving average.
    Averaged,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    check_pictures([&args.plot])?;
    let (mut folders, mut runs) = (Vec::new(), Vec::new());
    for named in &args.runs {
        for folder in runs_of(named) {
            runs.push(read_as(named, &folder)?);
            folders.push(folder);
        }
    }
    let against = opponent(&folders, &runs)?;
    let weights = match args.weights {
        Some(Weights::Last) => TestedWeights::Last,
        Some(Weights::Averaged) => TestedWeights::Averaged,
        None if runs.iter().all(RunCurve::has_average) => TestedWeights::Averaged,
        None => TestedWeights::Last,
    };
    let groups = run_groups(&runs, weights)?;
    if groups.len() > LineChart::MOST_SERIES {
        return Err(usage(format!(
            "{} different settings: expected at most {}, which one plot can show",
            groups.len(),
            LineChart::MOST_SERIES
        )));
    }
    let svg = comparison_chart(&groups, weights, &against, &command(args)).render()?;
    write_atomic(&args.plot, svg.as_bytes())?;
    let text = if args.json {
        format!("{}\n", in_json(&groups, weights, &against))
    } else {
        in_words(&groups, weights, &against) + &format!("plot: {}\n", args.plot.display())
    };
    write!(std::io::stdout(), "{text}")?;
    Ok(())
}

/// The runs that a folder stands for: itself, or the runs in it that have been tested.
fn runs_of(folder: &Path) -> Vec<PathBuf> {
    let mut runs = match run_file::is_run(folder) {
        true => Vec::new(),
        false => runs_in(folder),
    };
    runs.retain(|run| run.join(run_file::HISTORY).is_file());
    if runs.is_empty() { vec![folder.to_owned()] } else { runs }
}

/// Reads the folder of a run.
pub(super) fn read(path: &Path) -> anyhow::Result<RunCurve> {
    read_as(path, path)
}

/// Reads the folder of a run, which is shown by the name of a folder.
fn read_as(name: &Path, path: &Path) -> anyhow::Result<RunCurve> {
    let text = |name: &str| read_run_file(path, name);
    let curve = RunCurve::read(
        &name.display().to_string(),
        &text(run_file::CONFIG)?,
        &text(run_file::HISTORY)?,
    );
    curve.with_context(|| format!("cannot compare {}", path.display()))
}

/// The opponent of all tests; an error if runs were tested against different ones.
fn opponent(folders: &[PathBuf], runs: &[RunCurve]) -> anyhow::Result<String> {
    let of = |run: &RunCurve| run.against().unwrap_or_else(|| "their opponent".to_owned());
    let first = of(&runs[0]);
    match runs.iter().map(of).zip(folders).find(|(against, _)| *against != first) {
        Some((against, path)) => Err(usage(format!(
            "{} was tested against {against}, {} against {first}: these figures cannot be compared",
            path.display(),
            folders[0].display()
        ))),
        None => Ok(first),
    }
}

fn command(args: &Args) -> String {
    let runs: Vec<String> = args.runs.iter().map(|path| shell_word(path)).collect();
    let weights = match args.weights {
        None => "",
        Some(Weights::Last) => " --weights last",
        Some(Weights::Averaged) => " --weights averaged",
    };
    format!("nonet compare {}{weights}", runs.join(" "))
}

fn in_words(groups: &[RunGroup], weights: TestedWeights, against: &str) -> String {
    let wide = groups.iter().map(|group| group.label.chars().count()).max().unwrap_or(0).max(8);
    let terminal = Terminal::of_stdout();
    let mut text = format!(
        "{:wide$}  {:>5}  {:>9}  {:>15}  {:>21}\n",
        "settings", "seeds", "games", "equity", "less the first line"
    );
    for (number, group) in groups.iter().enumerate() {
        let (games, end) = group.end();
        let equity = format!("{:+.3} ± {:.3}", end.ppg.mean, end.half95);
        let difference = match number {
            0 => "-".to_owned(),
            _ => {
                let (difference, half) = group.difference95(&groups[0]);
                format!("{difference:+.3} ± {half:.3}")
            }
        };
        text += &format!(
            "{:wide$}  {:>5}  {games:>9}  {equity:>15}  {difference:>21}\n",
            group.label, group.runs
        );
    }
    let weights = weights.name();
    text = format!(
        "Equity of the {weights} against {against}, points per game, with 95 % intervals\n{}",
        terminal.table(&text)
    );
    if groups.iter().any(|group| group.runs == 1) {
        text +=
            "The interval of a single seed is that of its test: it leaves out how runs differ.\n";
    }
    terminal.folded(&text)
}

fn in_json(groups: &[RunGroup], weights: TestedWeights, against: &str) -> serde_json::Value {
    let rows: Vec<_> = groups
        .iter()
        .map(|group| {
            let (games, end) = group.end();
            let (difference, half) = group.difference95(&groups[0]);
            let curve: Vec<_> = group
                .curve
                .iter()
                .map(|(games, at)| json!({"games": games, "ppg": at.ppg.mean, "half95": at.half95}))
                .collect();
            json!({
                "settings": group.label, "seeds": group.runs, "games": games, "ppg": end.ppg.mean,
                "half95": end.half95, "less_first": difference, "less_first_half95": half, "curve": curve,
            })
        })
        .collect();
    json!({"weights": weights.name(), "against": against, "groups": rows})
}
