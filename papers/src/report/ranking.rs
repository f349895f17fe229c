//! The ranking of a round robin: the mean of each variant's results against all others.

use std::fmt::Write;

use crate::figures::{Figure, rounded_up};
use crate::run::MatchResult;
use crate::spec::Experiment;

/// The mean result of a side against the others in `among` at one search depth.
///
/// Each simulation has one mean, in points per game, with its standard error.
pub(crate) fn mean_results(
    experiment: &Experiment,
    matches: &[MatchResult],
    side: &str,
    among: &[String],
    plies: u8,
) -> Vec<(f64, f64)> {
    let mut sums: Vec<(f64, f64, u64)> = Vec::new();
    for (planned, result) in experiment.matches(1.0).iter().zip(matches) {
        let (sign, other) = match () {
            () if planned.home == side => (1.0, &planned.away),
            () if planned.away == side => (-1.0, &planned.home),
            () => continue,
        };
        if planned.plies != [plies; 2] || other == side || !among.contains(other) {
            continue;
        }
        sums.resize(result.results.len(), (0.0, 0.0, 0));
        for (sum, test) in sums.iter_mut().zip(&result.results) {
            sum.0 += sign * test.ppg;
            sum.1 += test.stderr * test.stderr;
            sum.2 += 1;
        }
    }
    let mean = |(ppg, squares, n): (f64, f64, u64)| {
        (ppg / n.max(1) as f64, squares.sqrt() / n.max(1) as f64)
    };
    sums.into_iter().map(mean).collect()
}

/// A round robin at one search depth.
pub(super) struct Ranking {
    /// What stands above the table.
    title: String,
    /// The players, the best first.
    rows: Vec<Row>,
    /// Whether the rows have the paper's scores.
    has_paper: bool,
}

struct Row {
    name: String,
    /// Points per game against all others.
    figure: Figure,
    paper: f64,
}

impl Ranking {
    /// The rankings of an experiment: one for each search depth of its round robin, and those that
    /// it names.
    pub(super) fn all(experiment: &Experiment, matches: &[MatchResult]) -> Vec<Ranking> {
        let ranking = |title: String, plies: u8, players: &[(String, f64)], has_paper: bool| {
            let among: Vec<String> = players.iter().map(|(name, _)| name.clone()).collect();
            let mut rows: Vec<Row> = players
                .iter()
                .map(|(name, paper)| Row {
                    name: name.clone(),
                    figure: Figure::of(&mean_results(experiment, matches, name, &among, plies)),
                    paper: *paper,
                })
                .collect();
            rows.sort_by(|a, b| b.figure.mean.total_cmp(&a.figure.mean));
            Ranking { title, rows, has_paper }
        };
        let everyone: Vec<(String, f64)> =
            experiment.variants.iter().map(|variant| (variant.name.clone(), f64::NAN)).collect();
        let of_all = experiment.round_robin_plies().iter().map(|&plies| {
            let title =
                format!("The ranking at {plies}-ply: points per game against all others together.");
            ranking(title, plies, &everyone, false)
        });
        let named = experiment
            .rankings
            .iter()
            .map(|named| ranking(named.title.clone(), named.plies, &named.paper, true));
        of_all.chain(named).collect()
    }

    pub(super) fn write(&self, text: &mut String) {
        let (head, line) = if self.has_paper { (" the paper |", "---|") } else { ("", "") };
        let _ = writeln!(
            text,
            "{}\n\n| rank | variant | points a game |{head}\n|---|---|---|{line}",
            self.title
        );
        for (place, Row { name, figure, paper }) in self.rows.iter().enumerate() {
            let half = rounded_up(figure.half95);
            let _ = write!(text, "| {} | {name} | {:+.3} ± {half:.3} |", place + 1, figure.mean);
            if self.has_paper {
                let _ = write!(text, " {paper:+} |");
            }
            text.push('\n');
        }
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_training::train::TestResult;

    #[test]
    fn whoever_wins_more_against_all_others_stands_above() {
        let all = Experiment::all().expect("readable");
        let with = |e: &&Experiment| !e.round_robin_plies().is_empty();
        let experiment = all.iter().find(with).expect("one of them");
        // The later a variant comes, the stronger it is, by a tenth of a point for each place.
        let result = |home: &str, away: &str| {
            let [home, away] = [home, away].map(|name| experiment.place(name));
            let difference = home.unwrap_or(0) as f64 - away.unwrap_or(0) as f64;
            TestResult { ppg: difference / 10.0, stderr: 0.01, wins: 0.5, points: 0.5 }
        };
        let matches: Vec<MatchResult> = experiment
            .matches(1.0)
            .iter()
            .enumerate()
            .map(|(place, planned)| MatchResult {
                place,
                words: String::new(),
                results: vec![result(&planned.home, &planned.away); 2],
            })
            .collect();
        let rankings = Ranking::all(experiment, &matches);
        let rows = &rankings[0].rows;
        let n = experiment.variants.len();
        let names: Vec<&String> = rows.iter().map(|row| &row.name).collect();
        assert!(
            names.iter().eq(&experiment.variants.iter().rev().map(|v| &v.name).collect::<Vec<_>>())
        );
        // The last one is above the others by 1 to n - 1 tenths: n / 2 on average.
        assert!((rows[0].figure.mean - n as f64 / 20.0).abs() < 1e-9, "{}", rows[0].figure.mean);
    }
}
