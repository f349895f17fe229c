//! Compares the learning curves of several runs. Runs that differ only in their seed are one group.

use crate::train::options::opponents::Opponents;
use crate::train::options::run_config::COMMANDS;
use nonet_engine::stats::{Estimate, Z95};

/// The weights in the compared tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestedWeights {
    /// The current weights.
    Last,
    /// The moving average of the weights.
    Averaged,
}

impl TestedWeights {
    /// As it is written in legends and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            TestedWeights::Last => "last weights",
            TestedWeights::Averaged => "averaged weights",
        }
    }

    const fn columns(self) -> [&'static str; 2] {
        match self {
            TestedWeights::Last => ["ppg", "stderr"],
            TestedWeights::Averaged => ["average_ppg", "average_stderr"],
        }
    }
}

/// The tests of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunCurve {
    name: String,
    /// All settings but the seed.
    settings: toml::Table,
    seed: Option<toml::Value>,
    last: Vec<CurvePoint>,
    /// Empty if the run keeps no average.
    averaged: Vec<CurvePoint>,
}

/// One test.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CurvePoint {
    games: u64,
    ppg: f64,
    stderr: f64,
}

/// Why the files of a run give no curve.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RunCurveError {
    /// The configuration is not TOML.
    #[error("invalid configuration: {0}")]
    Config(#[from] toml::de::Error),
    /// The table of tests lacks a column.
    #[error("invalid table of tests: expected a column '{0}' in its first line")]
    Column(&'static str),
    /// A cell is not a number.
    #[error(
        "invalid line {line} of the table of tests: expected a number in column '{column}', not '{found}'"
    )]
    Cell {
        /// Counted from 1, the line with the names included.
        line: usize,
        /// The name of the column.
        column: String,
        /// The text in the cell.
        found: String,
    },
    /// There is no test yet.
    #[error("the run has no test yet")]
    Empty,
}

impl RunCurve {
    /// Reads a run from the text of its configuration (TOML) and of its tests (as
    /// [`csv`](crate::train::csv) writes them); `name` is shown where the settings of runs do not
    /// tell them apart.
    ///
    /// # Errors
    /// [`RunCurveError`] if a text cannot be read or there is no test.
    pub fn read(name: &str, config: &str, tests: &str) -> Result<RunCurve, RunCurveError> {
        let mut settings: toml::Table = config.parse()?;
        let seed = settings.remove("seed");
        // The commands of an extended run say its seed and folder.
        settings.remove(COMMANDS);
        let last = points(tests, TestedWeights::Last)?;
        let averaged = points(tests, TestedWeights::Averaged)?;
        if last.is_empty() {
            return Err(RunCurveError::Empty);
        }
        Ok(RunCurve { name: name.to_owned(), settings, seed, last, averaged })
    }

    /// The opponent of the tests, the first one of several, if the configuration names it.
    #[must_use]
    pub fn against(&self) -> Option<String> {
        let text = self.settings.get("against").and_then(toml::Value::as_str)?;
        Some(
            text.parse::<Opponents>()
                .map_or_else(|_| text.to_owned(), |all| all.first().to_string()),
        )
    }

    /// Whether the run keeps an average of its weights.
    #[must_use]
    pub fn has_average(&self) -> bool {
        !self.averaged.is_empty()
    }

    fn points(&self, weights: TestedWeights) -> &[CurvePoint] {
        match weights {
            TestedWeights::Last => &self.last,
            TestedWeights::Averaged => &self.averaged,
        }
    }
}

