//! The weights of linear nets on PubEval's inputs: over the games, and next to PubEval's own.

use std::fmt::Write;

use crate::figures::{Figure, rounded_up};
use crate::run::RunResult;
use crate::spec::Experiment;
use nonet_engine::backgammon::Position;
use nonet_engine::class::Class;
use nonet_engine::eval::{PubEval, Specialists, linear_weights};
use nonet_engine::features::{Encoding, Feature};

/// PubEval's inputs of the player who has just moved, in their order: the second half of those of
/// [`Encoding::PubEval`].
fn inputs() -> Vec<Feature> {
    let mut layout = Encoding::PubEval.layout();
    layout.split_off(layout.len() / 2)
}

/// The place of an input among [`inputs`], by its name without the side, as in
/// `point 5: 2 or more`.
pub(crate) fn place_of(name: &str) -> Option<usize> {
    inputs().iter().position(|input| input.name.strip_prefix(OWNER) == Some(name))
}

/// The inputs of the points.
///
/// The two others are left out of comparisons. The weight of checkers borne off is large in any net
/// that knows who wins, and means little to the choice of a play.
pub(crate) const POINTS: std::ops::Range<usize> = 0..120;

/// How the names of the inputs of the player who has just moved begin.
const OWNER: &str = "opponent ";

/// The weights of the net for contact, for the player who has just moved.
///
/// They are points per game per unit of each input, to four decimal places. `None` if it is no
/// linear net on PubEval's inputs.
pub(crate) fn of_contact(team: &Specialists) -> Option<Vec<f64>> {
    let net = &team.nets()[team.net_of(Class::of(&Position::START))];
    let weights = linear_weights(net).filter(|_| net.encoding == Encoding::PubEval)?;
    // The net's equity is that of the player to move.
    let own = weights.iter().filter(|(input, _)| input.name.starts_with(OWNER));
    Some(own.map(|(_, weight)| (-10_000.0 * f64::from(*weight)).round() / 10_000.0).collect())
}

/// The weights of each variant.
pub(super) struct LearnedWeights {
    /// By variant and place of the input in [`WeightsSpec::shown`]: the weight after each number of
    /// games.
    ///
    /// [`WeightsSpec::shown`]: crate::spec::WeightsSpec::shown
    curves: Vec<Vec<Vec<(u64, Figure)>>>,
    /// The same at the end, with the weights of each simulation divided by their root mean square
    /// over [`POINTS`].
    ends: Vec<Vec<Figure>>,
    /// The correlation (Pearson) with PubEval's weights over [`POINTS`] at the end, by variant.
    correlations: Vec<Figure>,
    /// PubEval's weights of the inputs that are shown, divided by their root mean square.
    tuned: Vec<f64>,
    /// The names of the inputs that are shown.
    shown: Vec<String>,
}

impl LearnedWeights {
    /// `None` if the experiment does not ask for them.
    pub(super) fn of(experiment: &Experiment, runs: &[RunResult]) -> Option<LearnedWeights> {
        let shown = experiment.weights.as_ref()?.shown.clone();
        let places: Vec<usize> = shown.iter().filter_map(|name| place_of(name)).collect();
        let of = |variant: usize| runs.iter().filter(move |run| run.variant == variant);
        let variants = || 0..experiment.variants.len();
        let tuned: Vec<f64> = PubEval.contact_weights().map(f64::from).to_vec();
        let curve = |variant: usize, input: usize| -> Vec<(u64, Figure)> {
            let Some(first) = of(variant).next() else { return Vec::new() };
            let at = |games: u64| {
                let here = of(variant).flat_map(|run| &run.weights).filter(|(at, _)| *at == games);
                let values: Vec<(f64, f64)> = here.map(|(_, all)| (all[input], 0.0)).collect();
                (games, Figure::of(&values))
            };
            first.weights.iter().map(|(games, _)| at(*games)).collect()
        };
        let end = |variant: usize, input: usize| {
            let last = of(variant).filter_map(|run| run.weights.last());
            let values: Vec<(f64, f64)> =
                last.map(|(_, all)| (all[input] / root_mean_square(&all[POINTS]), 0.0)).collect();
            Figure::of(&values)
        };
        let likeness = |variant: usize| {
            let last = of(variant).filter_map(|run| run.weights.last());
            Figure::of(
                &last
                    .map(|(_, all)| (correlation(&all[POINTS], &tuned[POINTS]), 0.0))
                    .collect::<Vec<_>>(),
            )
        };
        let scale = root_mean_square(&tuned[POINTS]);
        Some(LearnedWeights {
            curves: variants().map(|v| places.iter().map(|i| curve(v, *i)).collect()).collect(),
            ends: variants().map(|v| places.iter().map(|i| end(v, *i)).collect()).collect(),
            correlations: variants().map(likeness).collect(),
            tuned: places.iter().map(|i| tuned[*i] / scale).collect(),
            shown,
        })
    }

