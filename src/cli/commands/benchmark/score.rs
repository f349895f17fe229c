//! What players lose on decisions, by class: the score, its table, its JSON and its plot.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use nonet::benchmark::{BenchmarkScore, GnubgDecisions};
use nonet::class::Class;
use nonet::eval::Evaluator;
use nonet::report::{Axis, BarChart, BarSeries, Chart};
use nonet::stats::Z95;
use nonet::store::write_atomic;
use serde_json::{Value, json};

use super::counted::Counted;
use super::{Args, References, command, open};
use crate::cli::args::player::{self, check};
use crate::cli::error::usage;
use crate::cli::interrupt::interruptible;
use crate::cli::output::progress_bar::show_progress;
use crate::cli::output::terminal::Terminal;

/// Decisions that players are scored on.
pub(super) trait Benchmark: Sync {
    /// How many.
    fn len(&self) -> usize;

    /// The score of an evaluator for each class, by its index, and in total.
    fn score(&self, evaluator: &dyn Evaluator)
    -> (BTreeMap<usize, BenchmarkScore>, BenchmarkScore);

    /// Which decisions, for JSON: the name of a field and its value.
    fn origin(&self) -> (&'static str, String);

    /// Who says what a play loses.
    fn judge(&self) -> &str;
}

impl Benchmark for References {
    fn len(&self) -> usize {
        let part = |held_out| self.part.includes(held_out);
        self.set.decisions.iter().filter(|decision| part(decision.held_out)).count()
    }

    fn score(
        &self,
        evaluator: &dyn Evaluator,
    ) -> (BTreeMap<usize, BenchmarkScore>, BenchmarkScore) {
        self.set.score(evaluator, self.part, self.judge)
    }

    fn origin(&self) -> (&'static str, String) {
        ("part", self.part.name().to_owned())
    }

    fn judge(&self) -> &str {
        &self.by
    }
}

/// The decisions of a benchmark file of GNU Backgammon.
pub(super) struct GnubgFile {
    decisions: GnubgDecisions,
    path: String,
}

impl GnubgFile {
    pub(super) fn read(path: &Path) -> anyhow::Result<GnubgFile> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| {
            usage(format!("cannot read {name}: {error}; a file .bm.bz2 must be unpacked first"))
        })?;
        let decisions = GnubgDecisions::from_text(&text, &name).map_err(usage)?;
        Ok(GnubgFile { decisions, path: name })
    }
}

impl Benchmark for GnubgFile {
    fn len(&self) -> usize {
        self.decisions.decisions.len()
    }

    fn score(
        &self,
        evaluator: &dyn Evaluator,
    ) -> (BTreeMap<usize, BenchmarkScore>, BenchmarkScore) {
        self.decisions.score(evaluator)
    }

    fn origin(&self) -> (&'static str, String) {
        ("file", self.path.clone())
    }

    fn judge(&self) -> &str {
        "the rollouts of gnubg"
    }
}

/// Scores every player and prints a table.
pub(super) fn score(args: &Args, benchmark: &impl Benchmark) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    let total = benchmark.len() as u64;
    let mut all = Vec::new();
    for spec in &args.players {
        let (word, player) = (spec.to_string(), open(spec, args.bearoff)?);
        let progress = interruptible();
        let (by_class, whole) =
            show_progress(&format!("decisions {word}"), total, &progress, |progress| {
                benchmark.score(&Counted { evaluator: player.as_ref(), progress })
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
            writeln!(out, "{}", in_json(&word, benchmark, &by_class, &whole))?;
        }
        all.push((word, by_class, whole));
    }
    let words: Vec<String> = all.iter().map(|(word, ..)| word.clone()).collect();
    for (name, scored) in player::short_names(&words).into_iter().zip(&mut all) {
        scored.0 = name;
    }
    if !args.json {
        write!(out, "{}", Terminal::of_stdout().fitted(&in_words(benchmark, &all)))?;
    }
    if let Some(path) = &args.plot {
        write_atomic(path, plot(args, benchmark.judge(), &all)?.as_bytes())?;
    }
    Ok(())
}
type Scored = (String, BTreeMap<usize, BenchmarkScore>, BenchmarkScore);

fn name(place: usize) -> &'static str {
    Class::all().nth(place).map_or("", Class::slug)
}

fn in_words(benchmark: &impl Benchmark, all: &[Scored]) -> String {
    let mut text = format!(
        "ER (1000 x points lost a decision), {}, judged by {};\n± is half the 95 % interval\n\n",
        benchmark.origin().1,
        benchmark.judge()
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
    text + &of_all(all, wide)
}

/// What is said of all decisions together.
fn of_all(all: &[Scored], wide: usize) -> String {
    let mut text = String::new();
    for (word, _, whole) in all {
        let agreed = 100.0 * whole.agreed;
        if let (Some(equity), Some(outcomes)) = (whole.equity_error, whole.outcome_errors) {
            if text.is_empty() {
                text += "\nof all, for the best play: mean absolute error of the equity and of the outcomes, and share of decisions agreed on\n";
            }
            let outcomes = outcomes.map(|error| format!("{error:.4}")).join(" ");
            text += &format!("{word:<wide$}  {equity:.4}  {outcomes}  {agreed:.1} %\n");
        }
        if let Some(unlisted) = whole.unlisted {
            if text.is_empty() {
                text += "\nof all: share of decisions agreed on, and share of plays that the file does not list; they lose what its worst play loses\n";
            }
            text += &format!("{word:<wide$}  {agreed:.1} %  {:.1} %\n", 100.0 * unlisted);
        }
    }
    text
}

fn in_json(
    word: &str,
    benchmark: &impl Benchmark,
    by_class: &BTreeMap<usize, BenchmarkScore>,
    whole: &BenchmarkScore,
) -> Value {
    let classes: serde_json::Map<String, Value> =
        by_class.iter().map(|(&place, score)| (name(place).to_owned(), json!(score))).collect();
    let (field, origin) = benchmark.origin();
    let judge = benchmark.judge();
    json!({"player": word, field: origin, "judged_by": judge, "all": whole, "classes": classes})
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
