//! What the paper's own printed results show of an order: a claim that they cannot tell from chance
//! is not judged by ours.

use serde::Deserialize;

use super::check::{Check, Looked};
use super::wrong;
use crate::spec::{Experiment, ExperimentError, Metric};
use crate::statistics::{sign_test, two_sided};

/// Where the paper's own results are.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Theirs {
    /// A match of this many games, of which this many were won; a draw counts half.
    Match { games: u64, won: f64 },
    /// The scores of a round robin, in the ranking of this place in the definition, with this many
    /// games between each two players.
    Ranking { place: usize, games: u64 },
    /// The printed figures of the check's variants, the last that are not after its number of
    /// games. Their scatter is taken to be that of ours.
    Figures {},
}

/// What they show: the chance of such a result without any difference.
pub(super) struct Shown {
    pub(super) p: f64,
    /// The result in words.
    pub(super) text: String,
}

impl Shown {
    /// Whether the paper's results tell the order from chance.
    pub(super) fn decides(&self) -> bool {
        self.p < 0.05
    }
}

impl Theirs {
    pub(super) fn of(&self, check: &Check, looked: &Looked) -> Result<Shown, ExperimentError> {
        let experiment = &looked.finished.experiment;
        match (self, check) {
            (Theirs::Match { games, won }, _) => {
                Ok(Shown { p: sign_test(*won, *games), text: format!("n = {games} games") })
            }
            (Theirs::Ranking { place, games }, Check::RanksAbove { variants, .. }) => {
                ranking(experiment, *place, *games, variants)
            }
            (Theirs::Figures {}, Check::Above { variants, games, .. }) => {
                figures(looked, variants, *games)
            }
            _ => Err(wrong("the paper's own results do not fit this check".into())),
        }
    }
}

/// Scores are games won less games lost. Each game counts 1 or -1; between the two players it
/// counts twice.
fn ranking(
    experiment: &Experiment,
    place: usize,
    games: u64,
    variants: &[String],
) -> Result<Shown, ExperimentError> {
    let missing = || wrong(format!("{} has no such ranking", experiment.name));
    let scores = &experiment.rankings.get(place).ok_or_else(missing)?.paper;
    let score = |name: &String| {
        let found = scores.iter().find(|(player, _)| player == name);
        found.map(|(_, score)| *score).ok_or_else(missing)
    };
    let others = (scores.len() - 2) as f64;
    let deviation = ((2.0 * others + 4.0) * games as f64).sqrt();
    let (first, rest) = variants.split_first().ok_or_else(missing)?;
    let mut p: f64 = 0.0;
    for other in rest {
        p = p.max(two_sided((score(first)? - score(other)?) / deviation, f64::INFINITY));
    }
    let n = games * (scores.len() as u64 - 1);
    Ok(Shown { p, text: format!("n = {n} games a player") })
}

/// Printed means of the paper's simulations, which scatter as ours do.
fn figures(looked: &Looked, variants: &[String], games: u64) -> Result<Shown, ExperimentError> {
    let experiment = &looked.finished.experiment;
    let simulations = experiment.paper_size.as_ref().map_or(1, |size| size.repeats);
    let printed = |name: &String| {
        let place = experiment.place(name)?;
        let before = experiment.variants[place].paper.iter().filter(|(at, _)| *at <= games);
        before.max_by_key(|(at, _)| *at).copied()
    };
    let missing = || wrong(format!("{} prints no figure before {games} games", experiment.name));
    let (first, rest) = variants.split_first().ok_or_else(missing)?;
    let (at, ours) = printed(first).ok_or_else(missing)?;
    let scatter = |name: &String| {
        let figure = looked.report.figure(name, at, Metric::Share).ok_or_else(missing)?;
        Ok::<_, ExperimentError>((figure.deviation, figure.n))
    };
    let mut p: f64 = 0.0;
    for other in rest {
        let (_, theirs) = printed(other).ok_or_else(missing)?;
        let ((a, n), (b, m)) = (scatter(first)?, scatter(other)?);
        let stderr = a.hypot(b) / (simulations as f64).sqrt();
        let degrees = (n + m).saturating_sub(2).max(1) as f64;
        p = p.max(two_sided((ours - theirs) / stderr, degrees));
    }
    Ok(Shown { p, text: format!("n = {simulations} simulations, after {at} games") })
}