/// The rows of a table of tests; a test without a result of these weights is left out.
fn points(tests: &str, weights: TestedWeights) -> Result<Vec<CurvePoint>, RunCurveError> {
    let mut lines = tests.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let place = |column: &'static str| {
        names.iter().position(|name| *name == column).ok_or(RunCurveError::Column(column))
    };
    let [ppg, stderr] = weights.columns();
    let columns = [("games", place("games")?), (ppg, place(ppg)?), (stderr, place(stderr)?)];
    let mut points = Vec::new();
    for (index, line) in lines.enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        if cells.get(columns[1].1).is_none_or(|cell| cell.is_empty()) {
            continue;
        }
        let number = |(column, place): (&'static str, usize)| {
            let found = cells.get(place).copied().unwrap_or_default();
            let value = found.parse::<f64>().ok().filter(|value| value.is_finite());
            value.ok_or_else(|| RunCurveError::Cell {
                line: index + 2,
                column: column.to_owned(),
                found: found.to_owned(),
            })
        };
        let [games, ppg, stderr] = [number(columns[0])?, number(columns[1])?, number(columns[2])?];
        points.push(CurvePoint { games: games as u64, ppg, stderr });
    }
    Ok(points)
}

/// Runs with the same settings but for the seed.
#[derive(Clone, Debug, PartialEq)]
pub struct RunGroup {
    /// The settings in which it differs from other groups, or the names of its runs.
    pub label: String,
    /// How many runs.
    pub runs: usize,
    /// The tests that all its runs have made: games learned from, and points per game.
    pub curve: Vec<(u64, GroupResult)>,
}

/// The result of a group at one test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupResult {
    /// Points per game; the error is that over the runs, and for a single run that of its test.
    pub ppg: Estimate,
    /// Half the width of the 95 % interval.
    pub half95: f64,
}

impl RunGroup {
    /// The result at the last common test.
    #[must_use]
    pub fn end(&self) -> (u64, GroupResult) {
        *self.curve.last().expect("a group is made with a test")
    }

    /// The points per game of this group at its end, less those of `other`, and half the width of
    /// the 95 % interval.
    ///
    /// The degrees of freedom are those of Welch and Satterthwaite. The error of a single run is
    /// that of its test. Many games tell it, so its degrees of freedom are infinite.
    #[must_use]
    pub fn difference95(&self, other: &RunGroup) -> (f64, f64) {
        let [own, theirs] = [self, other].map(|group| match group.runs {
            1 => Estimate { n: u64::MAX, ..group.end().1.ppg },
            _ => group.end().1.ppg,
        });
        match [self.runs, other.runs] {
            [1, 1] => (own.mean - theirs.mean, Z95 * own.stderr.hypot(theirs.stderr)),
            _ => own.difference95(&theirs),
        }
    }
}

/// The runs have no test at the same number of games.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the runs {0} have the same settings, but no test at the same number of games: compare them one by one"
)]
pub struct NoCommonTest(pub String);

/// Puts runs into groups, in the order of their first runs.
///
/// A seed makes the same run again, so each counts once in a group. Runs of one setting are told
/// apart by their names if two of different names share a seed.
///
/// # Errors
/// [`NoCommonTest`] if the runs of a group cannot be averaged.
pub fn run_groups(
    runs: &[RunCurve],
    weights: TestedWeights,
) -> Result<Vec<RunGroup>, NoCommonTest> {
    let groups = groups_of(runs);
    let differing = differing_keys(&groups);
    groups
        .iter()
        .map(|group| {
            let names = || {
                let mut names: Vec<&str> = group.iter().map(|run| run.name.as_str()).collect();
                // The seeds of one folder have its name.
                names.dedup();
                names.join(", ")
            };
            let curve = common_curve(group, weights);
            if curve.is_empty() {
                return Err(NoCommonTest(names()));
            }
            let is_alike = |other: &&Vec<&RunCurve>| other[0].settings == group[0].settings;
            let alike = groups.iter().filter(is_alike).count();
            let label = match setting_words(group[0], &differing) {
                words if words.is_empty() => names(),
                words if alike > 1 => format!("{words}, {}", names()),
                words => words,
            };
            Ok(RunGroup { label, runs: group.len(), curve })
        })
        .collect()
}

fn groups_of(runs: &[RunCurve]) -> Vec<Vec<&RunCurve>> {
    let mut groups: Vec<Vec<&RunCurve>> = Vec::new();
    for run in runs {
        let by_name = share_a_seed(runs, &run.settings);
        let group = groups.iter_mut().find(|group| {
            group[0].settings == run.settings && (!by_name || group[0].name == run.name)
        });
        match group {
            // A folder that was named twice.
            Some(group) if group.iter().any(|known| known.seed == run.seed) => {}
            Some(group) => group.push(run),
            None => groups.push(vec![run]),
        }
    }
    groups
}

