//! Checks of printed figures and of best tests.

use super::check::Looked;
use super::judgement::{Judgement, Tested};
use super::order::needed_margin;
use super::verdict::{Verdict, chance};
use super::wrong;
use crate::figures::{Figure, rounded_up};
use crate::spec::ExperimentError;
use crate::statistics::outside_by_chance;

/// The values of each simulation of a row, and their standard errors, at each printed figure.
type Row = Vec<Vec<(f64, f64)>>;

/// The figures that the paper prints.
pub(super) fn printed(
    looked: &Looked,
    variants: &[String],
    games: &[u64],
    rounding: f64,
) -> Result<Judgement, ExperimentError> {
    let experiment = &looked.finished.experiment;
    let simulations = experiment.paper_size.as_ref().map_or(1, |size| size.repeats);
    let (mut outside, mut sum, mut squares, mut halves) = (0, 0.0, 0.0, 0.0);
    let mut single = None;
    let mut rows: Vec<Row> = Vec::new();
    let wanted = |name: &String| variants.is_empty() || variants.contains(name);
    for variant in experiment.variants.iter().filter(|v| wanted(&v.name)) {
        let mut row = Vec::new();
        for &(at, paper) in
            variant.paper.iter().filter(|(at, _)| games.is_empty() || games.contains(at))
        {
            let values = looked.values(&variant.name, None, at)?;
            let ours = Figure::of(&values);
            let (difference, half) = ours.against(paper, simulations);
            outside += u64::from(difference.abs() > half + rounding);
            sum += difference;
            squares += difference * difference;
            halves += half + rounding;
            single = Some((ours, paper, half + rounding));
            row.push(values);
        }
        rows.push(row);
    }
    let n = rows.iter().map(Vec::len).sum::<usize>();
    let Some((ours, paper, half)) = single else {
        return Err(wrong(format!("{} prints no such figure", experiment.name)));
    };
    if n == 1 {
        let verdict = if outside == 0 { Verdict::Agrees } else { Verdict::Differs };
        let text = format!(
            "{} (the paper: {paper}, and ± {:.3} for both together)",
            ours.text(),
            rounded_up(half)
        );
        return Ok(Judgement::plain(text, verdict));
    }
    let allowed = by_chance(&rows, simulations).unwrap_or_else(|| chance(n as u64));
    let verdict = if outside <= allowed { Verdict::Agrees } else { Verdict::Differs };
    let count = n as f64;
    let half = rounded_up(halves / count);
    let short = format!(
        "{outside} of {n} outside (by chance up to {allowed}), each ± {half:.3} on average"
    );
    let text = format!(
        "{short}, mean difference {:+.3}, root mean square {:.3}",
        sum / count,
        (squares / count).sqrt(),
    );
    Ok(Judgement { short, ..Judgement::plain(text, verdict) })
}

/// How many lie outside if the paper's simulations are drawn from ours: those of one row move
/// together. Rows without a printed figure do not count.
fn by_chance(rows: &[Row], simulations: u64) -> Option<u64> {
    let rows: Vec<&Row> = rows.iter().filter(|row| !row.is_empty()).collect();
    let runs: Vec<usize> = rows.iter().map(|row| row[0].len()).collect();
    outside_by_chance(&runs, simulations as usize, |divisions| {
        let of_row = |(row, (theirs, ours)): (&&Row, &(Vec<usize>, Vec<usize>))| {
            let outside = row.iter().filter(|values| {
                let pick = |runs: &[usize]| runs.iter().map(|i| values[*i]).collect::<Vec<_>>();
                let paper = Figure::of(&pick(theirs)).mean;
                let (difference, half) = Figure::of(&pick(ours)).against(paper, simulations);
                difference.abs() > half
            });
            outside.count() as u64
        };
        rows.iter().zip(divisions).map(of_row).sum()
    })
}

