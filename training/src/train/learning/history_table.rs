//! The table of a run's tests, `history.csv`: written, and read back.

use std::fmt::Write;

use crate::train::learning_curve::{BatchStats, TestResult, TestRow};
use crate::train::run_comparison::RunCurveError;
use nonet_engine::class::Class;

/// The history as comma-separated values, one row per test.
///
/// The columns `average_*` are those of the moving average. The last columns belong to the other
/// opponents of the tests. `others` names these in the order of the results.
#[must_use]
pub fn csv(history: &[TestRow], others: &[String]) -> String {
    let mut text = String::from(
        "games,alpha,lambda,ppg,stderr,wins,points,average_ppg,average_stderr,average_wins,average_points",
    );
    for class in Class::all() {
        let _ = write!(text, ",examples_{class}");
    }
    for class in Class::all() {
        let _ = write!(text, ",td_error_{class}");
    }
    for other in others {
        let other = other.replace([',', '\n'], ";");
        for what in ["ppg", "stderr", "wins", "points"] {
            let _ = write!(text, ",{what}{AGAINST}{other}");
        }
    }
    text.push('\n');
    for row in history {
        let TestRow { games, alpha, lambda, last, ema, others: results, learned } = row;
        let _ = write!(text, "{games},{alpha},{lambda}");
        for result in [Some(last), ema.as_ref()] {
            write_result(&mut text, result);
        }
        for (_, examples) in learned.examples.iter() {
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
        for place in 0..others.len() {
            write_result(&mut text, results.get(place));
        }
        text.push('\n');
    }
    text
}

/// What stands between a figure and the opponent in the name of a column.
const AGAINST: &str = " against ";

fn write_result(text: &mut String, result: Option<&TestResult>) {
    match result {
        Some(TestResult { ppg, stderr, wins, points }) => {
            let _ = write!(text, ",{ppg:.5},{stderr:.5},{wins:.5},{points:.5}");
        }
        None => text.push_str(",,,,"),
    }
}

/// A table of tests as it was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistoryTable {
    /// The tests, with as many digits as the table has.
    pub rows: Vec<TestRow>,
    /// The names of the other opponents.
    pub others: Vec<String>,
}

impl HistoryTable {
    /// Reads a table.
    ///
    /// It must have the columns `games`, `alpha`, `lambda`, `ppg` and `stderr`. Figures of other
    /// columns are 0 or absent where an earlier version did not write them.
    ///
    /// # Errors
    /// [`RunCurveError`] if a column is missing or a cell is not a number.
    pub fn read(text: &str) -> Result<HistoryTable, RunCurveError> {
        let mut lines = text.lines();
        let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        for column in ["games", "alpha", "lambda", "ppg", "stderr"] {
            if !names.contains(&column) {
                return Err(RunCurveError::Column(column));
            }
        }
        let prefix = format!("ppg{AGAINST}");
        let others: Vec<String> =
            names.iter().filter_map(|name| name.strip_prefix(&prefix)).map(str::to_owned).collect();
        let mut rows = Vec::new();
        for (index, line) in lines.enumerate() {
            let cells: Vec<&str> = line.split(',').collect();
            rows.push(Cells { names: &names, cells: &cells, line: index + 2 }.row(&others)?);
        }
        Ok(HistoryTable { rows, others })
    }
}

/// The cells of one line.
struct Cells<'a> {
    names: &'a [&'a str],
    cells: &'a [&'a str],
    /// Counted from 1, the line with the names included.
    line: usize,
}

impl Cells<'_> {
    /// The number in a column; `None` if there is no such column or the cell is empty.
    fn number(&self, column: &str) -> Result<Option<f64>, RunCurveError> {
        let place = self.names.iter().position(|name| *name == column);
        let Some(cell) = place.and_then(|place| self.cells.get(place)) else { return Ok(None) };
        if cell.is_empty() {
            return Ok(None);
        }
        match cell.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Some(value)),
            _ => Err(RunCurveError::Cell {
                line: self.line,
                column: column.to_owned(),
                found: (*cell).to_owned(),
            }),
        }
    }

    fn wanted(&self, column: &str) -> Result<f64, RunCurveError> {
        self.number(column)?.ok_or_else(|| RunCurveError::Cell {
            line: self.line,
            column: column.to_owned(),
            found: String::new(),
        })
    }

    fn result(&self, before: &str, behind: &str) -> Result<Option<TestResult>, RunCurveError> {
        let of = |what: &str| self.number(&format!("{before}{what}{behind}"));
        let (Some(ppg), Some(stderr)) = (of("ppg")?, of("stderr")?) else { return Ok(None) };
        let [wins, points] = [of("wins")?, of("points")?].map(Option::unwrap_or_default);
        Ok(Some(TestResult { ppg, stderr, wins, points }))
    }

    fn row(&self, others: &[String]) -> Result<TestRow, RunCurveError> {
        let mut learned = BatchStats::default();
        for class in Class::all() {
            let examples = self.number(&format!("examples_{class}"))?.unwrap_or_default();
            let error = self.number(&format!("td_error_{class}"))?.unwrap_or_default();
            learned.examples[class] = examples as u64;
            learned.squared_error[class] = error * error * examples;
        }
        let last = TestResult {
            ppg: self.wanted("ppg")?,
            stderr: self.wanted("stderr")?,
            wins: 0.0,
            points: 0.0,
        };
        Ok(TestRow {
            games: self.wanted("games")? as u64,
            alpha: self.wanted("alpha")? as f32,
            lambda: self.wanted("lambda")? as f32,
            last: self.result("", "")?.unwrap_or(last),
            ema: self.result("average_", "")?,
            others: others
                .iter()
                .map(|other| self.result("", &format!("{AGAINST}{other}")))
                .collect::<Result<Vec<_>, _>>()?
                .into_iter()
                .flatten()
                .collect(),
            learned,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(ppg: f64) -> TestResult {
        TestResult { ppg, stderr: 0.02, wins: 0.6, points: 0.625 }
    }

    #[test]
    fn a_table_is_read_back_as_it_was_written() {
        let mut learned = BatchStats::default();
        let class = Class::of(&nonet_engine::backgammon::Position::START);
        (learned.examples[class], learned.squared_error[class]) = (100, 25.0);
        let row = TestRow {
            games: 100,
            alpha: 0.1,
            lambda: 0.6,
            last: result(-1.5),
            ema: Some(result(-1.25)),
            others: vec![result(0.5)],
            learned,
        };
        let rows = vec![row.clone(), TestRow { games: 300, ema: None, ..row }];
        let others = vec!["random".to_owned()];
        let read = HistoryTable::read(&csv(&rows, &others)).expect("a table");
        assert_eq!(read, HistoryTable { rows, others });
    }

    #[test]
    fn columns_that_an_earlier_version_did_not_write_are_absent() {
        let read = HistoryTable::read("games,alpha,lambda,ppg,stderr\n100,0.1,0.6,-1.5,0.1\n");
        let row = &read.expect("a table").rows[0];
        assert_eq!((row.ema, row.last.ppg), (None, -1.5));
        assert!(Class::all().all(|class| row.learned.td_error(class).is_none()));
        let lacking = HistoryTable::read("games,ppg\n100,1\n").expect_err("refused").to_string();
        assert!(lacking.contains("'alpha'"), "{lacking}");
        let bad = "games,alpha,lambda,ppg,stderr\n100,0.1,0.6,x,0.1\n";
        let error = HistoryTable::read(bad).expect_err("refused").to_string();
        assert!(error.contains("line 2") && error.contains("'x'"), "{error}");
    }
}