    /// The inputs that are shown, each with its weight over the games of a variant.
    pub(super) fn curves_of(
        &self,
        variant: usize,
    ) -> impl Iterator<Item = (&String, &[(u64, Figure)])> {
        self.shown.iter().zip(self.curves[variant].iter().map(Vec::as_slice))
    }

    pub(super) fn write(&self, experiment: &Experiment, text: &mut String) {
        text.push_str(
            "Weights of the net for contact at the end, for the player who has just moved, ± the \
             95 % interval over simulations. Each set is divided by its root mean square over the \
             120 inputs of the points. The scale of a set means nothing to the choice of a play. \
             The last row is the correlation with PubEval's weights over these 120 \
             (Pearson).\n\n| input |",
        );
        for variant in &experiment.variants {
            let _ = write!(text, " {} |", variant.name);
        }
        text.push_str(" PubEval |\n|---|---|");
        text.push_str(&"---|".repeat(experiment.variants.len()));
        for (i, name) in self.shown.iter().enumerate() {
            let _ = write!(text, "\n| {name} |");
            for ends in &self.ends {
                let Figure { mean, half95, n, .. } = ends[i];
                let half = (100.0 * half95).ceil() / 100.0;
                let _ = match n {
                    0 => write!(text, " – |"),
                    _ => write!(text, " {mean:+.2} ± {half:.2} |"),
                };
            }
            let _ = write!(text, " {:+.2} |", self.tuned[i]);
        }
        text.push_str("\n| correlation |");
        for Figure { mean, half95, n, .. } in &self.correlations {
            let _ = match n {
                0 => write!(text, " – |"),
                _ => write!(text, " {mean:+.3} ± {:.3} |", rounded_up(*half95)),
            };
        }
        text.push_str(" 1 |\n\n");
    }
}

fn root_mean_square(values: &[f64]) -> f64 {
    (values.iter().map(|value| value * value).sum::<f64>() / values.len() as f64).sqrt()
}

/// Pearson's correlation of two lists of the same length.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let product = |x: &[f64], mean_x: f64, y: &[f64], mean_y: f64| -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum()
    };
    product(a, mean_a, b, mean_b)
        / (product(a, mean_a, a, mean_a) * product(b, mean_b, b, mean_b)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::backgammon::{Dice, Results};
    use nonet_engine::eval::{Architecture, Evaluator};
    use rand::SeedableRng;

    #[test]
    fn weights_and_inputs_rank_plays_as_the_net_does() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(1);
        let architecture = Architecture::named("pubeval-linear").expect("known");
        let team = Specialists::random(&architecture, &mut rng);
        let weights = of_contact(&team).expect("a linear net");
        assert_eq!(weights.len(), 122);
        let mut results = Results::default();
        let found = results.of(&Position::START, Dice::ALL[1]);
        let values: Vec<(f64, f64)> = found
            .iter()
            .map(|after| {
                let mut inputs = nonet_engine::features::SparseInputs::default();
                Encoding::PubEval.encode(after, &mut inputs);
                let own = inputs.iter().filter(|(input, _)| *input >= 122);
                let sum: f64 = own.map(|(i, x)| weights[i - 122] * f64::from(x)).sum();
                (sum, -f64::from(team.evaluate(after).equity()))
            })
            .collect();
        let (first, others) = values.split_first().expect("several results");
        for (sum, value) in others {
            assert!(((sum - first.0) - (value - first.1)).abs() < 2e-3, "{sum} {value} {first:?}");
        }
    }

    #[test]
    fn the_start_of_an_experiment_has_pubevals_weights_on_another_scale() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/baxter-start/start.nonet");
        let start = nonet_engine::store::read_net(std::path::Path::new(file)).expect("a net");
        let weights = of_contact(&start.team).expect("a linear net");
        let tuned = PubEval.contact_weights().map(f64::from);
        assert!(correlation(&weights, &tuned) > 0.9999);
        assert!((0.05..0.1).contains(&(root_mean_square(&weights) / root_mean_square(&tuned))));
    }

    #[test]
    fn a_list_correlates_with_itself_and_not_with_its_opposite() {
        let list = [1.0, 2.0, 4.0];
        assert!((correlation(&list, &[3.0, 5.0, 9.0]) - 1.0).abs() < 1e-12);
        assert!((correlation(&list, &[-1.0, -2.0, -4.0]) + 1.0).abs() < 1e-12);
    }

    #[test]
    fn inputs_are_found_by_name() {
        assert_eq!(place_of("point 1: 1"), Some(1));
        assert_eq!(place_of("point 5: 2 or more"), Some(22));
        assert_eq!(place_of("point 25: 1"), None);
    }
}