/// Whether best tests are above a level.
pub(super) fn best_tests(
    looked: &Looked,
    variants: &[String],
    never: &[String],
    level: f64,
) -> Result<Judgement, ExperimentError> {
    let mut worst = Verdict::Agrees;
    let mut texts = Vec::new();
    let wanted = variants.iter().map(|variant| (variant, true));
    for (variant, wants) in wanted.chain(never.iter().map(|variant| (variant, false))) {
        let best = best_of(looked, variant)?;
        let found = best.iter().filter(|best| **best > level).count();
        worst = worst.min(match found {
            n if n == best.len() && wants || n == 0 && !wants => Verdict::Agrees,
            n if n == best.len() || n == 0 => Verdict::Differs,
            _ => Verdict::Undecided,
        });
        texts.push(format!("{variant}: in {found} of {} pairs", best.len()));
    }
    let short = texts.first().cloned().unwrap_or_default();
    Ok(Judgement { short, ..Judgement::plain(texts.join(", "), worst) })
}

fn best_of<'a>(looked: &'a Looked, variant: &str) -> Result<&'a [f64], ExperimentError> {
    let name = &looked.finished.experiment.name;
    let missing = || wrong(format!("{name} has no best tests of '{variant}'"));
    looked.report.best_tests(variant).ok_or_else(missing)
}

/// The best tests that the paper prints.
pub(super) fn best_figures(
    looked: &Looked,
    variants: &[String],
    rounding: f64,
) -> Result<Judgement, ExperimentError> {
    let experiment = &looked.finished.experiment;
    let (mut outside, mut texts) = (0, Vec::new());
    for variant in variants {
        let missing = || wrong(format!("{} prints no best test of '{variant}'", experiment.name));
        let best = best_of(looked, variant)?;
        let place = experiment.place(variant).ok_or_else(missing)?;
        let (_, paper) = experiment.variants[place].paper_max.ok_or_else(missing)?;
        let pairs: Vec<(f64, f64)> = best.iter().map(|best| (*best, 0.0)).collect();
        let simulations = looked.runs_of(variant).count() as u64;
        let ours = Figure { n: simulations, ..Figure::of(&pairs) };
        // The paper's is the best test of one more pair. Ours share their simulations: the mean
        // over all pairs scatters as that of half as many independent ones, at most (Hoeffding's
        // U-statistics).
        let (_, half) = Figure { deviation: ours.deviation * pair_factor(simulations), ..ours }
            .against(paper, 1);
        let difference = ours.mean - paper;
        outside += u64::from(difference.abs() > half + rounding);
        texts.push(format!("{variant} {:.3} [{paper}]", ours.mean));
    }
    let allowed = chance(variants.len() as u64);
    let short = format!("{outside} of {} outside (by chance up to {allowed})", variants.len());
    let text = format!("{short}: {}", texts.join(", "));
    let verdict = if outside <= allowed { Verdict::Agrees } else { Verdict::Differs };
    Ok(Judgement { short, ..Judgement::plain(text, verdict) })
}

/// What the deviation is multiplied by, so that `against` counts `n` simulations as `n / 2` pairs.
fn pair_factor(n: u64) -> f64 {
    let n = n as f64;
    ((2.0 / n + 1.0) / (1.0 / n + 1.0)).sqrt()
}

/// The nets of best tests in new matches.
pub(super) fn best_nets(
    looked: &Looked,
    variants: &[String],
    level: f64,
) -> Result<Judgement, ExperimentError> {
    let margin = needed_margin(looked.metric)?;
    let mut tested = Vec::new();
    for variant in variants {
        let name = &looked.finished.experiment.name;
        let missing = || wrong(format!("{name} has no new matches of '{variant}'"));
        let ours = looked.report.best_nets(variant).ok_or_else(missing)?;
        let text = format!("{variant} {}", ours.text());
        tested.push(Tested::equality(&ours.against_level(level), margin, text));
    }
    Ok(Judgement::of_all(&tested, &format!(" (margin {margin})")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_a_printed_figure_does_not_change_what_happens_by_chance() {
        // Ten figures of one simulation are equal: all of them lie outside, or none does.
        let row: Row = vec![(0..10).map(|run| (f64::from(run * run), 0.0)).collect(); 10];
        let found = by_chance(std::slice::from_ref(&row), 2);
        assert_eq!(found, Some(10));
        assert_eq!(by_chance(&[row, Vec::new()], 2), found);
    }

    #[test]
    fn five_simulations_make_two_and_a_half_independent_pairs() {
        let scale = pair_factor(5).powi(2) * (1.0 / 5.0 + 1.0);
        assert!((scale - (1.0 / 2.5 + 1.0)).abs() < 1e-12);
    }
}
