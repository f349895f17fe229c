//! The report of an experiment: nonet's figures and the authors', as a page with tables and
//! pictures.

mod build;
mod glossary;
mod levels;
mod page;
mod plots;
mod prose;
mod ranking;
mod robust;
mod short_matches;
mod size_text;
mod tables;
mod weights;

use std::fmt::Write;

pub(crate) use self::glossary::{Word, general};
pub(crate) use self::page::PageParts;
pub(crate) use self::prose::folded_lines;
use self::ranking::Ranking;
pub(crate) use self::ranking::mean_results;
use self::short_matches::ShortMatches;
use self::weights::LearnedWeights;
pub(crate) use self::weights::{POINTS, of_contact, place_of};
use crate::figures::{Figure, best_tests, curve, value_of};
use crate::plan::ExperimentSettings;
use crate::run::{MatchResult, RunResult, Simulations};
use crate::spec::{Experiment, MatchSpec, Metric, PanelSpec, Variant, scaled_games};
use nonet_engine::class::Class;

/// The results of an experiment, ready to be printed and drawn.
pub struct ExperimentReport<'a> {
    pub(super) experiment: &'a Experiment,
    scale: f64,
    /// The numbers of games after which tests came.
    tests_at: Vec<u64>,
    /// The same before scaling, to which the paper's figures belong.
    unscaled: Vec<u64>,
    /// The metric against the expert, by variant and by index in `tests_at`.
    figures: Vec<Vec<Figure>>,
    /// The rating before the first game, by variant, if it is the metric.
    starts: Vec<Figure>,
    /// The other reading of the paper's "equity", likewise, if the metric is a share.
    other: Option<(Metric, Vec<Vec<Figure>>)>,
    /// Best single tests and their nets' new matches, by variant.
    best: Vec<Best>,
    /// Shares of the classes among the positions learned from, by variant.
    classes: Vec<Vec<f64>>,
    /// Matches between finished teams.
    matches: Vec<(MatchSpec, Figure)>,
    /// How each match of the paper's length ended, for those that are as long as the paper's; in
    /// the order of `matches`.
    short_matches: Vec<Option<ShortMatches>>,
    /// Of the round robin.
    rankings: Vec<Ranking>,
    /// The weights of linear nets, if the experiment shows them.
    weights: Option<LearnedWeights>,
    simulations: &'a Simulations,
}

/// The best tests of a variant.
struct Best {
    /// The greatest result of a single test in the paper's number of simulations.
    ///
    /// There is one value for each pair of our simulations if the paper has two. Otherwise, there
    /// is one for each single simulation.
    highest: Vec<f64>,
    /// After how many games the best test of each simulation came, in ascending order.
    after: Vec<u64>,
    /// New matches of each simulation's best net.
    retest: Option<Figure>,
}

