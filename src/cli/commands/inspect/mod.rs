//! `nonet inspect`: the contents of a net file, its most important inputs, and the differences of
//! two nets.

mod compare;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use nonet::backgammon::Position;
use nonet::eval::{FeatureImportance, FeatureUsage, feature_importance};
use nonet::game::self_play_positions;
use nonet::nn::{Network, OutputActivation};
use nonet::report::{Axis, BarChart, BarSeries, Chart, NetInputs, net_inputs_page};
use nonet::stats::Z95;
use nonet::store::{MeasuredResult, NetFile, write_atomic};
use serde_json::{Value, json};

use crate::cli::args::output_file::{check_outputs, check_pictures};
use crate::cli::args::player::open_net;
use crate::cli::error::usage;
use crate::cli::interrupt::interruptible;
use crate::cli::output::counted::counted;
use crate::cli::output::examples::examples;
use crate::cli::output::progress_bar::show_progress;
use crate::cli::output::series_text::stopped_after;
use crate::cli::output::shell_word::{option_words, shell_word};
use crate::cli::output::terminal::Terminal;

/// Show a net: how it was made, and its most important inputs.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Show the built-in net", "nonet inspect champion"),
    ("Draw what its race net looks at", "nonet inspect champion --net race --picture race.svg"),
    ("Compare two nets", "nonet inspect champion swift"),
]))]
pub(crate) struct Args {
    /// The net: a name as champion, a file or the folder of a run.
    file: PathBuf,
    /// Another net to compare with.
    ///
    /// Compares the importance of inputs, evaluations and plays.
    other: Option<PathBuf>,
    /// Show only the net of this name.
    ///
    /// --plot and --picture draw its inputs.
    #[arg(long, value_name = "NAME")]
    net: Option<String>,
    /// List the N most important inputs of each net [default with --net: 8]
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "8")]
    inputs: Option<usize>,
    /// Measure of importance: sensitivity or effect.
    ///
    /// The sensitivity is the largest change of equity for one unit of the input. The effect is the
    /// sensitivity times the mean of the input.
    #[arg(
        long,
        value_name = "MEASURE",
        default_value = SENSITIVITY,
        value_parser = measures(),
    )]
    by: String,
    /// Games of self-play for the statistics of the inputs.
    ///
    /// Ctrl-C shows the figures of the games so far.
    #[arg(long, value_name = "N", default_value_t = 200)]
    games: u64,
    /// Print one line of JSON.
    #[arg(long)]
    json: bool,
    /// Plot the most important inputs of the net of --net.
    #[arg(long, value_name = "FILE.svg", requires = "net")]
    plot: Option<PathBuf>,
    /// Draw what the net of --net looks at.
    ///
    /// The picture is a board with coloured points, and bars of the other inputs.
    #[arg(long, value_name = "FILE.svg", requires = "net")]
    picture: Option<PathBuf>,
    /// Write a page with such a picture of every net.
    #[arg(long, value_name = "FILE.html")]
    page: Option<PathBuf>,
}

impl Args {
    /// The number of inputs, where they are listed.
    fn inputs(&self) -> usize {
        self.inputs.unwrap_or(8)
    }
}

/// The usual measure of importance.
const SENSITIVITY: &str = "sensitivity";

/// The measures of importance; `pull` is the name of the sensitivity in version 0.1.0.
fn measures() -> impl TypedValueParser<Value = String> {
    let sensitivity = PossibleValue::new(SENSITIVITY).alias("pull");
    PossibleValuesParser::new([sensitivity, PossibleValue::new("effect")])
        .map(|name| if name == "pull" { SENSITIVITY.to_owned() } else { name })
}

/// A net file, and input statistics of games of its team with itself.
struct InspectedNet {
    name: String,
    file: NetFile,
    games: u64,
    positions: Vec<Position>,
    inputs: FeatureUsage,
}

impl InspectedNet {
    /// Plays the games.
    fn of(name: String, file: NetFile, games: u64) -> anyhow::Result<InspectedNet> {
        let progress = interruptible();
        let what = format!("games {name}");
        let positions = show_progress(&what, games, &progress, |progress| {
            self_play_positions(&file.team, games, progress)
        });
        // After Ctrl-C there are fewer.
        let done = progress.done();
        anyhow::ensure!(
            done > 0 || games == 0,
            "interrupted before any game of {name} ended: there is no result"
        );
        let inputs = FeatureUsage::of(&file.team, &positions);
        Ok(InspectedNet { name, file, games: done, positions, inputs })
    }

