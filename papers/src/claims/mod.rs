//! The papers' claims and our figures, in one table.
//!
//! A rule gives the verdicts from the results.

mod calibrations;
mod check;
mod figures;
mod judgement;
mod matches;
mod order;
mod other_sources;
mod picture;
mod rarely_on;
mod reports;
mod rule;
mod theirs;
mod verdict;
mod wavering;

use std::fmt::Write;
use std::path::Path;

use serde::Deserialize;

use self::check::{Check, Looked};
use self::picture::picture;
use self::reports::Reports;
use self::rule::RULE;
use self::theirs::Theirs;
use self::verdict::Verdict;
use super::report::{Word, folded_lines, general};
use super::spec::{ExperimentError, Metric};
use super::statistics::corrected;
use nonet_engine::store::{StoreError, write_atomic};

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
    /// Or the file of a calibration, in the folder `../reports/calibration`.
    #[serde(default)]
    calibration: Option<String>,
    /// Or the page that tells of the runs, relative to the folder of the reports.
    #[serde(default)]
    page: Option<String>,
    #[serde(default)]
    check: Option<Check>,
    /// The paper's own results of an order, where it prints any.
    #[serde(default)]
    theirs: Option<Theirs>,
    /// Where nothing can be judged: "cannot be tested", "not yet run", or, with a figure of ours,
    /// "left open" by the authors.
    #[serde(default)]
    verdict: Option<Unjudged>,
    /// A remark behind our figure, or why there is none.
    #[serde(default)]
    why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum Unjudged {
    #[serde(rename = "cannot be tested")]
    CannotBe,
    #[serde(rename = "not yet run")]
    NotYet,
    #[serde(rename = "left open")]
    LeftOpen,
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    Agrees,
    Differs,
    /// No order: the difference is too small to matter.
    Small,
    Undecided,
    /// The paper's own results do not tell the order from chance; what ours say alone.
    NotShown(Verdict),
    LeftOpen,
    NotYet,
    CannotBe,
}

impl Outcome {
    /// All kinds, in the order in which they are counted.
    const KINDS: [&'static str; 8] = [
        "agrees",
        "differs",
        "too small to matter",
        "undecided",
        "the paper's data do not show it",
        "left open",
        "not yet run",
        "cannot be tested",
    ];

    /// The place of its kind in [`Outcome::KINDS`].
    const fn kind(self) -> usize {
        match self {
            Outcome::Agrees => 0,
            Outcome::Differs => 1,
            Outcome::Small => 2,
            Outcome::Undecided => 3,
            Outcome::NotShown(_) => 4,
            Outcome::LeftOpen => 5,
            Outcome::NotYet => 6,
            Outcome::CannotBe => 7,
        }
    }

    /// Whether our figure decides it.
    const fn is_decided(self) -> bool {
        match self {
            Outcome::Agrees | Outcome::Differs | Outcome::Small => true,
            Outcome::NotShown(ours) => !matches!(ours, Verdict::Undecided),
            Outcome::Undecided | Outcome::LeftOpen | Outcome::NotYet | Outcome::CannotBe => false,
        }
    }

    fn text(self) -> String {
        let kind = Outcome::KINDS[self.kind()];
        match self {
            Outcome::Differs => format!("**{kind}**"),
            Outcome::NotShown(ours) => format!("{kind} (ours alone: {})", ours.text()),
            _ => kind.to_owned(),
        }
    }
}

impl From<Verdict> for Outcome {
    fn from(verdict: Verdict) -> Outcome {
        match verdict {
            Verdict::Agrees => Outcome::Agrees,
            Verdict::Small => Outcome::Small,
            Verdict::Undecided => Outcome::Undecided,
            Verdict::Differs => Outcome::Differs,
        }
    }
}

impl From<Unjudged> for Outcome {
    fn from(unjudged: Unjudged) -> Outcome {
        match unjudged {
            Unjudged::CannotBe => Outcome::CannotBe,
            Unjudged::NotYet => Outcome::NotYet,
            Unjudged::LeftOpen => Outcome::LeftOpen,
        }
    }
}

/// A claim and what became of it.
#[derive(Clone, Debug)]
pub(crate) struct JudgedRow {
    /// The claim.
    pub(crate) says: String,
    /// The paper's authors.
    pub(crate) paper: String,
    /// Where they say so.
    pub(crate) place: String,
    /// Our figure in words.
    pub(crate) ours: String,
    /// The figure that decides.
    pub(crate) short: String,
    pub(crate) outcome: Outcome,
    /// The chance of the difference that it stands on.
    p: Option<f64>,
}

impl JudgedRow {
    pub(crate) fn verdict(&self) -> String {
        self.outcome.text()
    }
}

