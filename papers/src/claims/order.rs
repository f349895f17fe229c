//! Checks of what stands above what, and of what is equal.

use super::check::Looked;
use super::judgement::{Judgement, Tested, margin, signed};
use super::wrong;
use crate::figures::{Comparison, Figure, fluctuation, rise};
use crate::finished::FinishedExperiment;
use crate::run::RunResult;
use crate::spec::{ExperimentError, Metric};
use crate::statistics::{bootstrap95, improvement};

impl Looked<'_> {
    /// The value of each simulation of a variant after this number of games.
    ///
    /// With `from`, the value is the mean of its tests from that number on. Each value comes with
    /// the standard error that its games give it.
    pub(super) fn values(
        &self,
        variant: &str,
        from: Option<u64>,
        games: u64,
    ) -> Result<Vec<(f64, f64)>, ExperimentError> {
        let found = match from {
            None => self.report.values_at(variant, games, self.metric),
            Some(from) => self.report.values_of_tests(variant, from..=games, self.metric),
        };
        let name = &self.finished.experiment.name;
        let missing = || wrong(format!("{name} has no figure of '{variant}' after {games} games"));
        found.filter(|values| !values.is_empty()).ok_or_else(missing)
    }

    fn level(
        &self,
        variant: &str,
        from: Option<u64>,
        games: u64,
    ) -> Result<Figure, ExperimentError> {
        Ok(Figure::of(&self.values(variant, from, games)?))
    }

    /// The simulations of a variant that ended.
    pub(super) fn runs_of(&self, variant: &str) -> impl Iterator<Item = &RunResult> {
        let FinishedExperiment { experiment, simulations, .. } = self.finished;
        let place = experiment.place(variant);
        simulations.runs.iter().filter(move |run| Some(run.variant) == place)
    }
}

/// The first variant above each of the others.
pub(super) fn above(
    looked: &Looked,
    variants: &[String],
    from: Option<u64>,
    games: u64,
) -> Result<Judgement, ExperimentError> {
    let (first, others) = variants.split_first().ok_or_else(|| wrong("no variants".into()))?;
    let own = looked.values(first, from, games)?;
    let mut tested = Vec::new();
    for other in others {
        let theirs = looked.values(other, from, games)?;
        let compared = Figure::of(&own).compared(&Figure::of(&theirs));
        let text = format!("{} compared with \"{other}\"", signed(&compared, looked.metric));
        let one = Tested::order(&compared, margin(looked.metric), text);
        // The chance of improvement (Agarwal et al., 2021) needs no normal distribution.
        let many = own.len() >= 5 && theirs.len() >= 5;
        tested.push(if many && looked.metric != Metric::Wins {
            let bare = |values: &[(f64, f64)]| values.iter().map(|v| v.0).collect::<Vec<_>>();
            let (share, (low, high)) = improvement(&bare(&own), &bare(&theirs));
            let [share, low, high] = [share, low, high].map(|share| 100.0 * share);
            one.with_detail(format!(" (above in {share:.0} % of pairs, {low:.0} to {high:.0} %)"))
        } else {
            one
        });
    }
    Ok(Judgement::of_all(&tested, ""))
}

/// The tests of a variant's last quarter above those of the quarter before, in the same
/// simulations.
pub(super) fn improves(
    looked: &Looked,
    variant: &str,
    games: u64,
) -> Result<Judgement, ExperimentError> {
    let late_from = games - games / 4;
    let of = |from: u64, to: u64| looked.values(variant, Some(from), to);
    let (early, late) = (of(games / 2, late_from - 1)?, of(late_from, games)?);
    let gained = gains(&early, &late);
    let compared = Figure::of(&gained).against_level(0.0);
    let text = format!("{} in a quarter of the games", signed(&compared, looked.metric));
    Ok(Judgement::of_all(&[Tested::order(&compared, margin(looked.metric), text)], ""))
}

/// What each simulation gained, and the standard error that its games give it.
fn gains(early: &[(f64, f64)], late: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let gain =
        |(before, after): (&(f64, f64), &(f64, f64))| (after.0 - before.0, before.1.hypot(after.1));
    early.iter().zip(late).map(gain).collect()
}

