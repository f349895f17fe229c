//! The papers' claims beside our figures: one table, whose verdicts follow from the results by a
//! rule.

mod check;
mod other_sources;
mod verdict;

use std::fmt::Write;
use std::path::Path;

use serde::Deserialize;

use self::check::Check;
use super::report::{Word, general};
use super::spec::ExperimentError;
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

impl Unjudged {
    const fn text(self) -> &'static str {
        match self {
            Unjudged::CannotBe => "cannot be tested",
            Unjudged::NotYet => "not yet run",
            Unjudged::LeftOpen => "left open",
        }
    }
}

/// The file of the claims in the folder of the experiments.
const CLAIMS: &str = "claims.toml";

const RULE: &str = "\
The claims of the five papers about backgammon, and those about a method that backgammon can test, as far as a figure or a comparison
of ours bears on them. The verdicts follow from the results by this rule, and a test derives them again:

- *The paper prints figures.* Each is compared with ours by a 95 % prediction interval (Student's t), which has room for the scatter
  of our simulations, for that of the paper's own (their number is known, their scatter is taken to be that of ours), and for
  half of the last digit printed. The claim **agrees** if no more figures lie outside than chance allows (the 97.5 % quantile of the
  binomial distribution with 5 %), otherwise it **differs**.
- *The paper puts one thing above another.* The 95 % interval of the difference (Welch; of a match or a ranking between nets that
  learned: Student's t over simulations; of a match between fixed nets: that of its games) lies above 0: **agrees**; below 0: **differs**;
  else **undecided**. Of several comparisons the worst counts. What a curve comes to in the end is the mean of each simulation's tests in
  the last quarter of its games, the part that a plateau is read from. Rows that say so were judged by single tests at first; six that those had left undecided
  agree by this measure, which was chosen after that.
- *The paper prints the result of a match.* The 95 % interval of ours holds it: **agrees**; else **differs**.
- *The paper says that one curve fluctuates more than another.* Judged as one thing above another, by the root mean square of the
  differences of successive tests.
- *The paper calls things equal.* All intervals of the differences lie within the margin given: **agrees**; one lies outside of it:
  **differs**; else **undecided**.
- *The paper says that one thing takes some times as long as another.* The 95 % interval of the ratio of the games that both mean curves need to a
  level (of the logarithms, Welch with the jackknife over simulations) lies within the range of these numbers: **agrees**; outside of it: **differs**; else **undecided**.
- *The paper says that a best test is above a level.* It is so in all pairs of our simulations (the paper has two): **agrees**; in none:
  **differs**; else **undecided**. If the paper says that none is, the other way round. Printed best tests are judged as figures, by the
  best tests of our pairs.
- *The paper tells of one run that lasts long.* The 95 % interval (Wilson) of the share of our runs that last longer lies above one half:
  **agrees**; below: **differs**; else **undecided**.
- *The paper says that a rating rises.* The 95 % interval of the difference between its rise and that of the other account, such as one
  that does not learn (Welch), lies above 0: **agrees**; below 0: **differs**; else **undecided**. Points of different servers are not compared.
- *The paper says what a net's outputs or plays are like.* As many positions as the row says are so, or the mean lies in the range that the row says: **agrees**; else **differs**.
- \"Equity\" can be read as the share of points or the share of games. Both are computed (of best tests and best nets the share of points alone); where
  they lead to different verdicts, the row is **undecided**.
- **cannot be tested** and **not yet run** say why in their row; **left open** has a figure of ours for what the authors leave open. A claim
  whose report is cut is judged by what was run; its report says in the line \"Size\" what was cut.

Rows are no independent votes: some contain others (the 30 shares of a table and its parts), and Table 3's \"against expert, own\", Table 4's lambda 0.6,
the first row of wiering-calibration and \"offline, lambda 0.6\" of wiering-variants are the same simulations, tested on other dice in the last;
so are wiering-minimax's \"expert, minimax, both sides\" and \"self-play, minimax\" and Table 3's \"against expert, own\" and \"self-play, own\", as far as their seeds are the same.
";

impl Claims {
    /// Reads the claims from the text of `claims.toml`.
    ///
    /// # Errors
    /// [`ExperimentError::Data`] if it is invalid.
    pub fn read(text: &str) -> Result<Claims, ExperimentError> {
        toml::from_str(text).map_err(|error: toml::de::Error| wrong(error.to_string()))
    }

    /// Makes `README.md` in `folder`, the table of the claims in its `claims.toml`, and returns it.
    ///
    /// # Errors
    /// [`ExperimentError`] if a file cannot be read or written, or a claim cannot be judged.
    pub fn write_table(folder: &Path) -> Result<String, ExperimentError> {
        let file = folder.join(CLAIMS);
        let text = std::fs::read_to_string(&file).map_err(StoreError::io("read", &file))?;
        let table = Claims::read(&text)?.table(folder)?;
        write_atomic(&folder.join("README.md"), table.as_bytes())?;
        Ok(table)
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
                (None, Some(_), _) => "[calibration](../reports/calibration.md)".to_owned(),
                (None, None, Some(page)) => format!("[the runs]({page})"),
                (None, None, None) => String::new(),
            };
            let _ = writeln!(rows, "| {says} | {paper}, {place} | {ours} | {verdict} | {link} |");
        }
        let counts: Vec<String> = counts.iter().map(|(what, n)| format!("{n} {what}")).collect();
        let mut words = String::new();
        for Word { word, means, .. } in general() {
            let _ = writeln!(words, "| {word} | {means} |");
        }
        Ok(format!(
            "# The papers' claims\n\n{} claims: {}.\n\n\
             | claim | place | our figure | verdict | report |\n|---|---|---|---|---|\n{rows}\n\
             ## Words\n\n| word | meaning |\n|---|---|\n{words}\n## The rule\n\n{RULE}",
            self.claims.len(),
            counts.join(", ")
        ))
    }
}

