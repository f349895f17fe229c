//! The papers' claims beside our figures: one table, whose verdicts follow from the results by a rule.

use std::fmt::Write;
use std::path::Path;

use serde::Deserialize;

use super::figures::{Figure, rise, rounded_up};
use super::finished::FinishedExperiment;
use super::report::ExperimentReport;
use super::spec::{ExperimentError, Metric};
use crate::calibration::KeptCalibration;
use crate::stats::wilson95;
use crate::store::StoreError;

/// The claims of the papers, as in `claims.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    #[serde(rename = "claim")]
    claims: Vec<Claim>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    /// The paper's authors.
    paper: String,
    /// Where it says so.
    place: String,
    says: String,
    /// The folder of the report that tests it.
    #[serde(default)]
    experiment: Option<String>,
    /// Or the file of a calibration, in the folder `../calibration`.
    #[serde(default)]
    calibration: Option<String>,
    /// Or the page that tells of the runs, relative to the folder of the reports.
    #[serde(default)]
    page: Option<String>,
    #[serde(default)]
    check: Option<Check>,
    /// Where nothing is checked: "cannot be tested" or "not yet run".
    #[serde(default)]
    verdict: Option<Untested>,
    /// A remark behind our figure, or why there is none.
    #[serde(default)]
    why: String,
}

/// How a claim is tested.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Check {
    /// The paper's figures for these variants (all, if empty) after these numbers of games (all, if empty).
    Figures {
        #[serde(default)]
        variants: Vec<String>,
        #[serde(default)]
        games: Vec<u64>,
        /// Half of the last digit that the paper prints.
        rounding: f64,
    },
    /// The first variant is above each of the others after this number of games.
    Above { variants: Vec<String>, games: u64 },
    /// No two of these variants differ by more than the margin after this number of games.
    Close { variants: Vec<String>, games: u64, margin: f64 },
    /// Each of these variants has a single test above this level in the paper's number of simulations, and none of `never`.
    BestTests {
        #[serde(default)]
        variants: Vec<String>,
        #[serde(default)]
        never: Vec<String>,
        level: f64,
    },
    /// The nets of these variants' best tests, in new matches, are within the margin of this level.
    BestNets { variants: Vec<String>, level: f64, margin: f64 },
    /// The rating of the first variant rises over this number of games on a server; with others, by more than theirs do.
    Rises { variants: Vec<String>, games: u64 },
    /// In at least this share of the positions the six outcomes add up to 0.95..1.05 and both values differ by at most 0.1 points.
    OutputsFit { share: f64 },
    /// Most runs, whose histories these files are, last longer than this number of games.
    Lasts { runs: Vec<String>, games: u64 },
    /// Some plays of the bearoff take off fewer checkers than they could.
    FewerOff {},
    /// The first side wins the match; with `by`, by this many points a game.
    Match {
        sides: [String; 2],
        plies: [u8; 2],
        #[serde(default)]
        by: Option<f64>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum Untested {
    #[serde(rename = "cannot be tested")]
    CannotBe,
    #[serde(rename = "not yet run")]
    NotYet,
}

/// What the rule says of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Differs,
    Undecided,
    Agrees,
}

const RULE: &str = "\
Every claim of the five papers that concerns backgammon or a method that backgammon can test. The verdicts follow from the results by
this rule, and a test derives them again:

- *The paper prints figures.* Each is compared with ours by a 95 % prediction interval (Student's t), which has room for the scatter
  of our simulations, for that of the paper's own (their number is known, their scatter is taken to be that of ours), and for
  half of the last digit printed. The claim **agrees** if no more figures lie outside than chance allows (the 97.5 % quantile of the
  binomial distribution with 5 %), otherwise it **differs**.
- *The paper puts one thing above another.* The 95 % interval of the difference (Welch; of a match: Student's t over simulations)
  lies above 0: **agrees**; below 0: **differs**; else **undecided**. Of several comparisons the worst counts.
- *The paper prints the result of a match.* The 95 % interval of ours holds it: **agrees**; else **differs**.
- *The paper calls things equal.* All intervals of the differences lie within the margin given: **agrees**; one lies outside of it:
  **differs**; else **undecided**.
- *The paper says that a best test is above a level.* It is so in all pairs of our simulations (the paper has two): **agrees**; in none:
  **differs**; else **undecided**. If the paper says that none is, the other way round.
- *The paper tells of one run that lasts long.* The 95 % interval (Wilson) of the share of our runs that last longer lies above one half:
  **agrees**; below: **differs**; else **undecided**.
- *The paper says that a rating rises.* The 95 % interval of the difference between its rise and that of the other account, such as one
  that does not learn (Welch), lies above 0: **agrees**; below 0: **differs**; else **undecided**. Points of different servers are not compared.
- *The paper says what a net's outputs or plays are like.* As many positions as the row says are so: **agrees**; else **differs**.
- \"Equity\" can be read as the share of points or the share of games. Both are computed, and the better verdict counts.
- **cannot be tested** and **not yet run** say why in their row. A claim whose report is cut is judged by what was run; its report says
  in its first line what was cut.
";

impl Claims {
    /// Reads the claims from the text of `claims.toml`.
    ///
    /// # Errors
    /// [`ExperimentError::Data`] if it is invalid.
    pub fn read(text: &str) -> Result<Claims, ExperimentError> {
        toml::from_str(text).map_err(|error: toml::de::Error| wrong(error.to_string()))
    }

    /// The table as Markdown, from the reports in `folder`.
    ///
    /// # Errors
    /// [`ExperimentError`] if a report is missing or does not have what a claim needs.
    pub fn table(&self, folder: &Path) -> Result<String, ExperimentError> {
        let mut rows = String::new();
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for claim in &self.claims {
            let (ours, verdict) = claim.judge(folder)?;
            match counts.iter_mut().find(|(known, _)| *known == verdict) {
                Some((_, n)) => *n += 1,
                None => counts.push((verdict, 1)),
            }
            let Claim { paper, place, says, experiment, calibration, page, .. } = claim;
            let link = match (experiment, calibration, page) {
                (Some(name), ..) => format!("[{name}]({name}/report.md)"),
                (None, Some(_), _) => "[calibration](../calibration.md)".to_owned(),
                (None, None, Some(page)) => format!("[the runs]({page})"),
                (None, None, None) => String::new(),
            };
            let _ = writeln!(rows, "| {says} | {paper}, {place} | {ours} | {verdict} | {link} |");
        }
        let counts: Vec<String> = counts.iter().map(|(what, n)| format!("{n} {what}")).collect();
        Ok(format!(
            "# The papers' claims\n\n{RULE}\n{} claims: {}.\n\n\
             | claim | place | our figure | verdict | report |\n|---|---|---|---|---|\n{rows}",
            self.claims.len(),
            counts.join(", ")
        ))
    }
}

impl Claim {
    /// What follows our figure.
    fn remark(&self) -> String {
        if self.why.is_empty() { String::new() } else { format!("; {}", self.why) }
    }

    fn judge(&self, folder: &Path) -> Result<(String, &'static str), ExperimentError> {
        let Some(check) = &self.check else {
            let verdict = match self.verdict {
                Some(Untested::CannotBe) => "cannot be tested",
                Some(Untested::NotYet) => "not yet run",
                None => {
                    return Err(wrong(format!(
                        "'{}' has neither a check nor a verdict",
                        self.says
                    )));
                }
            };
            return Ok((self.why.clone(), verdict));
        };
        if let Check::Lasts { runs, games } = check {
            let (text, verdict) = lasting(folder, runs, *games)?;
            return Ok((text + &self.remark(), verdict.text()));
        }
        if let Some(file) = &self.calibration {
            let (text, verdict) =
                check.of_calibration(&folder.join("../calibration").join(file))?;
            return Ok((text + &self.remark(), verdict.text()));
        }
        let name = self.experiment.as_deref().unwrap_or_default();
        let finished = FinishedExperiment::read(&folder.join(name))?;
        let report = finished.report();
        let readings: &[Metric] = match (check, finished.experiment.metric) {
            (Check::BestTests { .. } | Check::BestNets { .. }, metric) => &[metric],
            (Check::Match { .. }, _) | (_, Metric::Ppg) => &[Metric::Ppg],
            (_, Metric::Rating) => &[Metric::Rating],
            (_, Metric::Share | Metric::Wins) => &[Metric::Share, Metric::Wins],
        };
        let mut best: Option<Verdict> = None;
        let mut texts = Vec::new();
        for &metric in readings {
            let (text, verdict) = check.by(&report, &finished, metric)?;
            let of = match metric {
                Metric::Share => "points: ",
                Metric::Wins => "games: ",
                Metric::Ppg | Metric::Rating => "",
            };
            texts.push(format!("{of}{text}"));
            best = best.max(Some(verdict));
        }
        if !self.why.is_empty() {
            texts.push(self.why.clone());
        }
        Ok((texts.join("; "), best.unwrap_or(Verdict::Undecided).text()))
    }
}

/// How many runs last longer than `games` games, and whether that is most of them: Wilson's 95 % interval of their share.
fn lasting(
    folder: &Path,
    runs: &[String],
    games: u64,
) -> Result<(String, Verdict), ExperimentError> {
    let last = |run: &String| {
        let path = folder.join(run);
        let text = std::fs::read_to_string(&path).map_err(StoreError::io("read", &path))?;
        let row = text.lines().last().and_then(|row| row.split(',').next()?.parse::<u64>().ok());
        row.ok_or_else(|| wrong(format!("{} is no history of a run", path.display())))
    };
    let mut ends = runs.iter().map(last).collect::<Result<Vec<u64>, _>>()?;
    ends.sort_unstable();
    let longer = ends.iter().filter(|end| **end > games).count() as u64;
    let (low, high) = wilson95(longer, ends.len() as u64);
    let texts: Vec<String> = ends.iter().map(u64::to_string).collect();
    let text = format!(
        "{longer} of {} runs last longer; they end after {} games",
        ends.len(),
        texts.join(", ")
    );
    Ok((text, sign((low + high) / 2.0 - 0.5, (high - low) / 2.0)))
}

impl Verdict {
    const fn text(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::Undecided => "undecided",
            Verdict::Differs => "**differs**",
        }
    }
}

impl Check {
    /// The figure of a calibration in words, and the verdict.
    fn of_calibration(&self, file: &Path) -> Result<(String, Verdict), ExperimentError> {
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
            Check::FewerOff {} => {
                let fewer = 100.0 * share_of(off.fewer, off.plays);
                (
                    format!("{fewer:.1} % of {} plays take off fewer than they could", off.plays),
                    off.fewer > 0,
                )
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
            Check::Above { variants, games } => {
                let (first, others) =
                    variants.split_first().ok_or_else(|| wrong("no variants".into()))?;
                let ours = figure(first, *games)?;
                let mut worst = Verdict::Agrees;
                let mut texts = Vec::new();
                for other in others {
                    let (difference, half) = ours.less(&figure(other, *games)?);
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
            Check::Close { variants, games, margin } => {
                let figures: Result<Vec<Figure>, _> =
                    variants.iter().map(|variant| figure(variant, *games)).collect();
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
                    let _ =
                        write!(text, ", {difference:+.0} ± {:.0} more than {other}", half.ceil());
                }
                Ok((text, worst))
            }
            Check::OutputsFit { .. } | Check::FewerOff {} | Check::Lasts { .. } => {
                Err(wrong(format!("{} is no calibration", experiment.name)))
            }
            Check::Match { sides, plies, by } => {
                let Some(ours) = report.match_figure(sides, *plies) else {
                    return Err(wrong(format!("{} has no match {sides:?}", experiment.name)));
                };
                let text = format!("{:+.3} ± {:.3}", ours.mean, rounded_up(ours.half95));
                Ok(match by {
                    None => (text, sign(ours.mean, ours.half95)),
                    Some(paper) if (ours.mean - paper).abs() <= ours.half95 => {
                        (text, Verdict::Agrees)
                    }
                    Some(_) => (text, Verdict::Differs),
                })
            }
        }
    }
}

/// Whether an interval lies above 0, around it, or below it.
fn sign(difference: f64, half: f64) -> Verdict {
    if difference - half > 0.0 {
        Verdict::Agrees
    } else if difference + half < 0.0 {
        Verdict::Differs
    } else {
        Verdict::Undecided
    }
}

/// Whether a difference lies within a margin, outside of it, or on both sides.
fn closeness(difference: f64, half: f64, margin: f64) -> Verdict {
    match difference.abs() {
        d if d + half <= margin => Verdict::Agrees,
        d if d - half > margin => Verdict::Differs,
        _ => Verdict::Undecided,
    }
}

/// How many of `n` intervals of 95 % miss by chance, at most: the 97.5 % quantile of the binomial distribution.
fn chance(n: u64) -> u64 {
    let (mut term, mut sum, mut k) = (0.95_f64.powi(n as i32), 0.0, 0);
    loop {
        sum += term;
        if sum >= 0.975 || k >= n {
            return k;
        }
        term *= (n - k) as f64 / (k + 1) as f64 * 0.05 / 0.95;
        k += 1;
    }
}

fn wrong(reason: String) -> ExperimentError {
    ExperimentError::Data { name: "claims.toml".to_owned(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_thirty_intervals_of_95_per_cent_four_may_miss() {
        // Binomial(30, 0.05): P(X <= 3) = 0.939, P(X <= 4) = 0.984.
        assert_eq!(chance(30), 4);
        // P(X <= 0) = 0.735, P(X <= 1) = 0.967, P(X <= 2) = 0.998.
        assert_eq!(chance(6), 2);
    }
}
