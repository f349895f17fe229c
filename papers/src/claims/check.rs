//! How a claim is tested.

use std::path::Path;

use serde::Deserialize;

use super::judgement::Judgement;
use super::reports::Reports;
use super::{calibrations, figures, matches, order, other_sources, rarely_on, wavering, wrong};
use crate::finished::FinishedExperiment;
use crate::report::ExperimentReport;
use crate::spec::{ExperimentError, Metric, Variant};

/// How a claim is tested.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Check {
    /// The paper's figures for these variants (all, if empty) after these numbers of games (all, if
    /// empty).
    Figures {
        #[serde(default)]
        variants: Vec<String>,
        #[serde(default)]
        games: Vec<u64>,
        /// Half of the last digit that the paper prints.
        rounding: f64,
    },
    /// The first variant is above each of the others after this number of games.
    ///
    /// With `from`, the mean of the tests from that number on counts.
    Above {
        variants: Vec<String>,
        games: u64,
        #[serde(default)]
        from: Option<u64>,
    },
    /// The tests of the last quarter of so many games are above those of the quarter before.
    Improves { variant: String, games: u64 },
    /// Each of these variants of another report is above the same one of this report after this
    /// number of games.
    AboveHere { report: String, variants: Vec<String>, games: u64 },
    /// The first variant's figure is more than this many times that of the second one after this
    /// number of games.
    Times { variants: [String; 2], games: u64, times: f64 },
    /// The weights of this variant's rarely-on third of inputs scatter more between simulations
    /// than those of its often-on third.
    RarelyOn { variant: String },
    /// The second variant needs a multiple in this range of the games that the first one needs, to
    /// this level.
    Slower { variants: [String; 2], level: f64, times: [f64; 2] },
    /// The second variant comes to its plateau after more games than the first one.
    LaterPlateau { variants: [String; 2] },
    /// In these rows nets change from test to test by more than the errors of the tests.
    ///
    /// Without names the rows are those that the authors print or draw.
    Waver {
        #[serde(default)]
        variants: Vec<String>,
    },
    /// In a round robin among these players the first one stands above each of the others that are
    /// named.
    RanksAbove { variants: Vec<String>, among: Vec<String>, plies: u8 },
    /// The first side of the first match does better than the first side of the second one, at the
    /// same depth.
    BetterMatch { matches: [[String; 2]; 2], plies: [u8; 2] },
    /// The tests of the second variant fluctuate more than those of the first one.
    ///
    /// The measure is the root mean square of the differences of successive tests of a simulation,
    /// from this number of games on.
    Steadier { variants: [String; 2], from: u64 },
    /// No two of these variants differ by more than the margin after this number of games.
    ///
    /// With `from`, the mean of the tests from that number on counts.
    Close {
        variants: Vec<String>,
        games: u64,
        #[serde(default)]
        from: Option<u64>,
    },
    /// Each of these variants has a single test above this level in the paper's number of
    /// simulations, and none of `never`.
    BestTests {
        #[serde(default)]
        variants: Vec<String>,
        #[serde(default)]
        never: Vec<String>,
        level: f64,
    },
    /// The paper's best single tests of these variants.
    BestFigures { variants: Vec<String>, rounding: f64 },
    /// The nets of these variants' best tests, in new matches, are within the margin of this level.
    BestNets { variants: Vec<String>, level: f64 },
    /// The rating of the first variant rises over this number of games on a server.
    ///
    /// With other variants, it rises by more than their ratings do.
    Rises { variants: Vec<String>, games: u64 },
    /// In at least this share of the positions the six outcomes add up to 0.95..1.05 and both
    /// values differ by at most 0.1 points.
    OutputsFit { share: f64 },
    /// These files are the histories of runs. Most of the runs last longer than this number of
    /// games.
    Lasts { runs: Vec<String>, games: u64 },
    /// These files are the knowledge of runs. After this number of games, all values of fixed
    /// positions and opening plays are negative for the side that has played.
    SaysLost { runs: Vec<String>, games: u64 },
    /// Some outcome outputs are below 0, but at most this share of them, and at most the second one
    /// below -0.02.
    BelowZero { most: f64, far: f64 },
    /// Some plays of the bearoff take off fewer checkers than they could and lose by it.
    ///
    /// These are at most this share of the plays that have a choice.
    FewerOff { most: f64 },
    /// Taking off most checkers is a mistake in at most this share of these plays, and loses less
    /// than they do.
    MostOff { most: f64 },
    /// A roll has this many results on average.
    Results { from: f64, to: f64 },
    /// Each of these variants is within the margin of this level after this number of games.
    Near { variants: Vec<String>, games: u64, level: f64 },
    /// The first side wins the match.
    ///
    /// With `by`, it wins by this many points a game. With `within`, neither side wins by more than
    /// the margin.
    Match {
        sides: [String; 2],
        plies: [u8; 2],
        #[serde(default)]
        by: Option<f64>,
        #[serde(default)]
        within: bool,
    },
}

