//! The tables of `reports/architectures.md` follow from the sums next to it.

use nonet::class::Class;

use crate::reports::read;

/// A row of a file: an architecture in a class, or in all of them.
#[derive(Clone, Default)]
struct Row {
    architecture: String,
    /// Microseconds of an evaluation, or the weights that it uses.
    cost: f64,
    class: String,
    rolls: f64,
    /// Points lost, their squares, what is lost beyond the first architecture, its squares, and
    /// the squared error of the values.
    sums: [f64; 5],
}

impl Row {
    /// The mean of a sum and its standard error, in thousandths of a point a roll.
    fn mean(&self, of: usize) -> (f64, f64) {
        let [mean, square] = [of, of + 1].map(|place| self.sums[place] / self.rolls);
        (1e3 * mean, 1e3 * ((square - mean * mean) / (self.rolls - 1.0)).max(0.0).sqrt())
    }
}

fn rows(file: &str) -> Vec<Row> {
    let text = read(file);
    let row = |line: &str| {
        let (name, rest) = line[1..].split_once('"').expect("a name");
        let cells: Vec<&str> = rest[1..].split(',').collect();
        let number = |place: usize| cells[place].parse::<f64>().expect("a number");
        Row {
            architecture: name.to_owned(),
            cost: number(0),
            class: cells[1].to_owned(),
            rolls: number(2),
            sums: [3, 4, 5, 6, 7].map(number),
        }
    };
    text.lines().skip(1).map(row).collect()
}

/// The architectures in their order, over all classes.
fn together(rows: &[Row]) -> Vec<Row> {
    let mut all: Vec<Row> = Vec::new();
    for row in rows {
        match all.last_mut().filter(|last| last.architecture == row.architecture) {
            None => all.push(row.clone()),
            Some(last) => {
                last.rolls += row.rolls;
                (0..5).for_each(|place| last.sums[place] += row.sums[place]);
            }
        }
    }
    all
}

#[test]
fn what_architectures_lose_in_the_report_follows_from_the_sums() {
    let report = read("architectures.md");
    let files = ["architectures/300000.csv", "architectures/1200000.csv"].map(rows);
    let mut lines = Vec::new();
    let all = files.each_ref().map(|rows| together(rows));
    for (few, many) in all[0].iter().zip(&all[1]) {
        assert_eq!(few.architecture, many.architecture);
        let cell = |row: &Row| {
            let ((lost, error), (more, of_more)) = (row.mean(0), row.mean(2));
            format!("{lost:.2} ± {error:.2} | {more:+.2} ± {of_more:.2}")
        };
        let rms = (many.sums[4] / many.rolls).sqrt();
        lines.push(format!(
            "\n| {} | {} | {} | {rms:.4} | {:.1} |",
            few.architecture,
            cell(few),
            cell(many),
            many.cost
        ));
    }
    for class in Class::all() {
        let of = |name: &str| {
            files[1].iter().find(|row| row.architecture == name && row.class == class.slug())
        };
        let (Some(nine), Some(one), Some(wide)) =
            (of("by class, 128-16"), of("one, 128-16"), of("one, 512-32"))
        else {
            continue;
        };
        let lost = |row: &Row| {
            let (mean, error) = row.mean(0);
            format!("{mean:.2} ± {error:.2}")
        };
        lines.push(format!(
            "\n| {} | {} | {} | {} | {} |",
            class.slug(),
            nine.rolls,
            lost(nine),
            lost(one),
            lost(wide)
        ));
    }
    for line in lines {
        assert!(report.contains(&line), "reports/architectures.md lacks{line}");
    }
}

#[test]
fn what_deeper_nets_lose_in_the_report_follows_from_the_sums() {
    let report = read("architectures.md");
    let found = together(&rows("architectures/deeper.csv"));
    assert_eq!(found.len(), 12);
    for row in found {
        let ((lost, error), (more, of_more)) = (row.mean(0), row.mean(2));
        let rms = (row.sums[4] / row.rolls).sqrt();
        let line = format!(
            "\n| {} | {} | {lost:.2} ± {error:.2} | {more:+.2} ± {of_more:.2} | {rms:.4} |",
            row.architecture, row.cost
        );
        assert!(report.contains(&line), "reports/architectures.md lacks{line}");
    }
}