impl<'a> ExperimentReport<'a> {
    /// Averages the simulations of each variant that ended.
    #[must_use]
    pub fn new(
        experiment: &'a Experiment,
        settings: &ExperimentSettings,
        simulations: &'a Simulations,
        matches: &[MatchResult],
    ) -> ExperimentReport<'a> {
        let (scale, runs) = (settings.scale, &simulations.runs);
        let tests_at = experiment.tests_at(scale);
        let test_games = scaled_games(experiment.test_games, scale);
        let of = |variant: usize| runs.iter().filter(move |run| run.variant == variant);
        let figures = |metric: Metric| -> Vec<Vec<Figure>> {
            let row = |variant: usize| {
                let curves: Vec<_> =
                    of(variant).map(|run| curve(experiment, run, metric, test_games)).collect();
                let at = |&games: &u64| {
                    let here = curves.iter().flatten().filter(|(at, ..)| *at == games);
                    Figure::of(&here.map(|(_, value, error)| (*value, *error)).collect::<Vec<_>>())
                };
                tests_at.iter().map(at).collect()
            };
            (0..experiment.variants.len()).map(row).collect()
        };
        let other = match experiment.metric {
            Metric::Share => Some(Metric::Wins),
            Metric::Wins => Some(Metric::Share),
            Metric::Rating => Some(Metric::Ppg),
            Metric::Size => Some(Metric::Share),
            Metric::Ppg => None,
        };
        let start = |variant| {
            let first = of(variant).filter_map(|run| run.ratings.first());
            Figure::of(&first.map(|rating| (*rating, 0.0)).collect::<Vec<_>>())
        };
        let starts = match experiment.metric {
            Metric::Rating => (0..experiment.variants.len()).map(start).collect(),
            Metric::Share | Metric::Wins | Metric::Ppg | Metric::Size => Vec::new(),
        };
        let classes = (0..experiment.variants.len()).map(|variant| {
            let examples = |class: Class| {
                of(variant).filter_map(|run| run.examples.get(class.slug())).sum::<u64>() as f64
            };
            let all: f64 = Class::all().map(examples).sum();
            Class::all().map(|class| examples(class) / all.max(1.0)).collect()
        });
        let best =
            (0..experiment.variants.len()).map(|variant| Best::of(experiment, of(variant), scale));
        let rankings = Ranking::all(experiment, matches);
        let ended = |(planned, result): (MatchSpec, &MatchResult)| {
            planned.paper.map(|paper| ShortMatches::of(&result.results, paper.games))
        };
        let short_matches = experiment.matches(scale).into_iter().zip(matches).map(ended).collect();
        let matches =
            experiment.matches(scale).into_iter().zip(matches).map(|(planned, result)| {
                let figure = |test: &nonet_training::train::TestResult| (test.ppg, test.stderr);
                let results: Vec<(f64, f64)> = result.results.iter().map(figure).collect();
                // Between fixed nets the simulations are parts of one match.
                let fixed = [&planned.home, &planned.away]
                    .iter()
                    .all(|side| experiment.place(side).is_none());
                let ours = if fixed { Figure::pooled(&results) } else { Figure::of(&results) };
                (planned, ours)
            });
        ExperimentReport {
            unscaled: experiment.tests_at(1.0),
            figures: figures(experiment.metric),
            starts,
            other: other.map(|metric| (metric, figures(metric))),
            best: best.collect(),
            classes: classes.collect(),
            matches: matches.collect(),
            short_matches,
            rankings,
            weights: LearnedWeights::of(experiment, runs),
            scale,
            experiment,
            tests_at,
            simulations,
        }
    }

    /// The simulations of a variant that ended.
    fn runs_of(&self, place: usize) -> impl Iterator<Item = &'a RunResult> + Clone {
        self.simulations.runs.iter().filter(move |run| run.variant == place)
    }

    /// The curve of each simulation of a variant: games, value, standard error.
    fn single_curves(&self, place: usize, metric: Metric) -> Vec<Vec<(u64, f64, f64)>> {
        let test_games = scaled_games(self.experiment.test_games, self.scale);
        self.runs_of(place).map(|run| curve(self.experiment, run, metric, test_games)).collect()
    }

    /// The pictures of the experiment, without those of rows that have no ended simulation.
    fn pictures(&self) -> Vec<PanelSpec> {
        let variants = &self.experiment.variants;
        let has_results = |panel: &PanelSpec| {
            let shows = |variant: &Variant| match &panel.weights {
                Some(name) => variant.name == *name,
                None => panel.draws(variant),
            };
            let is_of_matches = !panel.has_curves() && panel.weights.is_none();
            let mut shown = (0..variants.len()).filter(|place| shows(&variants[*place]));
            variants.is_empty()
                || is_of_matches
                || shown.any(|place| self.runs_of(place).next().is_some())
        };
        self.experiment.drawn_panels().into_iter().filter(has_results).collect()
    }

    /// The figure of a variant after an unscaled number of games, in either reading of equity.
    #[must_use]
    pub fn figure(&self, variant: &str, games: u64, metric: Metric) -> Option<Figure> {
        let place = self.experiment.place(variant)?;
        let test = self.unscaled.iter().position(|at| *at == games)?;
        let figures = match &self.other {
            Some((other, figures)) if *other == metric => figures,
            _ if metric == self.experiment.metric => &self.figures,
            _ => return None,
        };
        figures.get(place)?.get(test).copied()
    }

    /// All figures in a metric: the main one, or the other that is computed.
    pub(crate) fn figures_in(&self, metric: Metric) -> &[Vec<Figure>] {
        match &self.other {
            Some((other, figures)) if *other == metric => figures,
            _ => &self.figures,
        }
    }

    /// The greatest result of a single test of a variant, in each pair of simulations (in each
    /// simulation, if the paper has one).
    pub(crate) fn best_tests(&self, variant: &str) -> Option<&[f64]> {
        let best = &self.best.get(self.experiment.place(variant)?)?.highest[..];
        (!best.is_empty()).then_some(best)
    }

    /// The result of new matches of the nets of a variant's best tests.
    pub(crate) fn best_nets(&self, variant: &str) -> Option<Figure> {
        self.best.get(self.experiment.place(variant)?)?.retest
    }

    /// The result of the match between these sides at these depths.
    #[must_use]
    pub fn match_figure(&self, between: &[String; 2], plies: [u8; 2]) -> Option<Figure> {
        let is_between = |planned: &MatchSpec, [a, b]: [usize; 2]| {
            [&planned.home, &planned.away] == [&between[a], &between[b]]
                && planned.plies == [plies[a], plies[b]]
        };
        self.matches.iter().find_map(|(planned, figure)| {
            let seen_by_away = Figure { mean: -figure.mean, ..*figure };
            match () {
                () if is_between(planned, [0, 1]) => Some(*figure),
                () if is_between(planned, [1, 0]) => Some(seen_by_away),
                () => None,
            }
        })
    }

    /// The paper's figure for a variant at an index in `tests_at`.
    pub(crate) fn paper(&self, variant: usize, index: usize) -> Option<f64> {
        // A scaled experiment may have fewer tests; then the paper's figures cannot be assigned to
        // them.
        let games =
            self.unscaled.get(index).filter(|_| self.unscaled.len() == self.tests_at.len())?;
        let figures = &self.experiment.variants[variant].paper;
        figures.iter().find(|(at, _)| at == games).map(|(_, figure)| *figure)
    }

    /// The figures as comma-separated values.
    ///
    /// There is one row for each variant and number of games. An experiment without variants has
    /// one row for each match.
    #[must_use]
    pub fn csv(&self) -> String {
        if self.experiment.variants.is_empty() {
            return self.matches_csv();
        }
        let main = column(self.experiment.metric);
        let mut text = format!("variant,games,simulations,{main},{main}_half95");
        if let Some((other, _)) = &self.other {
            let other = column(*other);
            let _ = write!(text, ",{other},{other}_half95");
        }
        text.push_str(",paper\n");
        for (v, variant) in self.experiment.variants.iter().enumerate() {
            for (m, games) in self.tests_at.iter().enumerate() {
                let main = self.figures[v][m];
                let other = self.other.as_ref().map(|(_, figures)| figures[v][m]);
                let n = main.n.max(other.map_or(0, |other| other.n));
                if n == 0 {
                    continue;
                }
                let _ = write!(text, "\"{}\",{games},{n}", variant.name);
                let metrics = self.other.as_ref().map(|(metric, _)| *metric);
                let metrics = [self.experiment.metric].into_iter().chain(metrics);
                for (figure, metric) in [main].into_iter().chain(other).zip(metrics) {
                    let Figure { mean, half95, n, .. } = figure;
                    let _ = match n {
                        0 => write!(text, ",,"),
                        _ if !figure.has_interval(metric) => write!(text, ",{mean:.5},"),
                        _ => write!(text, ",{mean:.5},{half95:.5}"),
                    };
                }
                let paper = self.paper(v, m).map(|figure| figure.to_string()).unwrap_or_default();
                let _ = writeln!(text, ",{paper}");
            }
        }
        text
    }

    fn matches_csv(&self) -> String {
        let mut text = "first,second,first_ply,second_ply,games,ppg,half95\n".to_owned();
        for (planned, Figure { mean, half95, .. }) in &self.matches {
            let ([home, away], [a, b]) = (sides(planned), planned.plies);
            let games = played(planned, self.experiment);
            let _ = writeln!(text, "\"{home}\",\"{away}\",{a},{b},{games},{mean:.5},{half95:.5}");
        }
        text
    }
}

