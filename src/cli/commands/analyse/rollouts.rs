//! Rolls out the decisions that were marked.

use std::fmt;
use std::str::FromStr;

use nonet::analysis::{AnalysedDecision, DecisionKind, Severity, roll_out};
use nonet::engine::Engine;
use nonet::report::AnalysedMatch;
use nonet::rollout::RolloutConfig;

use crate::cli::args::nats::Machines;
use crate::cli::error::usage;
use crate::cli::interrupt::interruptible;
use crate::cli::output::counted::counted;
use crate::cli::output::progress_bar::show_progress;

/// Which decisions are rolled out: those that lose at least this, in points on a cube at 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Marked(f32);

impl FromStr for Marked {
    type Err = String;

    fn from_str(text: &str) -> Result<Marked, String> {
        let limit = match text {
            "blunders" => Severity::VeryBad.limit(),
            "mistakes" => Severity::Bad.limit(),
            "errors" => Severity::Doubtful.limit(),
            number => number.parse().ok().filter(|n: &f32| n.is_finite() && *n > 0.0).ok_or(
                "expected blunders (??), mistakes (? and ??), errors (all marked), or a loss in points above 0",
            )?,
        };
        Ok(Marked(limit))
    }
}

impl fmt::Display for Marked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "that lost {} or more", self.0)
    }
}

/// Rolls out the marked decisions of all matches, one after the other, and describes the work in a
/// sentence. An interruption keeps the verdicts of those that are complete.
pub(super) fn roll_out_marked(
    matches: &mut [AnalysedMatch],
    marked: &Marked,
    config: &RolloutConfig,
    engine: &Engine,
    machines: &Machines,
) -> anyhow::Result<String> {
    let mut chosen: Vec<&mut AnalysedDecision> = matches
        .iter_mut()
        .flat_map(|one| &mut one.games)
        .flat_map(|game| &mut game.decisions)
        .filter(|analysed| Severity::reaches(analysed.loss(), marked.0))
        .collect();
    // The worst first, for whoever interrupts.
    chosen.sort_by(|a, b| b.loss().total_cmp(&a.loss()));
    let all = chosen.len();
    let total = config.games.saturating_mul(2 * all as u64);
    let progress = machines.of(interruptible());
    let (done, cubes) = show_progress("rollout games", total, &progress, |progress| {
        let (mut done, mut cubes) = (0usize, 0usize);
        for analysed in chosen {
            if !engine.install(|| roll_out(analysed, engine, config, progress))? {
                break;
            }
            done += 1;
            cubes += usize::from(matches!(analysed.what, DecisionKind::CubeCall(_)));
        }
        Ok((done, cubes))
    })
    .map_err(|error: nonet::cube::MetError| usage(error))?;
    machines.check()?;
    let part = if done < all {
        format!("interrupted: {done} of {all} decisions")
    } else {
        counted(all, "decision")
    };
    let of_cube = if cubes > 0 { format!(", {cubes} of them cube actions") } else { String::new() };
    Ok(format!(
        "rolled out: {part} {marked}{of_cube}; {} games each, played to the end at 1-ply with the cube, variance reduction, seed {}; \
         their losses and marks are the rollouts'",
        config.games, config.seed
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_is_a_word_or_a_loss_above_0() {
        assert_eq!("blunders".parse(), Ok(Marked(0.16)));
        assert_eq!("0.1".parse(), Ok(Marked(0.1)));
        for wrong in ["all", "-1", "0", "nan", ""] {
            assert!(wrong.parse::<Marked>().is_err(), "{wrong}");
        }
    }
}
