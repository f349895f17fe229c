//! The report of an experiment: table, plot and Markdown text, with nonet's figures beside the authors'.

use std::fmt::Write;

use super::run::{MatchResult, RunResult};
use super::spec::{Experiment, MatchSpec, Metric};
use crate::class::Class;
use crate::report::{
    Axis, BarChart, BarSeries, Chart, LineChart, PlotSeries, ReportError, smoothed,
};
use crate::stats::Estimate;
use crate::train::TestResult;

/// The results of an experiment, ready to be printed and drawn.
pub struct ExperimentReport<'a> {
    experiment: &'a Experiment,
    eval_at: Vec<u64>,
    /// The same numbers of games before scaling, to which the paper's figures belong.
    unscaled: Vec<u64>,
    /// The metric against the expert, by variant and by index in `eval_at`.
    figures: Vec<Vec<Estimate>>,
    /// Shares of the classes among the positions learned from, by variant.
    classes: Vec<Vec<f64>>,
    /// Matches between finished teams.
    matches: Vec<(MatchSpec, Estimate)>,
}

/// A variant has reached its plateau when its smoothed curve is at most this far below the mean of its last quarter, in units
/// of the metric.
const PLATEAU_MARGIN: f64 = 0.01;

impl<'a> ExperimentReport<'a> {
    /// Averages the simulations of each variant.
    #[must_use]
    pub fn new(
        experiment: &'a Experiment,
        scale: f64,
        runs: &[RunResult],
        matches: &[MatchResult],
    ) -> ExperimentReport<'a> {
        let eval_at = experiment.eval_at(scale);
        let of = |variant: usize, games: u64| {
            let mine = runs.iter().filter(|run| run.variant == variant);
            let tests = mine.flat_map(|run| run.tests.iter().filter(|(at, _)| *at == games));
            let figures = tests.map(|(_, test)| match experiment.metric {
                Metric::Share => (test.points, f64::NAN),
                Metric::Ppg => (test.ppg, test.stderr),
            });
            mean(&figures.collect::<Vec<_>>())
        };
        let row = |variant| eval_at.iter().map(|&games| of(variant, games)).collect();
        let variants = 0..experiment.variants.len();
        let figures = variants.clone().map(row).collect();
        let classes = variants.map(|variant| {
            let examples = |class: Class| {
                let mine = runs.iter().filter(|run| run.variant == variant);
                mine.filter_map(|run| run.examples.get(class.slug())).sum::<u64>() as f64
            };
            let all: f64 = Class::all().map(examples).sum();
            Class::all().map(|class| examples(class) / all.max(1.0)).collect()
        });
        let matches =
            experiment.matches(scale).into_iter().zip(matches).map(|(planned, result)| {
                let figure = |test: &TestResult| (test.ppg, test.stderr);
                (planned, mean(&result.results.iter().map(figure).collect::<Vec<_>>()))
            });
        ExperimentReport {
            unscaled: experiment.eval_at(1.0),
            classes: classes.collect(),
            matches: matches.collect(),
            experiment,
            eval_at,
            figures,
        }
    }

    /// The paper's figure for a variant at an index in `eval_at`.
    fn paper(&self, variant: usize, index: usize) -> Option<f64> {
        // A scaled experiment may have fewer tests; then the paper's figures cannot be assigned to them.
        let games =
            self.unscaled.get(index).filter(|_| self.unscaled.len() == self.eval_at.len())?;
        let figures = &self.experiment.variants[variant].paper;
        figures.iter().find(|(at, _)| at == games).map(|(_, share)| *share)
    }

    /// The figures as comma-separated values: one row for each variant and number of games, or one row for each match if the
    /// experiment has no variants.
    #[must_use]
    pub fn csv(&self) -> String {
        if self.experiment.variants.is_empty() {
            return self.matches_csv();
        }
        let mut text = format!("variant,games,{},stderr,paper\n", self.column());
        for (v, variant) in self.experiment.variants.iter().enumerate() {
            for (m, (games, share)) in self.eval_at.iter().zip(&self.figures[v]).enumerate() {
                let paper = self.paper(v, m).map(|share| share.to_string()).unwrap_or_default();
                let Estimate { mean, stderr, .. } = share;
                let _ =
                    writeln!(text, "\"{}\",{games},{mean:.5},{stderr:.5},{paper}", variant.name);
            }
        }
        text
    }

    fn matches_csv(&self) -> String {
        let mut text = "first,second,first_ply,second_ply,games,ppg,stderr\n".to_owned();
        for (planned, Estimate { mean, stderr, .. }) in &self.matches {
            let ([home, away], [a, b]) = (sides(planned), planned.plies);
            let games = planned.games * self.experiment.repeats;
            let _ = writeln!(text, "\"{home}\",\"{away}\",{a},{b},{games},{mean:.5},{stderr:.5}");
        }
        text
    }

    /// The plot as SVG: learning curves, or the shares of classes, or the results of matches.
    ///
    /// # Errors
    /// [`ReportError`] if the plot cannot be drawn.
    pub fn plot(&self, command: &str) -> Result<String, ReportError> {
        if self.experiment.classes {
            return self.classes_plot(command);
        }
        if self.experiment.variants.is_empty() {
            return self.matches_plot(command);
        }
        let games = Axis::new("games learned from", "games");
        let (y, parity) = match self.experiment.metric {
            Metric::Share => {
                (Axis::new("share of points against the expert", "0.5 is parity"), 0.5)
            }
            Metric::Ppg => (Axis::new("equity against the expert", "points per game"), 0.0),
        };
        let mut chart = LineChart::new(&self.experiment.title, games, y)
            .command(command)
            .reference(parity, "parity");
        for (variant, shares) in self.experiment.variants.iter().zip(&self.figures) {
            let points =
                self.eval_at.iter().zip(shares).map(|(&games, share)| (games as f64, share.mean));
            let points: Vec<(f64, f64)> = points.collect();
            let errors = shares
                .iter()
                .map(|share| if share.stderr.is_finite() { share.stderr } else { 0.0 });
            chart = chart.series(match self.experiment.every {
                true => PlotSeries::line(&variant.name, smoothed(&points)),
                false => PlotSeries::line(&variant.name, points)
                    .band("± 1 s.e. over simulations", errors),
            });
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

    fn matches_plot(&self, command: &str) -> Result<String, ReportError> {
        let labels = self.matches.iter().map(|(planned, _)| {
            let ([home, away], [a, b]) = (sides(planned), planned.plies);
            format!("{home} at {a}-ply against {away} at {b}-ply")
        });
        let ppg = Axis::new("equity of the first side", "points per game");
        let bars = BarSeries::new("first side", self.matches.iter().map(|(_, ppg)| ppg.mean))
            .error_bars("± 1 s.e.", self.matches.iter().map(|(_, ppg)| ppg.stderr));
        BarChart::new(&self.experiment.title, "match", labels, ppg)
            .command(command)
            .show_values(3)
            .series(bars)
            .render()
    }

    fn column(&self) -> &'static str {
        match self.experiment.metric {
            Metric::Share => "points_share",
            Metric::Ppg => "ppg",
        }
    }

    /// The number of games from which on the smoothed curve of a variant stays at most [`PLATEAU_MARGIN`] below its plateau,
    /// and the plateau: the mean of the last quarter of its tests.
    fn plateau(&self, variant: usize) -> Option<(u64, f64)> {
        let figures = self.eval_at.iter().zip(&self.figures[variant]);
        let points: Vec<(f64, f64)> = figures.map(|(&m, e)| (m as f64, e.mean)).collect();
        let last = points.get(points.len() - points.len().div_ceil(4)..)?;
        let level = last.iter().map(|(_, y)| y).sum::<f64>() / last.len() as f64;
        let curve = smoothed(&points);
        let below = curve.iter().rposition(|(_, y)| *y < level - PLATEAU_MARGIN);
        let place = below.map_or(0, |place| place + 1);
        Some((self.eval_at.get(place).copied()?, level))
    }

    /// The report in Markdown. `facts` are lines that say how it was made.
    #[must_use]
    pub fn report(&self, facts: &[String]) -> String {
        let Experiment { title, paper, claim, .. } = self.experiment;
        let mut text = format!("# {title}\n\n{paper}.\n\nThe authors say: {claim}\n\n");
        for fact in facts {
            let _ = writeln!(text, "- {fact}");
        }
        if self.experiment.variants.is_empty() {
            text.push('\n');
        } else {
            self.write_figures(&mut text);
        }
        self.write_plateaus(&mut text);
        self.write_classes(&mut text);
        self.write_matches(&mut text);
        text.push_str("![the figures](plot.svg)\n");
        text
    }

    fn write_figures(&self, text: &mut String) {
        let unscaled = if self.eval_at == self.unscaled {
            ""
        } else {
            ", at its own, unscaled number of games"
        };
        let Experiment { repeats, test_games, .. } = self.experiment;
        let metric = match self.experiment.metric {
            Metric::Share => {
                "Share of all points won against the expert (the paper's \"equity\"; 0.5 is parity)"
            }
            Metric::Ppg => "Points per game against the expert",
        };
        let times = if *repeats == 1 { "simulation" } else { "simulations" };
        let errors = match (*repeats, self.experiment.metric) {
            (1, Metric::Share) => "",
            (1, Metric::Ppg) => " ± one standard error of the test games",
            _ => " ± one standard error over simulations",
        };
        let _ = write!(
            text,
            "- {repeats} {times} of each variant, tests of {test_games} games at full scale, duplicate dice\n\n\
             {metric}, ours{errors}, the paper's in brackets{unscaled}.\n\n"
        );
        let shown: Vec<usize> = if self.eval_at.len() <= 8 {
            (0..self.eval_at.len()).collect()
        } else {
            // Of a long curve only the tests for which the paper prints a figure, and the last one.
            let printed = |m: &usize| (0..self.figures.len()).any(|v| self.paper(v, *m).is_some());
            (0..self.eval_at.len()).filter(|m| printed(m) || m + 1 == self.eval_at.len()).collect()
        };
        text.push_str("| variant |");
        shown.iter().for_each(|&m| {
            let _ = write!(text, " {} games |", self.eval_at[m]);
        });
        text.push_str("\n|---|");
        text.push_str(&"---|".repeat(shown.len()));
        for (v, variant) in self.experiment.variants.iter().enumerate() {
            let _ = write!(text, "\n| {} |", variant.name);
            for &m in &shown {
                let Estimate { mean, stderr, .. } = self.figures[v][m];
                let _ = write!(text, " {mean:.3}");
                if stderr.is_finite() {
                    let _ = write!(text, " ± {stderr:.3}");
                }
                if let Some(paper) = self.paper(v, m) {
                    let _ = write!(text, " [{paper}]");
                }
                text.push_str(" |");
            }
        }
        text.push_str("\n\n");
    }

    fn write_plateaus(&self, text: &mut String) {
        if !self.experiment.plateau {
            return;
        }
        text.push_str("| variant | plateau (mean of the last quarter) | reached for good after |\n|---|---|---|\n");
        for (v, variant) in self.experiment.variants.iter().enumerate() {
            if let Some((games, level)) = self.plateau(v) {
                let _ = writeln!(text, "| {} | {level:.3} | {games} games |", variant.name);
            }
        }
        let _ =
            write!(text, "\nReached: the smoothed curve stays within {PLATEAU_MARGIN} of it.\n\n");
    }

    fn write_classes(&self, text: &mut String) {
        if !self.experiment.classes {
            return;
        }
        text.push_str("Share of the positions learned from, in per cent:\n\n| class |");
        for variant in &self.experiment.variants {
            let _ = write!(text, " {} |", variant.name);
        }
        text.push_str(" the paper |\n|---|---|");
        text.push_str(&"---|".repeat(self.experiment.variants.len()));
        for (i, class) in Class::all().enumerate() {
            let _ = write!(text, "\n| {class} |");
            for shares in &self.classes {
                let _ = write!(text, " {:.1} |", 100.0 * shares[i]);
            }
            let _ = write!(text, " {:.1} |", 100.0 * class.paper_share());
        }
        text.push_str("\n\n");
    }

    fn write_matches(&self, text: &mut String) {
        if self.matches.is_empty() {
            return;
        }
        text.push_str(
            "Matches between the teams at the end, points per game of the first side ± one standard error:\n\n\
             | first side | second side | plies | games | ppg |\n|---|---|---|---|---|\n",
        );
        for (planned, result) in &self.matches {
            let MatchSpec { plies: [a, b], games, .. } = planned;
            let [home, away] = sides(planned);
            let plies = if a == b { a.to_string() } else { format!("{a} against {b}") };
            let games = games * self.experiment.repeats;
            let Estimate { mean, stderr, .. } = result;
            let _ = writeln!(
                text,
                "| {home} | {away} | {plies} | {games} | {mean:+.3} ± {stderr:.3} |"
            );
        }
        text.push('\n');
    }
}

/// Both sides of a match as text.
fn sides(planned: &MatchSpec) -> [String; 2] {
    let with = |side: &str, rule| format!("{side}, {rule}");
    match planned.cubes {
        None => [planned.home.clone(), planned.away.clone()],
        Some([a, b]) => [with(&planned.home, a), with(&planned.away, b)],
    }
}

/// The mean of figures with standard errors. The standard error of the mean comes from the spread of the figures; that of a
/// single figure is its own.
fn mean(figures: &[(f64, f64)]) -> Estimate {
    if let [(mean, stderr)] = *figures {
        return Estimate { mean, stderr, n: 1 };
    }
    let sum = |of: fn(f64) -> f64| figures.iter().map(|(x, _)| of(*x)).sum();
    let spread = Estimate::from_sums(figures.len() as u64, sum(|x| x), sum(|x| x * x));
    // Two or three figures may agree by chance: the error is at least that which follows from the errors of the figures.
    let games = figures.iter().map(|(_, e)| e * e).sum::<f64>().sqrt() / figures.len() as f64;
    Estimate { stderr: spread.stderr.max(games), ..spread }
}