/// The file of the claims in the folder of the experiments.
const CLAIMS: &str = "claims.toml";
/// The picture of all verdicts in the same folder.
const PICTURE: &str = "verdicts.svg";

/// The claims that the experiment in this folder tests, by the table in the folder above; none
/// without a table.
pub(crate) fn rows_of(folder: &Path) -> Result<Vec<JudgedRow>, ExperimentError> {
    let (Some(above), Some(name)) = (folder.parent(), folder.file_name()) else {
        return Ok(Vec::new());
    };
    let Ok(text) = std::fs::read_to_string(above.join(CLAIMS)) else { return Ok(Vec::new()) };
    let claims = Claims::read(&text)?.claims;
    let reports = Reports::new(above);
    let own = claims
        .iter()
        .filter(|claim| claim.experiment.as_deref().is_some_and(|experiment| name == experiment));
    own.map(|claim| claim.row(&reports)).collect()
}

/// Whether the folder above has the table of claims, so that its page has the words of all pages.
pub(crate) fn has_table_above(folder: &Path) -> bool {
    folder.parent().is_some_and(|above| above.join(CLAIMS).is_file())
}

impl Claims {
    /// Reads the claims from the text of `claims.toml`.
    ///
    /// # Errors
    /// [`ExperimentError::Data`] if it is invalid.
    pub fn read(text: &str) -> Result<Claims, ExperimentError> {
        toml::from_str(text).map_err(|error: toml::de::Error| wrong(error.to_string()))
    }

    /// Makes `README.md` and its picture in `folder`, the table of the claims in its `claims.toml`,
    /// and returns the table.
    ///
    /// # Errors
    /// [`ExperimentError`] if a file cannot be read or written, or a claim cannot be judged.
    pub fn write_table(folder: &Path) -> Result<String, ExperimentError> {
        let file = folder.join(CLAIMS);
        let text = std::fs::read_to_string(&file).map_err(StoreError::io("read", &file))?;
        let [(_, table), (name, svg)] = Claims::read(&text)?.files(folder)?;
        write_atomic(&folder.join(name), svg.as_bytes())?;
        write_atomic(&folder.join("README.md"), table.as_bytes())?;
        Ok(table)
    }

    /// The table as Markdown and the picture of all verdicts, each with the name of its file, from
    /// the reports in `folder`.
    ///
    /// # Errors
    /// [`ExperimentError`] if a report is missing or does not have what a claim needs.
    pub fn files(&self, folder: &Path) -> Result<[(&'static str, String); 2], ExperimentError> {
        let reports = Reports::new(folder);
        let judged: Result<Vec<JudgedRow>, _> =
            self.claims.iter().map(|claim| claim.row(&reports)).collect();
        let judged = judged?;
        let tested: Vec<usize> = (0..judged.len()).filter(|i| judged[*i].p.is_some()).collect();
        let p: Vec<f64> = tested.iter().filter_map(|i| judged[*i].p).collect();
        let [holm, hochberg] = corrected(&p);
        let is_decided = |i: &usize| judged[tested[*i]].outcome.is_decided();
        let decided: Vec<usize> = (0..tested.len()).filter(is_decided).collect();
        let kept = |by: &[bool]| decided.iter().filter(|i| by[**i]).count();
        let thin: Vec<usize> = decided.iter().filter(|i| !holm[**i]).map(|i| tested[*i]).collect();
        let mut rows = String::new();
        let mut paper = "";
        for (i, (claim, row)) in self.claims.iter().zip(&judged).enumerate() {
            if paper != row.paper {
                paper = &row.paper;
                let _ = writeln!(
                    rows,
                    "\n## {paper}\n\n| claim | our figure | verdict | page |\n|---|---|---|---|"
                );
            }
            let mark = if thin.contains(&i) { " †" } else { "" };
            let (says, place, short, verdict) = (&row.says, &row.place, &row.short, row.verdict());
            let link = claim.link();
            let _ = writeln!(rows, "| {says} ({place}) | {short} | {verdict}{mark} | {link} |");
        }
        let counts = Outcome::KINDS.iter().enumerate().filter_map(|(kind, name)| {
            let n = judged.iter().filter(|row| row.outcome.kind() == kind).count();
            (n > 0).then(|| format!("| {name} | {n} |"))
        });
        let counts: Vec<String> = counts.collect();
        let mut words = String::new();
        for Word { word, means, .. } in general() {
            let _ = writeln!(words, "| {word} | {means} |");
        }
        let table = format!(
            "# The papers' claims\n\n{} claims of five papers, each with our figure.\n\nThe papers are about backgammon, \
             or about methods that backgammon can test.\n\n![A tile for each claim in the colour of its verdict]({PICTURE})\n\n*Each row is one experiment, each tile one claim. The letters stand for the verdicts.*\n\n| verdict | claims |\n|---|---|\n{}\n\n\
             {} rows stand on a difference, and {} of them are decided. A decided difference is \
             told from 0, told from the margin, or shown to lie within it. Tested together, \
             Benjamini and Hochberg's method keeps {} at a false discovery rate of 5 %. Holm's \
             method keeps {}: the chance of any false one is at most 5 %. The decided rows \
             that Holm's method does not keep have a †.\n\
             {rows}\n## Words\n\n| word | meaning |\n|---|---|\n{words}\n## The rule\n\n{RULE}",
            self.claims.len(),
            counts.join("\n"),
            tested.len(),
            decided.len(),
            kept(&hochberg),
            kept(&holm),
        );
        let mut tiles: Vec<(String, Vec<&JudgedRow>)> = Vec::new();
        for (claim, row) in self.claims.iter().zip(&judged) {
            let name = claim.tested_by();
            match tiles.iter_mut().find(|(known, _)| known == name) {
                Some((_, all)) => all.push(row),
                None => tiles.push((name.to_owned(), vec![row])),
            }
        }
        // The experiments by name, so that those of one paper stand together; then the others.
        let folders = folder_names(&self.claims);
        tiles.sort_by_key(|(name, _)| (!folders.contains(&name.as_str()), name.clone()));
        Ok([("README.md", folded_lines(&table)), (PICTURE, picture(&tiles))])
    }
}

impl Claim {
    /// What tests it, as the picture names it.
    fn tested_by(&self) -> &str {
        match (&self.experiment, &self.calibration, &self.page) {
            (Some(name), ..) => name,
            (None, Some(_), _) => "calibration",
            (None, None, Some(_)) => "the expert's runs",
            (None, None, None) => "no experiment",
        }
    }

