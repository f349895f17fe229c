//! What players lose on decisions, by class: the score, its table, its JSON and its plot.

use std::collections::BTreeMap;
use std::io::Write;

use nonet::benchmark::{BenchmarkScore, Split};
use nonet::class::Class;
use nonet::report::{Axis, BarChart, BarSeries, Chart};
use nonet::stats::Z95;
use nonet::store::write_atomic;
use serde_json::{Value, json};

use super::counted::Counted;
use super::{Args, References, command, open};
use crate::cli::args::player::{self, check};
use crate::cli::interrupt::interruptible;
use crate::cli::output::progress_bar::show_progress;
use crate::cli::output::terminal::Terminal;

/// Scores every player and prints a table.
pub(super) fn score(args: &Args, references: &References) -> anyhow::Result<()> {
    let References { set, part, judge, by } = references;
    let mut out = std::io::stdout();
    let scored = set.decisions.iter().filter(|decision| part.includes(decision.held_out));
    let total = scored.count() as u64;
    let mut all = Vec::new();
    for spec in &args.players {
        let (word, player) = (spec.to_string(), open(spec, args.bearoff)?);
        let progress = interruptible();
        let (by_class, whole) =
            show_progress(&format!("decisions {word}"), total, &progress, |progress| {
                set.score(&Counted { evaluator: player.as_ref(), progress }, *part, *judge)
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
            writeln!(out, "{}", in_json(&word, *part, by, &by_class, &whole))?;
        }
        all.push((word, by_class, whole));
    }
    let words: Vec<String> = all.iter().map(|(word, ..)| word.clone()).collect();
    for (name, scored) in player::short_names(&words).into_iter().zip(&mut all) {
        scored.0 = name;
    }
    if !args.json {
        write!(out, "{}", Terminal::of_stdout().fitted(&in_words(*part, by, &all)))?;
    }
    if let Some(path) = &args.plot {
        write_atomic(path, plot(args, by, &all)?.as_bytes())?;
    }
    Ok(())
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
