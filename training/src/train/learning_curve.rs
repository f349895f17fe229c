//! The results of a run so far: counts of games and positions, tests and gates.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::train::game_source::recorded::RecordStats;
use crate::train::gate::GateResult;
use crate::train::knowledge::Knowledge;
use crate::train::play_off::{LastMatch, PlayOff};
use nonet_engine::class::{ByClass, Class};
use nonet_engine::game::Series;
use nonet_engine::stats::Z95;

/// Counts and errors of the examples of some games, by class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BatchStats {
    /// Examples learned.
    pub examples: ByClass<u64>,
    /// Sum of the squared differences between target and prediction, in points squared.
    pub squared_error: ByClass<f64>,
}

impl BatchStats {
    /// Adds the counts and errors of other games.
    pub fn add(&mut self, other: &BatchStats) {
        for class in Class::all() {
            self.examples[class] += other.examples[class];
            self.squared_error[class] += other.squared_error[class];
        }
    }

    /// Root of the mean squared difference between target and prediction, in points per game;
    /// `None` without examples.
    #[must_use]
    pub fn td_error(&self, class: Class) -> Option<f64> {
        let examples = self.examples[class];
        (examples > 0).then(|| (self.squared_error[class] / examples as f64).sqrt())
    }
}

/// The result of one team in a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestResult {
    /// Points per game against the opponent of the tests.
    pub ppg: f64,
    /// Its standard error.
    pub stderr: f64,
    /// Share of games won, 0..1.
    pub wins: f64,
    /// Share of points won, 0..1, where 0.5 is parity: one reading of the paper's "equity".
    pub points: f64,
}

impl fmt::Display for TestResult {
    /// The points per game with half the width of their 95 % interval: `+0.335 ± 0.086`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.3} ± {:.3}", self.ppg, Z95 * self.stderr)
    }
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
    /// The learning rate at this test.
    pub alpha: f32,
    /// Lambda at this test.
    pub lambda: f32,
    /// The result of the current weights.
    pub last: TestResult,
    /// The result of the moving average of the weights, if the run keeps one.
    pub ema: Option<TestResult>,
    /// The results against the other opponents: of the moving average if the run keeps one,
    /// otherwise of the current weights.
    pub others: Vec<TestResult>,
    /// Statistics of learning since the previous test.
    pub learned: BatchStats,
}

/// The number of tests in the mean by which the best team is chosen. A single test has an error of
/// some hundredths of a point.
const SMOOTHED_TESTS: usize = 3;

/// The counts and results of a run so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunProgress {
    /// Games played, abandoned ones included.
    pub games: u64,
    /// Games abandoned because they did not end.
    pub endless: u64,
    /// Positions learned from.
    pub positions: u64,
    /// All tests.
    pub history: Vec<TestRow>,
    /// Statistics of learning since the last test.
    pub learning: BatchStats,
    /// The best team so far: the index in `history` of its test, and its mean points per game.
    ///
    /// The mean is that of this test and the two before it. In a gated run, it is that of the best
    /// single test since the last gate.
    pub best: Option<(usize, f64)>,
    /// The gates so far, in a gated run.
    pub gates: Vec<GateResult>,
    /// Counts of unusable and unfinished games of the records.
    pub record_stats: RecordStats,
    /// Whether the source has no more games, so that the run ends.
    pub exhausted: bool,
    /// The knowledge of the net at each test.
    pub knowledge: Vec<Knowledge>,
    /// The play-off at the end of the run.
    pub play_off: Option<PlayOff>,
    /// The last match of the winner.
    pub last_match: Option<LastMatch>,
}

impl RunProgress {
    /// Statistics of learning in the whole run.
    #[must_use]
    pub fn total(&self) -> BatchStats {
        let mut total = BatchStats::default();
        for stats in self.history.iter().map(|row| &row.learned).chain([&self.learning]) {
            total.add(stats);
        }
        total
    }

    /// The mean points per game of `last` and of the results of the same weights in up to
    /// [`SMOOTHED_TESTS`] - 1 tests before it.
    #[must_use]
    pub(super) fn smoothed(
        &self,
        last: &TestResult,
        of: impl Fn(&TestRow) -> Option<TestResult>,
    ) -> f64 {
        let before = self.history.iter().rev().take(SMOOTHED_TESTS - 1).filter_map(of);
        let (sum, n) = before.fold((last.ppg, 1.0), |(sum, n), test| (sum + test.ppg, n + 1.0));
        sum / n
    }

    /// Whether the challenger lost the last gate: a gated run then ends.
    #[must_use]
    pub fn is_topped(&self) -> bool {
        self.gates.last().is_some_and(|gate| !gate.promoted)
    }

    /// Games learned from at the last promotion; 0 if there was none.
    #[must_use]
    pub fn last_promotion(&self) -> u64 {
        self.gates.iter().rfind(|gate| gate.promoted).map_or(0, |gate| gate.games)
    }

    /// Positions learned from, by class.
    #[must_use]
    pub fn examples(&self) -> ByClass<u64> {
        self.total().examples
    }
}
