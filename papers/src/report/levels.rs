//! What is read from whole learning curves: the level that a variant comes to, and after how many
//! games it reaches one.

use std::fmt::Write;
use std::ops::RangeInclusive;

use super::ExperimentReport;
use super::size_text::games;
use crate::figures::{Figure, value_of};
use crate::run::RunResult;
use crate::spec::Metric;

/// A variant has reached its plateau when its smoothed curve is at most this far below it.
///
/// The plateau is the mean of the last quarter. The unit is that of the metric.
const PLATEAU_MARGIN: f64 = 0.01;

impl ExperimentReport<'_> {
    /// Of each simulation of a variant: the mean of its tests after these unscaled numbers of
    /// games, and its standard error. `None` if the experiment is not at its full size.
    pub(crate) fn values_of_tests(
        &self,
        variant: &str,
        games: RangeInclusive<u64>,
        metric: Metric,
    ) -> Option<Vec<(f64, f64)>> {
        let place = self.experiment.place(variant).filter(|_| self.tests_at == self.unscaled)?;
        let of_run = |run: &RunResult| {
            let tests = run.tests.iter().filter(|(at, _)| games.contains(at));
            let tests: Vec<(f64, f64)> =
                tests.map(|(_, test)| value_of(test, metric, self.experiment.test_games)).collect();
            let n = tests.len() as f64;
            let error = tests.iter().map(|(_, error)| error * error).sum::<f64>().sqrt() / n;
            let mean = tests.iter().map(|(value, _)| value).sum::<f64>() / n;
            (!tests.is_empty()).then_some((mean, error))
        };
        Some(self.runs_of(place).filter_map(of_run).collect())
    }

    /// Of each simulation of a variant: its figure after an unscaled number of games, and its
    /// standard error.
    pub(crate) fn values_at(
        &self,
        variant: &str,
        games: u64,
        metric: Metric,
    ) -> Option<Vec<(f64, f64)>> {
        let place = self.experiment.place(variant)?;
        let test = self.unscaled.iter().position(|at| *at == games)?;
        let games = *self.tests_at.get(test)?;
        let curves = self.single_curves(place, metric);
        let here = curves.iter().flatten().filter(|(at, ..)| *at == games);
        Some(here.map(|(_, value, error)| (*value, *error)).collect())
    }

    /// The curve of each simulation of a variant.
    pub(crate) fn curves_of(
        &self,
        variant: &str,
        metric: Metric,
    ) -> Option<Vec<Vec<(u64, f64, f64)>>> {
        Some(self.single_curves(self.experiment.place(variant)?, metric))
    }

    /// After how many games the smoothed mean curve of a variant first reaches `level`.
    ///
    /// The result is the natural logarithm of that number, by interpolation between two tests. Its
    /// values are the jackknife's pseudovalues of the simulations: a single noisy curve reaches a
    /// level too early. `None` with fewer than two simulations, or if a curve does not reach it.
    pub(crate) fn games_to(&self, variant: &str, metric: Metric, level: f64) -> Option<Figure> {
        let place = self.experiment.place(variant)?;
        let curves = self.single_curves(place, metric);
        let n = curves.len();
        let reached = |without: Option<usize>| {
            let used = || (0..n).filter(|i| Some(*i) != without).map(|i| &curves[i]);
            let mean = |m: usize| used().map(|one| one[m].1).sum::<f64>() / used().count() as f64;
            let tests = 0..used().map(Vec::len).min()?;
            let points: Vec<(f64, f64)> =
                tests.map(|m| ((curves[0][m].0 as f64).ln(), mean(m))).collect();
            let smooth = nonet_report::smoothed(&points);
            let after = smooth.iter().position(|(_, value)| *value >= level)?;
            let ((x0, y0), (x, y)) = (smooth[after.checked_sub(1)?], smooth[after]);
            Some(x0 + (x - x0) * (level - y0) / (y - y0))
        };
        let all = reached(None).filter(|_| n > 1)?;
        let pseudovalue =
            |i: usize| Some((n as f64 * all - (n - 1) as f64 * reached(Some(i))?, 0.0));
        let values: Option<Vec<(f64, f64)>> = (0..n).map(pseudovalue).collect();
        values.map(|values| Figure::of(&values))
    }

    /// From how many games on the mean of these curves is at its plateau, and the plateau.
    ///
    /// The plateau is the mean of the last quarter of the tests. From that number of games on the
    /// smoothed mean curve stays at most [`PLATEAU_MARGIN`] below it. The curves are given by their
    /// indices, which may occur several times.
    pub(crate) fn plateau_of(
        &self,
        curves: &[Vec<(u64, f64, f64)>],
        used: &[usize],
    ) -> Option<(u64, f64)> {
        let tests = used.iter().filter_map(|i| curves.get(*i)).map(Vec::len).min()?;
        let first = curves.first()?;
        let mean = |m: usize| used.iter().map(|i| curves[*i][m].1).sum::<f64>() / used.len() as f64;
        let points: Vec<(f64, f64)> = (0..tests).map(|m| (first[m].0 as f64, mean(m))).collect();
        let last = points.get(points.len() - points.len().div_ceil(4)..)?;
        let level = last.iter().map(|(_, y)| y).sum::<f64>() / last.len() as f64;
        let curve = nonet_report::smoothed(&points);
        let below = curve.iter().rposition(|(_, y)| *y < level - PLATEAU_MARGIN);
        let place = below.map_or(0, |place| place + 1);
        Some((first.get(place)?.0, level))
    }

    fn plateau(&self, variant: usize) -> Option<(u64, f64)> {
        let curves = self.single_curves(variant, self.experiment.metric);
        let all: Vec<usize> = (0..curves.len()).collect();
        self.plateau_of(&curves, &all)
    }

    pub(super) fn write_plateaus(&self, text: &mut String) {
        if !self.experiment.plateau {
            return;
        }
        text.push_str("| variant | plateau (mean of the last quarter) | reached for good after |\n|---|---|---|\n");
        for (v, variant) in self.experiment.variants.iter().enumerate() {
            if let Some((after, level)) = self.plateau(v) {
                let _ = writeln!(text, "| {} | {level:.3} | {} |", variant.name, games(after));
            }
        }
        let _ =
            write!(text, "\nReached: the smoothed curve stays within {PLATEAU_MARGIN} of it.\n\n");
    }

    /// How far each variant is from the paper's figures, in order of it, and how much it gains
    /// between two numbers of games.
    pub(super) fn write_fit(&self, text: &mut String) {
        let Some([from, to]) = self.experiment.fit.filter(|_| self.tests_at == self.unscaled)
        else {
            return;
        };
        let tests = 0..self.tests_at.len();
        let mut rows: Vec<(f64, String)> = Vec::new();
        for (v, variant) in self.experiment.variants.iter().enumerate() {
            let ended = tests.clone().filter(|m| self.figures[v][*m].n > 0);
            let printed = ended.filter_map(|m| Some((m, self.paper(v, m)?)));
            let differences: Vec<f64> =
                printed.map(|(m, paper)| self.figures[v][m].mean - paper).collect();
            let squares: f64 = differences.iter().map(|difference| difference.powi(2)).sum();
            let mean_square = squares / differences.len() as f64;
            let largest = differences.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs()));
            let at = |games: u64| self.tests_at.iter().position(|test| *test == games);
            let (Some(largest), Some(a), Some(b)) = (largest, at(from), at(to)) else { continue };
            let level = |m: usize| {
                // A smoothed figure is the mean of three tests already.
                let around = if self.experiment.smooth { 0 } else { 1 };
                let near = m.saturating_sub(around)..=(m + around).min(tests.end - 1);
                let count = near.clone().count() as f64;
                near.map(|m| self.figures[v][m].mean).sum::<f64>() / count
            };
            let gain = level(b) - level(a);
            let theirs = match (self.paper(v, a), self.paper(v, b)) {
                (Some(early), Some(late)) => format!(" [{:+.3}]", late - early),
                _ => String::new(),
            };
            let root = mean_square.sqrt();
            let row =
                format!("| {} | {root:.3} | {largest:+.3} | {gain:+.3}{theirs} |\n", variant.name);
            rows.push((root, row));
        }
        if rows.is_empty() {
            return;
        }
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        let _ = write!(
            text,
            "How far each variant is from the paper's figures, the nearest first. The gain is between \
             means of a test and its neighbours.\n\n| variant | root mean square difference | largest difference | gain from {from} to {to} games |\n\
             |---|---|---|---|\n"
        );
        rows.iter().for_each(|(_, row)| text.push_str(row));
        text.push('\n');
    }
}
