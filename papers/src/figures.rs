//! From simulations to figures: means with 95 % intervals, smoothed curves, best tests.

use super::run::RunResult;
use super::spec::{Experiment, Metric};
use nonet_engine::stats::{Estimate, Z95};
use nonet_training::train::TestResult;

/// A figure over the simulations of a variant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The mean over simulations.
    pub mean: f64,
    /// Half the width of the 95 % interval of the mean: Student's over simulations, and at least
    /// what the test games give.
    pub half95: f64,
    /// The standard deviation of one simulation, and at least the standard error of its test games.
    pub deviation: f64,
    /// Simulations.
    pub n: u64,
}

/// A difference with its interval, and what a test of it needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Comparison {
    pub(super) difference: f64,
    /// Half the width of its 95 % interval.
    pub(super) half95: f64,
    pub(super) stderr: f64,
    /// Degrees of freedom of Student's t; infinite for an interval of games.
    pub(super) degrees: f64,
    /// Simulations of the row that has fewer.
    pub(super) n: u64,
}

impl Figure {
    /// From the value of each simulation and the standard error that its games give it. Two or
    /// three simulations may agree by chance, so neither error is below that of the games.
    #[must_use]
    pub fn of(values: &[(f64, f64)]) -> Figure {
        let n = values.len() as u64;
        let spread = Estimate::from_values(values.iter().map(|(value, _)| *value));
        let squares = values.iter().map(|(_, error)| error * error).sum::<f64>();
        let games = squares.sqrt() / n as f64;
        let between = if n < 2 { 0.0 } else { spread.student_half95() };
        let deviation = if n < 2 { 0.0 } else { spread.stderr * (n as f64).sqrt() };
        Figure {
            mean: spread.mean,
            half95: between.max(Z95 * games),
            deviation: deviation.max((squares / n as f64).sqrt()),
            n,
        }
    }

    /// From several parts of one measurement, such as the series of one match: their scatter is
    /// that of the games.
    #[must_use]
    pub fn pooled(parts: &[(f64, f64)]) -> Figure {
        let all = Figure::of(parts);
        let squares = parts.iter().map(|(_, error)| error * error).sum::<f64>();
        Figure {
            half95: Z95 * squares.sqrt() / all.n as f64,
            deviation: (squares / all.n as f64).sqrt(),
            ..all
        }
    }

    /// The difference from a figure of the paper, and half the width of its 95 % interval.
    ///
    /// It is a prediction interval, for a paper's figure that is the mean of `simulations` that
    /// scatter as ours do.
    #[must_use]
    pub fn against(&self, paper: f64, simulations: u64) -> (f64, f64) {
        let share = 1.0 / self.n as f64 + 1.0 / simulations.max(1) as f64;
        let stderr = self.deviation * share.sqrt();
        let estimate = Estimate { mean: self.mean - paper, stderr, n: self.n };
        let half = if self.n < 2 { Z95 * stderr } else { estimate.student_half95() };
        (self.mean - paper, half)
    }

    /// The difference of two independent figures, `self` less `other`.
    ///
    /// The second number is half the width of its 95 % interval (Welch).
    #[must_use]
    pub fn less(&self, other: &Figure) -> (f64, f64) {
        let estimate = |figure: &Figure| Estimate {
            mean: figure.mean,
            stderr: figure.deviation / (figure.n as f64).sqrt(),
            n: figure.n,
        };
        estimate(self).difference95(&estimate(other))
    }

    /// The same with what a test of it needs.
    pub(super) fn compared(&self, other: &Figure) -> Comparison {
        let (difference, half95) = self.less(other);
        let parts = [self, other].map(|figure| figure.deviation.powi(2) / figure.n as f64);
        let variance = parts[0] + parts[1];
        let spread = parts[0].powi(2) / (self.n.max(2) - 1) as f64
            + parts[1].powi(2) / (other.n.max(2) - 1) as f64;
        let degrees = if spread > 0.0 { variance * variance / spread } else { 1.0 };
        // Rounded as the quantile of the interval is, so that both decide alike.
        let degrees = degrees.floor().clamp(1.0, 30.0);
        let n = self.n.min(other.n);
        Comparison { difference, half95, stderr: variance.sqrt(), degrees, n }
    }

