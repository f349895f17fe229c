//! `nonet benchmark`: what players lose on a set of decisions.

mod counted;
mod time;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nonet::benchmark::{
    BenchmarkScore, DecisionSet, ReferenceConfig, SamplingConfig, Split, sampled, with_references,
};
use nonet::class::Class;
use nonet::engine::Engine;
use nonet::eval::Evaluator;
use nonet::open::{BUILT_IN, PlayerSpec};
use nonet::report::{Axis, BarChart, BarSeries, Chart};
use nonet::search::{Plies, SearchSettings};
use nonet::stats::Z95;
use nonet::store::write_atomic;
use serde_json::{Value, json};

use self::counted::Counted;
use crate::cli::args::databases::databases;
use crate::cli::args::nats::NatsArgs;
use crate::cli::args::player::{self, check, open_evaluator};
use crate::cli::args::threads::pool;
use crate::cli::error::usage;
use crate::cli::interrupt::interruptible;
use crate::cli::output::examples::examples;
use crate::cli::output::progress_bar::show_progress;
use crate::cli::output::terminal::Terminal;

/// Score players on reference decisions, by position class.
///
/// ER is 1000 times the mean loss of a decision, in points per game. --make collects decisions
/// instead and has engines judge them.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    (
        "Score the built-in net at 1-ply and 2-ply on the decisions of nonet's repository",
        "nonet benchmark built-in built-in:2 --decisions nets/decisions.txt",
    ),
    (
        "Measure error rate and time, and plot one over the other",
        "nonet benchmark built-in:2 built-in:3 --time --plot times.svg",
    ),
]))]
pub(crate) struct Args {
    /// Players: nets as for `nonet eval`, or gnubg:1 to gnubg:4.
    ///
    /// `NET:2` decides at 2-ply. gnubg:N is GNU Backgammon at its N - 1 plies.
    #[arg(default_value = BUILT_IN, value_name = "PLAYER")]
    players: Vec<PlayerSpec>,
    /// File of the reference decisions.
    #[arg(long, default_value = "nets/decisions.txt", value_name = "FILE")]
    decisions: PathBuf,
    /// Part of the decisions.
    #[arg(long, default_value = "development", value_name = "PART")]
    part: Split,
    /// Score by this judge instead of the mean of all judges.
    ///
    /// The first letters of the name are enough.
    #[arg(long, value_name = "JUDGE")]
    by: Option<String>,
    /// Players use the bearoff databases.
    ///
    /// `nonet bearoff` makes them.
    #[arg(long, alias = "endings")]
    bearoff: bool,
    /// Print JSON, one line a player.
    #[arg(long)]
    json: bool,
    /// Measure how long players take, too.
    ///
    /// The plays that players choose with their move filters are scored. --plot then plots the ER
    /// over the time. Without --threads, one thread is used.
    #[arg(long, conflicts_with = "make")]
    time: bool,
    /// With --time: move filters of nets, one after another.
    ///
    /// A filter is tiny, narrow, normal, large, huge or all. normal/6 evaluates only 6 replies to a
    /// roll. Default: normal, which is normal/5.
    #[arg(
        long,
        value_name = "FILTER",
        value_delimiter = ',',
        requires = "time",
        hide_long_help = true
    )]
    filter: Vec<String>,
    /// Plot the ER by class.
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Number of threads [default: one per processor]
    ///
    /// Scores do not depend on it.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    nats: NatsArgs,
    /// Make a file of decisions.
    ///
    /// They occur in games of the first player against itself.
    #[arg(
        long,
        value_name = "FILE",
        requires = "judge",
        help_heading = "Making decisions",
        hide_long_help = true
    )]
    make: Option<PathBuf>,
    /// Engine that judges the decisions; may be repeated.
    ///
    /// A judge is named like a player.
    #[arg(
        long,
        value_name = "JUDGE",
        requires = "make",
        help_heading = "Making decisions",
        hide_long_help = true
    )]
    judge: Vec<PlayerSpec>,
    /// Take decisions as they occur, easy ones included.
    ///
    /// Otherwise close decisions are taken, evenly by class, from games that sometimes leave the
    /// best play.
    #[arg(long, requires = "make", help_heading = "Making decisions", hide_long_help = true)]
    natural: bool,
    /// Begin the games at positions that self-play hardly reaches.
    ///
    /// Bearoffs with contact, several checkers caught after some were off, closed boards and deep
    /// back games, each drawn at random.
    #[arg(long, requires = "make", help_heading = "Making decisions", hide_long_help = true)]
    drawn_starts: bool,
    /// Number of decisions; every second one is held out.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 3000,
        requires = "make",
        help_heading = "Making decisions",
        hide_long_help = true
    )]
    number: usize,
    /// Seed of the games.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        requires = "make",
        help_heading = "Making decisions",
        hide_long_help = true
    )]
    seed: u64,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let pool = pool(args.threads.or(args.time.then_some(1)))?;
    match &args.make {
        Some(path) => pool.install(|| make(args, path)),
        None => pool.install(|| score(args)),
    }
}

