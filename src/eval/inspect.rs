//! Which inputs matter to a net.

use ndarray::ArrayView1;

use super::Net;
use crate::features::Input;

/// One input of a net and how much the net makes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighed {
    /// The input.
    pub input: Input,
    /// How strongly the equity reacts to it on average over the hidden units: the sum over hidden units of |weight from
    /// the input| times |weight to the equity|, per unit of the input, where the hidden units are steepest; points per
    /// game. Without a hidden layer it is |weight to the equity|. Shares of 1 count as if they were linear.
    pub pull: f32,
    /// Root of the sum of squares of its weights.
    pub norm: f32,
}

/// All inputs of a net, the strongest first.
#[must_use]
pub fn weigh_inputs(net: &Net) -> Vec<Weighed> {
    let dense = net.mlp.to_dense();
    // The equity's own weight from each hidden unit: half the average head, half the outcomes times their points.
    const POINTS: [f32; 7] = [1.0, 1.0, 2.0, 3.0, -1.0, -2.0, -3.0];
    let equity = |row: ArrayView1<f32>| -> f32 {
        row.iter().zip(POINTS).map(|(w, points)| 0.5 * w * points).sum()
    };
    let steepest = dense.units.activation.steepest();
    let rows = dense.w2.rows().into_iter().zip(&dense.beta);
    let to_equity: Vec<f32> = rows.map(|(row, beta)| steepest * beta * equity(row)).collect();
    let pull = |row: ArrayView1<f32>| match to_equity.is_empty() {
        true => equity(row).abs(),
        false => row.iter().zip(&to_equity).map(|(w, out)| (w * out).abs()).sum(),
    };
    let mut weighed: Vec<Weighed> = net
        .encoding
        .layout()
        .into_iter()
        .zip(dense.w1.rows())
        .map(|(input, row)| Weighed {
            input,
            pull: pull(row),
            norm: row.iter().map(|w| w * w).sum::<f32>().sqrt(),
        })
        .collect();
    weighed.sort_by(|a, b| b.pull.total_cmp(&a.pull));
    weighed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Encoding;
    use crate::net::{Dense, Mlp, Shape, Units};

    #[test]
    fn the_input_with_the_only_weight_comes_first() {
        let shape = Shape { inputs: 68, hidden: 2, outputs: 7 };
        let mut dense = Dense::zeros(shape, Units::default());
        dense.w1[[5, 1]] = -2.0;
        dense.w2[[1, 0]] = 0.5;
        let net =
            Net { name: "n".into(), encoding: Encoding::Endgame, mlp: Mlp::from_dense(&dense) };
        let weighed = weigh_inputs(&net);
        assert_eq!(weighed[0].input, Encoding::Endgame.layout()[5]);
        assert_eq!((weighed[0].pull, weighed[0].norm), (0.125, 2.0));
        assert_eq!(weighed[1].pull, 0.0);
    }
}