    /// The difference from a fixed level, likewise.
    pub(super) fn against_level(&self, level: f64) -> Comparison {
        let plain = self.deviation / (self.n as f64).sqrt();
        let of_games = (self.half95 - Z95 * plain).abs() <= 1e-9 * plain;
        let (stderr, degrees) = if of_games || self.n < 2 {
            (self.half95 / Z95, f64::INFINITY)
        } else {
            let quantile = Estimate { mean: 0.0, stderr: 1.0, n: self.n }.student_half95();
            (self.half95 / quantile, ((self.n - 1) as f64).min(30.0))
        };
        let Figure { mean, half95, n, .. } = *self;
        Comparison { difference: mean - level, half95, stderr, degrees, n }
    }

    /// The figure as text with its interval, a dash without simulations; the half-width is rounded
    /// up, so that it is never 0.
    #[must_use]
    pub fn text(&self) -> String {
        if self.n == 0 {
            return "–".to_owned();
        }
        format!("{:.3} ± {:.3}", self.mean, rounded_up(self.half95))
    }

    /// Whether an interval in `metric` is known: ratings and sizes have no error of games, so one
    /// simulation gives them none.
    pub(super) const fn has_interval(&self, metric: Metric) -> bool {
        self.n != 1 || !matches!(metric, Metric::Rating | Metric::Size)
    }

    /// The same in the digits of `metric`: ratings are whole numbers. Without an interval, the mean
    /// stands alone.
    #[must_use]
    pub fn text_in(&self, metric: Metric) -> String {
        match metric {
            Metric::Rating if !self.has_interval(metric) => format!("{:.0}", self.mean),
            _ if !self.has_interval(metric) => format!("{:.3}", self.mean),
            Metric::Rating if self.n > 0 => {
                format!("{:.0} ± {:.0}", self.mean, self.half95.ceil().max(1.0))
            }
            _ => self.text(),
        }
    }
}

/// Rounded up to three decimals, at least 0.001.
pub(super) fn rounded_up(half: f64) -> f64 {
    ((half * 1000.0 - 1e-9).ceil() / 1000.0).max(0.001)
}

/// The value of a test in `metric`, and the standard error that its `games` give it.
pub(super) fn value_of(test: &TestResult, metric: Metric, games: u64) -> (f64, f64) {
    let share = match metric {
        // A test has no rating and no weights.
        Metric::Ppg | Metric::Rating | Metric::Size => return (test.ppg, test.stderr),
        Metric::Share => test.points,
        Metric::Wins => test.wins,
    };
    // Of a share, Agresti & Coull's error ("Approximate is better than exact", 1998): above 0 even
    // where no game was won.
    let n = games.max(1) as f64;
    let p = (share * n + 2.0) / (n + 4.0);
    (share, (p * (1.0 - p) / (n + 4.0)).sqrt())
}

/// The tests of one simulation as (games, value, standard error), each the mean of it and its
/// neighbours if the experiment smooths its curves.
pub(super) fn curve(
    experiment: &Experiment,
    run: &RunResult,
    metric: Metric,
    test_games: u64,
) -> Vec<(u64, f64, f64)> {
    if metric == Metric::Rating {
        let rated =
            |games: u64| run.ratings.get(games as usize).map(|rating| (games, *rating, 0.0));
        return [0]
            .into_iter()
            .chain(run.tests.iter().map(|(games, _)| *games))
            .filter_map(rated)
            .collect();
    }
    if metric == Metric::Size {
        return run.sizes.iter().map(|(games, size)| (*games, *size, 0.0)).collect();
    }
    let raw = run.tests.iter().map(|(games, test)| {
        let (value, error) = value_of(test, metric, test_games);
        (*games, value, error)
    });
    let raw: Vec<(u64, f64, f64)> = raw.collect();
    if !experiment.smooth {
        return raw;
    }
    let smoothed = |i: usize| {
        // The first figure is the mean of the first three tests, as in Table 2 of Wiering, Patist &
        // Mannen. There the tests after 100, 5,000 and 10,000 games stand for 5,000.
        let near = &raw[i.saturating_sub(1)..(i + 2).min(raw.len())];
        let n = near.len() as f64;
        let value = near.iter().map(|(_, value, _)| value).sum::<f64>() / n;
        let error = near.iter().map(|(_, _, error)| error * error).sum::<f64>().sqrt() / n;
        (raw[i].0, value, error)
    };
    (0..raw.len()).map(smoothed).collect()
}