    /// The inputs of the net at index `place`, the most important first.
    fn important(&self, place: usize, by: &str) -> Vec<FeatureImportance> {
        let mut important = feature_importance(&self.file.team, place, &self.inputs);
        if by == "effect" {
            important.sort_by(|a, b| b.effect().total_cmp(&a.effect()));
        }
        important
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    check_outputs(&args.page)?;
    check_pictures(args.plot.iter().chain(&args.picture))?;
    if args.other.is_some() && args.plot.is_none() && args.by != SENSITIVITY {
        return Err(usage("--by is for the inputs of one net, or for --plot"));
    }
    // What is wrong with the nets is an error before the games.
    let (name, file) = open(&args.file)?;
    check_net(args.net.as_deref(), &name, &file)?;
    let other = args.other.as_deref().map(open).transpose()?;
    let inspected = InspectedNet::of(name, file, args.games)?;
    let other = other.map(|(name, file)| InspectedNet::of(name, file, args.games)).transpose()?;
    // The net before the last one has all its games.
    let last = other.as_ref().unwrap_or(&inspected);
    if last.games < args.games {
        stopped_after(last.games, args.games, "games")?;
    }
    let text = match &other {
        Some(other) => compare::compare(&inspected, other, args)?,
        None if args.json => format!("{}\n", in_json(&inspected, args)),
        None => Terminal::of_stdout().folded(&in_words(&inspected, args)),
    };
    write!(std::io::stdout(), "{text}")?;
    if let (Some(path), Some(name)) = (&args.plot, &args.net) {
        write_atomic(path, plot(&inspected, name, args)?.as_bytes())?;
    }
    if args.picture.is_some() || args.page.is_some() {
        draw(&inspected, args)?;
    }
    Ok(())
}

/// A net file, with its name.
fn open(path: &Path) -> anyhow::Result<(String, NetFile)> {
    let name = path.display().to_string();
    let file = open_net(&name)?;
    Ok((name, file))
}

/// Refuses the name of a net that the file does not have.
fn check_net(net: Option<&str>, path: &str, file: &NetFile) -> anyhow::Result<()> {
    let names: Vec<&str> = file.team.nets().iter().map(|net| net.name.as_str()).collect();
    match net.filter(|net| !names.contains(net)) {
        Some(net) => {
            let known = names.join(", ");
            Err(usage(format!("unknown net '{net}' in {path}: expected one of {known}")))
        }
        None => Ok(()),
    }
}

/// Draws what the nets look at.
fn draw(inspected: &InspectedNet, args: &Args) -> anyhow::Result<()> {
    let (file, games) = (&inspected.name, inspected.games);
    let base = format!("nonet inspect {} --games {games}", shell_word(&args.file));
    if let (Some(path), Some(name)) = (&args.picture, &args.net) {
        let net = option_words("--net", name);
        let command = format!("{base}{net} --picture {}", shell_word(path));
        let nets = NetInputs::of_team(&inspected.file.team, &inspected.positions, &command);
        let places = inspected.file.team.nets().iter().zip(&nets);
        if let Some((_, inputs)) = places.into_iter().find(|(net, _)| net.name == *name) {
            write_atomic(path, inputs.render()?.as_bytes())?;
        }
    }
    if let Some(path) = &args.page {
        let command = format!("{base} --page {}", shell_word(path));
        let nets = NetInputs::of_team(&inspected.file.team, &inspected.positions, "");
        write_atomic(path, net_inputs_page(&nets, file, games, &command)?.as_bytes())?;
    }
    Ok(())
}

/// The nets to show, each with its index.
fn shown<'a>(
    file: &'a NetFile,
    args: &'a Args,
) -> impl Iterator<Item = (usize, &'a nonet::eval::Net)> {
    let nets = file.team.nets().iter().enumerate();
    nets.filter(|(_, net)| args.net.as_ref().is_none_or(|name| *name == net.name))
}

fn classes(file: &NetFile, place: usize) -> Vec<(&'static str, u64)> {
    let learned = |slug: &str| file.provenance.examples.get(slug).copied().unwrap_or(0);
    file.team.classes_of(place).map(|class| (class.slug(), learned(class.slug()))).collect()
}