fn open(player: &PlayerSpec, bearoff: bool) -> anyhow::Result<Arc<dyn Evaluator>> {
    let bearoff = bearoff.then(databases).transpose()?;
    open_evaluator(player, Plies::ONE, bearoff.as_ref())
}

fn score(args: &Args) -> anyhow::Result<()> {
    if args.nats.is_given() {
        return Err(usage("--nats needs --make: scoring decisions takes seconds"));
    }
    let path = args.decisions.display();
    let text = std::fs::read_to_string(&args.decisions).map_err(|error| {
        usage(format!(
            "cannot read the decisions in {path}: {error}; --decisions names another file, \
             and nonet's repository has nets/decisions.txt"
        ))
    })?;
    let set = DecisionSet::from_text(&text, &path.to_string()).map_err(usage)?;
    let judge = match &args.by {
        None => None,
        Some(name) => Some(judge_named(&set, name).ok_or_else(|| {
            usage(format!("no judge is called '{name}': there are {}", set.judges.join(", ")))
        })?),
    };
    let judges = player::short_names(&set.judges);
    let by = judge.map_or_else(|| judges.join(" and "), |judge| judges[judge].clone());
    let mut out = std::io::stdout();
    if args.time {
        return time(args, &set, judge, &by);
    }
    let scored = set.decisions.iter().filter(|decision| args.part.includes(decision.held_out));
    let total = scored.count() as u64;
    let mut all = Vec::new();
    for spec in &args.players {
        let (word, player) = (spec.to_string(), open(spec, args.bearoff)?);
        let progress = interruptible();
        let (by_class, whole) =
            show_progress(&format!("decisions {word}"), total, &progress, |progress| {
                set.score(&Counted { evaluator: player.as_ref(), progress }, args.part, judge)
            });
        // Ctrl-C reaches gnubg, too: its end is then no failure.
        if progress.is_stopped() {
            if all.is_empty() {
                anyhow::bail!("interrupted before any player was scored: there is no result");
            }
            writeln!(std::io::stderr(), "stopped at {word}; the players before it:")?;
            break;
        }
        check(player.failure())?;
        if args.json {
            writeln!(out, "{}", in_json(&word, args.part, &by, &by_class, &whole))?;
        }
        all.push((word, by_class, whole));
    }
    let words: Vec<String> = all.iter().map(|(word, ..)| word.clone()).collect();
    for (name, scored) in player::short_names(&words).into_iter().zip(&mut all) {
        scored.0 = name;
    }
    if !args.json {
        write!(out, "{}", Terminal::of_stdout().fitted(&in_words(args.part, &by, &all)))?;
    }
    if let Some(path) = &args.plot {
        write_atomic(path, plot(args, &by, &all)?.as_bytes())?;
    }
    Ok(())
}

/// The judge whose name, or its short form, starts like this.
fn judge_named(set: &DecisionSet, name: &str) -> Option<usize> {
    let short = player::short_names(&set.judges);
    set.judge(name).or_else(|| short.iter().position(|short| short.starts_with(name)))
}

/// Scores and times plays.
fn time(args: &Args, set: &DecisionSet, judge: Option<usize>, by: &str) -> anyhow::Result<()> {
    let bearoff = args.bearoff.then(databases).transpose()?;
    let mut out = std::io::stdout();
    let mut all = Vec::new();
    for filter in &args.filter {
        filter.parse::<SearchSettings>().map_err(usage)?;
    }
    let filters = match args.filter.as_slice() {
        [] => vec![None],
        filters => filters.iter().map(|filter| Some(filter.as_str())).collect(),
    };
    let searches =
        |spec: &PlayerSpec| matches!(spec, PlayerSpec::BuiltIn(_) | PlayerSpec::Net { .. });
    let players = args.players.iter().flat_map(|spec| {
        let filters = if searches(spec) { filters.clone() } else { vec![None] };
        filters.into_iter().map(move |filter| (spec, filter))
    });
    for (spec, filter) in players {
        let bearoff = bearoff.as_ref();
        let scored = time::timed_score(spec, bearoff, set, args.part, judge, filter)?;
        if args.json {
            writeln!(out, "{}", scored.in_json(args.part, by))?;
        }
        all.push(scored);
    }
    let threads = rayon::current_num_threads();
    if !args.json {
        let text = time::in_words(args.part, by, threads, &all);
        write!(out, "{}", Terminal::of_stdout().fitted(&text))?;
    }
    if let Some(path) = &args.plot {
        let svg = time::chart(by, command(args) + " --time", &all)?;
        write_atomic(path, svg.as_bytes())?;
    }
    Ok(())
}

/// The command that scores.
fn command(args: &Args) -> String {
    format!(
        "nonet benchmark {} --part {}{}",
        player::in_words(&args.players),
        args.part.name(),
        if args.bearoff { " --bearoff" } else { "" }
    )
}

type Scored = (String, BTreeMap<usize, BenchmarkScore>, BenchmarkScore);

fn name(place: usize) -> &'static str {
    Class::all().nth(place).map_or("", Class::slug)
}

