//! The charts of a training run.

use super::knowledge_part::values_chart;
use super::{Axis, BarChart, BarSeries, Chart, LineChart, PanelChart, PlotSeries, ReportError};
use nonet_engine::class::Class;
use nonet_engine::stats::Z95;
use nonet_training::train::{RunProgress, TestResult, TestRow};

/// Tests after fewer games than this are left out where they would hide the others: the errors of
/// random weights.
const SETTLED: u64 = 1_000;

/// What the charts of a run show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tests<'a> {
    pub(super) progress: &'a RunProgress,
    /// The command that makes the run.
    pub(super) command: &'a str,
    /// The opponent of the tests, in words.
    pub(super) against: &'a str,
    /// The other opponents.
    pub(super) others: &'a [String],
}

/// The charts of a run, each with its file name; none before the first test.
pub(super) fn run_charts(tests: &Tests) -> Result<Vec<(&'static str, String)>, ReportError> {
    let Tests { progress, command, .. } = *tests;
    if progress.history.is_empty() {
        return Ok(Vec::new());
    }
    let mut charts = vec![
        ("equity.svg", equity(tests).render()?),
        ("classes.svg", classes(progress, command).render()?),
    ];
    if let Some(chart) = td_error(&progress.history, command) {
        charts.push(("td-error.svg", chart.render()?));
    }
    if let Some(chart) = values_chart(&progress.knowledge, command) {
        charts.push(("values.svg", chart.render()?));
    }
    Ok(charts)
}

/// Mean of each value and its neighbours, as the paper smooths its curves (section 4.2).
///
/// ```
/// let points = [(0.0, 0.0), (1.0, 3.0), (2.0, 3.0)];
/// assert_eq!(nonet_report::smoothed(&points), [(0.0, 1.5), (1.0, 2.0), (2.0, 3.0)]);
/// ```
#[must_use]
pub fn smoothed(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    (0..points.len())
        .map(|i| {
            let near = &points[i.saturating_sub(1)..(i + 2).min(points.len())];
            (points[i].0, near.iter().map(|(_, y)| y).sum::<f64>() / near.len() as f64)
        })
        .collect()
}

/// The whole learning curve.
pub(super) fn equity(tests: &Tests) -> LineChart {
    let history = &tests.progress.history;
    let chart = curve("Learning curve", tests, history);
    if !zero_is_near(history) {
        return chart;
    }
    chart.reference(0.0, equal_to(tests.against))
}

/// The name of the line at 0, where the runs are as strong as the opponent of their tests.
pub(super) fn equal_to(against: &str) -> String {
    // The path of a net would not fit next to the plot; the axis names it.
    if against.contains('/') { "equal".to_owned() } else { format!("equal to {against}") }
}

/// Whether a line at 0 leaves at least half of the height to the tests.
fn zero_is_near(history: &[TestRow]) -> bool {
    let results = || history.iter().flat_map(|row| [Some(row.last), row.ema]).flatten();
    let ends = || results().flat_map(|r| [r.ppg - Z95 * r.stderr, r.ppg + Z95 * r.stderr]);
    let (low, high) = (ends().fold(f64::MAX, f64::min), ends().fold(f64::MIN, f64::max));
    let room = high - low;
    (low - room..=high + room).contains(&0.0)
}

/// The last part of the learning curve, if there is enough of it.
pub(super) fn late_equity(tests: &Tests) -> Option<LineChart> {
    let progress = tests.progress;
    let last = progress.history.last()?.games;
    let from = progress.history.iter().position(|row| row.games >= last / 20)?;
    let late = &progress.history[from..];
    (from >= 3 && late.len() >= 5).then(|| curve("The last part of it", tests, late))
}

