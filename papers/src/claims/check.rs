//! How a claim is tested: our figure in words, and the verdict.

use std::fmt::Write;
use std::path::Path;

use serde::Deserialize;

use super::other_sources::{above_here, lasting};
use super::verdict::{Verdict, chance, closeness, sign};
use super::wrong;
use crate::figures::{Figure, fluctuation, rise, rounded_up};
use crate::finished::FinishedExperiment;
use crate::report::{ExperimentReport, mean_results};
use crate::spec::{ExperimentError, Metric};
use nonet_training::calibration::KeptCalibration;

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
    /// The first variant is above each of the others after this number of games; with `from`, by
    /// the mean of the tests from that number on.
    Above {
        variants: Vec<String>,
        games: u64,
        #[serde(default)]
        from: Option<u64>,
    },
    /// Each of these variants of another report is above the same one of this report after this
    /// number of games.
    AboveHere { report: String, variants: Vec<String>, games: u64 },
    /// The second variant needs a multiple in this range of the games that the first one needs, to
    /// this level.
    Slower { variants: [String; 2], level: f64, times: [f64; 2] },
    /// In a round robin among these players the first one stands above each of the others that are
    /// named.
    RanksAbove { variants: Vec<String>, among: Vec<String>, plies: u8 },
    /// The first side of the first match does better than the first side of the second one, at the
    /// same depth.
    BetterMatch { matches: [[String; 2]; 2], plies: [u8; 2] },
    /// The tests of the second variant fluctuate more than those of the first one: the root mean
    /// square of the differences of successive tests of a simulation, from this number of games on.
    Steadier { variants: [String; 2], from: u64 },
    /// No two of these variants differ by more than the margin after this number of games; with
    /// `from`, by the mean of the tests from that number on.
    Close {
        variants: Vec<String>,
        games: u64,
        #[serde(default)]
        from: Option<u64>,
        margin: f64,
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
    BestNets { variants: Vec<String>, level: f64, margin: f64 },
    /// The rating of the first variant rises over this number of games on a server; with others, by
    /// more than theirs do.
    Rises { variants: Vec<String>, games: u64 },
    /// In at least this share of the positions the six outcomes add up to 0.95..1.05 and both
    /// values differ by at most 0.1 points.
    OutputsFit { share: f64 },
    /// Most runs, whose histories these files are, last longer than this number of games.
    Lasts { runs: Vec<String>, games: u64 },
    /// Some plays of the bearoff take off fewer checkers than they could and lose by it, but at
    /// most this share of those that have a choice.
    FewerOff { most: f64 },
    /// A roll has this many results on average.
    Results { from: f64, to: f64 },
    /// Each of these variants is within the margin of this level after this number of games.
    Near { variants: Vec<String>, games: u64, level: f64, margin: f64 },
    /// The first side wins the match; with `by`, by this many points a game; with `margin`, neither
    /// side wins by more than that.
    Match {
        sides: [String; 2],
        plies: [u8; 2],
        #[serde(default)]
        by: Option<f64>,
        #[serde(default)]
        margin: Option<f64>,
    },
}