/// How much the ratings of a variant rose over its first `games` games on a server.
pub(super) fn rise<'a>(runs: impl Iterator<Item = &'a RunResult>, games: u64) -> Figure {
    let rise = |run: &RunResult| Some(run.ratings.get(games as usize)? - run.ratings.first()?);
    Figure::of(&runs.filter_map(rise).map(|rise| (rise, 0.0)).collect::<Vec<_>>())
}

/// The best single test of each simulation: games and value.
pub(super) fn best_tests<'a>(
    runs: impl Iterator<Item = &'a RunResult>,
    metric: Metric,
) -> Vec<(u64, f64)> {
    let best = |run: &RunResult| {
        let value = |test: &TestResult| value_of(test, metric, 1).0;
        let tests = run.tests.iter().map(|(games, test)| (*games, value(test)));
        tests.max_by(|a, b| a.1.total_cmp(&b.1))
    };
    runs.filter_map(best).collect()
}

/// The root mean square of the differences of successive tests of a simulation, those after at
/// least `from` games; `None` with fewer than two.
pub(super) fn fluctuation(run: &RunResult, from: u64, metric: Metric) -> Option<f64> {
    let tests: Vec<f64> = run
        .tests
        .iter()
        .filter(|(games, _)| *games >= from)
        .map(|(_, test)| value_of(test, metric, 0).0)
        .collect();
    let squares: Vec<f64> = tests.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).collect();
    (!squares.is_empty()).then(|| (squares.iter().sum::<f64>() / squares.len() as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_simulations_that_agree_by_chance_still_have_the_error_of_their_games() {
        let agree = Figure::of(&[(0.465, 0.007), (0.465, 0.007)]);
        assert!((agree.half95 - Z95 * 0.007 / 2.0_f64.sqrt()).abs() < 1e-12);
        assert!((agree.deviation - 0.007).abs() < 1e-12);
        assert_eq!(agree.text(), "0.465 ± 0.010");
        assert_eq!(Figure::of(&[(0.0, 1e-9)]).text(), "0.000 ± 0.001", "an error is never 0.000");
    }

    #[test]
    fn tests_that_rise_and_fall_fluctuate() {
        let test = |ppg: f64| TestResult { ppg, stderr: 0.01, wins: 0.5, points: 0.5 };
        let tests = [(100, 9.0), (200, 0.1), (300, 0.4), (400, 0.0)];
        let run = RunResult::of_tests(tests.map(|(games, ppg)| (games, test(ppg))).to_vec());
        // Differences of 0.3 and -0.4; the test after 100 games is left out.
        let found = fluctuation(&run, 200, Metric::Ppg).expect("three tests");
        assert!((found - 0.125_f64.sqrt()).abs() < 1e-12, "{found}");
        assert_eq!(fluctuation(&run, 400, Metric::Ppg), None, "one test");
    }

    #[test]
    fn a_share_of_no_game_has_an_error() {
        let lost = TestResult { ppg: -3.0, stderr: 0.0, wins: 0.0, points: 0.0 };
        for metric in [Metric::Share, Metric::Wins] {
            let (share, error) = value_of(&lost, metric, 500);
            assert!(share == 0.0 && error > 0.002, "{error}");
        }
        let even = TestResult { ppg: 0.0, stderr: 0.03, wins: 0.5, points: 0.5 };
        assert!((value_of(&even, Metric::Wins, 10_000).1 - 0.005).abs() < 1e-5);
    }

    /// Games are worth 1 to 3 points and come in pairs on the same dice.
    ///
    /// The error of a share leaves that out.
    #[test]
    fn the_error_of_a_share_is_nearly_that_of_its_points() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/wiering-table4/runs.jsonl");
        let text = std::fs::read_to_string(file).expect("the runs");
        let mut ratios = Vec::new();
        for line in text.lines().filter(|line| !line.contains("\"match\"")) {
            let run: RunResult = serde_json::from_str(line).expect("a simulation");
            let games = run.command.split(' ').skip_while(|word| *word != "--eval-games").nth(1);
            let games = games.and_then(|games| games.parse().ok()).expect("games of a test");
            for (_, test) in &run.tests {
                let (share, error) = value_of(test, Metric::Share, games);
                let lead = 2.0 * share - 1.0;
                if (0.04..0.2).contains(&lead.abs()) {
                    let points_a_game = test.ppg / lead;
                    ratios.push(test.stderr / (2.0 * points_a_game) / error);
                }
            }
        }
        let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
        assert!(ratios.len() > 3000 && (mean - 1.012).abs() < 0.001, "{} {mean}", ratios.len());
    }

    #[test]
    fn the_interval_against_the_paper_counts_the_scatter_of_the_papers_simulations_too() {
        let ours = Figure::of(&[(0.40, 0.0), (0.41, 0.0), (0.42, 0.0), (0.41, 0.0)]);
        let (difference, half) = ours.against(0.40, 2);
        assert!((difference - 0.01).abs() < 1e-12);
        assert!((half - 3.182 * ours.deviation * 0.75_f64.sqrt()).abs() < 1e-9);
    }

    fn rated(repeat: u64, ratings: Vec<f64>) -> RunResult {
        let test = TestResult { ppg: -1.0, stderr: 0.1, wins: 0.2, points: 0.1 };
        RunResult { repeat, ratings, ..RunResult::of_tests(vec![(1, test), (3, test)]) }
    }

    #[test]
    fn a_rating_is_read_at_the_tests_and_rises_from_the_one_before_the_first_game() {
        let all = Experiment::all().expect("readable");
        let on_server = all.iter().find(|e| e.metric == Metric::Rating).expect("one of them");
        let runs = [
            rated(0, vec![1000.0, 1010.0, 1005.0, 1030.0]),
            rated(1, vec![900.0, 905.0, 915.0, 910.0]),
        ];
        let first = curve(on_server, &runs[0], Metric::Rating, 10);
        assert_eq!(first, [(0, 1000.0, 0.0), (1, 1010.0, 0.0), (3, 1030.0, 0.0)]);
        let rise = rise(runs.iter(), 3);
        assert_eq!((rise.mean, rise.n), (20.0, 2));
        // Student's t of two simulations that differ by 20: 12.7 times 10.
        assert!((rise.half95 - 127.06).abs() < 0.01, "{rise:?}");
        assert_eq!(rise.text_in(Metric::Rating), "20 ± 128");
        let single = Figure::of(&[(1030.4, 0.0)]);
        assert_eq!(single.text_in(Metric::Rating), "1030", "one simulation has no interval");
        assert_eq!(Figure::of(&[(0.0731, 0.0)]).text_in(Metric::Size), "0.073");
        assert_eq!(Figure::of(&[(0.5, 0.01)]).text_in(Metric::Share), "0.500 ± 0.020");
    }

    #[test]
    fn the_size_of_the_weights_is_read_at_the_tests_and_has_no_error_of_games() {
        let all = Experiment::all().expect("readable");
        let of_sizes = all.iter().find(|e| e.metric == Metric::Size).expect("one of them");
        let run = RunResult { sizes: vec![(1, 0.06), (3, 0.09)], ..rated(0, Vec::new()) };
        assert_eq!(curve(of_sizes, &run, Metric::Size, 10), [(1, 0.06, 0.0), (3, 0.09, 0.0)]);
    }
}
