//! The plots and the page of a training run.

use super::{
    Axis, BarChart, BarSeries, Chart, HtmlTable, LineChart, Page, PlotSeries, ReportError,
};
use crate::class::Class;
use crate::train::{GateResult, RunProgress, TestResult, TestRow, csv};

/// The charts of a run, each with its file name; none before the first test.
///
/// # Errors
/// [`ReportError`] when a chart cannot be drawn.
pub fn run_charts(
    progress: &RunProgress,
    command: &str,
    against: &str,
) -> Result<Vec<(&'static str, String)>, ReportError> {
    if progress.history.is_empty() {
        return Ok(Vec::new());
    }
    let (early, regular) = early_and_regular(&progress.history);
    let first = first_games(early, command, against).map(|chart| chart.render()).transpose()?;
    let mut charts: Vec<(&str, String)> =
        first.map(|svg| ("beginning.svg", svg)).into_iter().collect();
    charts.extend([
        ("equity.svg", equity(regular, command, against).render()?),
        ("classes.svg", classes(progress, command).render()?),
        ("td-error.svg", td_error(&progress.history, command).render()?),
    ]);
    Ok(charts)
}

/// The early tests with the first regular one, and the regular tests. On one axis the steep start of the curve would
/// flatten the rest. A short history is not split.
fn early_and_regular(history: &[TestRow]) -> (&[TestRow], &[TestRow]) {
    let last = history.last().map_or(0, |row| row.games);
    let early = history.iter().take_while(|row| row.games < last / 60).count();
    if early < 2 || history.len() - early < 4 {
        (&[], history)
    } else {
        (&history[..=early], &history[early..])
    }
}

fn first_games(early: &[TestRow], command: &str, against: &str) -> Option<LineChart> {
    if early.is_empty() {
        return None;
    }
    let games = Axis::new("games learned from", "games");
    let y = Axis::new(format!("equity against {against}"), "points per game");
    let points = early.iter().map(|row| (row.games as f64, row.last.ppg));
    let raw = PlotSeries::line("last weights", points)
        .band("± 1 standard error", early.iter().map(|row| row.last.stderr));
    Some(
        LineChart::new("The first games", games, y)
            .command(command)
            .series(raw)
            .reference(0.0, "parity"),
    )
}

/// The page of a run.
///
/// # Errors
/// [`ReportError`] when a chart cannot be drawn.
pub fn run_page(
    progress: &RunProgress,
    command: &str,
    against: &str,
) -> Result<String, ReportError> {
    let counts = [
        ("games learned from", progress.games),
        ("positions learned from", progress.positions),
        ("games given up as endless", progress.endless),
    ];
    let facts = counts.into_iter().chain(progress.record_stats.counts());
    let facts = facts.map(|(what, count)| (what, count.to_string()));
    let mut page = Page::new("A training run of nonet").command(command).facts(facts);
    if let Some(row) = progress.best.and_then(|(place, _)| progress.history.get(place)) {
        let ppg = |name: &str, result: &TestResult| {
            format!("{name} {:+.3} ± {:.3}", result.ppg, result.stderr)
        };
        let average = row
            .ema
            .as_ref()
            .map(|result| format!(", {}", ppg("average", result)))
            .unwrap_or_default();
        page = page.paragraph(format!(
            "The best weights so far are those after {} games ({}{average} points per game against {against}, one standard \
             error). They were chosen by these tests, which all use the same dice, so the figure is slightly too high; \
             nonet eval measures them with other dice.",
            row.games,
            ppg("last weights", &row.last),
        ));
    }
    if !progress.history.is_empty() {
        let (early, regular) = early_and_regular(&progress.history);
        page = page.heading("Equity over games").chart(&equity(regular, command, against))?;
        if let Some(chart) = first_games(early, command, against) {
            page = page.chart(&chart)?;
        }
        page = page
            .heading("Positions by class")
            .paragraph("Shares of the positions learned from, beside those of Wiering, Patist & Mannen, section 4.1.")
            .chart(&classes(progress, command))?
            .table(&class_table(progress))
            .heading("Temporal differences by class")
            .chart(&td_error(&progress.history, command))?
            .heading("Tests")
            .table(&test_table(&progress.history));
    }
    if !progress.gates.is_empty() {
        page = page
            .heading("Gate")
            .paragraph(
                "Tests are played against the incumbent. At intervals the best weights since the last decision play a match \
                 against it on separate dice; if they win significantly, they become the incumbent and learning \
                 continues from them.",
            )
            .table(&gate_table(&progress.gates));
    }
    Ok(page.render())
}

/// The text files of a run by name: the table of its tests, the plots and the page.
///
/// # Errors
/// [`ReportError`] when something cannot be drawn.
pub fn run_files(
    progress: &RunProgress,
    command: &str,
    against: &str,
) -> Result<Vec<(&'static str, String)>, ReportError> {
    let mut files = vec![("history.csv", csv(&progress.history))];
    files.extend(run_charts(progress, command, against)?);
    files.push(("report.html", run_page(progress, command, against)?));
    Ok(files)
}

