//! The authors' figures and ours, side by side.

use std::fmt::Write;

use super::run::Cell;
use super::spec::Experiment;
use crate::arena::Estimate;
use crate::report::{Axis, Chart, LineChart, ReportError, Series, smoothed};

/// What an experiment found.
pub struct Findings<'a> {
    experiment: &'a Experiment,
    marks: Vec<u64>,
    /// The same marks before scaling: where the paper's figures stand.
    unscaled: Vec<u64>,
    /// Share of points against the expert by variant and mark.
    shares: Vec<Vec<Estimate>>,
}

impl<'a> Findings<'a> {
    /// Averages the simulations of each variant.
    #[must_use]
    pub fn new(experiment: &'a Experiment, scale: f64, cells: &[Cell]) -> Findings<'a> {
        let marks = experiment.marks(scale);
        let of = |variant: usize, games: u64| {
            let mine = cells.iter().filter(|cell| cell.variant == variant);
            let tests = mine.flat_map(|cell| cell.tests.iter().filter(|(at, _)| *at == games));
            let shares: Vec<f64> = tests.map(|(_, test)| test.points).collect();
            Estimate::from_sums(
                shares.len() as u64,
                shares.iter().sum(),
                shares.iter().map(|x| x * x).sum(),
            )
        };
        let row = |variant| marks.iter().map(|&games| of(variant, games)).collect();
        let shares = (0..experiment.variants.len()).map(row).collect();
        Findings { experiment, unscaled: experiment.marks(1.0), marks, shares }
    }

    fn paper(&self, variant: usize, mark: usize) -> Option<f64> {
        // A scaled experiment may have fewer marks; then the paper's figures have no place in it.
        let games = self.unscaled.get(mark).filter(|_| self.unscaled.len() == self.marks.len())?;
        let figures = &self.experiment.variants[variant].paper;
        figures.iter().find(|(at, _)| at == games).map(|(_, share)| *share)
    }

    /// One row a variant and mark.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = String::from("variant,games,points_share,stderr,paper\n");
        for (v, variant) in self.experiment.variants.iter().enumerate() {
            for (m, (games, share)) in self.marks.iter().zip(&self.shares[v]).enumerate() {
                let paper = self.paper(v, m).map(|share| share.to_string()).unwrap_or_default();
                let Estimate { mean, stderr } = share;
                let _ =
                    writeln!(text, "\"{}\",{games},{mean:.5},{stderr:.5},{paper}", variant.name);
            }
        }
        text
    }

    /// The curves.
    ///
    /// # Errors
    /// [`ReportError`] when they cannot be drawn.
    pub fn plot(&self, command: &str) -> Result<String, ReportError> {
        let games = Axis::new("games learned from", "games");
        let y = Axis::new("share of points against the expert", "0.5 is parity");
        let mut chart = LineChart::new(&self.experiment.title, games, y)
            .command(command)
            .reference(0.5, "parity");
        for (variant, shares) in self.experiment.variants.iter().zip(&self.shares) {
            let points =
                self.marks.iter().zip(shares).map(|(&games, share)| (games as f64, share.mean));
            let points: Vec<(f64, f64)> = points.collect();
            let errors = shares
                .iter()
                .map(|share| if share.stderr.is_finite() { share.stderr } else { 0.0 });
            chart = chart.series(match self.experiment.every {
                true => Series::line(&variant.name, smoothed(&points)),
                false => {
                    Series::line(&variant.name, points).band("± 1 s.e. over simulations", errors)
                }
            });
        }
        chart.render()
    }

    /// The report, in Markdown. `facts` are lines that say how it was made.
    #[must_use]
    pub fn report(&self, facts: &[String]) -> String {
        let unscaled =
            if self.marks == self.unscaled { "" } else { ", at its own, unscaled number of games" };
        let Experiment { title, paper, claim, repeats, test_games, .. } = self.experiment;
        let mut text = format!("# {title}\n\n{paper}.\n\nThe authors say: {claim}\n\n");
        for fact in facts {
            let _ = writeln!(text, "- {fact}");
        }
        let _ = write!(
            text,
            "- {repeats} simulations of each variant, tests of {test_games} games at full scale, duplicate dice\n\n\
             Share of all points won against the expert (the paper's \"equity\"; 0.5 is parity), ours ± one standard error \
             over simulations, the paper's in brackets{unscaled}.\n\n"
        );
        let shown: Vec<usize> = if self.marks.len() <= 8 {
            (0..self.marks.len()).collect()
        } else {
            // Of a long curve the marks that the paper prints, and the last one.
            let printed = |m: &usize| (0..self.shares.len()).any(|v| self.paper(v, *m).is_some());
            (0..self.marks.len()).filter(|m| printed(m) || m + 1 == self.marks.len()).collect()
        };
        text.push_str("| variant |");
        shown.iter().for_each(|&m| {
            let _ = write!(text, " {} games |", self.marks[m]);
        });
        text.push_str("\n|---|");
        text.push_str(&"---|".repeat(shown.len()));
        for (v, variant) in self.experiment.variants.iter().enumerate() {
            let _ = write!(text, "\n| {} |", variant.name);
            for &m in &shown {
                let Estimate { mean, stderr } = self.shares[v][m];
                let _ = write!(text, " {mean:.3} ± {stderr:.3}");
                if let Some(paper) = self.paper(v, m) {
                    let _ = write!(text, " [{paper}]");
                }
                text.push_str(" |");
            }
        }
        text.push_str("\n\n![the curves](plot.svg)\n");
        text
    }
}
