//! Tables and pictures of `reports/exact.md`, from the runs of `reports/tools/exact_ladder.py`.

use nonet::report::{Axis, Chart, LineChart, PlotSeries, ReportError};
use nonet::stats::Estimate;

/// The command that wrote the runs, as the pictures say it.
const COMMAND: &str = "python3 reports/tools/exact_ladder.py nonet hyper3.bd runs.csv 10";
/// All others are compared with this variant.
const BASE: &str = "lambda 0.6";
/// The numbers of games that nets learned from.
const GAMES: [u32; 4] = [1_000, 5_000, 20_000, 100_000];
const MOST_GAMES: u32 = GAMES[3];
const LAMBDAS: [&str; 6] = ["lambda 0", "lambda 0.3", BASE, "lambda 0.8", "lambda 0.9", "lambda 1"];
const RULES: [&str; 7] = [
    BASE,
    "TD-directed",
    "TDLeaf",
    "RootStrap",
    "RootStrap(0.6)",
    "rollouts",
    "true values of self-play",
];
const NETS: [&str; 7] = [
    BASE,
    "nine nets",
    "one net",
    "one net of 80",
    "one net with raw inputs",
    "one net of 80 with raw inputs",
    "one net without a hidden layer",
];

/// A net at a depth of play. Columns as in the file.
struct Run {
    variant: String,
    games: u32,
    seconds: f64,
    plies: u32,
    /// By sample (visited, uniform), phase (all, contact, race) and kind (bias, error, ER).
    errors: Vec<f64>,
}

/// A column of [`Run::errors`].
#[derive(Clone, Copy)]
struct Column(usize);

impl Column {
    const BIAS: Column = Column(0);
    const ERROR: Column = Column(1);
    const ER: Column = Column(2);
    const CONTACT: usize = 3;
    const RACE: usize = 6;
    const UNIFORM: usize = 9;

    const fn of(self, offset: usize) -> Column {
        Column(self.0 + offset)
    }

    const fn is_bias(self) -> bool {
        self.0.is_multiple_of(3)
    }

    /// Digits after the point: points have four, thousandths of a point two.
    const fn digits(self) -> usize {
        if self.0 % 3 == 2 { 2 } else { 4 }
    }
}

/// The runs of the ladder.
pub struct Ladder(Vec<Run>);