/// Whether two runs of these settings have the same seed, but different names.
fn share_a_seed(runs: &[RunCurve], settings: &toml::Table) -> bool {
    let alike: Vec<&RunCurve> = runs.iter().filter(|run| run.settings == *settings).collect();
    let repeats = |(place, run): (usize, &&RunCurve)| {
        alike[place + 1..].iter().any(|other| other.seed == run.seed && other.name != run.name)
    };
    alike.iter().enumerate().any(repeats)
}

/// The settings that are not the same in all groups.
fn differing_keys(groups: &[Vec<&RunCurve>]) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for (key, _) in groups.iter().flat_map(|group| &group[0].settings) {
        let first = groups[0][0].settings.get(key);
        let differs = groups.iter().any(|group| group[0].settings.get(key) != first);
        if differs && !keys.contains(key) {
            keys.push(key.clone());
        }
    }
    keys
}

fn setting_words(run: &RunCurve, keys: &[String]) -> String {
    let words = keys.iter().map(|key| match run.settings.get(key) {
        Some(toml::Value::String(value)) => format!("{key} {value}"),
        Some(value) => format!("{key} {value}"),
        None => format!("no {key}"),
    });
    words.collect::<Vec<_>>().join(", ")
}

fn common_curve(group: &[&RunCurve], weights: TestedWeights) -> Vec<(u64, GroupResult)> {
    let first = group[0].points(weights);
    let at = |games| -> Option<(u64, GroupResult)> {
        let tests = group
            .iter()
            .map(|run| run.points(weights).iter().find(|point| point.games == games))
            .collect::<Option<Vec<_>>>()?;
        let result = match tests.as_slice() {
            [test] => {
                let ppg = Estimate { mean: test.ppg, stderr: test.stderr, n: 1 };
                GroupResult { ppg, half95: Z95 * test.stderr }
            }
            tests => {
                let ppg = Estimate::from_values(tests.iter().map(|test| test.ppg));
                GroupResult { ppg, half95: ppg.student_half95() }
            }
        };
        Some((games, result))
    };
    first.iter().filter_map(|point| at(point.games)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str, seed: u64, alpha: &str, ppg: [f64; 2]) -> RunCurve {
        let config = format!("alpha = \"{alpha}\"\nseed = {seed}\nagainst = \"pubeval\"\n");
        let tests = format!(
            "games,alpha,ppg,stderr,average_ppg,average_stderr\n100,0.1,{},0.02,,\n1000,0.1,{},0.02,0.3,0.02\n",
            ppg[0], ppg[1]
        );
        RunCurve::read(name, &config, &tests).expect("a run")
    }

    #[test]
    fn runs_that_differ_in_their_seed_are_one_group_named_by_what_differs() {
        let runs = [
            run("a-1", 1, "0.01", [-1.0, 0.1]),
            run("a-2", 2, "0.01", [-1.2, 0.3]),
            run("b", 1, "0.1..0.003", [-0.5, 0.5]),
        ];
        let groups = run_groups(&runs, TestedWeights::Last).expect("common tests");
        let labels: Vec<_> =
            groups.iter().map(|group| (group.label.as_str(), group.runs)).collect();
        assert_eq!(labels, [("alpha 0.01", 2), ("alpha 0.1..0.003", 1)]);
        let (games, end) = groups[0].end();
        assert_eq!(games, 1000);
        assert!((end.ppg.mean - 0.2).abs() < 1e-12);
        // Two runs: one degree of freedom, 12.706 times the error 0.1.
        assert!((end.half95 - 1.2706).abs() < 1e-9, "{end:?}");
        assert!((groups[1].end().1.half95 - Z95 * 0.02).abs() < 1e-12);
        let (difference, half) = groups[1].difference95(&groups[0]);
        assert!((difference - 0.3).abs() < 1e-12 && half > Z95 * 0.1);
        // The test of the single run adds to the error, and no degree of freedom.
        assert!((half - 12.706 * 0.1_f64.hypot(0.02)).abs() < 1e-9, "{half}");
        let (_, other_way) = groups[0].difference95(&groups[1]);
        assert!((other_way - half).abs() < 1e-12 && half > end.half95);
        let (_, single) = groups[1].difference95(&groups[1]);
        assert!((single - Z95 * 0.02_f64.hypot(0.02)).abs() < 1e-12, "two tests");
    }

    #[test]
    fn runs_of_one_name_are_a_group_of_that_name() {
        let runs = [1, 2].map(|seed| run("runs/seeds", seed, "0.01", [-1.0, 0.1]));
        let groups = run_groups(&runs, TestedWeights::Last).expect("common tests");
        assert_eq!((groups[0].label.as_str(), groups[0].runs), ("runs/seeds", 2));
    }

    #[test]
    fn a_seed_counts_once_and_runs_that_share_one_are_told_apart_by_their_names() {
        let seeds = |name: &str, all: std::ops::RangeInclusive<u64>| -> Vec<RunCurve> {
            all.map(|seed| run(name, seed, "0.01", [-1.0, 0.1])).collect()
        };
        let groups = |runs: &[RunCurve]| -> Vec<(String, usize)> {
            let groups = run_groups(runs, TestedWeights::Last).expect("common tests");
            groups.into_iter().map(|group| (group.label, group.runs)).collect()
        };
        // Two programs, or a run and its copy: they are no two seeds, which would agree to 0.000.
        let twice = [seeds("old", 1..=2), seeds("new", 1..=3)].concat();
        assert_eq!(groups(&twice), [("old".to_owned(), 2), ("new".to_owned(), 3)]);
        let third = [twice, vec![run("b", 1, "0.1", [0.0, 0.0])]].concat();
        let labels = groups(&third).into_iter().map(|(label, _)| label).collect::<Vec<_>>();
        assert_eq!(labels, ["alpha 0.01, old", "alpha 0.01, new", "alpha 0.1"]);
        // The same folder twice.
        let again = [seeds("old", 1..=1), seeds("old", 1..=1)].concat();
        assert_eq!(groups(&again), [("old".to_owned(), 1)]);
    }

    #[test]
    fn tests_without_an_average_are_left_out_of_its_curve() {
        let groups = run_groups(&[run("a", 1, "0.01", [-1.0, 0.1])], TestedWeights::Averaged);
        let groups = groups.expect("a test");
        assert_eq!((groups[0].curve.len(), groups[0].label.as_str()), (1, "a"));
    }

    #[test]
    fn the_commands_of_extended_runs_tell_no_runs_apart() {
        let tests = "games,ppg,stderr,average_ppg,average_stderr\n100,0.1,0.02,,\n";
        let read = |seed: u64| {
            let config = format!("commands = [\"nonet train --seed {seed}\"]\nseed = {seed}\n");
            RunCurve::read("a", &config, tests).expect("a run")
        };
        let groups = run_groups(&[read(1), read(2)], TestedWeights::Last).expect("a test");
        assert_eq!((groups.len(), groups[0].runs), (1, 2));
    }

    #[test]
    fn a_table_that_cannot_be_read_is_an_error_with_its_line() {
        let read = |tests| RunCurve::read("a", "", tests).expect_err("refused").to_string();
        assert!(read("games,ppg\n").contains("'stderr'"));
        let bad = "games,ppg,stderr,average_ppg,average_stderr\n100,x,0.1,,\n";
        assert!(read(bad).contains("line 2") && read(bad).contains("'x'"));
        assert_eq!(
            read("games,ppg,stderr,average_ppg,average_stderr\n"),
            "the run has no test yet"
        );
    }

    #[test]
    fn runs_of_one_setting_without_a_common_test_are_not_averaged() {
        let mut other = run("b", 2, "0.01", [0.0, 0.0]);
        other.last.iter_mut().for_each(|point| point.games += 1);
        let runs = [run("a", 1, "0.01", [0.0, 0.0]), other];
        assert!(run_groups(&runs, TestedWeights::Last).is_err());
    }
}
