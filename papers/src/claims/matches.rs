//! Checks of matches between finished nets.

use std::f64::consts::SQRT_2;

use super::check::Looked;
use super::judgement::{Judgement, Tested, margin, signed};
use super::order::needed_margin;
use super::verdict::Verdict;
use super::wrong;
use crate::figures::Figure;
use crate::report::mean_results;
use crate::spec::{ExperimentError, Metric};

/// The first player above others in a round robin.
pub(super) fn ranks_above(
    looked: &Looked,
    variants: &[String],
    among: &[String],
    plies: u8,
) -> Result<Judgement, ExperimentError> {
    let results = |side: &String| {
        mean_results(&looked.finished.experiment, &looked.finished.matches, side, among, plies)
    };
    let (first, others) = variants.split_first().ok_or_else(|| wrong("no variants".into()))?;
    let ours = results(first);
    let mut tested = Vec::new();
    for other in others {
        let theirs = results(other);
        if ours.is_empty() || ours.len() != theirs.len() {
            return Err(wrong(format!("no ranking of '{first}' and '{other}'")));
        }
        // Both stand in one round robin for each simulation. The match between them is in both
        // means with opposite signs, so it counts twice in the difference.
        let own = mean_results(
            &looked.finished.experiment,
            &looked.finished.matches,
            first,
            std::slice::from_ref(other),
            plies,
        );
        let opponents = (among.len() - 1) as f64;
        let differences: Vec<(f64, f64)> = ours
            .iter()
            .zip(&theirs)
            .zip(&own)
            .map(|(((a, e), (b, f)), (_, g))| (a - b, e.hypot(*f).hypot(SQRT_2 * g / opponents)))
            .collect();
        let compared = Figure::of(&differences).against_level(0.0);
        let text = format!("{} compared with \"{other}\"", signed(&compared, Metric::Ppg));
        tested.push(Tested::order(&compared, margin(Metric::Ppg), text));
    }
    Ok(Judgement::of_all(&tested, ""))
}

/// The first match goes better than the second one.
pub(super) fn better(
    looked: &Looked,
    matches: &[[String; 2]; 2],
    plies: [u8; 2],
) -> Result<Judgement, ExperimentError> {
    let [better, worse] =
        [figure(looked, &matches[0], plies)?, figure(looked, &matches[1], plies)?];
    let compared = better.compared(&worse);
    let text = format!(
        "{:+.3} against {:+.3}: {}",
        better.mean,
        worse.mean,
        signed(&compared, Metric::Ppg)
    );
    Ok(Judgement::of_all(&[Tested::order(&compared, margin(Metric::Ppg), text)], ""))
}

/// How a match ended.
pub(super) fn result(
    looked: &Looked,
    sides: &[String; 2],
    plies: [u8; 2],
    by: Option<f64>,
    within: bool,
) -> Result<Judgement, ExperimentError> {
    let ours = figure(looked, sides, plies)?;
    let compared = ours.against_level(0.0);
    let text = signed(&compared, Metric::Ppg);
    Ok(match by {
        _ if within => {
            let margin = needed_margin(Metric::Ppg)?;
            let tested = Tested::equality(&compared, margin, text);
            Judgement::of_all(&[tested], &format!(" (margin {margin})"))
        }
        None => Judgement::of_all(&[Tested::order(&compared, margin(Metric::Ppg), text)], ""),
        Some(paper) => {
            let differs = (ours.mean - paper).abs() > ours.half95;
            let text = format!("{text} (the paper: {paper})");
            let found = Judgement::of_all(&[Tested::sign(&ours.against_level(paper), text)], "");
            if differs {
                Judgement { verdict: Verdict::Differs, ..found }
            } else {
                Judgement::plain(found.text, Verdict::Agrees)
            }
        }
    })
}

fn figure(looked: &Looked, sides: &[String; 2], plies: [u8; 2]) -> Result<Figure, ExperimentError> {
    let name = &looked.finished.experiment.name;
    let missing = || wrong(format!("{name} has no match {sides:?}"));
    looked.report.match_figure(sides, plies).ok_or_else(missing)
}