/// Games of a match in all its series.
fn played(planned: &MatchSpec, experiment: &Experiment) -> u64 {
    let (series, games) = planned.series(experiment.repeats);
    series * games
}

impl Best {
    /// Whether the best tests are those of pairs of simulations, as the paper's are.
    fn is_of_pairs(experiment: &Experiment) -> bool {
        experiment.paper_size.as_ref().is_some_and(|size| size.repeats == 2)
    }

    fn of<'r>(
        experiment: &Experiment,
        runs: impl Iterator<Item = &'r RunResult> + Clone,
        scale: f64,
    ) -> Best {
        let (mut after, single): (Vec<u64>, Vec<f64>) =
            best_tests(runs.clone(), experiment.metric).into_iter().unzip();
        after.sort_unstable();
        let of_pairs = (0..single.len())
            .flat_map(|i| (i + 1..single.len()).map(move |j| (i, j)))
            .map(|(i, j)| single[i].max(single[j]));
        let pairs = Best::is_of_pairs(experiment) && single.len() > 1;
        let values: Vec<f64> = if pairs { of_pairs.collect() } else { single.clone() };
        let retest = experiment.retest.map(|retest| {
            let games = scaled_games(retest.games, scale);
            let figure = |run: &RunResult| {
                let values = run.retest.iter().map(|test| value_of(test, experiment.metric, games));
                let (sum, squares) =
                    values.fold((0.0, 0.0), |(sum, squares), (x, e)| (sum + x, squares + e * e));
                let n = run.retest.len() as f64;
                (sum / n, squares.sqrt() / n)
            };
            Figure::of(&runs.filter(|run| !run.retest.is_empty()).map(figure).collect::<Vec<_>>())
        });
        Best { highest: values, after, retest: retest.filter(|figure| figure.n > 0) }
    }
}

