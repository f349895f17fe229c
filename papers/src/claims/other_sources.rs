//! Checks that need more than one report: a second report, or the histories of runs.

use std::path::Path;

use super::check::Looked;
use super::judgement::{Judgement, Tested, margin, signed};
use super::verdict::{Verdict, sign};
use super::wrong;
use crate::report::ExperimentReport;
use crate::spec::ExperimentError;
use nonet_engine::stats::wilson95;
use nonet_engine::store::StoreError;
use nonet_training::train::Knowledge;

/// Each variant of the other report against the same one of ours.
pub(super) fn above_here(
    looked: &Looked,
    other: &ExperimentReport,
    variants: &[String],
    games: u64,
) -> Result<Judgement, ExperimentError> {
    let mut tested = Vec::new();
    for variant in variants {
        let of = |report: &ExperimentReport| {
            let found = report.figure(variant, games, looked.metric);
            found.ok_or_else(|| wrong(format!("no figure of '{variant}' after {games} games")))
        };
        let compared = of(other)?.compared(&of(looked.report)?);
        let text = format!("{} ({variant})", signed(&compared, looked.metric));
        tested.push(Tested::order(&compared, margin(looked.metric), text));
    }
    Ok(Judgement::of_all(&tested, ""))
}

/// How many runs last longer than `games` games, and whether that is most of them: Wilson's 95 %
/// interval of their share.
pub(super) fn lasting(
    folder: &Path,
    runs: &[String],
    games: u64,
) -> Result<Judgement, ExperimentError> {
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
    let short = format!("{longer} of {} runs", ends.len());
    let verdict = sign((low + high) / 2.0 - 0.5, (high - low) / 2.0);
    Ok(Judgement { short, ..Judgement::plain(text, verdict) })
}

/// Of how many positions the runs say that the side that has played loses, and whether it is all.
pub(super) fn says_lost(
    folder: &Path,
    runs: &[String],
    games: u64,
) -> Result<Judgement, ExperimentError> {
    let (mut lost, mut all, mut sum) = (0, 0_u64, 0.0);
    for run in runs {
        let path = folder.join(run);
        let text = std::fs::read_to_string(&path).map_err(StoreError::io("read", &path))?;
        let kept: Vec<Knowledge> = serde_json::from_str(&text)
            .map_err(|error| wrong(format!("{}: {error}", path.display())))?;
        let known = kept
            .iter()
            .find(|known| known.games == games)
            .ok_or_else(|| wrong(format!("{} has nothing after {games} games", path.display())))?;
        // The value of a fixed position is that of the side on roll.
        let fixed = known.values.iter().map(|value| -value);
        for value in fixed.chain(known.openings.iter().map(|opening| opening.equity)) {
            (lost, all) = (lost + u64::from(value < 0.0), all + 1);
            sum += f64::from(value);
        }
    }
    let short = format!("{lost} of {all} values are negative");
    let mean = sum / all as f64;
    let text = format!("{short}, in {} runs; their mean is {mean:+.2} points", runs.len());
    let verdict = if lost == all && all > 0 { Verdict::Agrees } else { Verdict::Differs };
    Ok(Judgement { short, ..Judgement::plain(text, verdict) })
}