impl Ladder {
    /// Reads the table that `reports/tools/exact_ladder.py` writes.
    ///
    /// # Errors
    /// The line that is no run.
    pub fn read(table: &str) -> Result<Ladder, String> {
        let run = |line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            let [variant, _seed, games, seconds, plies, _positions, errors @ ..] = &cells[..]
            else {
                return None;
            };
            let errors: Vec<f64> = errors.iter().filter_map(|cell| cell.parse().ok()).collect();
            let whole = errors.len() == 2 * Column::UNIFORM;
            whole.then_some(Run {
                variant: (*variant).to_owned(),
                games: games.parse().ok()?,
                seconds: seconds.parse().ok()?,
                plies: plies.parse().ok()?,
                errors,
            })
        };
        let rows = table.lines().skip(1).map(|line| run(line).ok_or_else(|| line.to_owned()));
        rows.collect::<Result<_, _>>().map(Ladder)
    }

    fn estimate(
        &self,
        variant: &str,
        games: u32,
        plies: u32,
        of: impl Fn(&Run) -> f64,
    ) -> Estimate {
        let same = |run: &&Run| run.variant == variant && run.games == games && run.plies == plies;
        Estimate::from_values(self.0.iter().filter(same).map(of).collect::<Vec<_>>().into_iter())
    }

    fn column(&self, variant: &str, games: u32, plies: u32, column: Column) -> Estimate {
        self.estimate(variant, games, plies, |run| run.errors[column.0])
    }

    /// The variants, in the order of the file.
    fn variants(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for run in &self.0 {
            if !names.contains(&run.variant.as_str()) {
                names.push(&run.variant);
            }
        }
        names
    }

    /// The tables of the report, in its order. Each is Markdown.
    #[must_use]
    pub fn tables(&self) -> Vec<String> {
        vec![
            self.after_all_games(),
            self.over_games(Column::ERROR),
            self.over_games(Column::ER),
            self.differences(),
            self.by_phase(),
            self.by_depth(),
        ]
    }

    fn after_all_games(&self) -> String {
        let columns = [
            Column::BIAS,
            Column::ERROR,
            Column::ER,
            Column::ERROR.of(Column::UNIFORM),
            Column::ER.of(Column::UNIFORM),
        ];
        let mut table = Table::new(&[
            "variant",
            "runs",
            "bias",
            "error",
            "ER",
            "error, uniform",
            "ER, uniform",
            "seconds",
        ]);
        for variant in self.variants() {
            let seconds = self.estimate(variant, MOST_GAMES, 1, |run| run.seconds);
            let mut cells = vec![variant.to_owned(), seconds.n.to_string()];
            cells.extend(columns.map(|c| mean(self.column(variant, MOST_GAMES, 1, c), c)));
            cells.push(format!("{:.0}", seconds.mean));
            table.row(&cells);
        }
        table.0
    }

    fn over_games(&self, column: Column) -> String {
        let mut table =
            Table::new(&["variant", "1,000 games", "5,000 games", "20,000 games", "100,000 games"]);
        for variant in self.variants() {
            let cells = GAMES.map(|games| mean(self.column(variant, games, 1, column), column));
            table.row(&[&[variant.to_owned()], &cells[..]].concat());
        }
        table.0
    }

    fn differences(&self) -> String {
        let mut table = Table::new(&["variant", "error", "ER", "error, uniform", "ER, uniform"]);
        let columns = [
            Column::ERROR,
            Column::ER,
            Column::ERROR.of(Column::UNIFORM),
            Column::ER.of(Column::UNIFORM),
        ];
        for variant in self.variants().into_iter().filter(|&variant| variant != BASE) {
            let cells = columns.map(|column| self.against_base(variant, 1, column));
            table.row(&[&[variant.to_owned()], &cells[..]].concat());
        }
        table.0
    }

    /// How a variant differs from [`BASE`] at a depth of play; bold if the interval leaves out 0.
    fn against_base(&self, variant: &str, plies: u32, column: Column) -> String {
        let [own, base] = [variant, BASE].map(|name| self.column(name, MOST_GAMES, plies, column));
        let (difference, half) = own.difference95(&base);
        let digits = column.digits();
        if own.n < 2 {
            return format!("{difference:+.digits$}");
        }
        let told = if difference.abs() > half { "**" } else { "" };
        format!("{told}{difference:+.digits$} ± {half:.digits$}{told}")
    }

    fn by_phase(&self) -> String {
        let mut table = Table::new(&[
            "variant",
            "bias, contact",
            "bias, race",
            "error, contact",
            "error, race",
            "ER, contact",
            "ER, race",
        ]);
        for variant in self.variants() {
            let mut cells = vec![variant.to_owned()];
            for column in [Column::BIAS, Column::ERROR, Column::ER] {
                for column in [column.of(Column::CONTACT), column.of(Column::RACE)] {
                    cells.push(mean(self.column(variant, MOST_GAMES, 1, column), column));
                }
            }
            table.row(&cells);
        }
        table.0
    }

    fn by_depth(&self) -> String {
        let mut table = Table::new(&[
            "variant",
            "ER at 1-ply",
            "ER at 2-ply",
            "difference at 2-ply",
            "error at 2-ply",
        ]);
        let deep = |variant: &&str| self.column(variant, MOST_GAMES, 2, Column::ER).n > 0;
        for variant in self.variants().into_iter().filter(deep) {
            table.row(&[
                variant.to_owned(),
                mean(self.column(variant, MOST_GAMES, 1, Column::ER), Column::ER),
                mean(self.column(variant, MOST_GAMES, 2, Column::ER), Column::ER),
                match variant {
                    BASE => String::new(),
                    _ => self.against_base(variant, 2, Column::ER),
                },
                mean(self.column(variant, MOST_GAMES, 2, Column::ERROR), Column::ERROR),
            ]);
        }
        table.0
    }

    /// The pictures of the report: file names and SVG.
    ///
    /// # Errors
    /// [`ReportError`] if there are no runs to draw.
    pub fn pictures(&self) -> Result<Vec<(&'static str, String)>, ReportError> {
        let games = |run: &Run| f64::from(run.games);
        let seconds = |run: &Run| run.seconds;
        let over_games = Axis::new("games learned", "games");
        let over_seconds = Axis::new("processor time of training", "seconds");
        let chart = |title, variants, x, of| self.chart(title, variants, x, of).render();
        let title = "Error of values by lambda";
        let lambdas = chart(title, &LAMBDAS, over_games.clone(), &games)?;
        let rules = chart("Error of values by rule", &RULES, over_games.clone(), &games)?;
        let times = chart("Error of values by rule, over time", &RULES, over_seconds, &seconds)?;
        let nets = chart("Error of values by architecture", &NETS, over_games, &games)?;
        Ok(vec![
            ("lambdas.svg", lambdas),
            ("rules.svg", rules),
            ("rules-over-time.svg", times),
            ("nets.svg", nets),
        ])
    }

    fn chart(
        &self,
        title: &str,
        variants: &[&str],
        x: Axis,
        of: &dyn Fn(&Run) -> f64,
    ) -> LineChart {
        let error = Axis::new("error of values on visited positions", "points");
        let mut chart = LineChart::new(title, x, error).command(COMMAND).logarithmic_x();
        for &variant in variants {
            let place = |games| self.estimate(variant, games, 1, of).mean;
            let errors = GAMES.map(|games| self.column(variant, games, 1, Column::ERROR));
            let points = GAMES.map(place).into_iter().zip(errors.map(|error| error.mean));
            // The interval of two runs would hide all others.
            let half = |error: Estimate| if error.n < 3 { 0.0 } else { error.student_half95() };
            let halves = errors.map(half);
            let line = PlotSeries::line(variant, points).markers();
            chart = chart.series(line.band("95 % interval", halves));
        }
        chart
    }
}

