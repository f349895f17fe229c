//! The learning curves of several runs in one plot.

use super::training_run_charts::equal_to;
use super::{Axis, LineChart, PlotSeries};
use nonet_training::train::{RunGroup, TestedWeights};

/// The curves of groups of runs, with bands of 95 %; `against` is the opponent of their tests.
#[must_use]
pub fn comparison_chart(
    groups: &[RunGroup],
    weights: TestedWeights,
    against: &str,
    command: &str,
) -> LineChart {
    let y =
        Axis::new(format!("score of the {} against {against}", weights.name()), "points per game");
    let games = Axis::new("games learned from", "games");
    let chart = LineChart::new("Learning curves", games, y)
        .command(command)
        .reference(0.0, equal_to(against))
        .logarithmic_x();
    groups.iter().fold(chart, |chart, group| {
        let name = match group.runs {
            1 => group.label.clone(),
            runs => format!("{} ({runs} seeds)", group.label),
        };
        let points = group.curve.iter().map(|(games, result)| (*games as f64, result.ppg.mean));
        let halves = group.curve.iter().map(|(_, result)| result.half95);
        chart.series(PlotSeries::line(name, points).band("95 % interval", halves))
    })
}
