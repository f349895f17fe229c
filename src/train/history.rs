//! What a run has counted and measured so far.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::learner::BatchStats;
use super::source::recorded::RecordStats;
use crate::class::{ByClass, Class};
use crate::game::Series;

/// Examples and errors of some stretch of a run, by class.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassCounts {
    /// Examples learned, in the order of the classes.
    pub examples: Vec<u64>,
    /// Sum of squared differences between target and prediction, in points squared.
    pub squared_error: Vec<f64>,
}

impl ClassCounts {
    /// Nothing counted yet.
    #[must_use]
    pub fn new() -> ClassCounts {
        ClassCounts { examples: vec![0; Class::COUNT], squared_error: vec![0.0; Class::COUNT] }
    }

    /// Counts what a batch taught.
    pub fn add(&mut self, stats: &BatchStats) {
        for (i, class) in Class::all().enumerate() {
            self.examples[i] += stats.examples[class];
            self.squared_error[i] += stats.squared_error[class];
        }
    }

    /// Examples by class.
    #[must_use]
    pub fn by_class(&self) -> ByClass<u64> {
        ByClass::new(|class| self.examples.get(class as usize).copied().unwrap_or(0))
    }

    /// Root of the mean squared difference between target and prediction, in points per game; `None` without examples.
    #[must_use]
    pub fn td_error(&self, class: Class) -> Option<f64> {
        let examples = *self.examples.get(class as usize)?;
        let sum = self.squared_error.get(class as usize)?;
        (examples > 0).then(|| (sum / examples as f64).sqrt())
    }
}

/// One team tested.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestResult {
    /// Points per game against the yardstick.
    pub ppg: f64,
    /// Its standard error.
    pub stderr: f64,
    /// Share of games won, 0..1.
    pub wins: f64,
    /// Share of points won, 0..1: the paper's equity, where 0.5 is parity.
    pub points: f64,
}

impl From<&Series> for TestResult {
    fn from(series: &Series) -> TestResult {
        TestResult {
            ppg: series.ppg.mean,
            stderr: series.ppg.stderr,
            wins: series.tally.wins() as f64 / series.games as f64,
            points: series.tally.share_of_points(),
        }
    }
}

/// One test of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestRow {
    /// Games learned from.
    pub games: u64,
    /// The learning rate at the time.
    pub alpha: f32,
    /// Lambda at the time.
    pub lambda: f32,
    /// The weights as they were.
    pub last: TestResult,
    /// Their running average.
    pub average: Option<TestResult>,
    /// What was learned since the test before.
    pub learned: ClassCounts,
}

/// The end of one rung of a ladder: the best team of the rung against the team that it began with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateResult {
    /// Games learned from at its end.
    pub games: u64,
    /// Games that the best team of the rung had learned from.
    pub best_after: u64,
    /// The deciding match, on dice of its own; `None` if no test of the rung was won.
    pub result: Option<TestResult>,
    /// Whether the match was won with the lower end of its 95 % interval, so that the ladder goes on from that team.
    pub promoted: bool,
}

/// What a run has counted and measured so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunProgress {
    /// Games played, endless ones included.
    pub games: u64,
    /// Games given up as endless.
    pub endless: u64,
    /// Positions learned from.
    pub positions: u64,
    /// All tests.
    pub history: Vec<TestRow>,
    /// What was learned since the last of them.
    pub learning: ClassCounts,
    /// Place in the history, and points per game, of the best team so far; on a ladder, of the present rung.
    pub best: Option<(usize, f64)>,
    /// The rungs that have ended, if the run is a ladder.
    pub rungs: Vec<GateResult>,
    /// What was met in records besides games that were played to their end.
    pub record_stats: RecordStats,
    /// Whether the source had no more games, so that the run ends here.
    pub exhausted: bool,
}

impl RunProgress {
    /// Everything learned in the run, by class.
    #[must_use]
    pub fn total(&self) -> ClassCounts {
        let mut total = ClassCounts::new();
        for counts in self.history.iter().map(|row| &row.learned).chain([&self.learning]) {
            let both = total.examples.iter_mut().zip(&mut total.squared_error);
            for ((n, sum), (more, error)) in
                both.zip(counts.examples.iter().zip(&counts.squared_error))
            {
                *n += more;
                *sum += error;
            }
        }
        total
    }

    /// Whether the last rung was not climbed: the ladder has come to its end.
    #[must_use]
    pub fn is_topped(&self) -> bool {
        self.rungs.last().is_some_and(|rung| !rung.promoted)
    }

    /// Positions learned from, by class.
    #[must_use]
    pub fn examples(&self) -> ByClass<u64> {
        self.total().by_class()
    }
}

/// The history as a table of comma-separated values, one row a test.
#[must_use]
pub fn csv(history: &[TestRow]) -> String {
    let mut text = String::from(
        "games,alpha,lambda,ppg,stderr,wins,points,average_ppg,average_stderr,average_wins,average_points",
    );
    for class in Class::all() {
        let _ = write!(text, ",examples_{class}");
    }
    for class in Class::all() {
        let _ = write!(text, ",td_error_{class}");
    }
    text.push('\n');
    for row in history {
        let TestRow { games, alpha, lambda, last, average, learned } = row;
        let _ = write!(text, "{games},{alpha},{lambda}");
        for result in [Some(last), average.as_ref()] {
            match result {
                Some(TestResult { ppg, stderr, wins, points }) => {
                    let _ = write!(text, ",{ppg:.5},{stderr:.5},{wins:.5},{points:.5}");
                }
                None => text.push_str(",,,,"),
            }
        }
        for (_, examples) in learned.by_class().iter() {
            let _ = write!(text, ",{examples}");
        }
        for class in Class::all() {
            match learned.td_error(class) {
                Some(error) => {
                    let _ = write!(text, ",{error:.5}");
                }
                None => text.push(','),
            }
        }
        text.push('\n');
    }
    text
}
