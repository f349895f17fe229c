//! Feature importance: how strongly the equity of a net reacts to each input, and how often the
//! input is active.

use ndarray::ArrayView1;

use super::{Net, Specialists};
use crate::backgammon::{BoardView, Position};
use crate::class::Class;
use crate::features::{Feature, SparseInputs};
use crate::nn::OutputActivation;

/// One input of a net and its importance.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureImportance {
    /// The input.
    pub input: Feature,
    /// An upper bound of the change of the equity, in points per game, per unit of the input. It is
    /// a sum over all paths from the input through the hidden layers to the equity. A path counts
    /// the product of its absolute weights and of the maximal slopes of its units. Without a hidden
    /// layer it is |weight to the equity|. A softmax is treated as linear.
    pub sensitivity: f32,
    /// The Euclidean norm of its weights.
    pub norm: f32,
    /// Share of the positions seen in which it is not 0, 0..1.
    pub used: f64,
    /// Its mean over the positions seen, in its own unit.
    pub mean: f64,
}

impl FeatureImportance {
    /// Sensitivity times mean: the most that the input contributes to the equity in an average
    /// position; points per game.
    #[must_use]
    pub fn effect(&self) -> f64 {
        f64::from(self.sensitivity) * self.mean
    }
}

/// How often each net of a team evaluates a position, and how often each of its inputs is not 0.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureUsage {
    nets: Vec<NetFeatureUsage>,
}

#[derive(Clone, Debug, PartialEq)]
struct NetFeatureUsage {
    positions: u64,
    active: Vec<u64>,
    sums: Vec<f64>,
}

impl FeatureUsage {
    /// Counts over positions; finished ones are skipped.
    #[must_use]
    pub fn of(team: &Specialists, positions: &[Position]) -> FeatureUsage {
        let nothing = |net: &Net| {
            let inputs = net.encoding.inputs();
            NetFeatureUsage { positions: 0, active: vec![0; inputs], sums: vec![0.0; inputs] }
        };
        let mut nets: Vec<NetFeatureUsage> = team.nets().iter().map(nothing).collect();
        let mut inputs = SparseInputs::default();
        for position in positions.iter().filter(|position| position.outcome().is_none()) {
            let view = BoardView::of(position);
            let place = team.net_of(Class::of_view(&view));
            team.nets()[place].encoding.encode(position, &mut inputs);
            let seen = &mut nets[place];
            seen.positions += 1;
            for (i, x) in inputs.iter() {
                seen.active[i] += 1;
                seen.sums[i] += f64::from(x);
            }
        }
        FeatureUsage { nets }
    }

    /// The number of positions that the net at index `place` evaluates.
    #[must_use]
    pub fn positions(&self, place: usize) -> u64 {
        self.nets[place].positions
    }
}

/// The points of each of a net's outputs in its equity: half of it is the average head, half the
/// outcomes times their points.
const POINTS: [f32; 7] = [1.0, 1.0, 2.0, 3.0, -1.0, -2.0, -3.0];

/// The weight of something to the equity, from its weights to the outputs.
fn to_equity(row: ArrayView1<f32>) -> f32 {
    row.iter().zip(POINTS).map(|(w, points)| 0.5 * w * points).sum()
}

/// The inputs of a net without a hidden layer, each with its weight.
///
/// It is the weight to the equity of the player to move, in points per game per unit of the input.
/// `None` if the net has hidden units or a softmax.
#[must_use]
pub fn linear_weights(net: &Net) -> Option<Vec<(Feature, f32)>> {
    let dense = net.mlp.to_weights();
    let linear = dense.b1.is_empty() && dense.activations.output == OutputActivation::Linear;
    let weights = || dense.w1.rows().into_iter().map(to_equity);
    linear.then(|| net.encoding.layout().into_iter().zip(weights()).collect())
}

/// All inputs of the net at index `place` of a team, by falling sensitivity.
#[must_use]
pub fn feature_importance(
    team: &Specialists,
    place: usize,
    seen: &FeatureUsage,
) -> Vec<FeatureImportance> {
    let net = &team.nets()[place];
    let NetFeatureUsage { positions, active, sums } = &seen.nets[place];
    let positions = (*positions).max(1) as f64;
    let dense = net.mlp.to_weights();
    let max_slope = dense.activations.hidden.max_slope();
    // The largest change of equity for one unit of each sum of the last hidden layer, then of the
    // first.
    let mut of_sums: Vec<f32> = dense.w2.rows().into_iter().map(to_equity).collect();
    if !dense.b_second.is_empty() {
        let through = |row: ArrayView1<f32>| -> f32 {
            row.iter().zip(&of_sums).map(|(w, out)| (max_slope * w * out).abs()).sum()
        };
        of_sums = dense.w_second.rows().into_iter().map(through).collect();
    }
    let of_units: Vec<f32> =
        of_sums.iter().zip(&dense.beta).map(|(out, beta)| max_slope * beta * out).collect();
    let sensitivity = |row: ArrayView1<f32>| match of_units.is_empty() {
        true => to_equity(row).abs(),
        false => row.iter().zip(&of_units).map(|(w, out)| (w * out).abs()).sum(),
    };
    let mut features: Vec<FeatureImportance> = net
        .encoding
        .layout()
        .into_iter()
        .zip(dense.w1.rows())
        .zip(active.iter().zip(sums))
        .map(|((input, row), (&active, sum))| FeatureImportance {
            input,
            sensitivity: sensitivity(row),
            norm: row.iter().map(|w| w * w).sum::<f32>().sqrt(),
            used: active as f64 / positions,
            mean: sum / positions,
        })
        .collect();
    features.sort_by(|a, b| b.sensitivity.total_cmp(&a.sensitivity));
    features
}

