//! The tables of a report.

use std::fmt::Write;

use super::robust::{is_scattered, widest};
use super::size_text::games;
use super::{Best, ExperimentReport, played, sides};
use crate::figures::{Figure, rounded_up};
use crate::spec::{MatchSpec, Metric, scaled_games};
use nonet_engine::class::Class;

impl ExperimentReport<'_> {
    pub(super) fn write_figures(&self, text: &mut String, metric: Metric, figures: &[Vec<Figure>]) {
        let printed = |m: usize| (0..figures.len()).any(|v| self.paper(v, m).is_some());
        let unscaled = if self.tests_at == self.unscaled || !(0..self.tests_at.len()).any(printed) {
            ""
        } else {
            ", at its own, unscaled number of games"
        };
        let what = match metric {
            // Wiering's word for a result, which can be read as either share.
            Metric::Share if self.experiment.paper.contains("Wiering") => {
                "Share of all points won against the expert, one reading of the paper's \"equity\" (0.5 is parity)"
            }
            Metric::Wins if self.experiment.paper.contains("Wiering") => {
                "Share of all games won against the expert, the other reading of the paper's \"equity\" (0.5 is parity)"
            }
            Metric::Share => "Share of all points won against the expert (0.5 is parity)",
            Metric::Wins => "Share of all games won against the expert (0.5 is parity)",
            Metric::Ppg => "Points per game against the expert",
            Metric::Rating => "Rating on the server, before the first game learned from and after",
            Metric::Size => "Root mean square of the weights and biases of all nets",
        };
        let error = match self.experiment.repeats {
            1 if matches!(metric, Metric::Rating | Metric::Size) => {
                "the 95 % interval of the mean over simulations, which a single one does not have"
            }
            _ if matches!(metric, Metric::Rating | Metric::Size) => {
                "the 95 % interval of the mean over simulations (Student's t)"
            }
            1 => "the 95 % interval of the test games",
            _ => {
                "the 95 % interval of the mean over simulations. It is Student's, and at least that of the test games"
            }
        };
        let smooth = if self.experiment.smooth {
            ". Each figure is the mean of a test and its two neighbours"
        } else {
            ""
        };
        let paper = if (0..self.tests_at.len()).any(printed) {
            format!(". The paper's figures stand in brackets{unscaled}")
        } else {
            String::new()
        };
        let last = self.tests_at.len() - 1;
        let chosen = |m: &usize| {
            let listed = self.unscaled.get(*m).is_some_and(|at| self.experiment.show.contains(at));
            printed(*m) || listed || *m == last || self.tests_at.len() <= 8
        };
        let shown: Vec<usize> = (0..self.tests_at.len()).filter(chosen).collect();
        let starts = if metric == Metric::Rating { self.starts.as_slice() } else { &[] };
        let in_rows = figures.iter().flat_map(|row| shown.iter().map(|&m| &row[m]));
        let ranges = if starts.iter().chain(in_rows).any(|figure| is_scattered(figure, metric)) {
            let widest = widest(metric);
            format!(
                ". Where it would be wider than ± {widest}, the median and the range of the simulations stand in its place"
            )
        } else {
            String::new()
        };
        let _ = write!(text, "{what}. ± is {error}{ranges}{paper}{smooth}.\n\n");
        text.push_str("| variant |");
        if !starts.is_empty() {
            text.push_str(" 0 games |");
        }
        shown.iter().for_each(|&m| {
            let _ = write!(text, " {} |", games(self.tests_at[m]));
        });
        let has_diverged = !self.simulations.diverged.is_empty();
        if has_diverged {
            text.push_str(" diverged |");
        }
        let more = usize::from(!starts.is_empty()) + usize::from(has_diverged);
        text.push_str("\n|---|");
        text.push_str(&"---|".repeat(shown.len() + more));
        for (v, variant) in self.experiment.variants.iter().enumerate() {
            let _ = write!(text, "\n| {} |", variant.name);
            if let Some(start) = starts.get(v) {
                let _ = write!(text, " {} |", self.cell(start, v, 0, metric));
            }
            for &m in &shown {
                let cell = self.cell(&figures[v][m], v, self.tests_at[m], metric);
                let _ = write!(text, " {cell}");
                if let Some(paper) = self.paper(v, m) {
                    let _ = write!(text, " [{paper}]");
                }
                text.push_str(" |");
            }
            if has_diverged {
                let (n, all) = (self.simulations.diverged_of(v), self.experiment.repeats);
                let _ = write!(text, " {n} of {all} |");
            }
        }
        text.push_str("\n\n");
    }

    pub(super) fn write_best(&self, text: &mut String) {
        let printed = self.experiment.variants.iter().any(|variant| variant.paper_max.is_some());
        if !printed {
            return;
        }
        text.push_str(match Best::is_of_pairs(self.experiment) {
            true => {
                "The best single test in two simulations: the mean over all pairs of ours, with its range."
            }
            false => "The best single test of a simulation: the mean over ours, with its range.",
        });
        text.push_str(
            " The games are those after which the best tests of our simulations came. \
             The paper's figures stand in brackets.",
        );
        let retests = self.best.iter().any(|best| best.retest.is_some());
        if let Some(retest) = self.experiment.retest.filter(|_| retests) {
            let games = scaled_games(retest.games, self.scale);
            let _ = write!(
                text,
                " Each simulation's net of its best test then played {} new matches of {games} games.",
                retest.matches
            );
        }
        text.push_str("\n\n| variant | best test | range | games before it |");
        text.push_str(if retests {
            " new matches |\n|---|---|---|---|---|\n"
        } else {
            "\n|---|---|---|---|\n"
        });
        for (variant, best) in self.experiment.variants.iter().zip(&self.best) {
            let [paper, paper_after] = match variant.paper_max {
                Some((games, max)) => [format!(" [{max}]"), format!(" [{games}]")],
                None => [String::new(), String::new()],
            };
            if best.highest.is_empty() {
                let _ = writeln!(text, "| {} | –{paper} | – | –{paper_after} |", variant.name);
                continue;
            }
            let mean = best.highest.iter().sum::<f64>() / best.highest.len() as f64;
            let low = best.highest.iter().copied().fold(f64::INFINITY, f64::min);
            let high = best.highest.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let after: Vec<String> = best.after.iter().map(u64::to_string).collect();
            let _ = write!(
                text,
                "| {} | {mean:.3}{paper} | {low:.3} to {high:.3} | {}{paper_after} |",
                variant.name,
                after.join(", ")
            );
            if let Some(retest) = best.retest {
                let _ = write!(text, " {} |", retest.text());
            }
            text.push('\n');
        }
        text.push('\n');
    }

    pub(super) fn write_classes(&self, text: &mut String) {
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
            for (v, shares) in self.classes.iter().enumerate() {
                let _ = match self.runs_of(v).next() {
                    Some(_) => write!(text, " {:.1} |", 100.0 * shares[i]),
                    None => write!(text, " – |"),
                };
            }
            let _ = write!(text, " {:.1} |", 100.0 * class.paper_share());
        }
        text.push_str("\n\n");
    }

    pub(super) fn write_matches(&self, text: &mut String) {
        if self.matches.is_empty() {
            return;
        }
        text.push_str(
            "Matches at the end, points per game of the first side ± half the width of the 95 % interval:\n\n\
             | first side | second side | plies | games | points a game |\n|---|---|---|---|---|\n",
        );
        for ((planned, Figure { mean, half95, .. }), ended) in
            self.matches.iter().zip(&self.short_matches)
        {
            let MatchSpec { plies: [a, b], .. } = planned;
            let [home, away] = sides(planned);
            let plies = if a == b { a.to_string() } else { format!("{a} against {b}") };
            let games = played(planned, self.experiment);
            // A few games of a high cube spoil a mean; the middle match stays.
            let middle = match ended {
                Some(ended) => format!("middle match {:+} points; mean ", ended.median()),
                None => String::new(),
            };
            let half = rounded_up(*half95);
            let _ = writeln!(
                text,
                "| {home} | {away} | {plies} | {games} | {middle}{mean:+.3} ± {half:.3} |"
            );
        }
        text.push('\n');
        self.rankings.iter().for_each(|ranking| ranking.write(text));
        let short = self.matches.iter().zip(&self.short_matches);
        for ((planned, _), ended) in short {
            if let (Some(paper), Some(ended)) = (&planned.paper, ended) {
                ended.write(sides(planned), planned.plies, paper, text);
            }
        }
    }
}