    fn link(&self) -> String {
        match (&self.experiment, &self.calibration, &self.page) {
            (Some(name), ..) => format!("[{name}]({name}/report.md)"),
            (None, Some(_), _) => "[calibration](../reports/calibration.md)".to_owned(),
            (None, None, Some(page)) => format!("[the runs]({page})"),
            (None, None, None) => String::new(),
        }
    }

    /// Our figure in words, and the verdict.
    fn row(&self, reports: &Reports) -> Result<JudgedRow, ExperimentError> {
        let Claim { paper, place, says, why, .. } = self;
        let row = |ours: String, short: String, outcome: Outcome, p: Option<f64>| JudgedRow {
            says: says.clone(),
            paper: paper.clone(),
            place: place.clone(),
            ours,
            short,
            outcome,
            p,
        };
        let Some(check) = &self.check else {
            let verdict = self
                .verdict
                .ok_or_else(|| wrong(format!("'{says}' has neither a check nor a verdict")))?;
            return Ok(row(why.clone(), why.clone(), verdict.into(), None));
        };
        let name = self.experiment.as_deref().unwrap_or_default();
        let found = match &self.calibration {
            Some(file) => {
                check.of_calibration(&reports.folder().join("../reports/calibration").join(file))?
            }
            None => check.of_report(reports, name)?,
        };
        let mut ours = found.text.clone();
        let mut outcome = self.verdict.map_or(found.verdict.into(), Outcome::from);
        if let Some(theirs) = &self.theirs {
            let finished = reports.read(name)?;
            let report = finished.report();
            let metric = Metric::Share;
            let shown =
                theirs.of(check, &Looked { report: &report, finished: &finished, metric })?;
            let _ = write!(ours, "; the paper's own: {}, p {}", shown.text, p_text(shown.p));
            if !shown.decides() {
                outcome = Outcome::NotShown(found.verdict);
            }
        }
        let needed = found.needed().filter(|_| self.verdict.is_none());
        let undecided = needed.iter().filter(|_| outcome == Outcome::Undecided);
        let short = undecided.fold(found.short.clone(), |short, words| format!("{short}; {words}"));
        for remark in needed.iter().chain(Some(why).filter(|why| !why.is_empty())) {
            let _ = write!(ours, "; {remark}");
        }
        let p = found.p.filter(|_| self.verdict.is_none());
        Ok(row(ours, short, outcome, p))
    }
}

/// The experiments that test claims.
fn folder_names(claims: &[Claim]) -> Vec<&str> {
    claims.iter().filter_map(|claim| claim.experiment.as_deref()).collect()
}

fn p_text(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("= {p:.3}") }
}

fn wrong(reason: String) -> ExperimentError {
    ExperimentError::Data { name: CLAIMS.to_owned(), reason }
}