/// A claim and what became of it.
#[derive(Clone, Debug)]
pub(crate) struct JudgedRow {
    /// The claim.
    pub(crate) says: String,
    /// The paper's authors, and where they say so.
    pub(crate) place: String,
    /// Our figure in words.
    pub(crate) ours: String,
    pub(crate) verdict: String,
}

/// The claims that the experiment in this folder tests, by the table in the folder above; none
/// without a table.
pub(crate) fn rows_of(folder: &Path) -> Result<Vec<JudgedRow>, ExperimentError> {
    let (Some(above), Some(name)) = (folder.parent(), folder.file_name()) else {
        return Ok(Vec::new());
    };
    let Ok(text) = std::fs::read_to_string(above.join(CLAIMS)) else { return Ok(Vec::new()) };
    let claims = Claims::read(&text)?.claims;
    let own = claims
        .iter()
        .filter(|claim| claim.experiment.as_deref().is_some_and(|experiment| name == experiment));
    own.map(|claim| claim.row(above)).collect()
}

impl Claim {
    fn row(&self, folder: &Path) -> Result<JudgedRow, ExperimentError> {
        let (ours, verdict) = self.judge(folder)?;
        let place = format!("{}, {}", self.paper, self.place);
        Ok(JudgedRow { says: self.says.clone(), place, ours, verdict: verdict.to_owned() })
    }

    /// What follows our figure.
    fn remark(&self) -> String {
        if self.why.is_empty() { String::new() } else { format!("; {}", self.why) }
    }

    /// Our figure in words, and the verdict.
    fn judge(&self, folder: &Path) -> Result<(String, &'static str), ExperimentError> {
        let Some(check) = &self.check else {
            let verdict = self.verdict.ok_or_else(|| {
                wrong(format!("'{}' has neither a check nor a verdict", self.says))
            })?;
            return Ok((self.why.clone(), verdict.text()));
        };
        let (text, verdict) = match &self.calibration {
            Some(file) => {
                check.of_calibration(&folder.join("../reports/calibration").join(file))?
            }
            None => check.of_report(folder, self.experiment.as_deref().unwrap_or_default())?,
        };
        Ok((text + &self.remark(), self.verdict.map_or(verdict.text(), Unjudged::text)))
    }
}

fn wrong(reason: String) -> ExperimentError {
    ExperimentError::Data { name: "claims.toml".to_owned(), reason }
}