/// What a check looks at: one report, in one reading of equity.
pub(super) struct Looked<'a> {
    pub(super) report: &'a ExperimentReport<'a>,
    pub(super) finished: &'a FinishedExperiment,
    pub(super) metric: Metric,
}

impl Check {
    /// What the report `name` says.
    pub(super) fn of_report(
        &self,
        reports: &Reports,
        name: &str,
    ) -> Result<Judgement, ExperimentError> {
        if let Check::Lasts { runs, games } = self {
            return other_sources::lasting(reports.folder(), runs, *games);
        }
        if let Check::SaysLost { runs, games } = self {
            return other_sources::says_lost(reports.folder(), runs, *games);
        }
        let finished = reports.read(name)?;
        let other = match self {
            Check::AboveHere { report, .. } => Some(reports.read(report)?),
            _ => None,
        };
        let report = finished.report();
        let mut both: Option<Judgement> = None;
        for &metric in self.readings(finished.experiment.metric) {
            let looked = Looked { report: &report, finished: &finished, metric };
            let found = match (self, &other) {
                (Check::AboveHere { variants, games, .. }, Some(other)) => {
                    other_sources::above_here(&looked, &other.report(), variants, *games)?
                }
                _ => self.by(&looked)?,
            };
            let found = match self.unit(metric) {
                Some(unit) => found.with_unit(unit),
                None => found,
            };
            both = Some(match both {
                None => found,
                Some(first) => first.of_both(found),
            });
        }
        let both = both.ok_or_else(|| wrong(format!("{name} has no reading")))?;
        let looked_at = [&finished].into_iter().chain(&other);
        let left_out: String = looked_at.map(|finished| self.left_out(finished)).collect();
        Ok(both.with_note(&left_out))
    }

    /// How many simulations diverged of the rows that it looks at, in words.
    fn left_out(&self, finished: &FinishedExperiment) -> String {
        let FinishedExperiment { experiment, simulations, .. } = finished;
        let words = |(place, variant): (usize, &Variant)| {
            let (n, all) = (simulations.diverged_of(place), experiment.repeats);
            let name = &variant.name;
            (n > 0 && self.looks_at(variant)).then(|| {
                format!("; left out: {n} of {all} simulations of \"{name}\", which diverged")
            })
        };
        experiment.variants.iter().enumerate().filter_map(words).collect()
    }

    /// Whether it looks at the tests of a variant.
    fn looks_at(&self, Variant { name, paper, .. }: &Variant) -> bool {
        match self {
            Check::Figures { variants, .. } if variants.is_empty() => !paper.is_empty(),
            Check::Figures { variants, .. }
            | Check::Above { variants, .. }
            | Check::AboveHere { variants, .. }
            | Check::Close { variants, .. }
            | Check::BestFigures { variants, .. }
            | Check::BestNets { variants, .. }
            | Check::Rises { variants, .. }
            | Check::Near { variants, .. } => variants.contains(name),
            Check::Waver { variants } => variants.is_empty() || variants.contains(name),
            Check::Times { variants, .. }
            | Check::Slower { variants, .. }
            | Check::LaterPlateau { variants }
            | Check::Steadier { variants, .. } => variants.contains(name),
            Check::BestTests { variants, never, .. } => {
                variants.contains(name) || never.contains(name)
            }
            Check::RarelyOn { variant } | Check::Improves { variant, .. } => variant == name,
            // If the nets of a variant play matches, none of its simulations is recorded as
            // diverged. The others look at no simulation.
            Check::RanksAbove { .. }
            | Check::BetterMatch { .. }
            | Check::Match { .. }
            | Check::OutputsFit { .. }
            | Check::Lasts { .. }
            | Check::SaysLost { .. }
            | Check::BelowZero { .. }
            | Check::FewerOff { .. }
            | Check::MostOff { .. }
            | Check::Results { .. } => false,
        }
    }

