//! The pictures of an experiment: learning curves with the paper's figures, classes, matches.

use super::robust::medians;
use super::{ExperimentReport, sides};
use crate::figures::Figure;
use crate::spec::{Metric, PanelSpec};
use nonet_engine::class::Class;
use nonet_report::{Axis, BarChart, BarSeries, Chart, LineChart, PlotSeries, ReportError};

impl ExperimentReport<'_> {
    /// The pictures as SVG, by name: learning curves, or the shares of classes, or the results of
    /// matches.
    ///
    /// # Errors
    /// [`ReportError`] if one cannot be drawn.
    pub fn plots(&self, command: &str) -> Result<Vec<(String, String)>, ReportError> {
        let draw = |panel: PanelSpec| {
            let svg = if self.experiment.classes {
                self.classes_plot(command)
            } else if let Some(variant) = &panel.weights {
                self.weights_plot(&panel.title, variant, command)
            } else if panel.against.is_some() {
                self.depths_plot(&panel, command)
            } else if panel.matches || self.experiment.variants.is_empty() {
                self.matches_plot(&panel, command)
            } else if self.has_one_test(&panel) {
                self.one_test_plot(&panel, command)
            } else {
                self.curves(&panel, command)
            };
            Ok((panel.name, svg?))
        };
        self.pictures().into_iter().map(draw).collect()
    }

    fn curves(&self, panel: &PanelSpec, command: &str) -> Result<String, ReportError> {
        let metric = panel.metric.unwrap_or(self.experiment.metric);
        let (what, unit, parity) = match metric {
            Metric::Share => ("share of points against the expert", "0.5 is parity", Some(0.5)),
            Metric::Wins => ("share of games against the expert", "0.5 is parity", Some(0.5)),
            Metric::Ppg => ("points a game against the expert", "0 is parity", Some(0.0)),
            Metric::Rating => ("rating on the server", "FIBS points", None),
            Metric::Size => ("root mean square of the weights", "all nets", None),
        };
        let mut chart = LineChart::new(
            &panel.title,
            Axis::new("games learned from", "games"),
            Axis::new(what, unit),
        )
        .command(command);
        if let Some(parity) = parity {
            chart = chart.reference(parity, "parity");
        }
        if let Some((value, label)) = &panel.line {
            chart = chart.reference(*value, label);
        }
        let [low, high] = metric.limits();
        let from = (panel.from as f64 * self.scale) as u64;
        let mut papers = Vec::new();
        let variants = self.experiment.variants.iter().enumerate();
        // One colour a variant in all pictures, if there are enough colours.
        let is_fixed = self.experiment.variants.len() <= BarChart::MOST_SERIES;
        for (order, (place, variant)) in variants.filter(|(_, v)| panel.draws(v)).enumerate() {
            let color = if is_fixed { place } else { order };
            let figures = &self.figures_in(metric)[place];
            let start = if metric == Metric::Rating { self.starts.get(place) } else { None };
            let start = start.filter(|start| start.n > 0);
            let tests = || {
                let drawn = |&m: &usize| self.tests_at[m] >= from && figures[m].n > 0;
                (0..self.tests_at.len()).filter(drawn)
            };
            if tests().next().is_none() {
                continue;
            }
            if panel.runs {
                let curves = self.single_curves(place, metric);
                let drawn = |curve: &[(u64, f64, f64)]| -> Vec<(f64, f64)> {
                    let drawn = curve.iter().filter(|(games, ..)| *games >= from);
                    drawn.map(|(games, value, _)| (*games as f64, *value)).collect()
                };
                let medians = PlotSeries::line(&variant.name, drawn(&medians(&curves)));
                chart = chart.series(medians.color_index(color));
                for curve in &curves {
                    let thin = PlotSeries::faint("single simulations", drawn(curve));
                    chart = chart.series(thin.color_index(color).unlisted());
                }
            } else {
                let points = start.map(|start| (0.0, start.mean)).into_iter();
                let tested = tests().map(|m| (self.tests_at[m] as f64, figures[m].mean));
                let line = PlotSeries::line(&variant.name, points.chain(tested)).color_index(color);
                let half = start.map(|start| start.half95).into_iter();
                let half = half
                    .chain(tests().map(|m| figures[m].half95))
                    .map(|half| if half.is_finite() { half } else { 0.0 });
                chart = chart.series(line.band("95 % interval", half).within(low, high));
            }
            let paper: Vec<(f64, f64)> = tests()
                .filter_map(|m| Some((self.tests_at[m] as f64, self.paper(place, m)?)))
                .collect();
            if !paper.is_empty() {
                let dots = PlotSeries::dots("dots: printed by the authors", paper);
                papers.push(dots.color_index(color));
            }
        }
        // One entry for the dots of all lines.
        let last = papers.pop();
        for dots in papers {
            chart = chart.series(dots.unlisted());
        }
        if let Some(dots) = last {
            chart = chart.series(dots);
        }
        if panel.logarithmic {
            chart = chart.logarithmic_x();
        }
        chart.render()
    }

    /// Whether the curves of a picture would be single points.
    pub(super) fn has_one_test(&self, panel: &PanelSpec) -> bool {
        let drawn = self.experiment.variants.iter().filter(|variant| panel.draws(variant));
        panel.has_curves()
            && self.experiment.metric != Metric::Rating
            && self.tests_at.len() == 1
            && drawn.count() > 1
    }

    /// The results of the only test, by variant.
    fn one_test_plot(&self, panel: &PanelSpec, command: &str) -> Result<String, ReportError> {
        let metric = panel.metric.unwrap_or(self.experiment.metric);
        let variants = self.experiment.variants.iter().enumerate();
        let drawn: Vec<(&str, Figure)> = variants
            .filter(|(_, variant)| panel.draws(variant))
            .map(|(v, variant)| (variant.name.as_str(), self.figures_in(metric)[v][0]))
            .filter(|(_, figure)| figure.n > 0)
            .collect();
        let (what, unit) = match metric {
            Metric::Share => ("share of points against the expert", "0.5 is parity"),
            Metric::Wins => ("share of games against the expert", "0.5 is parity"),
            Metric::Ppg | Metric::Rating => ("points a game against the expert", "0 is parity"),
            Metric::Size => ("root mean square of the weights", "all nets"),
        };
        let [low, high] = metric.limits();
        let bars = BarSeries::new("mean", drawn.iter().map(|(_, figure)| figure.mean))
            .error_bars("95 % interval", drawn.iter().map(|(_, figure)| figure.half95))
            .within(low, high);
        let names = drawn.iter().map(|(name, _)| *name);
        BarChart::new(&panel.title, "variant", names, Axis::new(what, unit))
            .command(command)
            .show_values(3)
            .series(bars)
            .render()
    }

    /// The weights of a variant over the games.
    fn weights_plot(
        &self,
        title: &str,
        variant: &str,
        command: &str,
    ) -> Result<String, ReportError> {
        let weight = Axis::new("weight of the input", "points per game");
        let mut chart = LineChart::new(title, Axis::new("games learned from", "games"), weight)
            .command(command)
            .reference(0.0, "no effect");
        let place = self.experiment.place(variant).expect("a variant, as the definition was read");
        for (name, curve) in self.weights.iter().flat_map(|weights| weights.curves_of(place)) {
            let points = curve.iter().map(|(games, weight)| (*games as f64, weight.mean));
            let halves = curve.iter().map(|(_, weight)| weight.half95);
            chart = chart.series(PlotSeries::line(name, points).band("95 % interval", halves));
        }
        chart.render()
    }

    fn classes_plot(&self, command: &str) -> Result<String, ReportError> {
        let share = Axis::new("share of the positions learned from", "%");
        let title = &self.experiment.title;
        let mut chart = BarChart::new(title, "class", Class::all().map(Class::slug), share)
            .command(command)
            .show_values(1);
        for (variant, shares) in self.experiment.variants.iter().zip(&self.classes) {
            let percent = shares.iter().map(|share| 100.0 * share);
            chart = chart.series(BarSeries::new(&variant.name, percent));
        }
        let paper = Class::all().map(|class| f64::from(100.0 * class.paper_share()));
        chart.series(BarSeries::new("the paper", paper)).render()
    }

    /// What the variants win against one opponent, over the depth at which both play.
    fn depths_plot(&self, panel: &PanelSpec, command: &str) -> Result<String, ReportError> {
        let depth = Axis::new("depth of play of both sides", "plies");
        let opponent = panel.against.as_deref().unwrap_or_default();
        let ppg = Axis::new(format!("points a game against {opponent}"), "0 is parity");
        let mut chart = LineChart::new(&panel.title, depth, ppg)
            .command(command)
            .reference(0.0, "parity")
            .whole_x();
        let played = |variant: &str| -> Vec<(u8, Figure)> {
            let shown = self
                .matches
                .iter()
                .filter(|(planned, _)| planned.home == *variant && panel.shows_depth_of(planned));
            shown.map(|(planned, figure)| (planned.plies[0], *figure)).collect()
        };
        let drawn = self.experiment.variants.iter().filter(|variant| panel.draws(variant));
        let drawn: Vec<_> = drawn
            .map(|variant| (&variant.name, played(&variant.name)))
            .filter(|(_, played)| !played.is_empty())
            .collect();
        for (i, (name, played)) in drawn.iter().enumerate() {
            // Slightly apart, so that no bar hides another one.
            let aside = 0.1 * (i as f64 - (drawn.len() - 1) as f64 / 2.0);
            let points = played.iter().map(|(plies, ppg)| (f64::from(*plies) + aside, ppg.mean));
            let halves = played.iter().map(|(_, ppg)| ppg.half95);
            let dots = PlotSeries::dots(*name, points);
            chart = chart.series(dots.band("95 % interval", halves));
        }
        chart.render()
    }

    fn matches_plot(&self, panel: &PanelSpec, command: &str) -> Result<String, ReportError> {
        let labels =
            self.matches.iter().map(|(planned, _)| match (sides(planned), planned.plies) {
                ([home, away], _) if home == away && self.one_net_at_two_depths() => home,
                ([home, away], [a, b]) if home == away => {
                    format!("{home}: {a}-ply against {b}-ply")
                }
                ([home, away], [a, b]) if a == b => format!("{home} against {away}, {a}-ply"),
                ([home, away], [a, b]) => format!("{home} at {a}-ply against {away} at {b}-ply"),
            });
        let [side, what] = if self.one_net_at_two_depths() {
            ["2-ply", "points a game of 2-ply play against 1-ply play of the same net"]
        } else {
            ["first side", "points a game of the first side"]
        };
        let ppg = Axis::new(what, "0 is parity");
        let bars = BarSeries::new(side, self.matches.iter().map(|(_, ppg)| ppg.mean))
            .error_bars("95 % interval", self.matches.iter().map(|(_, ppg)| ppg.half95));
        let mut chart = BarChart::new(&panel.title, "match", labels, ppg)
            .command(command)
            .show_values(3)
            .series(bars);
        if let Some((value, label)) = &panel.line {
            chart = chart.reference(*value, label);
        }
        chart.render()
    }

    /// Whether every match is one net with a second ply against itself without.
    fn one_net_at_two_depths(&self) -> bool {
        let mut all = self.matches.iter().map(|(planned, _)| planned);
        all.all(|planned| planned.home == planned.away && planned.plies == [2, 1])
    }
}
