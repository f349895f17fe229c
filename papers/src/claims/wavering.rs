//! Whether nets waver: whether they change from test to test by more than the tests' errors.

use super::check::Looked;
use super::judgement::{Judgement, Tested};
use super::verdict::Verdict;
use super::wrong;
use crate::figures::{Figure, rounded_up, value_of};
use crate::run::RunResult;
use crate::spec::{ExperimentError, Metric, Variant};

/// How much the steps from test to test vary in the last quarter of the games.
///
/// Without `names` the rows are those that the authors print. The measure is a ratio of two
/// variances of the steps. The upper one is that around the mean step of the row. The lower one is
/// that which the games of the tests give. A net that only gains strength as its row does has 1.
pub(super) fn judge(looked: &Looked, names: &[String]) -> Result<Judgement, ExperimentError> {
    let experiment = &looked.finished.experiment;
    if let Some(unknown) = names.iter().find(|name| experiment.place(name).is_none()) {
        return Err(wrong(format!("{} has no row '{unknown}'", experiment.name)));
    }
    // Where they print curves alone, all rows are theirs.
    let curves_alone = experiment.variants.iter().all(|variant| variant.paper.is_empty());
    let looked_at = |variant: &Variant| match names {
        [] => curves_alone || !variant.paper.is_empty(),
        _ => names.contains(&variant.name),
    };
    let mut rows = Vec::new();
    for variant in &experiment.variants {
        if looked_at(variant) {
            let runs = looked.runs_of(&variant.name);
            rows.push(
                runs.map(|run| late_steps(run, experiment.test_games)).collect::<Vec<Vec<_>>>(),
            );
        }
    }
    let ratios: Vec<(f64, f64)> =
        rows.iter().flat_map(|row| of_row(row)).map(|ratio| (ratio, 0.0)).collect();
    if ratios.len() < 2 {
        return Err(wrong(format!("{} has too few tests", experiment.name)));
    }
    let ours = Figure::of(&ratios);
    let text = format!(
        "steps from test to test vary {:.2} ± {:.2} times as much as the games of tests explain",
        ours.mean,
        rounded_up(ours.half95)
    );
    let all = || rows.iter().flatten().flatten();
    let mean = |of: fn(&(f64, f64)) -> f64| all().map(of).sum::<f64>() / all().count() as f64;
    let own = (mean(|step| step.1) * (ours.mean - 1.0)).max(0.0).sqrt();
    let detail = format!(
        " (in the last quarter; the mean step is {:+.4} points a game, and {own:.3} of a step are not of the tests)",
        mean(|step| step.0)
    );
    let tested = Tested::sign(&ours.against_level(1.0), text).with_detail(detail);
    let judged = Judgement::of_all(&[tested], "");
    Ok(match judged.verdict {
        // Less than chance gives contradicts nothing.
        Verdict::Differs => Judgement { verdict: Verdict::Undecided, p: None, ..judged },
        Verdict::Agrees | Verdict::Small | Verdict::Undecided => judged,
    })
}

/// The steps between successive tests of the last quarter, each with its variance by the games.
fn late_steps(run: &RunResult, test_games: u64) -> Vec<(f64, f64)> {
    let last = run.tests.last().map_or(0, |(games, _)| *games);
    let late = run.tests.iter().filter(|(games, _)| 4 * games >= 3 * last);
    let values: Vec<(f64, f64)> =
        late.map(|(_, test)| value_of(test, Metric::Ppg, test_games)).collect();
    let step = |pair: &[(f64, f64)]| (pair[1].0 - pair[0].0, pair[0].1.powi(2) + pair[1].1.powi(2));
    values.windows(2).map(step).collect()
}

/// The ratio of each simulation of a row: its squared distances to the mean step, over their
/// variances.
fn of_row(steps: &[Vec<(f64, f64)>]) -> Vec<f64> {
    let n = steps.len() as f64;
    let tests = steps.iter().map(Vec::len).min().unwrap_or(0);
    if steps.len() < 2 || tests == 0 {
        return Vec::new();
    }
    let mean = |test: usize| steps.iter().map(|one| one[test].0).sum::<f64>() / n;
    let means: Vec<f64> = (0..tests).map(mean).collect();
    let ratio = |one: &Vec<(f64, f64)>| {
        let squares: f64 = one.iter().zip(&means).map(|((x, _), mean)| (x - mean).powi(2)).sum();
        let variances: f64 = one[..tests].iter().map(|(_, variance)| variance).sum();
        // The mean has a part of each simulation's own step.
        squares / variances * n / (n - 1.0)
    };
    steps.iter().map(ratio).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_rises_in_step_does_not_waver_and_nets_that_go_their_own_way_do() {
        let with_noise = |noise: &[[f64; 3]]| -> Vec<Vec<(f64, f64)>> {
            noise.iter().map(|one| one.iter().map(|x| (0.5 + x, 1.0)).collect()).collect()
        };
        let together = of_row(&with_noise(&[[0.0; 3], [0.0; 3]]));
        assert_eq!(together, [0.0, 0.0]);
        // Two simulations that differ by 2 at each step: half of it squared, twice for the mean.
        let apart = of_row(&with_noise(&[[1.0; 3], [-1.0; 3]]));
        assert_eq!(apart, [2.0, 2.0]);
        assert!(of_row(&with_noise(&[[1.0; 3]])).is_empty());
    }
}