fn in_words(part: Split, by: &str, all: &[Scored]) -> String {
    let mut text = format!(
        "ER (1000 x points lost a decision), {}, judged by {by};\n± is half the 95 % interval\n\n",
        part.name()
    );
    let wide = all.iter().map(|(word, ..)| word.chars().count()).max().unwrap_or(0).max(14);
    text += &format!("{:<10} {:>9}", "class", "decisions");
    for (word, ..) in all {
        text += &format!("  {word:>wide$}");
    }
    text.push('\n');
    let row = |label: &str, of: &dyn Fn(&Scored) -> BenchmarkScore| {
        let mut text = format!("{label:<10} {:>9}", all.first().map_or(0, |s| of(s).decisions));
        for scored in all {
            let score = of(scored);
            text +=
                &format!("  {:>wide$}", format!("{:.2} ± {:.2}", score.er, Z95 * score.er_stderr));
        }
        text + "\n"
    };
    let places: Vec<usize> =
        all.first().map(|(_, by_class, _)| by_class.keys().copied().collect()).unwrap_or_default();
    for place in places {
        text += &row(name(place), &|(_, by_class, _)| {
            by_class.get(&place).copied().unwrap_or_default()
        });
    }
    text += &row("all", &|(.., whole)| *whole);
    text += "\nof all, for the best play: mean absolute error of the equity and of the outcomes, and share of decisions agreed on\n";
    for (word, _, whole) in all {
        let outcomes: Vec<String> =
            whole.outcome_errors.iter().map(|error| format!("{error:.4}")).collect();
        text += &format!(
            "{word:<wide$}  {:.4}  {}  {:.1} %\n",
            whole.equity_error,
            outcomes.join(" "),
            100.0 * whole.agreed
        );
    }
    text
}

fn in_json(
    word: &str,
    part: Split,
    by: &str,
    by_class: &BTreeMap<usize, BenchmarkScore>,
    whole: &BenchmarkScore,
) -> Value {
    let classes: serde_json::Map<String, Value> =
        by_class.iter().map(|(&place, score)| (name(place).to_owned(), json!(score))).collect();
    json!({"player": word, "part": part.name(), "judged_by": by, "all": whole, "classes": classes})
}

fn plot(args: &Args, by: &str, all: &[Scored]) -> anyhow::Result<String> {
    let places: Vec<usize> =
        all.first().map(|(_, by_class, _)| by_class.keys().copied().collect()).unwrap_or_default();
    let er = Axis::new("ER", "1000 x points lost a decision");
    let title = format!("What decisions lose, judged by {by}");
    let labels = places.iter().map(|&place| name(place)).chain(["all"]);
    let command = command(args);
    let mut chart = BarChart::new(title, "class", labels, er).command(command).show_values(1);
    for (word, by_class, whole) in all {
        let scores: Vec<BenchmarkScore> = places
            .iter()
            .map(|place| by_class.get(place).copied().unwrap_or_default())
            .chain([*whole])
            .collect();
        let bars = BarSeries::new(word, scores.iter().map(|score| score.er))
            .error_bars("95 % interval", scores.iter().map(|score| Z95 * score.er_stderr));
        chart = chart.series(bars);
    }
    Ok(chart.render()?)
}

fn make(args: &Args, path: &Path) -> anyhow::Result<()> {
    if args.number == 0 {
        return Err(usage("--number must be at least 1"));
    }
    let player = open(&args.players[0], true)?;
    let judges =
        args.judge.iter().map(|judge| open(judge, true)).collect::<anyhow::Result<Vec<_>>>()?;
    let shallow = Engine::builder()
        .evaluator(Arc::clone(&player))
        .plies(Plies::TWO)
        .search_settings(SearchSettings::FULL)
        .build()?
        .evaluator();
    let sampling = match args.natural {
        true => SamplingConfig::natural(args.number, args.seed),
        false => SamplingConfig::new(args.number, args.seed),
    };
    let sampling = SamplingConfig { drawn: args.drawn_starts, ..sampling };
    let config = ReferenceConfig::default();
    let found = sampled(player.as_ref(), &sampling);
    let machines = args.nats.connect()?;
    let progress = machines.of(interruptible());
    let decisions = show_progress("decisions", found.len() as u64, &progress, |progress| {
        with_references(&found, shallow.as_ref(), &judges, &config, progress)
    });
    machines.check()?;
    machines.end();
    std::iter::once(&player).chain(&judges).try_for_each(|engine| check(engine.failure()))?;
    let Some(decisions) = decisions else { anyhow::bail!("interrupted: nothing was written") };
    let command = format!(
        "nonet benchmark {} --make {}{}{} --number {} --seed {} {}",
        args.players[0],
        path.display(),
        if args.natural { " --natural" } else { "" },
        if args.drawn_starts { " --drawn-starts" } else { "" },
        args.number,
        args.seed,
        args.judge.iter().map(|word| format!("--judge {word}")).collect::<Vec<_>>().join(" ")
    );
    let judge_names = args.judge.iter().map(PlayerSpec::to_string).collect();
    let set = DecisionSet::new(command, &sampling, &config, judge_names, decisions);
    write_atomic(path, set.to_text().as_bytes())?;
    writeln!(std::io::stdout(), "{} decisions in {}", set.decisions.len(), path.display())?;
    Ok(())
}