/// The first variant is more than `times` as much as the second one.
///
/// The ratio is that of geometric means, with Welch's interval on the scale of logarithms.
pub(super) fn times(
    looked: &Looked,
    [more, less]: &[String; 2],
    games: u64,
    times: f64,
) -> Result<Judgement, ExperimentError> {
    let of = |variant: &String| {
        let values = looked.values(variant, None, games)?;
        let logarithms: Vec<(f64, f64)> = values.iter().map(|(x, _)| (x.ln(), 0.0)).collect();
        Ok::<_, ExperimentError>(Figure::of(&logarithms))
    };
    let (more_of, less_of) = (of(more)?, of(less)?);
    let ratio = more_of.compared(&less_of);
    let [low, high] = [-ratio.half95, ratio.half95].map(|half| (ratio.difference + half).exp());
    let text = format!(
        "{:.3} against {:.3}: {:.2} times as much (95 % interval {low:.2} to {high:.2}; more than {times} times is meant)",
        more_of.mean.exp(),
        less_of.mean.exp(),
        ratio.difference.exp()
    );
    let beyond = Comparison { difference: ratio.difference - times.ln(), ..ratio };
    Ok(Judgement::of_all(&[Tested::sign(&beyond, text)], ""))
}

/// The margin of a claim of equality.
pub(super) fn needed_margin(metric: Metric) -> Result<f64, ExperimentError> {
    margin(metric).ok_or_else(|| wrong(format!("{metric:?} has no margin for equality")))
}

/// No two variants farther apart than the margin.
pub(super) fn close(
    looked: &Looked,
    variants: &[String],
    from: Option<u64>,
    games: u64,
) -> Result<Judgement, ExperimentError> {
    let margin = needed_margin(looked.metric)?;
    let figures: Result<Vec<Figure>, _> =
        variants.iter().map(|variant| looked.level(variant, from, games)).collect();
    let figures = figures?;
    let mut tested = Vec::new();
    for (i, one) in figures.iter().enumerate() {
        for (j, other) in figures.iter().enumerate().skip(i + 1) {
            let compared = one.compared(other);
            let names = format!("{} less {}", variants[i], variants[j]);
            let text = format!("{} ({names})", signed(&compared, looked.metric));
            tested.push(Tested::equality(&compared, margin, text));
        }
    }
    let texts: Vec<String> = figures.iter().map(Figure::text).collect();
    let found = Judgement::of_all(&tested, "");
    Ok(Judgement { text: format!("{} (margin {margin})", texts.join(", ")), ..found })
}

/// Variants near a level.
pub(super) fn near(
    looked: &Looked,
    variants: &[String],
    games: u64,
    level: f64,
) -> Result<Judgement, ExperimentError> {
    let margin = needed_margin(looked.metric)?;
    let mut tested = Vec::new();
    for variant in variants {
        let ours = looked.level(variant, None, games)?;
        tested.push(Tested::equality(&ours.against_level(level), margin, ours.text()));
    }
    Ok(Judgement::of_all(&tested, &format!(" (margin {margin})")))
}

/// The first variant fluctuates less than the second one.
pub(super) fn steadier(
    looked: &Looked,
    [steady, restless]: &[String; 2],
    from: u64,
) -> Result<Judgement, ExperimentError> {
    let of = |variant: &String| -> Result<Figure, ExperimentError> {
        let value = |run: &RunResult| Some((fluctuation(run, from, looked.metric)?, 0.0));
        let values: Vec<(f64, f64)> = looked.runs_of(variant).filter_map(value).collect();
        if values.is_empty() {
            return Err(wrong(format!("no tests of '{variant}' from {from} games on")));
        }
        Ok(Figure::of(&values))
    };
    let (restless, steady) = (of(restless)?, of(steady)?);
    let compared = restless.compared(&steady);
    let text = format!(
        "{:.3} against {:.3} from test to test: {}",
        restless.mean,
        steady.mean,
        signed(&compared, looked.metric)
    );
    Ok(Judgement::of_all(&[Tested::sign(&compared, text)], ""))
}