fn curve(title: &str, tests: &Tests, history: &[TestRow]) -> LineChart {
    let Tests { progress, command, against, others } = *tests;
    let games = Axis::new("games learned from", "games");
    let y = Axis::new(format!("score against {against}"), "points per game");
    let mut chart = LineChart::new(title, games, y).command(command).logarithmic_x();
    let of = |pick: &dyn Fn(&TestRow) -> Option<TestResult>| -> Vec<(f64, TestResult)> {
        history.iter().filter_map(|row| Some((row.games as f64, pick(row)?))).collect()
    };
    let average = of(&|row| row.ema);
    let last = of(&|row| Some(row.last));
    let kinds =
        [("moving average of the weights", &average), ("weights after the last game", &last)];
    for (color_index, (name, results)) in kinds.into_iter().enumerate() {
        if results.is_empty() {
            continue;
        }
        let points = results.iter().map(|(games, result)| (*games, result.ppg));
        let line = PlotSeries::line(name, points).markers().color_index(color_index);
        let halves = results.iter().map(|(_, result)| Z95 * result.stderr);
        chart = chart.series(line.band("95 % interval of each test", halves));
    }
    for (place, other) in others.iter().enumerate() {
        let results = of(&|row| row.others.get(place).copied());
        if results.is_empty() {
            continue;
        }
        let points = results.iter().map(|(games, result)| (*games, result.ppg));
        let line = PlotSeries::line(format!("against {other}"), points).markers();
        let halves = results.iter().map(|(_, result)| Z95 * result.stderr);
        // The third colour is that of the last match.
        chart =
            chart.series(line.color_index(place + 3).band("95 % interval of each test", halves));
    }
    let end = average.last().map(|(_, end)| (end, 0)).or(last.last().map(|(_, end)| (end, 1)));
    match (&progress.last_match, &progress.play_off) {
        (Some(played), Some(play_off)) => {
            let at = [(play_off.winner.games as f64, played.result.ppg)];
            let name = format!("best.nonet in the last match, {} fresh games", played.games);
            let dot = PlotSeries::dots(name, at).color_index(2);
            let chart = chart.series(dot.band("95 % interval", [Z95 * played.result.stderr]));
            chart.label(played.result.ppg, format!("{:+.3}", played.result.ppg), 2)
        }
        _ => match end {
            Some((end, color)) => chart.label(end.ppg, format!("{:+.3}", end.ppg), color),
            None => chart,
        },
    }
}

/// The share of each class of the positions learned from, in percent.
pub(super) fn shares(progress: &RunProgress) -> Vec<f64> {
    let total = progress.examples();
    let all = total.values().sum::<u64>().max(1) as f64;
    total.values().map(|&n| 100.0 * n as f64 / all).collect()
}

pub(super) fn classes(progress: &RunProgress, command: &str) -> BarChart {
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

/// The errors of each class that was learned from; `None` if none was.
pub(super) fn td_error(history: &[TestRow], command: &str) -> Option<PanelChart> {
    let games = Axis::new("games learned from", "games");
    let y = Axis::new("root mean square of target less prediction", "points per game");
    let settled = history.iter().filter(|row| row.games >= SETTLED).count() > 1;
    let shown = |row: &&TestRow| !settled || row.games >= SETTLED;
    let mut chart = PanelChart::new("Temporal differences by class", games, y).command(command);
    let mut panels = 0;
    for class in Class::all() {
        let point = |row: &TestRow| Some((row.games as f64, row.learned.td_error(class)?));
        let points: Vec<(f64, f64)> = history.iter().filter(shown).filter_map(point).collect();
        if !points.is_empty() {
            chart = chart.panel(class.slug(), points);
            panels += 1;
        }
    }
    let largest = history
        .iter()
        .filter(shown)
        .flat_map(|row| Class::all().filter_map(|class| row.learned.td_error(class)));
    let decimals = if largest.fold(0.0, f64::max) < 0.1 { 3 } else { 2 };
    (panels > 0).then(|| chart.decimals(decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ppg: f64) -> TestRow {
        TestRow {
            games: 1000,
            alpha: 0.1,
            lambda: 0.6,
            last: TestResult { ppg, stderr: 0.01, wins: 0.5, points: 0.5 },
            ema: None,
            others: Vec::new(),
            learned: nonet_training::train::BatchStats::default(),
        }
    }

    #[test]
    fn a_line_at_zero_is_drawn_where_it_does_not_squeeze_the_tests() {
        assert!(zero_is_near(&[row(-1.8), row(0.4)]));
        assert!(zero_is_near(&[row(0.1), row(0.3)]));
        assert!(!zero_is_near(&[row(0.45), row(0.6)]));
    }

    #[test]
    fn smoothing_is_the_mean_with_both_neighbours_and_with_one_at_the_ends() {
        let points = [(1.0, 0.0), (2.0, 3.0), (3.0, 0.0)];
        assert_eq!(smoothed(&points), [(1.0, 1.5), (2.0, 1.0), (3.0, 1.5)]);
    }
}