    /// The unit of its figure, where its words do not say it.
    const fn unit(&self, metric: Metric) -> Option<&'static str> {
        match (self, metric) {
            (
                Check::Above { .. }
                | Check::AboveHere { .. }
                | Check::Close { .. }
                | Check::Near { .. }
                | Check::Steadier { .. }
                | Check::Improves { .. }
                | Check::Slower { .. }
                | Check::LaterPlateau { .. }
                | Check::RarelyOn { .. }
                | Check::BestNets { .. }
                | Check::RanksAbove { .. }
                | Check::BetterMatch { .. }
                | Check::Match { .. },
                _,
            ) => match metric {
                Metric::Share => Some("share of points"),
                Metric::Wins => Some("share of games"),
                Metric::Ppg => Some("points a game"),
                Metric::Rating => Some("points of rating"),
                Metric::Size => Some("root mean square of the weights"),
            },
            _ => None,
        }
    }

    /// In which metrics the check is made, of an experiment with this one.
    fn readings(&self, metric: Metric) -> &'static [Metric] {
        match (self, metric) {
            (Check::Match { .. } | Check::RanksAbove { .. } | Check::BetterMatch { .. }, _)
            | (Check::Waver { .. }, _)
            | (_, Metric::Ppg) => &[Metric::Ppg],
            (_, Metric::Rating) => &[Metric::Rating],
            (_, Metric::Size) => &[Metric::Size],
            (
                Check::BestTests { .. } | Check::BestNets { .. } | Check::BestFigures { .. },
                Metric::Wins,
            ) => &[Metric::Wins],
            (Check::BestTests { .. } | Check::BestNets { .. } | Check::BestFigures { .. }, _) => {
                &[Metric::Share]
            }
            (_, Metric::Share | Metric::Wins) => &[Metric::Share, Metric::Wins],
        }
    }

    /// What a calibration says.
    pub(super) fn of_calibration(&self, file: &Path) -> Result<Judgement, ExperimentError> {
        calibrations::judge(self, file)
    }

    fn by(&self, looked: &Looked) -> Result<Judgement, ExperimentError> {
        match self {
            Check::Figures { variants, games, rounding } => {
                figures::printed(looked, variants, games, *rounding)
            }
            Check::BestTests { variants, never, level } => {
                figures::best_tests(looked, variants, never, *level)
            }
            Check::BestFigures { variants, rounding } => {
                figures::best_figures(looked, variants, *rounding)
            }
            Check::BestNets { variants, level } => figures::best_nets(looked, variants, *level),
            Check::Above { variants, games, from } => order::above(looked, variants, *from, *games),
            Check::Improves { variant, games } => order::improves(looked, variant, *games),
            Check::Times { variants, games, times } => {
                order::times(looked, variants, *games, *times)
            }
            Check::RarelyOn { variant } => rarely_on::judge(looked, variant),
            Check::Close { variants, games, from } => order::close(looked, variants, *from, *games),
            Check::Near { variants, games, level } => order::near(looked, variants, *games, *level),
            Check::Steadier { variants, from } => order::steadier(looked, variants, *from),
            Check::Rises { variants, games } => order::rises(looked, variants, *games),
            Check::Slower { variants, level, times } => {
                order::slower(looked, variants, *level, *times)
            }
            Check::LaterPlateau { variants } => order::later_plateau(looked, variants),
            Check::Waver { variants } => wavering::judge(looked, variants),
            Check::RanksAbove { variants, among, plies } => {
                matches::ranks_above(looked, variants, among, *plies)
            }
            Check::BetterMatch { matches, plies } => matches::better(looked, matches, *plies),
            Check::Match { sides, plies, by, within } => {
                matches::result(looked, sides, *plies, *by, *within)
            }
            Check::OutputsFit { .. }
            | Check::BelowZero { .. }
            | Check::FewerOff { .. }
            | Check::MostOff { .. }
            | Check::Results { .. }
            | Check::Lasts { .. }
            | Check::SaysLost { .. }
            | Check::AboveHere { .. } => {
                Err(wrong(format!("{} cannot be checked so", looked.finished.experiment.name)))
            }
        }
    }
}