impl Check {
    /// The figure of the report `name` in `folder` in words, and the verdict.
    pub(super) fn of_report(
        &self,
        folder: &Path,
        name: &str,
    ) -> Result<(String, Verdict), ExperimentError> {
        if let Check::Lasts { runs, games } = self {
            return lasting(folder, runs, *games);
        }
        let finished = FinishedExperiment::read(&folder.join(name))?;
        let other = match self {
            Check::AboveHere { report, .. } => {
                Some(FinishedExperiment::read(&folder.join(report))?)
            }
            _ => None,
        };
        let report = finished.report();
        let readings: &[Metric] = match (self, finished.experiment.metric) {
            (
                Check::BestTests { .. } | Check::BestNets { .. } | Check::BestFigures { .. },
                metric,
            ) => &[metric],
            (Check::Match { .. } | Check::RanksAbove { .. } | Check::BetterMatch { .. }, _)
            | (_, Metric::Ppg) => &[Metric::Ppg],
            (_, Metric::Rating) => &[Metric::Rating],
            (_, Metric::Share | Metric::Wins) => &[Metric::Share, Metric::Wins],
        };
        let mut both: Option<Verdict> = None;
        let mut texts = Vec::new();
        for &metric in readings {
            let (text, verdict) = match (self, &other) {
                (Check::AboveHere { variants, games, .. }, Some(other)) => {
                    above_here(&report, &other.report(), variants, *games, metric)?
                }
                _ => self.by(&report, &finished, metric)?,
            };
            let of = match metric {
                Metric::Share => "points: ",
                Metric::Wins => "games: ",
                Metric::Ppg | Metric::Rating => "",
            };
            texts.push(format!("{of}{text}"));
            both = Some(both.map_or(verdict, |first| first.of_both(verdict)));
        }
        Ok((texts.join("; "), both.unwrap_or(Verdict::Undecided)))
    }

    /// The figure of a calibration in words, and the verdict.
    pub(super) fn of_calibration(&self, file: &Path) -> Result<(String, Verdict), ExperimentError> {
        let read = || {
            let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
            serde_json::from_str(&text).map_err(|error| error.to_string())
        };
        let kept: KeptCalibration =
            read().map_err(|error| wrong(format!("{}: {error}", file.display())))?;
        let (outputs, off) = (kept.calibration.all.outputs, kept.calibration.bearing_off);
        let share_of = |some: u64, all: u64| some as f64 / all.max(1) as f64;
        let (text, agrees) = match self {
            Check::OutputsFit { share } => {
                let near = share_of(outputs.sum_near, outputs.positions);
                let close = share_of(outputs.values_near, outputs.positions);
                let text = format!(
                    "sum within 0.05 of 1 in {:.1} % of the positions, values within 0.1 points in {:.1} % (at least {:.0} %)",
                    100.0 * near,
                    100.0 * close,
                    100.0 * share
                );
                (text, near >= *share && close >= *share)
            }
            Check::FewerOff { most } => {
                let mistakes = off.mistakes.ok_or_else(|| {
                    let reason = "counts no mistakes of the bearoff: `nonet calibrate` does now";
                    wrong(format!("{} {reason}", file.display()))
                })?;
                let mistakes = share_of(mistakes, off.judged);
                let text = format!(
                    "{:.1} % of {} plays take off fewer than they could, {:.1} % lose more than 0.001 points by it (at most {:.0} %)",
                    100.0 * share_of(off.fewer, off.plays),
                    off.plays,
                    100.0 * mistakes,
                    100.0 * most
                );
                (text, mistakes > 0.0 && mistakes <= *most)
            }
            Check::Results { from, to } => {
                let mean = kept.calibration.branching.mean().ok_or_else(|| {
                    wrong(format!("{} has no rolls: `nonet calibrate` counts them", file.display()))
                })?;
                let rolls = kept.calibration.branching.rolls;
                let text = format!("{mean:.1} over {rolls} rolls ({from} to {to})");
                (text, (*from..=*to).contains(&mean))
            }
            _ => return Err(wrong(format!("{} cannot be checked so", file.display()))),
        };
        Ok((text, if agrees { Verdict::Agrees } else { Verdict::Differs }))
    }