fn column(metric: Metric) -> &'static str {
    match metric {
        Metric::Share => "points_share",
        Metric::Wins => "games_share",
        Metric::Ppg => "ppg",
        Metric::Rating => "rating",
        Metric::Size => "size",
    }
}

/// Both sides of a match as text.
fn sides(planned: &MatchSpec) -> [String; 2] {
    let with = |side: &str, rule| format!("{side}, {rule}");
    match planned.cubes {
        None => [planned.home.clone(), planned.away.clone()],
        Some([a, b]) => [with(&planned.home, a), with(&planned.away, b)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_training::train::TestResult;

    #[test]
    fn best_tests_are_of_two_simulations_only_where_the_paper_has_two() {
        let run = |repeat: u64| {
            let test = |ppg: f64| TestResult { ppg, stderr: 0.01, wins: 0.5, points: 0.5 };
            RunResult {
                repeat,
                ..RunResult::of_tests(vec![
                    (50, test(0.4 + repeat as f64 / 10.0)),
                    (100, test(0.1)),
                ])
            }
        };
        let settings = ExperimentSettings {
            scale: 1.0,
            seed: 1,
            expert: "pubeval".parse().expect("a player"),
            program: String::new(),
        };
        let two = "paper_size = { games = 100, tests = 2, test_games = 50, repeats = 2 }\n";
        for (size, words, row) in [
            (two, "in two simulations", "| one | 0.500 [0.469] | 0.500 to 0.500 | 50, 50 [70] |"),
            ("", "of a simulation", "| one | 0.450 [0.469] | 0.400 to 0.500 | 50, 50 [70] |"),
        ] {
            let experiment = Experiment::read(&format!(
                "name = \"a\"\ntitle = \"b\"\npaper = \"c\"\nclaim = \"d\"\ngames = 100\neval_at = [50]\n\
                 test_games = 50\nrepeats = 2\nmetric = \"ppg\"\n{size}[[variant]]\nname = \"one\"\npaper_max = [70, 0.469]\n",
            ))
            .expect("readable");
            let simulations = Simulations { runs: vec![run(0), run(1)], diverged: Vec::new() };
            let report = ExperimentReport::new(&experiment, &settings, &simulations, &[]);
            let mut text = String::new();
            report.write_best(&mut text);
            assert!(text.starts_with(&format!("The best single test {words}:")), "{text}");
            assert!(text.contains(row), "{text}");
        }
    }

    #[test]
    fn the_games_to_a_level_are_read_from_the_mean_curve() {
        let experiment = Experiment::read(
            "name = \"a\"\ntitle = \"b\"\npaper = \"c\"\nclaim = \"d\"\ngames = 1600\neval_at = [100, 200, 400, 800]\n\
             test_games = 50\nrepeats = 2\nmetric = \"ppg\"\n[[variant]]\nname = \"one\"\n",
        )
        .expect("readable");
        // In each simulation the result rises by 0.1 with every doubling of the games; the second
        // one is 0.1 ahead.
        let run = |repeat: u64| {
            let test = |doublings: u64| {
                let ppg = (doublings + repeat) as f64 / 10.0;
                (100 << doublings, TestResult { ppg, stderr: 0.01, wins: 0.5, points: 0.5 })
            };
            RunResult { repeat, ..RunResult::of_tests((0..5).map(test).collect()) }
        };
        let simulations = Simulations { runs: vec![run(0), run(1)], diverged: Vec::new() };
        let settings = ExperimentSettings {
            scale: 1.0,
            seed: 1,
            expert: "pubeval".parse().expect("a player"),
            program: String::new(),
        };
        let report = ExperimentReport::new(&experiment, &settings, &simulations, &[]);
        let games = |level| report.games_to("one", Metric::Ppg, level);
        // The mean curve has 0.15 after 200 games and 0.25 after 400: 0.2 halfway between, on a
        // scale of logarithms.
        let figure = games(0.2).expect("reached");
        assert!((figure.mean - (100.0 * 8.0_f64.sqrt()).ln()).abs() < 1e-9, "{figure:?}");
        // The simulations reach it a doubling apart, so the pseudovalues are one doubling apart.
        assert!((figure.deviation - 2.0_f64.ln() / 2.0_f64.sqrt()).abs() < 1e-9, "{figure:?}");
        assert_eq!(games(0.9), None, "never reached");
    }
}