fn in_words(inspected: &InspectedNet, args: &Args) -> String {
    let file = &inspected.file;
    let p = &file.provenance;
    let mut text = format!(
        "{}: {}, {}, {} weights\n  made by {} with: {}\n  seed {}, the {} weights after {}{}\n",
        inspected.name,
        file.architecture_in_words(),
        counted(file.team.nets().len(), "net"),
        file.team.weights(),
        p.program,
        p.command,
        p.seed,
        p.weights,
        counted(p.games, "game"),
        p.parent.as_ref().map(|parent| format!(", begun from {parent}")).unwrap_or_default(),
    );
    if let Some(MeasuredResult { against, plies, games, ppg, stderr }) = &p.result {
        let half = Z95 * stderr;
        text += &format!(
            "  against {against}: {ppg:+.4} ± {half:.4} ppg (95 % interval) at {plies}-ply, over {games} games that had no part in \
             choosing it\n"
        );
    }
    if args.inputs.is_none() && args.net.is_none() {
        return text + &table(inspected, &args.by);
    }
    for (place, net) in shown(file, args) {
        let shape = net.mlp.shape();
        text += &format!("\n{}: {} {shape}\n", net.name, net.encoding.slug(),);
        for (class, learned) in classes(file, place) {
            text += &match p.examples.is_empty() {
                true => format!("  serves class {class}\n"),
                false => format!("  learned from {learned} positions of class {class}\n"),
            };
        }
        if args.inputs() > 0 {
            text += "sensitivity   used %   effect\n";
        }
        for important in inspected.important(place, &args.by).iter().take(args.inputs()) {
            let FeatureImportance { sensitivity, used, input, .. } = important;
            let (used, effect) = (100.0 * used, important.effect());
            text += &format!(
                "    {sensitivity:7.4}  {used:7.1}  {effect:7.4}  {} [{}]\n",
                input.name, input.unit
            );
        }
    }
    if args.inputs() > 0 {
        text += &format!(
            "\nsensitivity: largest change of equity for one unit of the input, in points per game\n\
             used: share of the net's positions, from {} of the team with itself, in which the input is not 0\n\
             effect: sensitivity times the mean of the input\n",
            counted(inspected.games, "game")
        );
        let is_softmax = |net: &nonet::eval::Net| {
            matches!(net.mlp.to_weights().activations.output, OutputActivation::SoftmaxFrom(_))
        };
        if shown(file, args).any(|(_, net)| is_softmax(net)) {
            text += "the outcomes of this team are a softmax, which is treated as linear: only ratios of these figures mean something\n";
        }
    }
    text
}

/// A line for each net.
fn table(inspected: &InspectedNet, by: &str) -> String {
    let file = &inspected.file;
    let mut text = format!(
        "{:<10} {:<12} {:<16} {:>10}  most important input\n",
        "net", "inputs", "shape", "learned"
    );
    for (place, net) in file.team.nets().iter().enumerate() {
        let learned: u64 = classes(file, place).iter().map(|(_, learned)| learned).sum();
        let learned = if learned == 0 { "-".to_owned() } else { learned.to_string() };
        let important = inspected.important(place, by);
        let first = important.first().map_or("", |first| first.input.name.as_str());
        text += &format!(
            "{:<10} {:<12} {:<16} {learned:>10}  {first}\n",
            net.name,
            net.encoding.slug(),
            net.mlp.shape().to_string(),
        );
    }
    let table = Terminal::of_stdout().table(&text);
    format!("\n{table}")
        + "\nlearned: positions; importance by the largest change of equity for one unit of the input\n\
            --inputs lists the inputs, --net NAME shows one net, --page FILE.html draws all\n"
}

fn in_json(inspected: &InspectedNet, args: &Args) -> Value {
    let file = &inspected.file;
    let nets: Vec<Value> = shown(file, args)
        .map(|(place, net)| {
            let important = inspected.important(place, &args.by);
            let inputs = important.iter().take(args.inputs());
            let inputs = inputs.map(|w| {
                json!({
                    "name": w.input.name, "unit": w.input.unit, "sensitivity": w.sensitivity, "norm": w.norm, "used": w.used,
                    "mean": w.mean, "effect": w.effect(),
                })
            });
            let learned: serde_json::Map<String, Value> =
                classes(file, place).into_iter().map(|(class, n)| (class.to_owned(), n.into())).collect();
            json!({
                "name": net.name, "encoding": net.encoding.slug(), "shape": net.mlp.shape(), "learned": learned,
                "positions": inspected.inputs.positions(place), "inputs": inputs.collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({"preset": file.architecture_in_words(), "provenance": file.provenance, "weights": file.team.weights(), "nets": nets})
}

fn plot(inspected: &InspectedNet, name: &str, args: &Args) -> anyhow::Result<String> {
    let Some(place) = inspected.file.team.nets().iter().position(|net| net.name == name) else {
        anyhow::bail!("unknown net '{name}'")
    };
    let important = inspected.important(place, &args.by);
    let top = &important[..args.inputs().clamp(1, important.len())];
    let (title, inputs) = (format!("Most important inputs of the {name} net"), args.inputs());
    let axis = Axis::new(args.by.clone(), "points per game");
    let chart = BarChart::new(title, "input", top.iter().map(|w| &w.input.name), axis);
    let (file, net) = (shell_word(&args.file), option_words("--net", name));
    let command = format!("nonet inspect {file}{net} --inputs {inputs} --by {}", args.by);
    let value = |w: &FeatureImportance| {
        if args.by == "effect" { w.effect() } else { f64::from(w.sensitivity) }
    };
    Ok(chart.command(command).series(BarSeries::new(&args.by, top.iter().map(value))).render()?)
}