/// The first variant's rating rises, and by more than the others'.
pub(super) fn rises(
    looked: &Looked,
    variants: &[String],
    games: u64,
) -> Result<Judgement, ExperimentError> {
    let of = |variant: &String| {
        let rise = rise(looked.runs_of(variant), games);
        if rise.n == 0 {
            return Err(wrong(format!("'{variant}' has no rating after {games} games")));
        }
        Ok(rise)
    };
    let (first, others) = variants.split_first().ok_or_else(|| wrong("no variants".into()))?;
    let ours = of(first)?;
    let mut single: Vec<f64> = looked
        .runs_of(first)
        .filter_map(|run| Some(run.ratings.get(games as usize)? - run.ratings.first()?))
        .collect();
    single.sort_by(f64::total_cmp);
    let single: Vec<String> = single.iter().map(|rise| format!("{rise:+.0}")).collect();
    let text = format!(
        "{:+.0} ± {:.0} points of rating in {games} games (runs: {})",
        ours.mean,
        ours.half95.ceil(),
        single.join(", ")
    );
    if others.is_empty() {
        return Ok(Judgement::of_all(&[Tested::sign(&ours.against_level(0.0), text)], ""));
    }
    let mut tested = Vec::new();
    for other in others {
        let compared = ours.compared(&of(other)?);
        let than = if compared.difference < 0.0 { "less" } else { "more" };
        let words = format!(
            "{:.0} ± {:.0} {than} than {other}",
            compared.difference.abs(),
            compared.half95.ceil()
        );
        tested.push(Tested::sign(&compared, words));
    }
    let found = Judgement::of_all(&tested, "");
    Ok(Judgement { text: format!("{text}, {}", found.text), ..found })
}

/// The second variant needs a multiple of the first one's games.
pub(super) fn slower(
    looked: &Looked,
    [fast, slow]: &[String; 2],
    level: f64,
    times: [f64; 2],
) -> Result<Judgement, ExperimentError> {
    let of = |variant: &String| {
        let needed = looked.report.games_to(variant, looked.metric, level);
        needed.ok_or_else(|| wrong(format!("'{variant}' does not reach {level}")))
    };
    let compared = of(slow)?.compared(&of(fast)?);
    let (difference, half) = (compared.difference, compared.half95);
    let [low, high] = [difference - half, difference + half].map(f64::exp);
    let text = format!(
        "{:.1} times as many games to {level} (95 % interval {low:.1} to {high:.1})",
        difference.exp()
    );
    Ok(Judgement::of_all(&[Tested::range(&compared, times.map(f64::ln), text)], ""))
}

/// The second variant comes to its plateau later.
///
/// The measure is the ratio of the numbers of games, with the interval of a bootstrap over the
/// simulations of both.
pub(super) fn later_plateau(
    looked: &Looked,
    [first, second]: &[String; 2],
) -> Result<Judgement, ExperimentError> {
    let curves = |variant: &String| {
        let missing = || wrong(format!("no tests of '{variant}'"));
        let curves = looked.report.curves_of(variant, looked.metric).filter(|all| !all.is_empty());
        curves.ok_or_else(missing)
    };
    let (fast, slow) = (curves(first)?, curves(second)?);
    let plateau = |curves: &[Vec<(u64, f64, f64)>], runs: &[usize]| {
        looked.report.plateau_of(curves, runs).map(|(games, _)| games as f64)
    };
    let all = |curves: &[Vec<(u64, f64, f64)>]| (0..curves.len()).collect::<Vec<_>>();
    let (Some(early), Some(late)) = (plateau(&fast, &all(&fast)), plateau(&slow, &all(&slow)))
    else {
        return Err(wrong("no plateau".into()));
    };
    let interval = bootstrap95(&[fast.len(), slow.len()], |draw| {
        Some(plateau(&slow, &draw[1])? / plateau(&fast, &draw[0])?)
    });
    let (low, high) = interval.ok_or_else(|| wrong("no plateau in a draw".into()))?;
    let text = format!(
        "{early} and {late} games, {:.1} times as many (95 % interval {low:.1} to {high:.1})",
        late / early
    );
    let (middle, half) = ((low.ln() + high.ln()) / 2.0, (high / low).ln() / 2.0);
    Ok(Judgement::plain(text, super::verdict::sign(middle, half)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_simulation_is_compared_with_itself() {
        let gained = gains(&[(0.25, 0.3), (0.5, 0.0)], &[(0.5, 0.4), (0.25, 0.0)]);
        assert_eq!(gained, [(0.25, 0.5), (-0.25, 0.0)]);
    }
}