/// What the cube decisions of a net lose at a depth, on a sample of positions.
struct CubeRun {
    variant: String,
    seed: u64,
    sample: String,
    plies: u32,
    /// ER of doubles, part of wrong ones, ER of answers, part of wrong ones.
    losses: [f64; 4],
}

/// The cube decisions of the nets, and of the solved chances.
pub struct CubeLadder(Vec<CubeRun>);

impl CubeLadder {
    /// Reads the table that `reports/tools/exact_ladder.py --cube` writes.
    ///
    /// # Errors
    /// The line that is none of its rows.
    pub fn read(table: &str) -> Result<CubeLadder, String> {
        let run = |line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            let [variant, seed, _games, _seconds, sample, plies, _positions, losses @ ..] =
                &cells[..]
            else {
                return None;
            };
            let losses: Vec<f64> = losses.iter().filter_map(|cell| cell.parse().ok()).collect();
            Some(CubeRun {
                variant: (*variant).to_owned(),
                seed: seed.parse().ok()?,
                sample: (*sample).to_owned(),
                plies: plies.parse().ok()?,
                losses: losses.try_into().ok()?,
            })
        };
        let rows = table.lines().skip(1).map(|line| run(line).ok_or_else(|| line.to_owned()));
        rows.collect::<Result<_, _>>().map(CubeLadder)
    }

    /// The table of the report in Markdown: visited positions.
    #[must_use]
    pub fn table(&self) -> String {
        let mut table = Table::new(&[
            "variant",
            "runs",
            "doubles, 1-ply",
            "doubles, 2-ply",
            "wrong, 2-ply",
            "answers, 1-ply",
            "answers, 2-ply",
            "wrong, 2-ply",
        ]);
        let mut variants: Vec<&str> = Vec::new();
        for run in &self.0 {
            if !variants.contains(&run.variant.as_str()) {
                variants.push(&run.variant);
            }
        }
        for variant in variants {
            let of = |plies: u32, place: usize| {
                let same = self.0.iter().filter(|run| {
                    run.variant == variant && run.plies == plies && run.sample == "visited"
                });
                let losses: Vec<f64> = same.map(|run| run.losses[place]).collect();
                Estimate::from_values(losses.into_iter())
            };
            let er = |plies, place| mean(of(plies, place), Column::ER);
            let part = |plies, place| format!("{:.1} %", 100.0 * of(plies, place).mean);
            // Seed 0 stands for no net.
            let is_net = self.0.iter().any(|run| run.variant == variant && run.seed > 0);
            table.row(&[
                variant.to_owned(),
                if is_net { of(1, 0).n.to_string() } else { "none".to_owned() },
                er(1, 0),
                er(2, 0),
                part(2, 1),
                er(1, 2),
                er(2, 2),
                part(2, 3),
            ]);
        }
        table.0
    }
}

/// A mean with its interval; a single run has none.
fn mean(estimate: Estimate, column: Column) -> String {
    let digits = column.digits();
    let mean = if column.is_bias() {
        format!("{:+.digits$}", estimate.mean)
    } else {
        format!("{:.digits$}", estimate.mean)
    };
    if estimate.n < 2 { mean } else { format!("{mean} ± {:.digits$}", estimate.student_half95()) }
}

/// A table in Markdown.
struct Table(String);

impl Table {
    fn new(head: &[&str]) -> Table {
        let mut table = Table(String::new());
        table.row(&head.iter().map(|&cell| cell.to_owned()).collect::<Vec<_>>());
        table.0 += &format!("|{}\n", "---|".repeat(head.len()));
        table
    }

    fn row(&mut self, cells: &[String]) {
        self.0 += &format!("| {} |\n", cells.join(" | "));
    }
}