    /// Our figure in words, and the verdict.
    fn by(
        &self,
        report: &ExperimentReport,
        finished: &FinishedExperiment,
        metric: Metric,
    ) -> Result<(String, Verdict), ExperimentError> {
        let experiment = &finished.experiment;
        let figure = |variant: &String, games: u64| {
            let found = report.figure(variant, games, metric);
            found.ok_or_else(|| {
                wrong(format!(
                    "{} has no figure of '{variant}' after {games} games",
                    experiment.name
                ))
            })
        };
        let level = |variant: &String, from: Option<u64>, games: u64| match from {
            None => figure(variant, games),
            Some(from) => {
                let found = report.mean_of_tests(variant, from..=games, metric);
                let missing = || {
                    wrong(format!(
                        "{} has no tests of '{variant}' from {from} to {games} games",
                        experiment.name
                    ))
                };
                found.ok_or_else(missing)
            }
        };
        match self {
            Check::Figures { variants, games, rounding } => {
                let simulations = experiment.paper_size.as_ref().map_or(1, |size| size.repeats);
                let (mut n, mut outside, mut sum, mut squares) = (0, 0, 0.0, 0.0);
                let mut single = None;
                let wanted = |name: &String| variants.is_empty() || variants.contains(name);
                for variant in experiment.variants.iter().filter(|v| wanted(&v.name)) {
                    let printed = variant.paper.iter();
                    for &(at, paper) in
                        printed.filter(|(at, _)| games.is_empty() || games.contains(at))
                    {
                        let ours = figure(&variant.name, at)?;
                        let (difference, half) = ours.against(paper, simulations);
                        n += 1;
                        outside += u64::from(difference.abs() > half + rounding);
                        sum += difference;
                        squares += difference * difference;
                        single = Some((ours, paper));
                    }
                }
                // A single figure that lies outside differs; of several some lie outside by chance.
                let allowed = if n == 1 { 0 } else { chance(n) };
                let verdict = if outside <= allowed { Verdict::Agrees } else { Verdict::Differs };
                let text = match single {
                    None => {
                        return Err(wrong(format!("{} prints no such figure", experiment.name)));
                    }
                    Some((ours, paper)) if n == 1 => {
                        format!("{} (the paper: {paper})", ours.text())
                    }
                    Some(_) => format!(
                        "{outside} of {n} outside (by chance up to {allowed}), mean difference {:+.3}, root mean square {:.3}",
                        sum / n as f64,
                        (squares / n as f64).sqrt()
                    ),
                };
                Ok((text, verdict))
            }
            Check::Above { variants, games, from } => {
                let (first, others) =
                    variants.split_first().ok_or_else(|| wrong("no variants".into()))?;
                let ours = level(first, *from, *games)?;
                let mut worst = Verdict::Agrees;
                let mut texts = Vec::new();
                for other in others {
                    let (difference, half) = ours.less(&level(other, *from, *games)?);
                    worst = worst.min(sign(difference, half));
                    texts.push(match metric {
                        Metric::Rating => {
                            format!("{difference:+.0} ± {:.0} to {other}", half.ceil())
                        }
                        _ => format!("{difference:+.3} ± {:.3} to {other}", rounded_up(half)),
                    });
                }
                Ok((texts.join(", "), worst))
            }
            Check::Close { variants, games, from, margin } => {
                let figures: Result<Vec<Figure>, _> =
                    variants.iter().map(|variant| level(variant, *from, *games)).collect();
                let figures = figures?;
                let mut worst = Verdict::Agrees;
                for (i, one) in figures.iter().enumerate() {
                    for other in &figures[i + 1..] {
                        let (difference, half) = one.less(other);
                        worst = worst.min(closeness(difference, half, *margin));
                    }
                }
                let texts: Vec<String> = figures.iter().map(Figure::text).collect();
                Ok((format!("{} (margin {margin})", texts.join(", ")), worst))
            }
            Check::Near { variants, games, level, margin } => {
                let mut worst = Verdict::Agrees;
                let mut texts = Vec::new();
                for variant in variants {
                    let ours = figure(variant, *games)?;
                    worst = worst.min(closeness(ours.mean - level, ours.half95, *margin));
                    texts.push(ours.text());
                }
                Ok((format!("{} (margin {margin})", texts.join(", ")), worst))
            }
            Check::Steadier { variants: [steady, restless], from } => {
                let of = |variant: &String| -> Result<Figure, ExperimentError> {
                    let place = experiment.place(variant);
                    let runs = finished.runs.iter().filter(|run| Some(run.variant) == place);
                    let values: Vec<(f64, f64)> = runs
                        .filter_map(|run| Some((fluctuation(run, *from, metric)?, 0.0)))
                        .collect();
                    if values.is_empty() {
                        return Err(wrong(format!("no tests of '{variant}' from {from} games on")));
                    }
                    Ok(Figure::of(&values))
                };
                let (restless, steady) = (of(restless)?, of(steady)?);
                let (difference, half) = restless.less(&steady);
                let text = format!(
                    "{:.3} against {:.3} from test to test: {difference:+.3} ± {:.3}",
                    restless.mean,
                    steady.mean,
                    rounded_up(half)
                );
                Ok((text, sign(difference, half)))
            }
            Check::BestTests { variants, never, level } => {
                let above = |variant: &String| -> Result<_, ExperimentError> {
                    let best = report.best_tests(variant).ok_or_else(|| {
                        wrong(format!("{} has no tests of '{variant}'", experiment.name))
                    })?;
                    Ok((best.iter().filter(|best| **best > *level).count(), best.len()))
                };
                let mut worst = Verdict::Agrees;
                let mut texts = Vec::new();
                let wanted = variants.iter().map(|variant| (variant, true));
                for (variant, wants) in wanted.chain(never.iter().map(|variant| (variant, false))) {
                    let (found, of) = above(variant)?;
                    worst = worst.min(match found {
                        n if n == of && wants || n == 0 && !wants => Verdict::Agrees,
                        n if n == of || n == 0 => Verdict::Differs,
                        _ => Verdict::Undecided,
                    });
                    texts.push(format!("{variant}: in {found} of {of} pairs"));
                }
                Ok((texts.join(", "), worst))
            }
            Check::BestFigures { variants, rounding } => {
                let (mut outside, mut texts) = (0, Vec::new());
                for variant in variants {
                    let missing =
                        || wrong(format!("{} has no best tests of '{variant}'", experiment.name));
                    let best = report.best_tests(variant).ok_or_else(missing)?;
                    let place = experiment.place(variant).ok_or_else(missing)?;
                    let (_, paper) = experiment.variants[place].paper_max.ok_or_else(missing)?;
                    let pairs: Vec<(f64, f64)> = best.iter().map(|best| (*best, 0.0)).collect();
                    let ours = Figure::of(&pairs);
                    // The paper's is the best test of one more pair.
                    let (difference, half) = ours.against(paper, 1);
                    outside += u64::from(difference.abs() > half + rounding);
                    texts.push(format!("{variant} {:.3} [{paper}]", ours.mean));
                }
                let allowed = chance(variants.len() as u64);
                let text = format!(
                    "{outside} of {} outside (by chance up to {allowed}): {}",
                    variants.len(),
                    texts.join(", ")
                );
                let agrees = outside <= allowed;
                Ok((text, if agrees { Verdict::Agrees } else { Verdict::Differs }))
            }
            Check::BestNets { variants, level, margin } => {
                let mut worst = Verdict::Agrees;
                let mut texts = Vec::new();
                for variant in variants {
                    let Some(ours) = report.best_nets(variant) else {
                        let what = format!("{} has no new matches of '{variant}'", experiment.name);
                        return Err(wrong(what));
                    };
                    worst = worst.min(closeness(ours.mean - level, ours.half95, *margin));
                    texts.push(format!("{variant} {}", ours.text()));
                }
                Ok((format!("{} (margin {margin})", texts.join(", ")), worst))
            }
            Check::Rises { variants, games } => {
                let of = |variant: &String| {
                    let place = experiment.place(variant);
                    let runs = finished.runs.iter().filter(|run| Some(run.variant) == place);
                    let rise = rise(runs, *games);
                    if rise.n == 0 {
                        return Err(wrong(format!(
                            "'{variant}' has no rating after {games} games"
                        )));
                    }
                    Ok(rise)
                };
                let (first, others) =
                    variants.split_first().ok_or_else(|| wrong("no variants".into()))?;
                let ours = of(first)?;
                let mut text = format!(
                    "{:+.0} ± {:.0} points of rating in {games} games",
                    ours.mean,
                    ours.half95.ceil()
                );
                if others.is_empty() {
                    return Ok((text, sign(ours.mean, ours.half95)));
                }
                let mut worst = Verdict::Agrees;
                for other in others {
                    let (difference, half) = ours.less(&of(other)?);
                    worst = worst.min(sign(difference, half));
                    let than = if difference < 0.0 { "less" } else { "more" };
                    let _ = write!(
                        text,
                        ", {:.0} ± {:.0} {than} than {other}",
                        difference.abs(),
                        half.ceil()
                    );
                }
                Ok((text, worst))
            }
            Check::OutputsFit { .. }
            | Check::FewerOff { .. }
            | Check::Results { .. }
            | Check::Lasts { .. }
            | Check::AboveHere { .. } => {
                Err(wrong(format!("{} cannot be checked so", experiment.name)))
            }
            Check::Slower { variants: [fast, slow], level, times } => {
                let of = |variant: &String| {
                    let needed = report.games_to(variant, metric, *level);
                    needed.ok_or_else(|| wrong(format!("'{variant}' does not reach {level}")))
                };
                let (difference, half) = of(slow)?.less(&of(fast)?);
                let [low, high] = [difference - half, difference + half].map(f64::exp);
                let text = format!(
                    "{:.1} times as many games to {level} (95 % interval {low:.1} to {high:.1})",
                    difference.exp()
                );
                let verdict = if low >= times[0] && high <= times[1] {
                    Verdict::Agrees
                } else if high < times[0] || low > times[1] {
                    Verdict::Differs
                } else {
                    Verdict::Undecided
                };
                Ok((text, verdict))
            }
            Check::RanksAbove { variants, among, plies } => {
                let results = |side: &String| {
                    mean_results(experiment, &finished.matches, side, among, *plies)
                };
                let (first, others) =
                    variants.split_first().ok_or_else(|| wrong("no variants".into()))?;
                let ours = results(first);
                let mut worst = Verdict::Agrees;
                let mut texts = Vec::new();
                for other in others {
                    let theirs = results(other);
                    if ours.is_empty() || ours.len() != theirs.len() {
                        return Err(wrong(format!("no ranking of '{first}' and '{other}'")));
                    }
                    // Both stand in one round robin for each simulation.
                    let pairs = ours.iter().zip(&theirs);
                    let differences: Vec<(f64, f64)> =
                        pairs.map(|((a, e), (b, f))| (a - b, e.hypot(*f))).collect();
                    let Figure { mean, half95, .. } = Figure::of(&differences);
                    worst = worst.min(sign(mean, half95));
                    texts.push(format!("{mean:+.3} ± {:.3} to {other}", rounded_up(half95)));
                }
                Ok((texts.join(", "), worst))
            }
            Check::BetterMatch { matches, plies } => {
                let [better, worse] = matches.each_ref().map(|sides| {
                    let found = report.match_figure(sides, *plies);
                    found
                        .ok_or_else(|| wrong(format!("{} has no match {sides:?}", experiment.name)))
                });
                let (better, worse) = (better?, worse?);
                let (difference, half) = better.less(&worse);
                let text = format!(
                    "{:+.3} against {:+.3}: {difference:+.3} ± {:.3}",
                    better.mean,
                    worse.mean,
                    rounded_up(half)
                );
                Ok((text, sign(difference, half)))
            }
            Check::Match { sides, plies, by, margin } => {
                let Some(ours) = report.match_figure(sides, *plies) else {
                    return Err(wrong(format!("{} has no match {sides:?}", experiment.name)));
                };
                let text = format!("{:+.3} ± {:.3}", ours.mean, rounded_up(ours.half95));
                Ok(match (by, margin) {
                    (_, Some(margin)) => (
                        format!("{text} (margin {margin})"),
                        closeness(ours.mean, ours.half95, *margin),
                    ),
                    (None, None) => (text, sign(ours.mean, ours.half95)),
                    (Some(paper), None) if (ours.mean - paper).abs() <= ours.half95 => {
                        (text, Verdict::Agrees)
                    }
                    (Some(_), None) => (text, Verdict::Differs),
                })
            }
        }
    }
}
