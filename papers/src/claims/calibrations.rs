//! Checks of a calibration: what a net's outputs and plays are like.

use std::path::Path;

use super::check::Check;
use super::judgement::Judgement;
use super::verdict::Verdict;
use super::wrong;
use crate::spec::ExperimentError;
use nonet_training::calibration::{KeptCalibration, LARGER_MISTAKES};

pub(super) fn judge(check: &Check, file: &Path) -> Result<Judgement, ExperimentError> {
    let read = || {
        let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
        serde_json::from_str(&text).map_err(|error| error.to_string())
    };
    let kept: KeptCalibration =
        read().map_err(|error| wrong(format!("{}: {error}", file.display())))?;
    let (outputs, off) = (kept.calibration.all.outputs, kept.calibration.bearing_off);
    let share_of = |some: u64, all: u64| some as f64 / all.max(1) as f64;
    let mistakes = || {
        off.mistakes.ok_or_else(|| {
            let reason = "counts no mistakes of the bearoff: `nonet calibrate` does now";
            wrong(format!("{} {reason}", file.display()))
        })
    };
    let a_play = |lost: f64| lost / off.judged.max(1) as f64;
    let (text, short, agrees) = match check {
        Check::OutputsFit { share } => {
            let near = share_of(outputs.sum_near, outputs.positions);
            let close = share_of(outputs.values_near, outputs.positions);
            let short = format!("both in {:.1} % of the positions", 100.0 * near.min(close));
            let text = format!(
                "sum within 0.05 of 1 in {:.1} % of the positions, values within 0.1 points in {:.1} % (at least {:.0} %)",
                100.0 * near,
                100.0 * close,
                100.0 * share
            );
            (text, short, near >= *share && close >= *share)
        }
        Check::BelowZero { most, far } => {
            let below = outputs.below_0.ok_or_else(|| {
                let reason = "counts no outputs below 0: `nonet calibrate` does now";
                wrong(format!("{} {reason}", file.display()))
            })?;
            let [some, distant] =
                [below.outputs, below.far].map(|count| share_of(count, 6 * outputs.positions));
            let short = format!(
                "{:.2} % are below 0, {:.3} % below -0.02 (at most {:.0} % and {:.1} % are meant)",
                100.0 * some,
                100.0 * distant,
                100.0 * most,
                100.0 * far
            );
            let text = format!("{short}, and the least is {:.3}", below.least);
            (text, short, some > 0.0 && some <= *most && distant <= *far)
        }
        Check::FewerOff { most } => {
            let mistakes = share_of(mistakes()?, off.judged);
            let larger = off.larger_mistakes.map_or_else(String::new, |counts| {
                let of = |(count, more): (u64, f64)| {
                    format!(", {:.1} % more than {more}", 100.0 * share_of(count, off.judged))
                };
                counts.into_iter().zip(LARGER_MISTAKES).map(of).collect()
            });
            let short = format!(
                "{:.1} % are mistakes (at most {:.0} % are meant)",
                100.0 * mistakes,
                100.0 * most
            );
            let text = format!(
                "{:.1} % of {} plays take off fewer than they could, {:.1} % lose more than 0.001 points by it{larger}, and a play loses {:.4} points on average",
                100.0 * share_of(off.fewer, off.plays),
                off.plays,
                100.0 * mistakes,
                a_play(off.lost)
            );
            (text, short, mistakes > 0.0 && mistakes <= *most)
        }
        Check::MostOff { most } => {
            let mistakes = share_of(off.rule_wrong, off.judged);
            let short = format!("wrong in {:.2} % of the plays", 100.0 * mistakes);
            let text = format!(
                "the rule is {short}, and loses {:.6} points a play where the net loses {:.4}",
                a_play(off.rule_lost),
                a_play(off.lost)
            );
            (text, short, mistakes <= *most && off.rule_lost < off.lost)
        }
        Check::Results { from, to } => {
            let mean = kept.calibration.branching.mean().ok_or_else(|| {
                wrong(format!("{} has no rolls: `nonet calibrate` counts them", file.display()))
            })?;
            let rolls = kept.calibration.branching.rolls;
            let text = format!("{mean:.1} over {rolls} rolls ({from} to {to})");
            let short = format!("{mean:.1} ({from} to {to} is meant)");
            (text, short, (*from..=*to).contains(&mean))
        }
        _ => return Err(wrong(format!("{} cannot be checked so", file.display()))),
    };
    let verdict = if agrees { Verdict::Agrees } else { Verdict::Differs };
    Ok(Judgement { short, ..Judgement::plain(text, verdict) })
}