/// Spearman's rank correlation of two lists of the same length, -1..1; equal values share their
/// mean rank.
#[must_use]
pub fn rank_correlation(a: &[f32], b: &[f32]) -> f64 {
    let (a, b) = (ranks(a), ranks(b));
    let n = a.len().max(1) as f64;
    let mean = (n - 1.0) / 2.0;
    let product = |x: &[f64], y: &[f64]| -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum()
    };
    product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt()
}

fn ranks(values: &[f32]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    for equal in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let rank = first as f64 + (equal.len() - 1) as f64 / 2.0;
        equal.iter().for_each(|i| ranks[*i] = rank);
        first += equal.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Architecture;
    use crate::features::Encoding;
    use crate::nn::{Mlp, OutputActivation};
    use rand::SeedableRng;

    #[test]
    fn the_input_with_the_only_weight_comes_first() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(1);
        let mut team = Specialists::random(&Architecture::ALL[0], &mut rng);
        let place = team.net_of(Class::of(&bearoff()));
        assert_eq!(team.nets()[place].encoding, Encoding::Endgame);
        let mut dense = team.nets()[place].mlp.to_weights();
        dense.w1.fill(0.0);
        dense.w2.fill(0.0);
        dense.w1[[5, 1]] = -2.0;
        dense.w2[[1, 0]] = 0.5;
        team.nets_mut()[place].mlp = Mlp::from_weights(&dense);
        let seen = FeatureUsage::of(&team, &[bearoff(), Position::START]);
        let features = feature_importance(&team, place, &seen);
        assert_eq!(features[0].input, Encoding::Endgame.layout()[5]);
        assert_eq!((features[0].sensitivity, features[0].norm), (0.125, 2.0));
        assert_eq!(features[1].sensitivity, 0.0);
    }

    fn bearoff() -> Position {
        Position::from_sides(&[(2, 1), (1, 1)], &[(3, 2)]).expect("legal")
    }

    #[test]
    fn with_two_hidden_layers_no_input_changes_the_equity_by_more_than_its_sensitivity() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(1);
        let mut team = Specialists::random(
            &Architecture::named("128-16/128-16/256-32").expect("known"),
            &mut rng,
        );
        let place = team.net_of(Class::of(&bearoff()));
        let mut dense = team.nets()[place].mlp.to_weights();
        dense.activations.output = OutputActivation::Linear;
        // All paths have the same sign.
        dense.w1.mapv_inplace(f32::abs);
        dense.w_second.mapv_inplace(f32::abs);
        dense.w2.mapv_inplace(f32::abs);
        (4..7).for_each(|loss| dense.w2.column_mut(loss).fill(0.0));
        team.nets_mut()[place].mlp = Mlp::from_weights(&dense);
        let features = feature_importance(&team, place, &FeatureUsage::of(&team, &[]));
        let layout = Encoding::Endgame.layout();
        let equity = |inputs: &ndarray::Array1<f64>| {
            let heads = dense.forward(inputs.mapv(|x| x as f32).view());
            let points = [1.0, 1.0, 2.0, 3.0, -1.0, -2.0, -3.0];
            heads.iter().zip(points).map(|(head, points)| 0.5 * head * points).sum::<f64>()
        };
        let start = ndarray::Array1::from_elem(layout.len(), 4.0);
        for (i, input) in layout.iter().enumerate() {
            let mut moved = start.clone();
            moved[i] += 0.25;
            let slope = ((equity(&moved) - equity(&start)) / 0.25).abs();
            let of_input = features.iter().find(|feature| feature.input == *input);
            let bound = f64::from(of_input.expect("one for each input").sensitivity);
            assert!(slope > 0.0 && slope <= bound, "{input:?}: {slope} above {bound}");
            // Far to the right SiLU has a slope of 1; its largest is 1.1.
            assert!(bound < 1.3 * slope, "{input:?}: {bound} far above {slope}");
        }
    }

    #[test]
    fn usage_is_counted_for_the_net_that_evaluates_the_position() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(1);
        let team = Specialists::random(&Architecture::ALL[0], &mut rng);
        let seen = FeatureUsage::of(&team, &[bearoff(), Position::START, Position::START]);
        let (race, start) =
            (team.net_of(Class::of(&bearoff())), team.net_of(Class::of(&Position::START)));
        assert_eq!((seen.positions(race), seen.positions(start)), (1, 2));
        let features = feature_importance(&team, start, &seen);
        let of = |name: &str| features.iter().find(|f| f.input.name == name).expect("an input");
        assert_eq!(of("own point 24: 2 or more").used, 1.0);
        assert_eq!(of("own point 24: 3 or more").used, 0.0);
        assert_eq!(of("own point 6: beyond 4").mean, 0.5);
    }

    #[test]
    fn rank_correlation_depends_on_the_order_and_not_on_the_scale() {
        assert!((rank_correlation(&[1.0, 2.0, 30.0], &[0.1, 0.2, 0.3]) - 1.0).abs() < 1e-12);
        assert!((rank_correlation(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]) + 1.0).abs() < 1e-12);
        assert!(rank_correlation(&[1.0, 1.0, 2.0, 2.0], &[1.0, 2.0, 1.0, 2.0]).abs() < 1e-12);
    }
}