/// Mean of each value and its neighbours, as the paper smooths its curves (section 4.2).
#[must_use]
pub fn smoothed(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    (0..points.len())
        .map(|i| {
            let near = &points[i.saturating_sub(1)..(i + 2).min(points.len())];
            (points[i].0, near.iter().map(|(_, y)| y).sum::<f64>() / near.len() as f64)
        })
        .collect()
}

fn equity(history: &[TestRow], command: &str, against: &str) -> LineChart {
    let games = Axis::new("games learned from", "games");
    let y = Axis::new(format!("equity against {against}"), "points per game");
    let mut chart =
        LineChart::new("Equity over games", games, y).command(command).reference(0.0, "parity");
    let of = |pick: &dyn Fn(&TestRow) -> Option<TestResult>| -> Vec<(f64, TestResult)> {
        history.iter().filter_map(|row| Some((row.games as f64, pick(row)?))).collect()
    };
    let kinds =
        [("last weights", of(&|row| Some(row.last))), ("averaged weights", of(&|row| row.ema))];
    for (color_index, (name, results)) in
        kinds.into_iter().filter(|(_, results)| !results.is_empty()).enumerate()
    {
        let points: Vec<(f64, f64)> =
            results.iter().map(|(games, result)| (*games, result.ppg)).collect();
        let smooth = smoothed(&points);
        let raw = PlotSeries::faint(format!("{name}, each test"), points);
        let raw = raw.band("± 1 standard error", results.iter().map(|(_, result)| result.stderr));
        chart = chart.series(raw.color_index(color_index)).series(
            PlotSeries::line(format!("{name}, with neighbours"), smooth).color_index(color_index),
        );
    }
    chart
}

fn shares(progress: &RunProgress) -> Vec<f64> {
    let total = progress.examples();
    let all = total.values().sum::<u64>().max(1) as f64;
    total.values().map(|&n| 100.0 * n as f64 / all).collect()
}

fn classes(progress: &RunProgress, command: &str) -> BarChart {
    let paper = Class::all().map(|class| f64::from(100.0 * class.paper_share()));
    BarChart::new(
        "Positions learned from, by class",
        "class",
        Class::all().map(Class::slug),
        Axis::new("share", "%"),
    )
    .command(command)
    .series(BarSeries::new("this run", shares(progress)))
    .series(BarSeries::new("the paper", paper))
    .show_values(1)
}

fn class_table(progress: &RunProgress) -> HtmlTable {
    let mut table = HtmlTable::new(["class", "examples", "share %", "paper %", "rule"]);
    for ((class, examples), share) in progress.examples().iter().zip(shares(progress)) {
        let paper = 100.0 * class.paper_share();
        table = table.row([
            class.slug().to_owned(),
            examples.to_string(),
            format!("{share:.1}"),
            format!("{paper:.1}"),
            class.spec().meaning.to_owned(),
        ]);
    }
    table
}

fn td_error(history: &[TestRow], command: &str) -> LineChart {
    let games = Axis::new("games learned from", "games");
    let y = Axis::new("root mean square of target less prediction", "points per game");
    let mut chart = LineChart::new("Temporal differences by class", games, y).command(command);
    for class in Class::all() {
        let point = |row: &TestRow| Some((row.games as f64, row.learned.td_error(class)?));
        let points: Vec<(f64, f64)> = history.iter().filter_map(point).collect();
        if !points.is_empty() {
            chart = chart.series(PlotSeries::line(class.slug(), points));
        }
    }
    chart
}

fn test_table(history: &[TestRow]) -> HtmlTable {
    let mut table =
        HtmlTable::new(["games", "ppg", "± s.e.", "won %", "points %", "averaged ppg", "± s.e."]);
    for TestRow { games, last, ema, .. } in history {
        let averaged = |of: fn(&TestResult) -> String| ema.as_ref().map(of).unwrap_or_default();
        table = table.row([
            games.to_string(),
            format!("{:+.3}", last.ppg),
            format!("{:.3}", last.stderr),
            format!("{:.1}", 100.0 * last.wins),
            format!("{:.1}", 100.0 * last.points),
            averaged(|result| format!("{:+.3}", result.ppg)),
            averaged(|result| format!("{:.3}", result.stderr)),
        ]);
    }
    table
}

fn gate_table(results: &[GateResult]) -> HtmlTable {
    let mut table =
        HtmlTable::new(["after games", "best weights after", "ppg", "± s.e.", "promoted"]);
    for GateResult { games, best_after, result, promoted } in results {
        let shown = |of: fn(&TestResult) -> String| result.as_ref().map(of).unwrap_or_default();
        table = table.row([
            games.to_string(),
            best_after.to_string(),
            shown(|result| format!("{:+.3}", result.ppg)),
            shown(|result| format!("{:.3}", result.stderr)),
            if *promoted { "yes" } else { "no" }.to_owned(),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoothing_is_the_mean_with_both_neighbours_and_with_one_at_the_ends() {
        let points = [(1.0, 0.0), (2.0, 3.0), (3.0, 0.0)];
        assert_eq!(smoothed(&points), [(1.0, 1.5), (2.0, 1.0), (3.0, 1.5)]);
    }
}
